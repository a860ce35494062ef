import { expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { pendingRetryError } from './retry-error.ts';

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
