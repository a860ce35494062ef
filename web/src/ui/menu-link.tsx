import { type ElementProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** Apart from the other links, which the first page needs without menus. */
export const MenuLink = createLink((props: MenuItemProps & ElementProps<'a', keyof MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));
