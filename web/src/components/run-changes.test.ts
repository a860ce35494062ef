import { expect, it } from 'vitest';
import { durationInWords, runChanges } from './run-changes.ts';

it('what a run brought is said in words, and nothing is said of a run that failed', () => {
  const succeeded = (summary: Parameters<typeof runChanges>[0]['summary']) =>
    runChanges({ status: 'succeeded', summary });
  expect(succeeded({ found: 40, added: 1, updated: 2, withdrawn: 0 })).toBe('1 new release, 2 changed.');
  expect(succeeded({ found: 40, added: 0 })).toBe('Nothing new among 40 read.');
  expect(succeeded({ not_modified: true })).toBe('Nothing new: the source says so.');
  expect(succeeded({ charts: 12, gather_jobs_created: 3 })).toBe('12 charts, 3 gather jobs made.');
  expect(succeeded({ version: '1.10', is_change: true })).toBe('Found 1.10, which is new.');
  expect(succeeded({ version: '1.10', is_change: false })).toBe('Still 1.10.');
  expect(runChanges({ status: 'failed', summary: { added: 3 } })).toBe('');
  expect(runChanges({ status: 'in_progress', summary: null })).toBe('');
});

it('how long a run took is said in the unit that fits', () => {
  expect([240, 3_240, 59_600, 125_000].map(durationInWords)).toEqual([
    '240 ms',
    '3.2 s',
    '60 s',
    '2 min 5 s',
  ]);
});
