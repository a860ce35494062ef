import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';

/**
 * Copies text. Browsers offer the clipboard API only on HTTPS and localhost. On other origins, the text is
 * copied through a selection.
 * @param done Notification to show if no button shows the result.
 */
export async function copyText(text: string, done?: string): Promise<boolean> {
  const isCopied = await (navigator.clipboard?.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  ) ?? copyBySelection(text));
  if (!isCopied)
    notifications.show({
      message: 'Your browser blocked copying. Select the text and copy it manually.',
      color: 'red',
    });
  else if (done !== undefined) notifications.show({ message: done, color: 'teal' });
  return isCopied;
}

export function CopyButton({
  text,
  label = 'Copy',
  onCopied,
  ...props
}: { text: string; label?: string; 'aria-label'?: string; onCopied?: () => void } & ButtonProps) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setDone(true);
    onCopied?.();
    setTimeout(() => setDone(false), 2_000);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={isDone ? <IconCheck size={14} /> : <IconCopy size={14} />}
      {...props}
      onClick={copy}
    >
      {isDone ? 'Copied' : label}
    </Button>
  );
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // The text area must be inside an open dialog, because the focus trap would take the focus from elements
  // outside it.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  return worked;
}
