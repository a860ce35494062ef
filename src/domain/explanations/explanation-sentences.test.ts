import { describe, expect, test } from 'vitest';
import {
  type DescribedExplanation,
  explainInSentences,
  jumpSentence,
  unconfirmedSentence,
} from './explanation-sentences.ts';

const behind: DescribedExplanation = {
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

describe('an explanation', () => {
  test('states the deployed version, qualifying releases, lag, verdict, and next change', () => {
    expect(explainInSentences(behind, now, 'ui')).toEqual([
      'v3.1.0 is deployed and matches an upstream release.',
      '41 releases qualify. The latest is v3.2.1, released on Mar 1, 2026.',
      'Excluded: 3 pre-releases (v3.3.0-rc1, …).',
      '45 days behind, counted from Jan 29, 2026, when v3.1.0 (the deployed version) was released.',
      'This meets the moderate threshold (moderate at 30 days, high at 60 days).',
      'If nothing else changes, the severity becomes high on Mar 30, 2026.',
    ]);
  });

  test('states the time since the newest upstream release', () => {
    const date_used = { ...behind.date_used!, of: 'newest_release', version: 'v3.2.1' } as const;
    const rule = { ...behind.rule, rule_type: 'upstream_silent', days_basis: null } as const;
    expect(
      explainInSentences({ ...behind, reason: 'upstream_silent', rule, date_used }, now, 'ui'),
    ).toContain('The newest release, v3.2.1, was released on Jan 29, 2026, 45 days ago.');
  });

  test("doesn't include a severity for a change that isn't a threshold crossing", () => {
    const sentences = explainInSentences(
      { ...behind, next_change_at: '2026-03-20T00:00:00.000Z' },
      now,
      'ui',
    );
    expect(sentences.at(-1)).toBe('If nothing else changes, this result changes on Mar 20, 2026.');
  });

  test('counts days up to the current time and omits a change in the past', () => {
    const later = explainInSentences(behind, Date.parse('2026-03-31T10:00:00.000Z'), 'ui');
    expect(later[3]).toMatch(/^61 days behind, /);
    expect(later.at(-1)).toBe('This meets the moderate threshold (moderate at 30 days, high at 60 days).');
  });

  test('states the counted outliers, and the date when they were added', () => {
    const sentences = explainInSentences(
      {
        ...behind,
        candidates: { ...behind.candidates, counted: ['v9.0.0'] },
        date_used: {
          ...behind.date_used!,
          ...({ source: 'counted_at', of: 'first_newer_release', version: 'v9.0.0' } as const),
        },
      },
      now,
      'ui',
    );
    expect(sentences[2]).toBe("v9.0.0 doesn't fit the others, but this monitor counts it.");
    expect(sentences[4]).toBe(
      '45 days behind, counted from Jan 29, 2026, when v9.0.0 (the first newer release) was added to the counted versions.',
    );
    const both = { ...behind.candidates, counted: ['v9.0.0', 'v8.0.0'] };
    expect(explainInSentences({ ...behind, candidates: both }, now, 'ui')[2]).toBe(
      "v9.0.0, v8.0.0 don't fit the others, but this monitor counts them.",
    );
  });

  test('states that a date is an estimate', () => {
    const date_used = {
      ...behind.date_used!,
      of: 'nearest_lower_release',
      version: 'v3.0.9',
      is_estimate: true,
    } as const;
    const deployed = { version: 'v3.1.0', match: 'nearest_lower', release: 'v3.0.9' } as const;
    const sentences = explainInSentences({ ...behind, deployed, date_used }, now, 'ui');
    expect(sentences[0]).toBe(
      "v3.1.0 is deployed but isn't listed upstream. The closest earlier release is v3.0.9.",
    );
    expect(sentences).toContain("This date is an estimate because the actual release date isn't known.");
  });

  test('states that days count from the first sight of a release without a date, so the actual time can be longer', () => {
    const date_used = {
      ...behind.date_used!,
      source: 'discovered_at',
      of: 'first_newer_release',
      version: 'v3.1.1',
      is_estimate: true,
    } as const;
    const sentences = explainInSentences({ ...behind, date_used }, now, 'ui');
    expect(sentences).toContain(
      '45 days behind, counted from Jan 29, 2026, when v3.1.1 (the first newer release) was first seen.',
    );
    expect(sentences).toContain(
      'The release has no date, so days count from when Pacekeeper first saw it. The actual time can be longer.',
    );
  });

  test('states the release that a moving tag resolves to, and the compared line', () => {
    const deployed = { version: '20-alpine', match: 'moving_tag', release: '20.5.1-alpine' } as const;
    expect(explainInSentences({ ...behind, deployed }, now, 'ui')[0]).toBe(
      "20-alpine is deployed. This tag moves: it's 20.5.1-alpine now.",
    );
    const adopted = { version: '2.8.0', match: 'same_version', release: 'cli-2.8.0' } as const;
    const sentences = (line: string) =>
      explainInSentences({ ...behind, deployed: { ...adopted, adopted_line: line } }, now, 'ui');
    expect(sentences('cli')[1]).toBe("It's compared with the releases named cli.");
    expect(sentences('')[1]).toBe("It's compared with the releases without a name.");
  });

  test('states the excluded lines, tags, and outliers, and the release that continues an ended variant', () => {
    const left_out = (['other_line', 'platform_tag', 'moving_tag', 'outlier'] as const).map((reason) => ({
      reason,
      count: 1,
      examples: [],
    }));
    const sentences = explainInSentences(
      {
        ...behind,
        left_out,
        state: 'ok',
        state_reason: 'variant_ended',
        severity: null,
        reason: null,
        continued_by: '9.0.1-bookworm',
      },
      now,
      'ui',
    );
    expect(sentences.join(' ')).toContain(
      "1 release with another name; 1 tag that names a platform only; 1 tag that moves; 1 release that doesn't fit the others",
    );
    expect(sentences.join(' ')).toContain('The latest there is 9.0.1-bookworm.');
  });

  test('uses API terms for API clients', () => {
    const candidates = { ...behind.candidates, counted: ['v9.0.0'] };
    expect(explainInSentences({ ...behind, candidates }, now, 'api')[2]).toBe(
      "v9.0.0 doesn't fit the others, but this alert configuration counts it.",
    );
    const none = { ...behind, state: 'no_data', state_reason: 'no_release', severity: null } as const;
    expect(explainInSentences(none, now, 'api')).toContain(
      'The gather job has no releases yet. Wait for its first run, or check its last error.',
    );
    const ended = {
      ...behind,
      ...({ state: 'ok', state_reason: 'variant_ended', severity: null, reason: null } as const),
      continued_by: '9.0.1-bookworm',
    } as const;
    expect(explainInSentences(ended, now, 'api').join(' ')).toContain(
      'in another one. Switch to that variant. The latest there is 9.0.1-bookworm.',
    );
  });

  test("doesn't state that the version isn't listed if the source has only a lifecycle", () => {
    const deployed = { version: 'python3.9', match: 'no_releases', release: null } as const;
    const none = { state: 'no_data', state_reason: 'lifecycle_only', severity: null, reason: null } as const;
    const nothing = {
      latest: null,
      date_used: null,
      behind_since: null,
      next_change_at: null,
      behind_by: null,
    };
    expect(explainInSentences({ ...behind, ...none, ...nothing, deployed, left_out: [] }, now, 'ui')).toEqual(
      [
        'python3.9 is deployed.',
        'The upstream source has no releases: it has only a lifecycle. Use an end-of-life rule, or an upstream source that lists releases.',
      ],
    );
  });

  test('counts versions for a rule that compares versions', () => {
    const rule = {
      ...behind.rule,
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, high: null, critical: 2 },
    } as const;
    const counted = { ...behind, rule, date_used: null, behind_since: null, next_change_at: null };
    expect(
      explainInSentences({ ...counted, behind_by: 2, severity: 'critical' }, now, 'ui').slice(-2),
    ).toEqual([
      'The deployed version is 2 major versions behind.',
      'This meets the critical threshold (moderate at 1 major version, critical at 2 major versions).',
    ]);
    expect(
      explainInSentences(
        { ...counted, behind_by: 0, state: 'ok', severity: null, reason: null },
        now,
        'ui',
      ).slice(-2),
    ).toEqual([
      'No newer major version is available.',
      "Below every threshold (moderate at 1 major version, critical at 2 major versions), so there's no alert.",
    ]);
  });

  test.each([
    ['no_version', "No deployed version yet. Wait for the version tracker's first run, or set a version."],
    [
      'no_release',
      'The upstream source has no releases yet. Wait for its first run, or check its last error.',
    ],
  ])('states the remedy for %s', (state_reason, sentence) => {
    const none = {
      ...behind,
      state: 'no_data',
      state_reason,
      severity: null,
      reason: null,
      latest: null,
      next_change_at: null,
    } as const;
    expect(explainInSentences(none, now, 'ui').at(-1)).toBe(sentence);
  });

  test('does not state that the deployed version is not listed while the source has no releases', () => {
    const pending = {
      ...behind,
      ...({
        state: 'no_data',
        state_reason: 'no_release',
        severity: null,
        reason: null,
        latest: null,
      } as const),
      deployed: { version: '1.8.0', match: 'none', release: null },
    } as const;
    expect(explainInSentences(pending, now, 'api')[0]).toBe('1.8.0 is deployed.');
  });

  test('states why a version that is unknown upstream causes an alert', () => {
    const unknown = {
      ...behind,
      reason: 'version_not_found',
      severity: 'high',
      deployed: { version: 'v0.1', match: 'none', release: null },
      date_used: null,
      behind_since: null,
      next_change_at: null,
    } as const;
    expect(explainInSentences(unknown, now, 'ui')[0]).toBe(
      "v0.1 is deployed but isn't listed upstream. If that's unexpected, check the deployed version for a typo.",
    );
    expect(explainInSentences(unknown, now, 'ui').at(-1)).toBe(
      "Versions that don't exist upstream always get the rule's highest severity: high.",
    );
  });
});

describe('the sentence about an unusual jump', () => {
  test('covers one release or several', () => {
    expect(jumpSentence({ ...behind, jump: { from: '3.8', above: ['2024.1'] } })).toBe(
      "2024.1 is far above 3.8, the next lower version. This can be a new numbering or a mistake. If it's a mistake, ignore the release.",
    );
    expect(jumpSentence({ ...behind, jump: { from: '3.8', above: ['2024.2', '2024.1'] } })).toBe(
      "The latest 2 versions (2024.2, 2024.1) are far above 3.8, the next lower version. This can be a new numbering or a mistake. If it's a mistake, ignore the releases.",
    );
  });

  test('is null without a jump, and for explanations from before the field existed', () => {
    expect(jumpSentence({ ...behind, jump: null })).toBeNull();
    expect(jumpSentence(behind)).toBeNull();
  });
});

test('a deployed version that scans no longer confirm is called the last known one', () => {
  expect(unconfirmedSentence({ reason: 'version_unknown', since: '2026-03-14T22:00:00.000Z' })).toBe(
    'The deployed version is the last known one: since Mar 14, 2026, its file contains no version that can be compared.',
  );
  expect(unconfirmedSentence({ reason: 'overridden', since: '2026-03-14T22:00:00.000Z' })).toBe(
    'The deployed version is the last known one: since Mar 14, 2026, an overlay replaces the version in its file.',
  );
});
