import { Menu } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { RowMenuButton } from './row-menu-button.tsx';

/**
 * Action menu of a row. A list has many rows but few menus are ever opened, so only the button is rendered
 * until the first click. The items are rendered while the menu is open.
 * @param children Items of type `Menu.Item`.
 * @param startsOpen True if a click on a `RowMenuButton` in the same place has loaded the menu.
 */
export function RowMenu({
  label,
  children,
  startsOpen = false,
}: {
  label: string;
  children: React.ReactNode;
  startsOpen?: boolean;
}) {
  const [isMade, setMade] = useState(startsOpen);
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
    <RowMenuButton ref={target} label={label} onLoad={isMade ? undefined : () => setMade(true)} />
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
