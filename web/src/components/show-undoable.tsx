import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Reports a change. The notification stays for ten seconds, so that the change can be undone. */
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
  notifications.show({
    id,
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
              notifications.hide(id);
              undo();
            }}
          >
            Undo
          </Button>
        )}
      </>
    ),
  });
}
