import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useAction } from '../api/use-action.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type ComparisonChange, reverted } from './comparison-changes.ts';
import { ifMatchOf } from './edited.tsx';

/** Makes a change to what a monitor is compared with, after asking, and offers to undo it. */
export function useComparisonChange(config: Schemas['AlertConfig'] | undefined) {
  const confirm = useConfirm();
  const update = useAction('updateAlertConfig');
  const undo = useAction('updateAlertConfig', { done: 'Change undone' });
  const apply = async (change: ComparisonChange) => {
    if (config === undefined) return;
    const { title, confirm: word } = change;
    if (!(await confirm({ title, body: change.describe(config), confirm: word }))) return;
    const path = { id: config.id };
    const body = change.changes(config);
    update.mutate(
      { path, body, ...ifMatchOf(config) },
      {
        onSuccess: (changed) => {
          const id = `undo-${config.id}`;
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
                    // Rejected if someone has changed the monitor since.
                    undo.mutate({ path, body: reverted(config, body), ...ifMatchOf(changed) });
                  }}
                >
                  Undo
                </Button>
              </Group>
            ),
          });
        },
      },
    );
  };
  return { apply, isBusy: update.isPending };
}
