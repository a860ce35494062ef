import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import { capitalized } from '../../../../src/domain/text/capitalized.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { useAlertConfigNames } from '../../components/alert-config-picker.tsx';
import { deliveryStatusOptions } from '../../components/delivery-status.tsx';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { formatEvent } from '../../components/event-type.ts';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeMissingChannels, useChannelsOf } from './channels-of-rule.ts';
import { formatMatcher } from './format-criteria.ts';
import { NotificationRuleForm } from './notification-rule-form.tsx';
import { RuleChannels } from './rule-channels.tsx';
import { RuleState } from './rule-state.tsx';

type Rule = Schemas['NotificationRule'];

const parent = { to: '/notification-rules', title: 'Notification rules' } as const;

export default function NotificationRulePage() {
  const { id } = useParams({ from: '/shell/notification-rules/$id' });
  const rule = useApi('getNotificationRule', { path: { id: Number(id) } });
  return (
    <Loaded query={rule} parent={parent}>
      {(found) => <RuleDetail rule={found} />}
    </Loaded>
  );
}

function RuleDetail({ rule }: { rule: Rule }) {
  const [isEditing, editing] = useDisclosure(false);
  const channels = useChannelsOf(rule.channel_ids);
  const missing = channels === undefined ? null : describeMissingChannels(rule.channel_ids, channels);
  const update = useAction('updateNotificationRule', { quiet: true, done: 'Notification rule saved' });
  return (
    <>
      <PageHeader
        title={rule.name}
        about={rule.description}
        parent={parent}
        actions={<RuleActions rule={rule} onEdit={editing.open} />}
      />
      {rule.inactive_reason !== null && (
        <Text size="sm" mb="md" role="note">
          Disabled because all its channels were deleted. Add channels, then enable it again.
        </Text>
      )}
      {rule.is_active && missing !== null && (
        <Alert color="yellow" mb="md" role="note" title={capitalized(missing)}>
          {channels?.length === 0
            ? 'Set a default channel, or edit the rule:'
            : 'Disabled channels send no messages. Enable them, or edit the rule:'}{' '}
          <RuleChannels ids={rule.channel_ids} toOwner={rule.route_to_owner} />.
        </Alert>
      )}
      <Section title="Conditions">
        <Criteria rule={rule} />
      </Section>
      <Section title="Recent matches">
        <Matches rule={rule} />
      </Section>
      <Section title="Details">
        <Facts
          facts={[
            ['State', <RuleState key="state" rule={rule} />],
            [
              'Sends to',
              <RuleChannels key="channels" ids={rule.channel_ids} toOwner={rule.route_to_owner} />,
            ],
            ['If matched', rule.stop_processing ? 'stop processing' : 'continue with later rules'],
            ['Priority', rule.priority],
            ['Created', <RelativeTime key="made" at={rule.created_at} />],
            ['Updated', <RelativeTime key="changed" at={rule.updated_at} />],
          ]}
        />
      </Section>
      <EditDialog
        title="Edit notification rule"
        resource={rule}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <NotificationRuleForm rule={opened} {...form} />}
      </EditDialog>
    </>
  );
}

function Criteria({ rule }: { rule: Rule }) {
  const rules = useApi('listRulesDropdown');
  const configNames = useAlertConfigNames(rule.alert_config_ids);
  const link = (kind: 'rule' | 'alert_config', id: number, name: string | undefined) => (
    <TextLink key={id} {...resourceLink(kind, id)} inherit display="block">
      {name ?? '…'}
    </TextLink>
  );
  return (
    <Facts
      facts={[
        ['Severities', rule.severities.length === 0 ? 'all' : rule.severities.join(', ')],
        ['Events', rule.event_types.length === 0 ? 'all' : rule.event_types.map(formatEvent).join(', ')],
        [
          'Labels',
          rule.label_matchers.length === 0 ? 'any' : rule.label_matchers.map(formatMatcher).join('; '),
        ],
        [
          'Rules',
          rule.rule_ids.length === 0
            ? 'all'
            : rule.rule_ids.map((id) => link('rule', id, rules.data?.find((each) => each.id === id)?.name)),
        ],
        [
          'Monitors',
          rule.alert_config_ids.length === 0
            ? 'all'
            : rule.alert_config_ids.map((id) => link('alert_config', id, configNames.get(id))),
        ],
      ]}
    />
  );
}

function Matches({ rule }: { rule: Rule }) {
  const stats = useApi('getNotificationRuleStats', { path: { id: rule.id } });
  return (
    <Loaded query={stats}>
      {({ match_count, matches_24h, matches_7d, last_matched_at, deliveries: { by_status } }) => (
        <Facts
          facts={[
            ['Last 24 hours', matches_24h.toLocaleString('en')],
            ['Last 7 days', matches_7d.toLocaleString('en')],
            ['All time', match_count.toLocaleString('en')],
            ['Last match', <RelativeTime key="last" at={last_matched_at} />],
            ...deliveryStatusOptions.map(
              ({ value, label }) =>
                by_status[value] > 0 &&
                ([`${label} deliveries (7 days)`, by_status[value].toLocaleString('en')] as const),
            ),
          ]}
        />
      )}
    </Loaded>
  );
}

function RuleActions({ rule, onEdit }: { rule: Rule; onEdit: () => void }) {
  const navigate = useNavigate();
  const confirm = useConfirm();
  const toggle = useAction('toggleNotificationRule');
  const remove = useAction('deleteNotificationRule', {
    done: 'Notification rule deleted',
    leave: () => navigate({ to: '/notification-rules' }),
  });
  if (!useHasRole('member')) return null;
  const path = { id: rule.id };
  const hasNoChannel = rule.channel_ids?.length === 0;
  const onDelete = async () => {
    const isSure = await confirm({
      title: `Delete "${rule.name}"?`,
      body: "Alerts that only this rule matches will go to the default channel, if the fallback is enabled. Existing deliveries are kept. This can't be undone.",
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path });
  };
  return (
    <>
      <Button variant="default" onClick={onEdit}>
        Edit
      </Button>
      <Button
        variant="default"
        loading={toggle.isPending}
        disabled={hasNoChannel}
        title={hasNoChannel ? 'Add channels first' : undefined}
        onClick={() => toggle.mutate({ path })}
      >
        {rule.is_active ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" c="var(--severity-critical)" onClick={() => void onDelete()}>
        Delete
      </Button>
    </>
  );
}
