import { expect, it } from 'vitest';
import { formatRunDuration, runChanges } from './run-changes.ts';

it('the result of a successful run is summarized, and a failed run has no summary', () => {
  const succeeded = (summary: Parameters<typeof runChanges>[0]['summary']) =>
    runChanges({ status: 'succeeded', summary });
  expect(succeeded({ found: 40, added: 1, updated: 2, withdrawn: 0 })).toBe('1 new release, 2 changed');
  expect(succeeded({ found: 40, added: 0 })).toBe('No changes (40 releases read)');
  const discovered = (summary: Parameters<typeof runChanges>[0]['summary']) =>
    runChanges({ status: 'succeeded', summary }, 'version');
  expect(discovered({ found: 17, added: 17, skipped: 6 })).toBe('17 new versions, 6 not proposed');
  expect(discovered({ found: 17, added: 0 })).toBe('No changes (17 versions found)');
  expect(discovered({ found: 12, added: 2, updated: 7, missing: 5 })).toBe(
    '2 new versions, 7 changed, 5 missing',
  );
  expect(discovered({ found: 0, added: 0, warnings: ['No file matches include.'] })).toBe(
    'No file matches include.',
  );
  expect(succeeded({ not_modified: true })).toBe('No changes');
  expect(succeeded({ charts: 12, gather_jobs_created: 3 })).toBe('12 charts, 3 sources created');
  expect(succeeded({ version: '1.10', is_change: true })).toBe('New version: 1.10');
  expect(succeeded({ version: '1.10', is_change: false })).toBe('No change (1.10)');
  expect(runChanges({ status: 'failed', summary: { added: 3 } })).toBe('');
  expect(runChanges({ status: 'in_progress', summary: null })).toBe('');
});

it('a duration has a suitable unit', () => {
  expect([240, 3_240, 59_600, 125_000].map(formatRunDuration)).toEqual([
    '240 ms',
    '3.2 s',
    '60 s',
    '2 min 5 s',
  ]);
});
