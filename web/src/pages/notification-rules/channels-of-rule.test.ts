import { expect, test } from 'vitest';
import { describeMissingChannels } from './channels-of-rule.ts';

const [enabled, disabled] = [{ is_active: true }, { is_active: false }];

test.each([
  [null, [enabled], null],
  [null, [disabled], 'default channel disabled'],
  [null, [], 'no default channel'],
  [[1], [enabled], null],
  [[1], [disabled], 'channel disabled'],
  [[1, 2], [enabled, disabled], '1 of 2 channels disabled'],
])('a rule with the channels %o, found as %o, has the problem %o', (ids, channels, problem) => {
  expect(describeMissingChannels(ids, channels)).toBe(problem);
});
