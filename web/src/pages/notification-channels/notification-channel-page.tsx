import { Alert, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation, useParams } from '@tanstack/react-router';
import { presets } from '../../../../src/domain/templates/presets.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { platformOf, platformTexts } from '../../components/channel-platform.ts';
import { deliveryColumns } from '../../components/delivery-columns.tsx';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { editHash } from '../../components/edit-hash.ts';
import { formatHours } from '../../components/format-hours.ts';
import { ResourceList, useList } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { countOf, formatWeekdayTime } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ChannelActions } from './channel-actions.tsx';
import { ChannelMessages } from './channel-messages.tsx';
import { ChannelStats } from './channel-stats.tsx';
import { ChannelTestResult } from './channel-test.tsx';
import { PlatformForm } from './platform-form.tsx';

type Channel = Schemas['NotificationChannel'];

const parent = { to: '/notification-channels', title: 'Channels' } as const;

export default function NotificationChannelPage() {
  const { id } = useParams({ from: '/shell/notification-channels/$id' });
  const channel = useApi('getNotificationChannel', { path: { id: Number(id) } });
  return (
    <Loaded query={channel} parent={parent}>
      {(found) => <ChannelDetail key={found.id} channel={found} />}
    </Loaded>
  );
}

function ChannelDetail({ channel }: { channel: Channel }) {
  const { hash } = useLocation();
  const [isEditing, editing] = useDisclosure(hash === editHash);
  const update = useAction('updateNotificationChannel', { quiet: true, done: 'Channel saved' });
  const test = useAction('testNotificationChannel');
  const path = { id: channel.id };
  return (
    <>
      <PageHeader
        title={channel.name}
        about={platformTexts[platformOf(channel)].about}
        parent={parent}
        actions={
          <ChannelActions
            channel={channel}
            onEdit={editing.open}
            test={{ isPending: test.isPending, run: () => test.mutate({ path }) }}
          />
        }
      />
      {test.data && <ChannelTestResult result={test.data} />}
      <NoDefaultNotice />
      <Section title="Status">
        <ChannelStats channel={channel} />
      </Section>
      <Section title="Details">
        <ChannelFacts channel={channel} />
      </Section>
      {channel.channel_type === 'webhook' && <ChannelMessages channel={channel} />}
      <Section
        title="Deliveries"
        actions={
          <TextLink to="/notification-deliveries" search={{ channel_id: String(channel.id) }} size="sm">
            View all
          </TextLink>
        }
      >
        <ChannelDeliveries id={channel.id} />
      </Section>
      <EditDialog
        title="Edit channel"
        size="lg"
        resource={channel}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <PlatformForm platform={platformOf(opened)} channel={opened} {...form} />}
      </EditDialog>
    </>
  );
}

/** Prompts the user to set a default channel, which is the next step after creating the first channel. */
function NoDefaultNotice() {
  const { data } = useApi('getNotificationSettings');
  const isAdmin = useHasRole('admin');
  if (data?.default_channel_id !== null) return null;
  return (
    <Alert variant="outline" color="var(--severity-moderate)" mb="md" title="No default channel">
      <Text size="sm">
        Alerts that match no notification rule won't be sent anywhere.{' '}
        {isAdmin
          ? 'Set this channel as the default, or review your '
          : 'Ask an administrator to set one. See '}
        <TextLink to="/notification-rules" size="sm" underline="always">
          notification rules
        </TextLink>
        .
      </Text>
    </Alert>
  );
}

function ChannelFacts({ channel }: { channel: Channel }) {
  const rules = useApi('listNotificationRules', { query: { channel_id: channel.id, limit: 1 } });
  const headers = Object.keys(channel.headers);
  const isWebhook = channel.channel_type === 'webhook';
  return (
    <Facts
      facts={[
        ['State', channel.is_active ? <Mark tone="ok">Enabled</Mark> : <Mark tone="muted">Disabled</Mark>],
        channel.is_default && ['Default channel', 'receives alerts that match no notification rule'],
        ['Platform', platformTexts[platformOf(channel)].label],
        channel.url !== null && ['URL', channel.url],
        channel.channel_type === 'email' && ['Recipients', channel.recipients.join(', ')],
        channel.project !== null && ['Project', channel.project],
        channel.issue_type !== null && ['Issue type', channel.issue_type],
        channel.account_email !== null && ['Account email', channel.account_email],
        channel.ticket_labels.length > 0 && ['Ticket labels', channel.ticket_labels.join(', ')],
        channel.interactivity_url !== null && [
          'Interactivity URL',
          <InteractivityUrl key="interactivity" url={channel.interactivity_url} />,
        ],
        headers.length > 0 && ['Headers', headers.join(', ')],
        isWebhook && channel.preset === 'generic' && ['Requests', formatRequests(channel)],
        channel.success_condition !== null && [
          'Success response',
          formatCondition(channel.success_condition),
        ],
        channel.rate_limited_until !== null && [
          'Rate limit',
          <Text key="limit" span inherit>
            The receiver's rate limit was reached. Sending resumes{' '}
            <RelativeTime at={channel.rate_limited_until} />.
          </Text>,
        ],
        isWebhook &&
          (channel.has_signing_secret || presets[channel.preset].receiver === 'custom') && [
            'Messages',
            channel.has_signing_secret ? 'signed' : 'unsigned',
          ],
        [
          'Delivery',
          channel.digest_schedule !== null
            ? `digest: ${channel.digest_schedule} (${channel.timezone})`
            : channel.digest_minutes === null
              ? 'immediately'
              : `digest every ${countOf(channel.digest_minutes, 'minute')}`,
        ],
        channel.owners.length > 0 && ['Owners', channel.owners.join(', ')],
        channel.sending_hours.length > 0 && ['Sending hours', <SendingHours key="hours" channel={channel} />],
        channel.project === null && [
          'Acknowledge by link',
          channel.require_login_to_acknowledge ? 'login required' : 'no login required',
        ],
        [
          'Used by',
          rules.data === undefined ? (
            '…'
          ) : (
            <TextLink key="rules" to="/notification-rules" search={{ channel_id: String(channel.id) }}>
              {rules.data.total === 1 ? '1 notification rule' : `${rules.data.total} notification rules`}
            </TextLink>
          ),
        ],
        ['Created', <RelativeTime key="made" at={channel.created_at} />],
        ['Updated', <RelativeTime key="changed" at={channel.updated_at} />],
      ]}
    />
  );
}

/** Describes the requests of a generic webhook, such as `PUT with JSON; POST /close for resolved alerts`. */
function formatRequests(channel: Channel): string {
  const { request_method, body_format, closing_path, closing_method } = channel;
  const sent = `${request_method} with ${body_format === 'json' ? 'JSON' : 'form fields'}`;
  return closing_path === null ? sent : `${sent}; ${closing_method} ${closing_path} for resolved alerts`;
}

function formatCondition({ path, equals }: Schemas['SuccessCondition']): string {
  return `${path ?? 'the whole response'} is ${JSON.stringify(equals)}`;
}

/** Shows the interactivity URL. It must be set in Slack before the buttons of a message work. */
function InteractivityUrl({ url }: { url: string }) {
  return (
    <Group gap="xs">
      <Text span inherit style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <CopyButton text={url} />
      <Text span size="sm" c="var(--text-muted)">
        In the Slack app, paste it into "Request URL" under "Interactivity & Shortcuts".
      </Text>
    </Group>
  );
}

function SendingHours({ channel }: { channel: Channel }) {
  const { sending_hours, timezone, always_for, opens_at } = channel;
  return (
    <>
      {formatHours(sending_hours)} ({timezone}
      {always_for.length > 0 && `; always: ${always_for.join(', ')}`})
      {opens_at !== null && `. Messages wait until ${formatWeekdayTime(new Date(opens_at))} your time.`}
    </>
  );
}

const columns = deliveryColumns({ without: 'channel' });

function ChannelDeliveries({ id }: { id: number }) {
  const list = useList('listNotificationDeliveries', {
    from: '/shell/notification-channels/$id',
    filters: [],
    sort: '-created_at',
    fixed: { channel_id: id },
  });
  return (
    <ResourceList
      list={list}
      columns={columns}
      name="deliveries"
      rowLink={(delivery) => resourceLink('notification_delivery', delivery.id)}
      empty={
        <EmptyState title="No deliveries yet">
          <Text span inherit>
            Deliveries appear when notification rules route alerts to this channel. Tests aren't listed.
          </Text>
        </EmptyState>
      }
    />
  );
}
