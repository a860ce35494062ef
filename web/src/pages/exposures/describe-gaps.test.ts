import { expect, test } from 'vitest';
import { describeGaps, versionFilters } from './describe-gaps.ts';

const gap = (day: number, until: number | null = day + 1) => ({
  since: `2026-05-0${day}T08:00:00.000Z`,
  until: until === null ? null : `2026-05-0${until}T08:00:00.000Z`,
  reason: 'read_failed' as const,
});

test('the first gaps are described with their times and reasons, and the others are only counted', () => {
  expect(describeGaps({ gaps: [], gap_count: 0 })).toBe('');
  expect(describeGaps({ gaps: [gap(1, null)], gap_count: 1 })).toMatch(
    /^not read since May 1, 2026, \d\d:00 \(reads failed\)$/,
  );
  expect(describeGaps({ gaps: [gap(7), gap(5), gap(3), gap(1)], gap_count: 12 })).toMatch(
    /^not read between May 7, 2026, \d\d:00 and May 8, 2026, \d\d:00 \(reads failed\); .*; 9 more$/,
  );
});

test.each([
  ['1.2.3', true, { version: '1.2.3' }],
  [' >=1.2 <1.4 ', true, { version_range: '>=1.2 <1.4' }],
  ['1.2 || 1.4', true, { version_range: '1.2 || 1.4' }],
  [`sha256:${'a'.repeat(64)}`, true, { digest: `sha256:${'a'.repeat(64)}` }],
  ['>=1.2', false, { version: '>=1.2' }],
  ['CVE-2026-1234', false, { vulnerability_id: 'CVE-2026-1234' }],
  ['', true, {}],
] as const)(
  'the text %j becomes the correct filter (software is selected: %s)',
  (text, hasSoftware, expected) => {
    expect(versionFilters(text, hasSoftware)).toEqual({
      version: undefined,
      version_range: undefined,
      digest: undefined,
      vulnerability_id: undefined,
      ...expected,
    });
  },
);
