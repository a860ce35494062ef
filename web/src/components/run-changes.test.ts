import { expect, it } from 'vitest';
import { describeRunChanges, formatRunDuration } from './run-changes.ts';

it('a successful run has a result, and a failed or unfinished run has none', () => {
  expect(describeRunChanges({ status: 'succeeded', summary: { found: 17, added: 17 } }, 'version')).toBe(
    '17 new versions, 17 found',
  );
  expect(describeRunChanges({ status: 'failed', summary: { added: 3 } })).toBe('');
  expect(describeRunChanges({ status: 'in_progress', summary: null })).toBe('');
});

it('a duration is formatted with a suitable unit', () => {
  expect([240, 3_240, 59_600, 125_000].map(formatRunDuration)).toEqual([
    '240 ms',
    '3.2 s',
    '60 s',
    '2 min 5 s',
  ]);
});
