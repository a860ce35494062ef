import { Button, Group, Stack, Text } from '@mantine/core';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { isTracker } from '../../../../src/domain/tickets/trackers.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { type ChannelPlatform, platformTexts } from '../../components/channel-platform.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../ui/facts.tsx';
import { ChannelTestResult } from '../notification-channels/channel-test.tsx';
import type { ChannelBody } from '../notification-channels/channel-values.ts';
import { PlatformCards } from '../notification-channels/platform-cards.tsx';
import { PlatformForm } from '../notification-channels/platform-form.tsx';
import { ChoiceList } from './choice-list.tsx';

/** Handle through which the page completes the form of a new channel. */
export interface ChannelStepHandle {
  /**
   * Creates the entered channel, if any.
   * @returns False if the input couldn't be saved.
   */
  complete(): Promise<boolean>;
}

/** Adapts the form of a new channel to a page that continues after the channel is created. */
interface ChannelFormOptions {
  /** Label of the submit button. */
  submit: string;
  /** Continues after the channel is created. Calls `route` so that the channel receives alerts. */
  complete: (route: () => Promise<void>) => Promise<void>;
  /** Receives true while the form is shown. */
  onOpen: (isOpen: boolean) => void;
}

/** Returns the current routing of alerts. It's loaded if the user can change it. */
function useRouting() {
  const canWrite = useHasRole('member');
  const settings = useApi('getNotificationSettings', undefined, { enabled: canWrite });
  const routes = useApi('listNotificationRules', { query: { is_active: true, limit: 1 } });
  return { settings, hasNotificationRules: (routes.data?.total ?? 0) > 0 };
}

/** True if a default channel or a notification rule routes alerts. */
export function useIsRouted(): boolean {
  const { settings, hasNotificationRules } = useRouting();
  return hasNotificationRules || (settings.data?.default_channel_id ?? null) !== null;
}

/** Selects or creates the default channel. */
export function ChannelSection({
  handle,
  form,
}: {
  handle?: Ref<ChannelStepHandle>;
  form?: ChannelFormOptions;
}) {
  const { settings, hasNotificationRules } = useRouting();
  return (
    <Section title="Notifications">
      <Loaded query={settings}>
        {({ default_channel_id }) => (
          <ChannelStep
            defaultChannelId={default_channel_id}
            hasNotificationRules={hasNotificationRules}
            handle={handle}
            form={form}
          />
        )}
      </Loaded>
    </Section>
  );
}

function ChannelStep({
  defaultChannelId,
  hasNotificationRules,
  handle,
  form,
}: {
  defaultChannelId: number | null;
  hasNotificationRules: boolean;
  handle: Ref<ChannelStepHandle> | undefined;
  form: ChannelFormOptions | undefined;
}) {
  const [isAnother, setAnother] = useState(false);
  const isSettled = defaultChannelId !== null || hasNotificationRules;
  if (isSettled && !isAnother) {
    return (
      <Stack gap="sm">
        {defaultChannelId === null ? (
          <Text size="sm">Your notification rules already route alerts.</Text>
        ) : (
          <DefaultChannel channelId={defaultChannelId} />
        )}
        <Button variant="default" size="xs" w="fit-content" onClick={() => setAnother(true)}>
          Add another channel
        </Button>
      </Stack>
    );
  }
  return (
    <ChooseChannel
      defaultChannelId={defaultChannelId}
      onChannel={() => setAnother(false)}
      onCancel={isSettled ? () => setAnother(false) : undefined}
      handle={handle}
      form={form}
    />
  );
}

function DefaultChannel({ channelId }: { channelId: number }) {
  const { data } = useApi('listNotificationChannelsDropdown');
  const test = useAction('testNotificationChannel');
  const name = data?.find(({ id }) => id === channelId)?.name ?? '…';
  return (
    <>
      <Group gap="sm">
        <Text size="sm">
          <strong>{name}</strong> is the default channel. It receives alerts that no notification rule routes
          elsewhere.
        </Text>
        <Button size="xs" loading={test.isPending} onClick={() => test.mutate({ path: { id: channelId } })}>
          Send test
        </Button>
      </Group>
      {test.data && <ChannelTestResult result={test.data} />}
    </>
  );
}

function ChooseChannel({
  defaultChannelId,
  onChannel,
  onCancel,
  handle,
  form: formOptions,
}: {
  defaultChannelId: number | null;
  onChannel(): void;
  /** Returns to the current routing. Undefined if no channel or rule is set up yet. */
  onCancel: (() => void) | undefined;
  handle: Ref<ChannelStepHandle> | undefined;
  form: ChannelFormOptions | undefined;
}) {
  const [platform, setPlatform] = useState<ChannelPlatform | null>(null);
  const channels = useApi('listNotificationChannelsDropdown');
  const create = useAction('createNotificationChannel', { quiet: true });
  const send = useSendAlertsTo();
  const others = channels.data?.filter(({ id, is_active }) => is_active && id !== defaultChannelId) ?? [];
  /**
   * Channel that was already created. If setting the default channel fails, a second attempt doesn't create
   * the channel again.
   */
  const created = useRef<{ key: string; channel: Schemas['NotificationChannel'] } | null>(null);
  const make = async ({ headers, ...body }: ChannelBody) => {
    const given = Object.entries(headers ?? {}).map(([name, value]) => [name, value ?? ''] as const);
    const wanted = { ...body, headers: Object.fromEntries(given) };
    const key = JSON.stringify(wanted);
    if (created.current?.key !== key)
      created.current = { key, channel: await create.mutateAsync({ body: wanted }) };
    const { channel } = created.current;
    const route = () => send(channel);
    await (formOptions ? formOptions.complete(route) : route());
    formOptions?.onOpen(false);
    onChannel();
  };
  const place = useRef<HTMLDivElement>(null);
  const isTyped = useRef(false);
  const saving = useRef<Promise<boolean> | null>(null);
  const save = (body: ChannelBody) => {
    const made = make(body);
    saving.current = made.then(
      () => true,
      () => false,
    );
    return made;
  };
  useImperativeHandle(handle, () => ({
    async complete() {
      const form = place.current?.querySelector('form');
      if (!form || !isTyped.current) return true;
      if (!form.reportValidity()) return false;
      saving.current = null;
      form.requestSubmit();
      return saving.current ?? false;
    },
  }));
  const choose = (chosen: ChannelPlatform | null) => {
    isTyped.current = false;
    setPlatform(chosen);
    formOptions?.onOpen(chosen !== null);
  };
  if (platform !== null) {
    return (
      <div
        ref={place}
        onInput={() => {
          isTyped.current = true;
        }}
      >
        <Text size="sm" fw={500} mb={6}>
          {platformTexts[platform].label}
        </Text>
        <PlatformForm
          platform={platform}
          submit={formOptions?.submit ?? 'Create channel'}
          save={save}
          onCancel={() => choose(null)}
        />
      </div>
    );
  }
  return (
    <Stack gap="md">
      <ChoiceList
        label="Existing channels"
        choices={others.map(({ id, name }) => ({ id, name, note: null }))}
        onChoose={(id) => {
          const chosen = others.find((channel) => channel.id === id);
          if (!chosen) return;
          void send(chosen).then(onChannel, () => {});
        }}
      />
      <div>
        <Text size="sm" fw={500} mb={6}>
          Where should notifications go?
        </Text>
        <PlatformCards onChoose={choose} />
      </div>
      {onCancel ? (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={onCancel}>
          Cancel
        </Button>
      ) : (
        <Text size="sm" c="var(--text-muted)">
          Without a channel, alerts appear only here. You can add one later.
        </Text>
      )}
    </Stack>
  );
}

/**
 * Returns a function that sets the default channel. If the user isn't an administrator, or the channel
 * creates tickets, the function creates a notification rule that sends everything to the channel instead.
 */
function useSendAlertsTo(): (
  channel: Pick<Schemas['NotificationChannel'], 'id' | 'name' | 'channel_type'>,
) => Promise<void> {
  const isAdmin = useHasRole('admin');
  const makeDefault = useAction('updateNotificationSettings');
  const createRule = useAction('createNotificationRule');
  return async ({ id, name, channel_type }) => {
    if (isAdmin && !isTracker(channel_type))
      await makeDefault.mutateAsync({ body: { default_channel_id: id } });
    else
      await createRule.mutateAsync({
        body: { name: `Send everything to ${name}`.slice(0, 200), channel_ids: [id] },
      });
  };
}
