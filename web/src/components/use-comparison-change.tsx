import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useAction } from '../api/use-action.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type Change, reverted, revertedOfJob } from './comparison-changes.ts';
import { type IfMatch, ifMatchOf } from './edited.tsx';

/** Makes a change to what a monitor is compared with, after asking, and offers to undo it. */
export function useComparisonChange(config: Schemas['AlertConfig'] | undefined) {
  const update = useAction('updateAlertConfig');
  const undo = useAction('updateAlertConfig', { done: 'Change undone' });
  const apply = useChange(config, reverted, update.mutateAsync, undo.mutateAsync);
  return { apply, isBusy: update.isPending };
}

/** The same for all monitors that use an upstream source. */
export function useJobChange(job: Schemas['GatherJob'] | undefined) {
  const update = useAction('updateGatherJob');
  const undo = useAction('updateGatherJob', { done: 'Change undone' });
  const apply = useChange(job, revertedOfJob, update.mutateAsync, undo.mutateAsync);
  return { apply, isBusy: update.isPending };
}

interface Changeable {
  id: number;
  revision: number;
}

type Send<Target, Body> = (input: { path: { id: number }; body: Body } & IfMatch) => Promise<Target>;

const toastOf = ({ id, revision }: Changeable) => `undo-${id}-${revision}`;

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
      // The action has shown the error.
      return;
    }
    // The one of an earlier change can no longer undo it.
    notifications.hide(toastOf(target));
    const id = toastOf(changed);
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
              // Rejected if someone has changed it since.
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
