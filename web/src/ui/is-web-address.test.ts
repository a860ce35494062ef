import { expect, test } from 'vitest';
import { isWebAddress } from './is-web-address.ts';

test.each([
  ['https://github.com/acme/web', true],
  ['HTTP://git.lan/acme', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)//https://github.com', false],
  ['data:text/html,x', false],
  ['//github.com/acme', false],
  [null, false],
])('%s is a web address: %s', (url, expected) => {
  expect(isWebAddress(url)).toBe(expected);
});
