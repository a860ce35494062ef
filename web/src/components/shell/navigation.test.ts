import { expect, test } from 'vitest';
import { readPageRoutes } from '../../../../tests/helpers/page-routes.ts';
import { findCurrentPage, navigation } from './navigation.ts';

const pages = navigation.flatMap((group) => group.pages);

test('every page without a resource in its path is in one of at most nine groups', () => {
  expect(navigation.length).toBeLessThanOrEqual(9);
  const beforeLogin = ['/login', '/invitations/accept', '/reset-password'];
  // These pages aren't in the navigation, because links on the command line, in chat messages, and on the page Connect
  // open them.
  const linked = ['/device', '/link-chat-account', '/set-up'];
  const plain = readPageRoutes()
    .map(({ path }) => path)
    .filter((path) => !/\$|\/new(-|$)/.test(path) && ![...beforeLogin, ...linked].includes(path));
  expect(pages.map(({ to }) => to).toSorted()).toEqual(plain.toSorted());
});

test('names are unique within their group, and paths are unique', () => {
  for (const group of navigation)
    expect(new Set(group.pages.map(({ title }) => title)).size).toBe(group.pages.length);
  expect(new Set(pages.map(({ to }) => to)).size).toBe(pages.length);
});

test.each([
  ['/', '/'],
  ['/alerts', '/alerts'],
  ['/alerts/88', '/alerts'],
  ['/freshness/report', '/freshness/report'],
  ['/notification-rules/new', '/notification-rules'],
  ['/nowhere', undefined],
])('the navigation marks the page for %s as %s', (pathname, expected) => {
  expect(findCurrentPage(navigation, pathname)).toBe(expected);
});
