import { expect, test } from 'vitest';
import { describeSupport } from './describe-support.ts';

test.each([
  ['2026-11-12', false, /^supported until .*2026$/],
  ['2024-11-21', true, /^support ended .*2024$/],
  [null, true, /^no longer supported$/],
  [null, false, /^supported$/],
])('support with the end date %s (ended: %s) is described as %s', (ends_on, has_ended, text) => {
  expect(describeSupport({ ends_on, has_ended })).toMatch(text);
});
