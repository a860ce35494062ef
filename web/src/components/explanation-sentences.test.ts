import { describe, expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { explainInSentences } from './explanation-sentences.ts';

type Explanation = Schemas['EvaluationExplanation'];

const behind: Explanation = {
  state: 'alerting',
  state_reason: null,
  severity: 'moderate',
  reason: 'behind',
  rule: {
    rule_type: 'days_behind',
    thresholds: { moderate: 30, high: 60, critical: null },
    stable_only: true,
    days_basis: 'deployed_release',
    min_release_age_days: 0,
  },
  deployed: { version: 'v3.1.0', match: 'exact', release: 'v3.1.0' },
  latest: { version: 'v3.2.1', date: '2026-03-01T10:00:00.000Z', date_source: 'released_at' },
  candidates: { count: 41, variant_rule: 'own_variant' },
  date_used: {
    at: '2026-01-29T10:00:00.000Z',
    source: 'released_at',
    of: 'deployed_release',
    version: 'v3.1.0',
    is_estimate: false,
  },
  behind_by: null,
  behind_since: '2026-01-29T10:00:00.000Z',
  next_change_at: '2026-03-30T10:00:00.000Z',
  left_out: [{ reason: 'prerelease', count: 3, examples: ['v3.3.0-rc1'] }],
};
const now = Date.parse('2026-03-15T10:00:00.000Z');

describe('an explanation in sentences', () => {
  test('tells what runs, what exists, from when days count, what the rule says and what comes next', () => {
    expect(explainInSentences(behind, now)).toEqual([
      'v3.1.0 is deployed, and upstream has released it.',
      '41 releases count; the highest is v3.2.1, released on March 1, 2026.',
      'Left out: 3 pre-releases (v3.3.0-rc1, …).',
      'Days count from January 29, 2026, when v3.1.0, the deployed one, was released: 45 days by now.',
      'The rule says moderate from 30 days, high from 60 days: moderate.',
      'If nothing else happens, this changes on March 30, 2026.',
    ]);
  });

  test('counts the days at the time of the page, and tells of no change that is past', () => {
    const later = explainInSentences(behind, Date.parse('2026-03-31T10:00:00.000Z'));
    expect(later[3]).toMatch(/: 61 days by now\.$/);
    expect(later.at(-1)).toBe('The rule says moderate from 30 days, high from 60 days: moderate.');
  });

  test('says when a date is an estimate', () => {
    const date_used = {
      ...behind.date_used!,
      of: 'nearest_lower_release',
      version: 'v3.0.9',
      is_estimate: true,
    } as const;
    const deployed = { version: 'v3.1.0', match: 'nearest_lower', release: 'v3.0.9' } as const;
    const sentences = explainInSentences({ ...behind, deployed, date_used }, now);
    expect(sentences[0]).toBe(
      'v3.1.0 is deployed. Upstream does not list it; the next release below it is v3.0.9.',
    );
    expect(sentences).toContain('That date is an estimate, because the real one is not known.');
  });

  test('counts versions for the rules that count versions', () => {
    const rule = {
      ...behind.rule,
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, high: null, critical: 2 },
    } as const;
    const counted = { ...behind, rule, date_used: null, behind_since: null, next_change_at: null };
    expect(explainInSentences({ ...counted, behind_by: 2, severity: 'critical' }, now).slice(-2)).toEqual([
      'It is 2 major versions behind.',
      'The rule says moderate from 1 major version, critical from 2 major versions: critical.',
    ]);
    expect(
      explainInSentences({ ...counted, behind_by: 0, state: 'ok', severity: null, reason: null }, now).slice(
        -2,
      ),
    ).toEqual([
      'It is 0 major versions behind.',
      'The rule says moderate from 1 major version, critical from 2 major versions: no alert.',
    ]);
  });

  test.each([
    [
      'no_version',
      'No deployed version is known yet. Wait for the first run of the scrape job, or set a version.',
    ],
    [
      'no_release',
      'The gather job has found no releases yet. Wait for its first run, or look at its last error.',
    ],
  ])('says what to do about %s', (state_reason, sentence) => {
    const none = {
      ...behind,
      state: 'no_data',
      state_reason,
      severity: null,
      reason: null,
      latest: null,
      next_change_at: null,
    } as const;
    expect(explainInSentences(none, now).at(-1)).toBe(sentence);
  });

  test('says why something unknown upstream alerts', () => {
    const unknown = {
      ...behind,
      reason: 'version_not_found',
      severity: 'high',
      deployed: { version: 'v0.1', match: 'none', release: null },
      date_used: null,
      behind_since: null,
      next_change_at: null,
    } as const;
    expect(explainInSentences(unknown, now).at(-1)).toBe(
      'The deployed version is unknown upstream. That is taken as seriously as the rule can say: high.',
    );
  });
});
