import { describe, expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import {
  type ComparisonChange,
  changesForVersionJump,
  changesFromExplanation,
  changesToFollowOthers,
  invertChange,
  invertJobChange,
  jobChangesFromExplanation,
  jobChangesFromPreview,
} from './comparison-changes.ts';

type Explanation = Schemas['EvaluationExplanation'];

const config = { name: 'Shop', candidate_pattern: null, ignored_versions: [], counted_versions: [] };
const behind: Explanation = {
  state: 'alerting',
  state_reason: null,
  severity: 'moderate',
  reason: 'behind',
  rule: {
    rule_type: 'majors_behind',
    thresholds: { moderate: 1, high: null, critical: null },
    stable_only: true,
    days_basis: null,
    min_release_age_days: 0,
  },
  deployed: { version: '3.7', match: 'exact', release: '3.7' },
  latest: { version: '4.0', date: '2026-03-01T10:00:00.000Z', date_source: 'released_at' },
  candidates: { count: 41, variant_rule: 'own_variant', counted: [] },
  date_used: null,
  behind_by: 1,
  behind_since: null,
  next_change_at: null,
  left_out: [],
};

const labels = (changes: readonly ComparisonChange[]) => changes.map(({ label }) => label);
const only = (changes: readonly ComparisonChange[]) => {
  expect(changes).toHaveLength(1);
  return changes[0]!;
};

describe('the action to ignore a release', () => {
  test('adds the latest release to the ignored versions, and describes the change in advance', () => {
    const [change] = changesFromExplanation(behind, config) as [ComparisonChange];
    expect(change.label).toBe('Ignore 4.0');
    expect(change.describe(config)).toBe(
      '"Shop" won\'t be compared with 4.0. The version is added to its ignored versions.',
    );
    expect(change.changes({ ...config, ignored_versions: ['3.9'] })).toEqual({
      ignored_versions: ['3.9', '4.0'],
    });
  });

  test('is offered only if there is a newer release', () => {
    expect(changesFromExplanation({ ...behind, behind_by: 0, state: 'ok' }, config)).toEqual([]);
    const at = '2026-01-29T10:00:00.000Z';
    const newest = {
      at,
      source: 'released_at',
      of: 'newest_release',
      version: '1.0',
      is_estimate: false,
    } as const;
    expect(changesFromExplanation({ ...behind, behind_by: null, date_used: newest }, config)).toEqual([]);
  });

  test('can be undone for each version', () => {
    const ignoring = { ...config, ignored_versions: ['3.9', '4.0'] };
    const changes = changesFromExplanation({ ...behind, behind_by: 0 }, ignoring);
    expect(labels(changes)).toEqual(['Stop ignoring 3.9', 'Stop ignoring 4.0']);
    expect(changes[0]!.changes(ignoring)).toEqual({ ignored_versions: ['4.0'] });
  });

  test('includes all releases above a jump', () => {
    const jumped = { ...behind, jump: { from: '3.8', above: ['2024.2', '2024.1'] } };
    const change = only(changesForVersionJump(jumped));
    expect(change.label).toBe('Ignore these 2 releases');
    expect(change.describe(config)).toBe(
      '"Shop" won\'t be compared with 2024.2 and 2024.1. The versions are added to its ignored versions.',
    );
    expect(change.changes(config)).toEqual({ ignored_versions: ['2024.2', '2024.1'] });
    expect(labels(changesFromExplanation(jumped, config))).toEqual(['Stay on 3.x']);
    expect(changesForVersionJump(behind)).toEqual([]);
  });
});

describe('the action to count a release', () => {
  const left_out: Explanation['left_out'] = [{ reason: 'outlier', count: 1, examples: ['20260805'] }];

  test('is offered for a release that was excluded as an outlier', () => {
    const change = only(changesFromExplanation({ ...behind, behind_by: 0, left_out }, config));
    expect(change.label).toBe('Count 20260805');
    expect(change.changes(config)).toEqual({ counted_versions: ['20260805'] });
  });

  test('can be undone for each version', () => {
    const counted = { ...config, counted_versions: ['5.0', '20260805'] };
    const changes = changesFromExplanation({ ...behind, behind_by: 0, left_out }, counted);
    expect(labels(changes)).toEqual(['Stop counting 5.0', 'Stop counting 20260805']);
    expect(changes[0]!.changes(counted)).toEqual({ counted_versions: ['20260805'] });
  });
});

test('undoing a change restores only the changed field', () => {
  const before = { ...config, candidate_pattern: '^3', ignored_versions: ['1.0'], counted_versions: ['2.0'] };
  expect(invertChange(before, { candidate_pattern: null })).toEqual({ candidate_pattern: '^3' });
  expect(invertChange(before, { ignored_versions: [] })).toEqual({ ignored_versions: ['1.0'] });
  expect(invertChange(before, { counted_versions: [] })).toEqual({ counted_versions: ['2.0'] });
});

describe('changes for all monitors of an upstream source', () => {
  const job = { name: 'nginx', ignored_versions: ['1.0'], counted_versions: ['5.0'] };
  const latest = { version: '4.0', released_at: null };
  const outlier = { reason: 'outlier', count: 1, examples: ['20260805'] } as const;

  test('an explanation offers to ignore the releases that are newer than the deployed version', () => {
    const [change, ...others] = jobChangesFromExplanation(behind);
    expect(others).toEqual([]);
    expect(change!.label).toBe('Ignore 4.0 in all monitors');
    expect(change!.describe(job)).toBe(
      'Monitors that use "nginx" won\'t be compared with 4.0. The version is added to the ignored versions of the upstream source.',
    );
    expect(change!.changes(job)).toEqual({ ignored_versions: ['1.0', '4.0'] });
    expect(jobChangesFromExplanation({ ...behind, behind_by: 0 })).toEqual([]);
    const jump = { from: '3.8', above: ['2024.2', '2024.1'] };
    expect(jobChangesFromExplanation({ ...behind, jump })[0]!.changes(job)).toEqual({
      ignored_versions: ['1.0', '2024.2', '2024.1'],
    });
  });

  test('the page of the source offers to count or ignore releases, and to undo both', () => {
    const changes = jobChangesFromPreview(
      { latest, jump: null, left_out: [{ ...outlier, examples: ['20260805'] }] },
      job,
    );
    expect(changes.map(({ label }) => label)).toEqual([
      'Count in all monitors: 20260805',
      'Ignore 4.0 in all monitors',
      'Stop ignoring in all monitors: 1.0',
      'Stop counting in all monitors: 5.0',
    ]);
    expect(changes.map((change) => change.changes(job))).toEqual([
      { counted_versions: ['5.0', '20260805'] },
      { ignored_versions: ['1.0', '4.0'] },
      { ignored_versions: [] },
      { counted_versions: [] },
    ]);
    expect(invertJobChange(job, { ignored_versions: [] })).toEqual({ ignored_versions: ['1.0'] });
    expect(invertJobChange(job, { counted_versions: [] })).toEqual({ counted_versions: ['5.0'] });
    expect(
      jobChangesFromPreview(
        { latest: null, jump: null, left_out: [] },
        { ...job, ignored_versions: [], counted_versions: [] },
      ),
    ).toEqual([]);
  });
});

describe('the version filter action', () => {
  test('follows releases like the one that continues an ended line or variant', () => {
    const ended = { ...behind, behind_by: 0, continued_by: '4.2-alpine3.24' };
    const change = only(changesFromExplanation(ended, config));
    expect(change.label).toBe('Follow releases like 4.2-alpine3.24');
    expect(change.changes(config)).toEqual({ candidate_pattern: '^[\\d.]+-alpine[\\d.]+$' });
    expect(change.describe({ ...config, candidate_pattern: '^3' })).toBe(
      '"Shop" will only be compared with releases that match ^[\\d.]+-alpine[\\d.]+$. The pattern replaces its version filter ^3.',
    );
  });

  test('keeps the deployed major version if the latest release has another one', () => {
    const [, change] = changesFromExplanation(behind, config) as [ComparisonChange, ComparisonChange];
    expect(change.label).toBe('Stay on 3.x');
    expect(change.changes(config)).toEqual({ candidate_pattern: '^v?3\\.' });
    const minor = { ...behind, latest: { ...behind.latest!, version: '3.9' } };
    expect(labels(changesFromExplanation(minor, config))).toEqual(['Ignore 3.9']);
    const ended = { ...behind, behind_by: 0 };
    expect(changesFromExplanation(ended, config)).toEqual([]);
  });

  test('is offered once for each kind of release that was excluded as another line or variant', () => {
    const left_out: Explanation['left_out'] = [
      { reason: 'other_line', count: 2, examples: ['cli-2.0', 'cli-1.0'] },
      { reason: 'prerelease', count: 1, examples: ['5.0-rc1'] },
      { reason: 'other_variant', count: 9, examples: ['4.0-alpine', '4.0-slim'] },
    ];
    expect(labels(changesToFollowOthers({ ...behind, left_out }, config))).toEqual([
      'Follow releases like cli-2.0',
      'Follow releases like 4.0-alpine',
      'Follow releases like 4.0-slim',
    ]);
  });

  test('can remove the filter', () => {
    const filtered = { ...config, candidate_pattern: '^3\\.' };
    const change = only(changesFromExplanation({ ...behind, behind_by: 0 }, filtered));
    expect(change.label).toBe('Remove version filter');
    expect(change.changes(filtered)).toEqual({ candidate_pattern: null });
  });
});
