import { expect, test } from 'vitest';
import { safeNext } from './safe-next.ts';

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
])('after the login, %j leads to %s', (next, expected) => {
  expect(safeNext(next, 'https://pace.example')).toBe(expected);
});
