import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/**
 * What can be done with a row. There are many rows and few menus that are ever opened: until the first time only the
 * button exists, and `children` are rendered while it is open.
 * @param children Menu.Items.
 */
export function RowMenu({ label, children }: { label: string; children: React.ReactNode }) {
  const [isMade, setMade] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isMade) return;
    // The menu gives the focus back to what had it when it opened: to this new button, not to the one before it.
    target.current?.focus();
    setOpen(true);
  }, [isMade]);
  const button = (
    <ActionIcon
      ref={target}
      variant="subtle"
      color="gray"
      title="Actions"
      aria-label={label}
      {...(!isMade && { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setMade(true) })}
    >
      <IconDots size={17} aria-hidden />
    </ActionIcon>
  );
  if (!isMade) return button;
  return (
    <Menu position="bottom-end" withinPortal opened={isOpen} onChange={setOpen}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown
        // What an item opens, such as a question, gives the focus back to what had it: the item itself will be gone.
        onClickCapture={() => target.current?.focus()}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
