import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** IDs of the last notifications, by the ID of their subject. */
const lastShown = new Map<string, string>();

/**
 * Reports a change. The notification stays for ten seconds, so that the change can be undone. It replaces an earlier one
 * about the same subject, because a notification whose ID is already shown would be ignored.
 * @param id ID of the subject.
 */
export function showUndoable({
  id,
  message,
  undo,
}: {
  id: string;
  message: string;
  /** Undefined if the change can't be undone. */
  undo?: (() => void) | undefined;
}): void {
  const last = lastShown.get(id);
  if (last !== undefined) notifications.hide(last);
  const shown = notifications.show({
    color: 'teal',
    autoClose: 10_000,
    message: (
      <>
        {message}
        {undo && (
          <Button
            variant="subtle"
            size="compact-sm"
            ml="xs"
            onClick={() => {
              notifications.hide(shown);
              undo();
            }}
          >
            Undo
          </Button>
        )}
      </>
    ),
  });
  lastShown.set(id, shown);
}
