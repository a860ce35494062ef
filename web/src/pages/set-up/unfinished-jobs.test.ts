import { expect, test } from 'vitest';
import { findUnfinishedJobs } from './unfinished-jobs.ts';

type Job = Parameters<typeof findUnfinishedJobs>[0][number] & { name: string };

function job(
  name: string,
  { found = 0, accepted = 0, ignored = 0 },
  status: 'succeeded' | 'failed' | null,
): Job {
  const run = { status } as NonNullable<Job['last_run']>;
  return { name, item_counts: { new: found, accepted, ignored }, last_run: status === null ? null : run };
}

test('jobs can be continued until a version is accepted, unless a scan found nothing to accept', () => {
  const jobs = [
    job('found', { found: 3 }, 'succeeded'),
    job('accepted', { found: 3, accepted: 1 }, 'succeeded'),
    job('nothing found', {}, 'succeeded'),
    job('not scanned', {}, null),
    job('failed', {}, 'failed'),
    job('all ignored', { ignored: 2 }, 'failed'),
    job('some ignored', { found: 1, ignored: 2 }, 'failed'),
  ];
  expect(findUnfinishedJobs(jobs).map(({ name }) => name)).toEqual([
    'found',
    'not scanned',
    'failed',
    'some ignored',
  ]);
});

test('at most ten jobs are offered, in the order of the list', () => {
  const jobs = Array.from({ length: 12 }, (_, index) => job(String(index), { found: 1 }, 'succeeded'));
  expect(findUnfinishedJobs(jobs)).toEqual(jobs.slice(0, 10));
});
