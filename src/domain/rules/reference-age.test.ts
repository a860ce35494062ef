import { expect, test } from 'vitest';
import { describeReferenceAge } from './reference-age.ts';

const asOfMs = Date.parse('2026-10-01T00:00:00Z');
const onPage = { configs: 'monitors', formatDay: (at: Date) => at.toISOString().slice(0, 10) } as const;
const describeAfter = (ms: number) => describeReferenceAge('endoflife.date', asOfMs, asOfMs + ms, onPage);

test('reference data that is missing or older than 30 days results in a warning', () => {
  expect(describeAfter(30 * 86_400_000)).toBeNull();
  expect(describeAfter(30 * 86_400_000 + 1)).toBe(
    "The data from endoflife.date is from 2026-10-01. It's older than 30 days, so the passing of time alone no longer opens or resolves alerts.",
  );
  expect(describeReferenceAge('endoflife.date', null, asOfMs, onPage)).toBe(
    'No data from endoflife.date is loaded, so monitors with an end-of-life rule have no data.',
  );
});

test('the warning for operators uses the terms of the API', () => {
  expect(
    describeReferenceAge('endoflife.date', null, asOfMs, { ...onPage, configs: 'alert configurations' }),
  ).toContain('so alert configurations with an end-of-life rule have no data');
});
