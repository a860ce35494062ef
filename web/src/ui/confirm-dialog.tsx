import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ConfirmationOptions } from './confirm.tsx';

export default function ConfirmDialog({
  question: { title, body, confirm, danger = false },
  isOpen,
  onClose,
}: {
  question: ConfirmationOptions;
  isOpen: boolean;
  onClose: (yes: boolean) => void;
}) {
  // A modal that is open when it mounts doesn't store the previously focused element, so it opens after
  // mounting.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <Modal opened={isOpen && isReady} onClose={() => onClose(false)} title={title}>
      <Stack>
        <Text component="div" size="sm">
          {body}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)} data-autofocus>
            Cancel
          </Button>
          <Button color={danger ? 'red.9' : undefined} onClick={() => onClose(true)}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
