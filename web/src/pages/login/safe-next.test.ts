import { expect, test } from 'vitest';
import { safeNext } from './safe-next.ts';

const origin = 'https://pace.example';

test.each([
  ['/ack/abc', '/ack/abc'],
  ['/alerts?severity=high#1', '/alerts?severity=high#1'],
  ['https://pace.example/fleet', '/fleet'],
  [undefined, '/'],
  ['//evil.example/x', '/'],
  ['\\\\evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example/', '/'],
  ['https://pace.example.evil.example/', '/'],
  ['http://pace.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['data:text/html,x', '/'],
  ['http://', '/'],
  // The results are paths on this server, but without the origin, a browser would interpret `//evil.example` as another
  // server.
  ['/.//evil.example/x', '//evil.example/x'],
  ['/ack/..//evil.example', '//evil.example'],
  ['/ack/%2e%2e//evil.example', '//evil.example'],
  ['/ack/x\\..\\..\\\\evil.example', '//evil.example'],
])('after login, %j redirects to %s on this server', (next, path) => {
  // A browser resolves the path the same way.
  const { href } = new URL(safeNext(next, origin), origin);
  expect(href).toBe(`${origin}${path}`);
});

test.each([
  ['/alerts?severity=high#1', '/pacekeeper/alerts?severity=high#1'],
  ['/pacekeeper/alerts', '/pacekeeper/alerts'],
  ['/pacekeeper-2/alerts', '/pacekeeper/pacekeeper-2/alerts'],
  [undefined, '/pacekeeper/'],
  ['//evil.example/x', '/pacekeeper/'],
  ['/.//evil.example/x', '/pacekeeper//evil.example/x'],
])('with a base path, %j redirects to %s after login', (next, path) => {
  expect(safeNext(next, `${origin}/pacekeeper`)).toBe(`${origin}${path}`);
});
