import { expect, test } from 'vitest';
import { describeRunResult, hasChanges, noticesOf, type RunFigures } from './describe-run-result.ts';

const check = (figures: RunFigures, result: string, what: 'release' | 'version' = 'release') =>
  expect(describeRunResult(figures, what)).toBe(result);

test('losses, such as missing files, come before the other figures of a scan', () => {
  check(
    { found: 918, added: 146, updated: 6, missing: 0, replaced: 96, held: 0, unread: 0 },
    '96 replaced by another artifact, 146 new versions, 6 changed, 918 in total',
    'version',
  );
  check(
    { found: 1_068, added: 0, updated: 28, missing: 2, unread: 4, unread_count: 1, held: 187, gone: 3 },
    '187 held until you confirm their removal, 3 gone, 2 missing, 4 unread, 1 file not read, 28 changed, 1,068 in total',
    'version',
  );
});

test('every figure of a result is in its description', () => {
  const figures = {
    held: 11,
    replaced: 12,
    gone: 13,
    withdrawn: 14,
    missing: 15,
    unread: 16,
    unread_count: 17,
    added: 18,
    updated: 19,
    recorded: 20,
    renamed: 21,
    requested: 22,
    gather_jobs_created: 23,
    found: 25,
    unchanged: 26,
    skipped: 27,
    silent_count: 28,
  } satisfies RunFigures;
  const text = describeRunResult(figures);
  for (const figure of Object.values(figures)) expect(text).toMatch(new RegExp(`\\b${figure} `));
});

test('the charts of a Helm repository are counted once', () => {
  const figures = { added: 12, gather_jobs_created: 3, charts: 3, found: 3 };
  check(figures, '12 new releases, 3 sources created, 3 charts found');
  check({ charts: 1, found: 1 }, 'No changes, 1 chart found');
});

test('a scan without changes still reports the number of items held until their removal is confirmed', () => {
  check({ not_modified: true, found: 0, held: 187, gone: 0 }, '187 held until you confirm their removal');
  check({ not_modified: true, found: 0 }, 'No changes');
  check({ found: 40, added: 0, withdrawn: 0 }, 'No changes, 40 in total');
});

test('the first warning follows the figures', () => {
  check(
    { found: 0, added: 0, warnings: ['No file matches include.'] },
    'No file matches include.',
    'version',
  );
  check(
    { found: 3, added: 3, warnings: ['The list is cut.', 'Slow.', 'Old.'] },
    '3 new releases, 3 in total. The list is cut. 2 more warnings.',
  );
});

test('the terms depend on the kind of job', () => {
  check({ found: 17, added: 1, skipped: 6 }, '1 new release, 17 in total, 6 excluded');
  check({ found: 17, added: 1, skipped: 6 }, '1 new version, 17 in total, 6 not proposed', 'version');
  check(
    { found: 40, added: 2, requested: 3, unchanged: 37 },
    '2 new repositories, 3 scans requested, 40 in total, 37 unchanged',
    'version',
  );
  check({ version: '1.10', is_change: true }, 'New version: 1.10');
  check({ version: '1.10', is_change: false }, 'No change, version 1.10');
  check({ charts: 12, gather_jobs_created: 3 }, '3 sources created, 12 charts found');
});

test('runs without changes after a run are counted in its description', () => {
  expect(describeRunResult({ not_modified: true }, 'release', 12)).toBe('12 checks without changes');
  expect(describeRunResult({ version: '1.10', is_change: false }, 'version', 2)).toBe(
    '2 checks without changes, version 1.10',
  );
  expect(describeRunResult({ held: 4 }, 'version', 3)).toBe(
    '3 checks without changes, 4 held until you confirm their removal',
  );
  expect(describeRunResult({ version: '1.10', is_change: true, found: 1 }, 'version', 2)).toBe(
    'New version: 1.10, 1 in total; then 1 check without changes',
  );
  expect(describeRunResult({ found: 3, added: 1 }, 'release', 1_001)).toBe(
    '1 new release, 3 in total; then 1,000 checks without changes',
  );
});

test.each<keyof RunFigures | 'changed'>([
  'added',
  'updated',
  'withdrawn',
  'replaced',
  'missing',
  'gone',
  'recorded',
  'renamed',
  'requested',
  'gather_jobs_created',
  'changed',
])('a run with %s has changes', (figure) => {
  expect(hasChanges({ [figure]: 1 })).toBe(true);
  expect(hasChanges({ [figure]: 0 })).toBe(false);
});

test('a run that reads the same as the previous one has no changes', () => {
  expect(hasChanges({ not_modified: false, found: 12, skipped: 2, charts: 3, unchanged: 4 })).toBe(false);
  expect(hasChanges({ version: '1.10', is_change: false })).toBe(false);
  expect(hasChanges({ version: '1.10', is_change: true })).toBe(true);
});

test('the notices of a run are its problems, without its other figures', () => {
  expect(noticesOf({ found: 12, held: 0, unread: 0, warnings: [] })).toEqual({});
  expect(noticesOf({ found: 12, held: 2, unread_count: 1, warnings: ['Slow.'], list_cut: 'newest' })).toEqual(
    { held: 2, unread_count: 1, warnings: ['Slow.'], list_cut: 'newest' },
  );
});
