import { NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { DefaultChannelPicker } from '../../components/channel-picker.tsx';
import { EditSession, ifMatchOf } from '../../components/edited.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Facts } from '../../ui/facts.tsx';
import { RuleChannels } from './rule-channels.tsx';

type Settings = Schemas['NotificationSettings'];

/** Form for the default channel, the fallback when no rule matches, and reminders. */
export function NotificationSettingsForm({ settings }: { settings: Settings }) {
  const isAdmin = useHasRole('admin');
  const [saved, setSaved] = useState<Settings | null>(null);
  if (!isAdmin) {
    const { fallback_to_default, reminder_interval_hours } = settings;
    return (
      <Facts
        facts={[
          ['Default channel', <RuleChannels key="channel" ids={null} />],
          ['When no rule matches', fallback_to_default ? 'send to the default channel' : "don't send"],
          ['Reminders', reminder_interval_hours === null ? 'none' : `every ${reminder_interval_hours} hours`],
        ]}
      />
    );
  }
  // The form is recreated after its changes are saved, but other users' changes don't replace unsaved input.
  // The refetched settings can arrive after the save, so the newer revision is used.
  const newest = saved !== null && saved.revision > settings.revision ? saved : settings;
  return (
    <EditSession key={saved?.revision ?? 0} resource={newest}>
      {(opened) => <SettingsForm settings={opened} onSaved={setSaved} />}
    </EditSession>
  );
}

function SettingsForm({ settings, onSaved }: { settings: Settings; onSaved: (saved: Settings) => void }) {
  const { default_channel_id, fallback_to_default, reminder_interval_hours } = settings;
  const form = useForm({
    initialValues: {
      default_channel_id,
      fallback_to_default,
      reminder_interval_hours: (reminder_interval_hours ?? '') as number | '',
    },
  });
  const update = useAction('updateNotificationSettings', { quiet: true, done: 'Settings saved' });
  const { onSubmit, error, isBusy } = useSubmit(
    form,
    async ({ reminder_interval_hours: hours, ...values }) => {
      const saved = await update.mutateAsync({
        body: { ...values, reminder_interval_hours: hours === '' ? null : hours },
        ...ifMatchOf(settings),
      });
      onSaved(saved);
    },
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <DefaultChannelPicker
          label="Default channel"
          description="Receives alerts that match no rule, plus failing-job and offline-agent notifications."
          {...form.getInputProps('default_channel_id')}
          value={form.values.default_channel_id}
        />
        <Switch
          label="Use when no rule matches"
          {...form.getInputProps('fallback_to_default', { type: 'checkbox' })}
        />
        <NumberInput
          label="Reminders"
          description="Repeat notifications for unacknowledged alerts. Leave empty for none."
          prefix="every "
          suffix=" hours"
          min={1}
          max={8_760}
          allowDecimal={false}
          {...form.getInputProps('reminder_interval_hours')}
        />
        {form.values.fallback_to_default && form.values.default_channel_id === null && (
          <Text size="sm" c="var(--severity-moderate)">
            Without a default channel, alerts that match no rule aren't sent.
          </Text>
        )}
        {(form.isDirty() || error !== null) && (
          <FormActions submit="Save settings" isBusy={isBusy} error={error} onCancel={form.reset} />
        )}
      </Stack>
    </form>
  );
}
