import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

/**
 * Button that removes a row of a form.
 * @param label Accessible label with the name of the row.
 */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" title="Remove" aria-label={label} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
