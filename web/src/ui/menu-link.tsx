import { type ElementProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** Menu item with a link. It's in a separate file, because the initial bundle doesn't include menus. */
export const MenuLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));
