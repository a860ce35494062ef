import { Select, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { showError } from '../api/use-action.ts';
import { Dialog } from '../ui/dialog.tsx';
import { countOf, toDateTimeInput } from '../ui/format.ts';
import { AffectedNames } from './affected-names.tsx';
import {
  type BulkAction,
  type BulkValues,
  bulkActions,
  changeAlerts,
  describeOutcome,
  describePreview,
  isIrreversible,
  mergeOutcomes,
  type Outcome,
  titleOf,
} from './change-alerts.ts';
import { DateTimeField } from './date-time-field.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { FormActions } from './form-actions.tsx';
import { MemberSelect } from './member-select.tsx';
import { showUndoable } from './show-undoable.tsx';
import { useSubmit } from './use-submit.ts';

const dayMs = 86_400_000;
const snoozes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '1 week' },
  { value: '30', label: '30 days' },
  { value: 'version', label: 'Until a version changes' },
  { value: 'custom', label: 'Until a date' },
];

interface FormValues extends Record<string, unknown> {
  comment: string;
  snooze: string;
  until: string;
  until_version_changes: boolean;
  /** Undefined until someone is chosen. `null` removes the assignee. */
  member_id: number | null | undefined;
}

/** Shows the changes that an action will make before it runs, and offers to undo them where possible. */
export function ChangeAlertsDialog({
  action,
  ids,
  snoozeFor = '7',
  onClose,
  onDone,
  onPartlyDone,
}: {
  action: BulkAction;
  ids: readonly number[];
  /** Initial duration of a snooze: a number of days, `version`, or `custom`. */
  snoozeFor?: string;
  onClose: () => void;
  onDone: () => void;
  /**
   * Called when a request fails after part of the alerts changed. From then on, the dialog covers only the
   * remaining alerts.
   */
  onPartlyDone?: (remaining: readonly number[]) => void;
}) {
  const texts = bulkActions[action];
  const [progress, setProgress] = useState<number | null>(null);
  /** Outcome of the requests that succeeded before one failed. */
  const [before, setBefore] = useState<Outcome | null>(null);
  // The snooze starts at the time when the dialog opened, so that the preview and the request have the same
  // values.
  const [openedAt] = useState(() => Date.now());
  const form = useForm<FormValues>({
    initialValues: {
      comment: '',
      snooze: snoozeFor,
      until: toDateTimeInput(new Date(openedAt + 7 * dayMs)),
      until_version_changes: true,
      member_id: undefined,
    },
    validate: {
      comment: (comment) => (action === 'comment' && comment.trim() === '' ? 'Enter a comment.' : null),
      until: (until, { snooze }) =>
        action === 'snooze' && snooze === 'custom' && Number.isNaN(Date.parse(until))
          ? 'Choose a date and time.'
          : null,
    },
  });
  const { snooze, until, until_version_changes, member_id } = form.values;
  const values = useMemo<BulkValues>(() => {
    if (action === 'assign') return member_id === undefined ? {} : { member_id };
    if (action !== 'snooze') return {};
    if (snooze === 'version') return { until_version_changes: true };
    const at = snooze === 'custom' ? Date.parse(until) : openedAt + Number(snooze) * dayMs;
    return {
      ...(Number.isNaN(at) ? {} : { until: new Date(at).toISOString() }),
      ...(until_version_changes && { until_version_changes }),
    };
  }, [action, member_id, snooze, until, until_version_changes, openedAt]);
  const isComplete =
    action === 'assign'
      ? 'member_id' in values
      : action !== 'snooze' || 'until' in values || 'until_version_changes' in values;
  const preview = useQuery({
    queryKey: ['previewAlertChanges', action, ids, values],
    queryFn: async () => {
      const { outcome, error } = await changeAlerts(action, ids, {
        ...values,
        ...(action === 'comment' && { comment: 'Preview' }),
        dry_run: true,
      });
      if (error !== null) throw error;
      return outcome;
    },
    enabled: isComplete,
    staleTime: Infinity,
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ comment }) => {
    const text = comment.trim();
    const result = await changeAlerts(
      action,
      ids,
      { ...values, ...(text !== '' && { comment: text }) },
      setProgress,
    );
    const outcome = mergeOutcomes([...(before === null ? [] : [before]), result.outcome]);
    if (result.error === null) {
      onDone();
      showOutcome(action, outcome);
    } else if (result.remaining.length < ids.length) {
      setBefore(outcome);
      onPartlyDone?.(result.remaining);
    }
    await queryClient.invalidateQueries();
    if (result.error !== null) throw result.error;
  });
  const close = () => {
    onClose();
    if (before !== null) showOutcome(action, before);
  };
  const title = titleOf(action, preview.data?.changed.length);
  return (
    <Dialog onClose={close} isDirty={() => form.isDirty()} title={title}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          {before !== null && (
            <Text size="sm">A request failed. Until then: {describeOutcome(action, before)}.</Text>
          )}
          <Text size="sm" aria-live="polite">
            {preview.data
              ? describePreview(action, preview.data)
              : isComplete
                ? 'Loading…'
                : action === 'assign' && 'Choose an assignee. "No one" removes the current one.'}
          </Text>
          {preview.data && isIrreversible(action) && <AffectedNames ids={preview.data.changed} of="alerts" />}
          {preview.error && <ErrorNotice error={preview.error} />}
          {texts.note && (
            <Text size="sm" c="var(--text-muted)">
              {texts.note}
            </Text>
          )}
          {action === 'snooze' && (
            <>
              <Select
                label="Snooze for"
                data={snoozes}
                allowDeselect={false}
                {...form.getInputProps('snooze')}
              />
              {snooze === 'custom' && (
                <DateTimeField label="Date and time" required {...form.getInputProps('until')} />
              )}
              {snooze !== 'version' && (
                <Switch
                  label="End early if a version changes"
                  description="Applies to the deployed version and the latest release."
                  {...form.getInputProps('until_version_changes', { type: 'checkbox' })}
                />
              )}
            </>
          )}
          {action === 'assign' && (
            <MemberSelect
              label="Assignee"
              listsNoOne
              openOnFocus={false}
              data-autofocus
              value={member_id}
              onChange={(id) => form.setFieldValue('member_id', id)}
            />
          )}
          <Textarea
            label="Comment"
            description={
              action === 'comment'
                ? undefined
                : 'Appears in the activity of each alert. Leave empty for none.'
            }
            required={action === 'comment'}
            autosize
            minRows={2}
            maxLength={4_000}
            data-autofocus={action !== 'assign'}
            {...form.getInputProps('comment')}
          />
          {progress !== null && ids.length > 100 && (
            <Text size="sm" c="var(--text-muted)">
              {progress.toLocaleString('en')} of {ids.length.toLocaleString('en')} processed…
            </Text>
          )}
          <FormActions
            submit={title}
            isBusy={isBusy}
            isDisabled={!isComplete || preview.data?.changed.length === 0}
            error={error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

/** Reports the outcome of an action, and offers to undo it if possible. */
export function showOutcome(action: BulkAction, outcome: Outcome): void {
  const { changed } = outcome;
  const { undo } = bulkActions[action];
  const id = `changed-alerts-${action}`;
  const undoAction = async (reverse: BulkAction) => {
    const { remaining, error } = await changeAlerts(reverse, changed, {});
    const count = changed.length - remaining.length;
    if (count > 0)
      notifications.show({
        message: `${countOf(count, 'alert')} ${bulkActions[reverse].done}`,
        color: 'teal',
      });
    if (error !== null) {
      showError(error);
      showOutcome(action, { ...outcome, changed: remaining });
    }
    await queryClient.invalidateQueries();
  };
  const canUndo = undo !== undefined && changed.length > 0 && undo !== 'acknowledge';
  showUndoable({
    id,
    message: describeOutcome(action, outcome),
    undo: canUndo ? () => void undoAction(undo).catch(showError) : undefined,
  });
}
