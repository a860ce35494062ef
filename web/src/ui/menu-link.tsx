import { type ElementProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** Separate from the other links, because the first page doesn't need menus. */
export const MenuLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));
