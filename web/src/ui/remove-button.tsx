import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

/** At the end of a row of a form. @param label Names the row, for screen readers. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" title="Remove" aria-label={label} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
