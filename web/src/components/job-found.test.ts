import { expect, test } from 'vitest';
import { emptyUntilRun, formatFound, knownCount } from './job-found.ts';

const none = { new: 0, gone: 0, replaced: 0 };

test('a count of 0 is unknown until a run has succeeded', () => {
  for (const status of ['pending', 'in_progress', 'failed'] as const) {
    expect(formatFound(0, { status, item_counts: none })).toBe('—');
    expect(knownCount(0, { status, list_completeness: null, cluster_uid: null })).toBeNull();
    expect(formatFound(1_200, { status })).toBe('1,200');
  }
  expect(formatFound(0, { status: 'completed' })).toBe('0');
  expect(knownCount(0, { status: 'completed' })).toBe(0);
});

test.each(['pending', 'in_progress', 'failed'] as const)(
  'a count of 0 stays known in the status %s if the job has results of an earlier run',
  (status) => {
    expect(formatFound(0, { status, list_completeness: 'complete' })).toBe('0');
    expect(formatFound(0, { status, cluster_uid: 'f3', item_counts: none })).toBe('0');
    expect(formatFound(0, { status, host_uid: 'docker:f3', item_counts: none })).toBe('0');
    expect(formatFound(0, { status, item_counts: { ...none, gone: 1 } })).toBe('0');
  },
);

test('an empty list names the run that found nothing, or the reason why none has succeeded', () => {
  expect(emptyUntilRun('releases', { status: 'completed' })).toBe('The last run found no releases.');
  expect(emptyUntilRun('releases', { status: 'in_progress', list_completeness: 'complete' })).toBe(
    'The last successful run found no releases.',
  );
  expect(emptyUntilRun('releases', { status: 'pending' })).toBe(
    'No releases yet. They appear here after the first successful run.',
  );
  expect(emptyUntilRun('releases', { status: 'failed' })).toContain('because the last run failed');
});
