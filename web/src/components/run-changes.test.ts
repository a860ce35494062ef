import { expect, it } from 'vitest';
import { describeRunChanges, formatRunDuration, timeOfRun } from './run-changes.ts';

const at = new Date(2026, 10, 28, 0, 5).toISOString();
const run = { status: 'succeeded', checks: 1, finished_at: at, last_finished_at: at } as const;

it('a successful run has a result, and a failed or unfinished run has none', () => {
  expect(describeRunChanges({ ...run, summary: { found: 17, added: 17 } }, 'version')).toBe(
    '17 new versions, 17 in total',
  );
  expect(describeRunChanges({ ...run, status: 'failed', summary: { added: 3 } })).toBe('');
  expect(describeRunChanges({ ...run, status: 'in_progress', summary: null })).toBe('');
});

it('an entry that counts several runs shows their number and period', () => {
  const counted = { ...run, checks: 12, last_finished_at: new Date(2026, 10, 28, 11, 5).toISOString() };
  const period = 'Nov 28, 00:05 – 11:05';
  expect(describeRunChanges({ ...counted, summary: { not_modified: true } })).toBe(
    `12 checks without changes, ${period}`,
  );
  expect(describeRunChanges({ ...counted, summary: { found: 17, added: 1 } })).toBe(
    `1 new release, 17 in total; then 11 checks without changes, ${period}`,
  );
});

it('an entry that counts several runs has the time of the last one', () => {
  const [created_at, started_at] = ['2026-11-28T00:00:00.000Z', '2026-11-28T00:05:00.000Z'];
  expect(timeOfRun({ ...run, created_at, started_at: null, last_finished_at: null })).toBe(created_at);
  expect(timeOfRun({ ...run, created_at, started_at })).toBe(started_at);
  expect(timeOfRun({ ...run, created_at, started_at, checks: 2, last_finished_at: at })).toBe(at);
});

it('a duration is formatted with a suitable unit', () => {
  expect([240, 3_240, 59_600, 125_000].map(formatRunDuration)).toEqual([
    '240 ms',
    '3.2 s',
    '60 s',
    '2 min 5 s',
  ]);
});
