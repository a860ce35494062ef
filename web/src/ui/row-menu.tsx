import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';

/**
 * What can be done with a row. There are many rows and few menus that are ever opened: until the first time only the
 * button exists, and `children` are rendered while it is open.
 * @param children Menu.Items.
 */
export function RowMenu({ label, children }: { label: string; children: React.ReactNode }) {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      {...(isOpen === null && {
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        onClick: () => setOpen(true),
      })}
    >
      <IconDots size={17} aria-hidden />
    </ActionIcon>
  );
  if (isOpen === null) return button;
  return (
    <Menu position="bottom-end" withinPortal opened={isOpen} onChange={setOpen}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
