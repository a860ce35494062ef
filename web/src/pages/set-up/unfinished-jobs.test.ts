import { expect, test } from 'vitest';
import { isUnfinished } from './unfinished-jobs.ts';

type Job = Parameters<typeof isUnfinished>[0] & { name: string };

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
  expect(jobs.filter(isUnfinished).map(({ name }) => name)).toEqual([
    'found',
    'not scanned',
    'failed',
    'some ignored',
  ]);
});
