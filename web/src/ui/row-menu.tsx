import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/**
 * Action menu of a row. A list has many rows but few menus are ever opened, so only the button is rendered
 * until the first click. The items are rendered while the menu is open.
 * @param children Items of type `Menu.Item`.
 */
export function RowMenu({ label, children }: { label: string; children: React.ReactNode }) {
  const [isMade, setMade] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isMade) return;
    // The menu returns the focus to the element that had it when the menu opened. The button was replaced, so
    // focus the new one first.
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
        // A dialog that an item opens returns the focus to the previously focused element. The item is
        // removed with the menu, so focus the button first.
        onClickCapture={() => target.current?.focus()}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
