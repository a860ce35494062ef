import { expect, it } from 'vitest';
import { type DescribedExplanation, explainInSentences } from './explanation-sentences.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const lifecycle: NonNullable<DescribedExplanation['lifecycle']> = {
  product: 'postgresql',
  label: 'PostgreSQL',
  version: '14.2',
  line: '14',
  phase: 'end_of_life',
  ends_on: '2026-11-12',
  has_ended: null,
  is_paid: false,
  source: 'endoflife.date',
  newest: {
    line: '18',
    ends_on: '2030-11-14',
    latest_version: '18.1',
  },
  fetched_at: '2026-11-20T00:00:00.000Z',
};
const explanation: DescribedExplanation = {
  state: 'alerting',
  state_reason: null,
  severity: 'critical',
  reason: 'end_of_life',
  rule: {
    rule_type: 'end_of_life',
    thresholds: {
      moderate: 180,
      high: 0,
      critical: -5,
    },
    stable_only: true,
    days_basis: null,
    support_phase: 'end_of_life',
    min_release_age_days: 0,
  },
  deployed: {
    version: '14.2',
    match: 'exact',
    release: '14.2',
  },
  latest: {
    version: '18.1',
    date: '2026-11-13T00:00:00.000Z',
    date_source: 'released_at',
  },
  candidates: {
    count: 40,
    variant_rule: 'own_variant',
  },
  date_used: null,
  behind_by: null,
  behind_since: null,
  next_change_at: null,
  left_out: [],
  lifecycle,
};

it('the sentences explain when support ends, which line is supported, and which threshold is reached', () => {
  expect(explainInSentences(explanation, now, 'ui')).toEqual([
    '14.2 is deployed and matches an upstream release.',
    'PostgreSQL 14 reached end of support on Nov 12, 2026; 18 is supported until Nov 14, 2030.',
    'This meets the critical threshold (moderate 180 days before the end, high at the end, critical 5 days after the end).',
  ]);
});

it.each([
  [{ ends_on: '2026-11-20' }, 'PostgreSQL 14 is supported until Nov 20, 2026; 18 is'],
  [
    { ends_on: '2027-01-31', is_paid: true },
    'PostgreSQL 14 is supported until Jan 31, 2027 (paid support); 18',
  ],
  [{ ends_on: null, has_ended: true }, 'PostgreSQL 14 is no longer supported; 18 is'],
  [{ ends_on: null, has_ended: false }, 'PostgreSQL 14 is supported, with no known end; 18 is'],
  [{ phase: 'extended_support', ends_on: '2027-01-31' }, 'is in extended support until Jan'],
  [{ phase: 'active_support' }, 'PostgreSQL 14 left active support on Nov 12, 2026; 18 is'],
  [
    { phase: 'active_support', ends_on: null, has_ended: true },
    'PostgreSQL 14 is no longer in active support; 18',
  ],
  [{ line: null, phase: null, ends_on: null }, 'No release line of PostgreSQL is known for 14.2; 18 is'],
  [
    { line: null, ends_on: '2027-01-31', is_paid: true },
    'PostgreSQL 14.2 is supported until Jan 31, 2027 (paid support); 18',
  ],
  [{ version: null, line: null }, "The release doesn't name the version of its application, PostgreSQL."],
] as const)('%j is explained as: %s', (members, sentence) => {
  const changed = { ...explanation, lifecycle: { ...lifecycle, ...members } };
  expect(explainInSentences(changed, now, 'ui').join(' ')).toContain(sentence);
});

it('the sentences warn about data that is older than 30 days, and show the day of the next threshold', () => {
  const old = { ...lifecycle, fetched_at: '2026-10-01T00:00:00.000Z' };
  expect(explainInSentences({ ...explanation, lifecycle: old }, now, 'ui').join(' ')).toContain(
    "The data from endoflife.date is from Oct 1, 2026. It's older than 30 days",
  );
  const early = { severity: 'high', next_change_at: '2026-11-18T00:00:00.000Z' } as const;
  const then = explainInSentences({ ...explanation, ...early }, Date.parse('2026-11-14T00:00:00Z'), 'ui');
  expect(then.at(-1)).toBe('If nothing else changes, the severity becomes critical on Nov 18, 2026.');
});
