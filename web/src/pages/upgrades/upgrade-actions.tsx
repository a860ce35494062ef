import { Button, Menu } from '@mantine/core';
import { IconBellOff, IconBellRinging, IconCheck, IconChevronDown, IconRotate } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { showUndoable } from '../../components/show-undoable.tsx';
import { menuLabel, upgradeName } from '../../components/upgrade-text.ts';
import { countOf } from '../../ui/format.ts';
import { RowMenu } from '../../ui/row-menu.tsx';

type Upgrade = Schemas['Upgrade'];
type Change = Schemas['ChangeUpgradeRequest'];

const weekMs = 7 * 86_400_000;

/** Changes all open alerts of an upgrade, and offers to undo the change where that is possible. */
function useChangeUpgrade(upgrade: Upgrade) {
  const change = useMutation({
    mutationFn: ({ body }: { body: Change; done: string; undo?: Change }) =>
      api.call('changeUpgrade', { path: { upgrade_id: upgrade.id }, body }),
    onSuccess: async ({ changed }, { done, undo }) => {
      showUndoable({
        id: `changed-upgrade-${upgrade.id}`,
        message: `${upgradeName(upgrade)}: ${countOf(changed, 'alert')} ${done}`,
        undo:
          undo !== undefined && changed > 0
            ? () => change.mutate({ body: undo, done: 'changed back' })
            : undefined,
      });
      await queryClient.invalidateQueries();
    },
    onError: showError,
  });
  return change;
}

/** Menu with the actions for all open alerts of an upgrade, at the end of a row. */
export function UpgradeMenu({ upgrade, startsOpen }: { upgrade: Upgrade; startsOpen?: boolean }) {
  const change = useChangeUpgrade(upgrade);
  if (upgrade.severity === null) return null;
  return (
    <RowMenu label={menuLabel(upgrade)} {...(startsOpen && { startsOpen })}>
      <AcknowledgeItem upgrade={upgrade} change={change} />
      <SnoozeItems upgrade={upgrade} change={change} />
    </RowMenu>
  );
}

/** Buttons with the same actions as `UpgradeMenu`, in the header of the page of an upgrade. */
export function UpgradeButtons({ upgrade }: { upgrade: Upgrade }) {
  const change = useChangeUpgrade(upgrade);
  if (upgrade.severity === null) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        {/* Not disabled during a change, because a disabled button loses the focus that the menu returned to it. */}
        <Button aria-busy={change.isPending} rightSection={<IconChevronDown size={15} aria-hidden />}>
          Change all alerts
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <AcknowledgeItem upgrade={upgrade} change={change} />
        <SnoozeItems upgrade={upgrade} change={change} />
      </Menu.Dropdown>
    </Menu>
  );
}

interface ItemProps {
  upgrade: Upgrade;
  change: ReturnType<typeof useChangeUpgrade>;
}

function AcknowledgeItem({ upgrade: { places }, change }: ItemProps) {
  return places.needs_action > 0 || places.planned === 0 ? (
    <Menu.Item
      leftSection={<IconCheck size={15} />}
      onClick={() =>
        change.mutate({
          body: { action: 'acknowledge' },
          done: 'acknowledged',
          // Undoing would also remove earlier acknowledgments of other places.
          ...(places.planned === 0 && { undo: { action: 'unacknowledge' as const } }),
        })
      }
    >
      Acknowledge
    </Menu.Item>
  ) : (
    <Menu.Item
      leftSection={<IconRotate size={15} />}
      onClick={() => change.mutate({ body: { action: 'unacknowledge' }, done: 'unacknowledged' })}
    >
      Unacknowledge
    </Menu.Item>
  );
}

function SnoozeItems({ upgrade: { places }, change }: ItemProps) {
  const snooze = (body: Change) =>
    change.mutate({
      body,
      done: 'snoozed',
      ...(places.snoozed === 0 && { undo: { action: 'unsnooze' as const } }),
    });
  return (
    <>
      {places.snoozed > 0 && (
        <Menu.Item
          leftSection={<IconBellRinging size={15} />}
          onClick={() => change.mutate({ body: { action: 'unsnooze' }, done: 'no longer snoozed' })}
        >
          End snooze
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconBellOff size={15} />}
        onClick={() => snooze({ action: 'snooze', until: new Date(Date.now() + weekMs).toISOString() })}
      >
        Snooze for 1 week
      </Menu.Item>
      <Menu.Item
        leftSection={<IconBellOff size={15} />}
        onClick={() => snooze({ action: 'snooze', until_version_changes: true })}
      >
        Snooze until a version changes
      </Menu.Item>
    </>
  );
}
