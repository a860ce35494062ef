import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

/**
 * Button of the action menu of a row.
 * @param onLoad Loads the menu, which opens then. Absent once the menu is loaded.
 */
export function RowMenuButton({
  label,
  onLoad,
  ...props
}: {
  label: string;
  onLoad?: (() => void) | undefined;
  ref?: React.Ref<HTMLButtonElement>;
} & ActionIconProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      title="Actions"
      aria-label={label}
      {...(onLoad !== undefined && { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: onLoad })}
      {...props}
    >
      <IconDots size={17} aria-hidden />
    </ActionIcon>
  );
}
