import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../api/use-action.ts';
import { AffectedNames } from '../../components/affected-names.tsx';
import { RulePicker } from '../../components/entity-picker.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { FormActions } from '../../components/form-actions.tsx';
import { LabelEditor, labelKeyError } from '../../components/label-editor.tsx';
import type { List, Selection } from '../../components/list/index.ts';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import {
  type Change,
  changeSoftware,
  describeChange,
  describeOverridden,
  mergeOutcomes,
  type Outcome,
  type SoftwareAction,
  softwareActions,
} from './software-changes.ts';

/** Shows the bulk actions for the selected software. */
export function SoftwareSelection({
  selection,
  list,
}: {
  selection: Selection;
  list: List<Schemas['SoftwareItem']>;
}) {
  const [action, setAction] = useState<SoftwareAction | null>(null);
  return (
    <>
      <SelectionBar selection={selection} list={list} name="items">
        {(Object.keys(softwareActions) as SoftwareAction[]).map((name) => (
          <Button
            key={name}
            size="xs"
            variant="default"
            c={name === 'delete' ? 'var(--severity-critical)' : undefined}
            onClick={() => setAction(name)}
          >
            {softwareActions[name].title}
          </Button>
        ))}
      </SelectionBar>
      {action !== null && (
        <ChangeDialog
          action={action}
          ids={[...selection.ids]}
          onClose={() => setAction(null)}
          onDone={() => {
            setAction(null);
            selection.set(new Set());
          }}
          onPartlyDone={(remaining) => selection.set(new Set(remaining))}
        />
      )}
    </>
  );
}

interface FormValues extends Record<string, unknown> {
  labels: Record<string, string>;
  /** Comma-separated label keys. */
  removed: string;
  rule_id: number | null;
}

/** Shows the changes that an action will make before it runs, and offers to undo them where possible. */
function ChangeDialog({
  action,
  ids,
  onClose,
  onDone,
  onPartlyDone,
}: {
  action: SoftwareAction;
  ids: readonly number[];
  onClose: () => void;
  onDone: () => void;
  /**
   * Called when a request fails after part of the items changed. From then on, the dialog covers only the
   * remaining items.
   */
  onPartlyDone: (remaining: readonly number[]) => void;
}) {
  const { title, beforeCount = title, note } = softwareActions[action];
  const [progress, setProgress] = useState<number | null>(null);
  /** Outcome of the requests that succeeded before one failed. */
  const [before, setBefore] = useState<Outcome | null>(null);
  const form = useForm<FormValues>({ initialValues: { labels: {}, removed: '', rule_id: null } });
  const change = changeOf(action, form.values);
  const preview = useQuery({
    queryKey: ['previewSoftwareChanges', change, ids],
    queryFn: async () => {
      const { outcome, error } = await changeSoftware(change!, ids, true);
      if (error !== null) throw error;
      return outcome;
    },
    enabled: change !== null,
    staleTime: Infinity,
    retry: false,
  });
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    const wanted = changeOf(action, values);
    if (wanted === null) return;
    const result = await changeSoftware(wanted, ids, false, setProgress);
    const outcome = mergeOutcomes([...(before === null ? [] : [before]), result.outcome]);
    if (result.error === null) {
      onDone();
      showOutcome(action, outcome);
    } else if (result.remaining.length < ids.length) {
      setBefore(outcome);
      onPartlyDone(result.remaining);
    }
    await queryClient.invalidateQueries();
    if (result.error !== null) throw result.error;
  });
  const close = () => {
    onClose();
    if (before !== null) showOutcome(action, before);
  };
  const count = preview.data?.changed.length;
  const button = `${beforeCount} ${countOf(count || ids.length, 'item')}`;
  return (
    <Dialog
      onClose={close}
      isDirty={() => form.isDirty()}
      title={action === 'delete' ? `${button}?` : button}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          {action === 'label' && (
            <>
              <LabelEditor
                title="Set labels"
                description="Other labels stay."
                value={form.values.labels}
                onChange={(labels) => form.setFieldValue('labels', labels)}
                error={fieldErrorOf(form.errors, 'labels')}
              />
              <TextInput
                label="Remove labels"
                description="Keys, separated by commas. For example, team, owner."
                {...form.getInputProps('removed')}
                error={keysOf(form.values.removed)
                  .map((key) => labelKeyError(key))
                  .find(Boolean)}
              />
            </>
          )}
          {action === 'set_rule' && (
            <RulePicker
              label="Rule"
              withAsterisk
              value={form.values.rule_id}
              onChange={(id) => form.setFieldValue('rule_id', id)}
              error={form.errors['rule_id']}
            />
          )}
          {before !== null && (
            <Text size="sm">
              A request failed. Until then: {countOf(before.changed.length, 'item')}{' '}
              {softwareActions[action].done}.
            </Text>
          )}
          <Text size="sm" aria-live="polite">
            {change === null
              ? 'The preview appears here.'
              : preview.data
                ? describeChange(action, preview.data)
                : !preview.isError && 'Loading…'}
          </Text>
          {preview.data && action === 'delete' && <AffectedNames ids={preview.data.changed} of="software" />}
          {preview.error && <ErrorNotice error={preview.error} />}
          {note && (
            <Text size="sm" c="var(--text-muted)">
              {note}
            </Text>
          )}
          {progress !== null && ids.length > 100 && (
            <Text size="sm" c="var(--text-muted)">
              {progress.toLocaleString('en')} of {ids.length.toLocaleString('en')} processed…
            </Text>
          )}
          <FormActions
            submit={button}
            isBusy={isBusy}
            isDisabled={change === null || count === 0}
            isDangerous={action === 'delete'}
            error={error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

/** Returns the change for the form values, or `null` if they're incomplete or invalid. */
function changeOf(
  action: SoftwareAction,
  { labels, removed, rule_id }: FormValues,
): Omit<Change, 'scrape_job_ids'> | null {
  if (action === 'set_rule') return rule_id === null ? null : { action, rule_id };
  if (action !== 'label') return { action };
  const wanted = { ...Object.fromEntries(keysOf(removed).map((key) => [key, null])), ...labels };
  const keys = Object.keys(wanted);
  return keys.length === 0 || keys.some((key) => labelKeyError(key) !== null)
    ? null
    : { action, labels: wanted };
}

function keysOf(list: string): string[] {
  return list
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function showOutcome(action: SoftwareAction, outcome: Outcome): void {
  const { changed, unchanged, rejected, overridden, undo } = outcome;
  const id = `changed-software-${action}`;
  const undoChange = async () => {
    notifications.hide(id);
    const remaining = await undoAll(undo);
    if (remaining.length === 0) notifications.show({ message: 'Changes undone', color: 'teal' });
    else showOutcome(action, { ...outcome, undo: remaining });
    await queryClient.invalidateQueries();
  };
  notifications.show({
    id,
    color: rejected.length + overridden.length > 0 ? 'yellow' : 'teal',
    autoClose: 10_000,
    message: (
      <>
        {countOf(changed.length, 'item')} {softwareActions[action].done}
        {unchanged.length > 0 && `, ${formatCount(unchanged.length)} ${softwareActions[action].unchanged}`}
        {rejected.length > 0 && `, ${countOf(rejected.length, 'item')} rejected`}
        {overridden.length > 0 && `. ${describeOverridden(overridden.length)}`}
        {undo.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            ml="xs"
            onClick={() => void undoChange().catch(showError)}
          >
            Undo
          </Button>
        )}
      </>
    ),
  });
}

/**
 * Undoes changes until a request fails.
 * @returns The changes that haven't been undone.
 */
async function undoAll(changes: readonly Change[]): Promise<Change[]> {
  for (const [index, { scrape_job_ids, ...change }] of changes.entries()) {
    const { remaining, error } = await changeSoftware(change, scrape_job_ids, false);
    if (error === null) continue;
    showError(error);
    return [{ ...change, scrape_job_ids: remaining }, ...changes.slice(index + 1)];
  }
  return [];
}
