import { expect, test } from 'vitest';
import { emptyUntilRun, formatFound } from './job-found.ts';

test('a count of 0 is shown as a dash until a run has succeeded', () => {
  expect(formatFound(0, { status: 'pending' })).toBe('—');
  expect(formatFound(0, { status: 'failed' })).toBe('—');
  expect(formatFound(0, { status: 'completed' })).toBe('0');
  expect(formatFound(1_200, { status: 'failed' })).toBe('1,200');
});

test('an empty list names a failed run as the reason', () => {
  expect(emptyUntilRun('releases', { status: 'pending' })).toBe(
    'No releases yet. They appear here after the first successful run.',
  );
  expect(emptyUntilRun('releases', { status: 'failed' })).toContain('because the last run failed');
});
