import { Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../api/use-action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toDateTimeInput } from '../ui/format.ts';
import { DateTimeField } from './date-time-field.tsx';
import { FormActions } from './form-actions.tsx';
import { useSubmit } from './use-submit.ts';

const weekMs = 7 * 86_400_000;

/** Dialog for choosing when the snooze of an alert ends. */
export function SnoozeDialog({ alertId, onClose }: { alertId: number; onClose: () => void }) {
  const snooze = useAction('snoozeAlert', { quiet: true, done: 'Alert snoozed' });
  const form = useForm({
    initialValues: { until: toDateTimeInput(new Date(Date.now() + weekMs)), until_version_changes: true },
    validate: {
      until: (value) => (Number.isNaN(Date.parse(value)) ? 'Choose a date and time.' : null),
    },
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ until, until_version_changes }) => {
    const body = { until: new Date(until).toISOString(), until_version_changes };
    await snooze.mutateAsync({ path: { id: alertId }, body });
    onClose();
  });
  return (
    <Dialog onClose={onClose} isDirty={() => form.isDirty()} title="Snooze until">
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          <DateTimeField
            label="Date and time"
            description="No notifications until then, unless the severity goes up or the alert resolves."
            required
            data-autofocus
            {...form.getInputProps('until')}
          />
          <Switch
            label="End early if a version changes"
            description="Applies to the deployed version and the latest release."
            {...form.getInputProps('until_version_changes', { type: 'checkbox' })}
          />
          <FormActions submit="Snooze" isBusy={isBusy} error={error} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
