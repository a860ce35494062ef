import { expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { isRetrying, nextAttemptAt, pendingRetryError } from './retry-error.ts';

const message = "Couldn't resolve the host name.";
const run = { status: 'queued', error: { code: 'unreachable', message } } as Schemas['Run'];

test('a run that waits for a retry shows why its last attempt failed', () => {
  expect(pendingRetryError({ status: 'pending', last_run: run })).toBe(message);
});

test('a job shows no retry error if it has no run with a failed attempt, or if its run is in progress or has ended', () => {
  expect(pendingRetryError({ status: 'pending', last_run: null })).toBeNull();
  expect(pendingRetryError({ status: 'pending', last_run: { ...run, error: null } })).toBeNull();
  expect(
    pendingRetryError({ status: 'in_progress', last_run: { ...run, status: 'in_progress' } }),
  ).toBeNull();
  expect(pendingRetryError({ status: 'failed', last_run: { ...run, status: 'failed' } })).toBeNull();
});

test('the next attempt of a job is its retry while one is pending, otherwise its next scheduled run', () => {
  const [waiting_until, next_run_at] = ['2026-03-15T09:01:00Z', '2026-03-15T13:00:00Z'];
  const job = { status: 'pending', last_run: run, waiting_until, next_run_at } as const;
  expect(nextAttemptAt(job)).toBe(waiting_until);
  expect(nextAttemptAt({ ...job, waiting_until: null })).toBeNull();
  expect(nextAttemptAt({ ...job, last_run: null })).toBe(next_run_at);
  expect(nextAttemptAt({ ...job, status: 'completed', last_run: { ...run, error: null } })).toBe(next_run_at);
});

test('a run is retrying if it waits after a failed attempt', () => {
  expect(isRetrying(run)).toBe(true);
  expect(isRetrying({ ...run, error: null })).toBe(false);
  expect(isRetrying({ ...run, status: 'failed' })).toBe(false);
});
