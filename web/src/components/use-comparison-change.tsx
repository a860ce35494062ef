import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useAction } from '../api/use-action.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type Change, invertChange, invertJobChange } from './comparison-changes.ts';
import { type IfMatch, ifMatchOf } from './edited.tsx';

/**
 * Returns a function that changes the releases that a monitor is compared with, after confirmation. The
 * notification contains an Undo button.
 */
export function useComparisonChange(config: Schemas['AlertConfig'] | undefined) {
  const update = useAction('updateAlertConfig');
  const undo = useAction('updateAlertConfig', { done: 'Change undone' });
  const apply = useChange(config, invertChange, update.mutateAsync, undo.mutateAsync);
  return { apply, isBusy: update.isPending };
}

/**
 * Returns a function that applies a comparison change to all monitors of an upstream source, after
 * confirmation. The notification contains an Undo button.
 */
export function useJobChange(job: Schemas['GatherJob'] | undefined) {
  const update = useAction('updateGatherJob');
  const undo = useAction('updateGatherJob', { done: 'Change undone' });
  const apply = useChange(job, invertJobChange, update.mutateAsync, undo.mutateAsync);
  return { apply, isBusy: update.isPending };
}

interface Changeable {
  id: number;
  revision: number;
}

type Send<Target, Body> = (input: { path: { id: number }; body: Body } & IfMatch) => Promise<Target>;

const toastId = ({ id, revision }: Changeable) => `undo-${id}-${revision}`;

function useChange<Target extends Changeable, Body>(
  target: Target | undefined,
  revert: (target: Target, body: Body) => Body,
  update: Send<Target, Body>,
  undo: Send<Target, Body>,
) {
  const confirm = useConfirm();
  return async (change: Change<Target, Body>) => {
    if (target === undefined) return;
    const { title, confirm: word } = change;
    if (!(await confirm({ title, body: change.describe(target), confirm: word }))) return;
    const path = { id: target.id };
    const body = change.changes(target);
    let changed: Target;
    try {
      changed = await update({ path, body, ...ifMatchOf(target) });
    } catch {
      // `useAction` has already shown the error.
      return;
    }
    // Hide the notification of an earlier change, because its Undo button no longer works.
    notifications.hide(toastId(target));
    const id = toastId(changed);
    notifications.show({
      id,
      color: 'teal',
      autoClose: 15_000,
      message: (
        <Group justify="space-between" wrap="nowrap">
          {change.done}
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              notifications.hide(id);
              // The server rejects the undo if the resource has changed since.
              undo({ path, body: revert(target, body), ...ifMatchOf(changed) }).catch(() => undefined);
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    });
  };
}
