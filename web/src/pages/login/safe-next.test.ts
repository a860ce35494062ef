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
  // These are paths of this server. Without its origin, a browser would interpret them as another server.
  ['/.//evil.example/x', '//evil.example/x'],
  ['/ack/..//evil.example', '//evil.example'],
  ['/ack/%2e%2e//evil.example', '//evil.example'],
  ['/ack/x\\..\\..\\\\evil.example', '//evil.example'],
])('after login, %j redirects to %s on this server', (next, path) => {
  // A browser resolves the path the same way.
  const { href } = new URL(safeNext(next, origin), origin);
  expect(href).toBe(`${origin}${path}`);
});
