import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  type ElementProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink, type LinkProps } from '@tanstack/react-router';

/** Target of a link in a list or figure. */
export type PageLink = Pick<LinkProps, 'to' | 'params' | 'search'>;
/** Path of a page that has no path parameters. */
export type PlainPath = Exclude<LinkProps['to'], `${string}$${string}` | `.${string}` | undefined>;

/* Styled links. Their targets and parameters are type-checked against the router. */

export const TextLink = createLink((props: AnchorProps & ElementProps<'a', keyof AnchorProps>) => (
  <Anchor {...props} />
));

export const ButtonLink = createLink((props: ButtonProps & ElementProps<'a', keyof ButtonProps>) => (
  <Button component="a" {...props} />
));

export const NavigationLink = createLink((props: NavLinkProps & ElementProps<'a', keyof NavLinkProps>) => (
  <NavLink component="a" {...props} />
));
