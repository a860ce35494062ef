import { expect, test } from 'vitest';
import { findFailingSources } from './failing-sources.ts';

type Job = Parameters<typeof findFailingSources>[0][number];

function job(id: number, status: Job['status'], run: { status: string; error: object | null } | null): Job {
  return { id, name: `Source ${id}`, status, last_run: run as Job['last_run'] };
}

test('sources that failed or wait for a retry are listed with the reason, and others are not', () => {
  const error = { code: 'not_found', message: 'Not found.' };
  const jobs = [
    job(1, 'failed', { status: 'failed', error }),
    job(2, 'pending', { status: 'queued', error }),
    job(3, 'pending', { status: 'queued', error: null }),
    job(4, 'pending', null),
    job(5, 'completed', { status: 'succeeded', error: null }),
    job(6, 'in_progress', { status: 'in_progress', error }),
    job(7, 'failed', { status: 'failed', error }),
  ];
  expect(findFailingSources(jobs, new Set([1, 2, 3, 4, 5, 6]))).toEqual([
    { id: 1, name: 'Source 1', message: 'Not found.' },
    { id: 2, name: 'Source 2', message: 'Not found.' },
  ]);
});
