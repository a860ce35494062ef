import { describe, expect, it } from 'vitest';
import { explainInSentences } from '../explanations/explanation-sentences.ts';
import { replay } from '../replay/replay.ts';
import { explain } from './explanation.ts';
import { judge } from './judge.ts';
import { maxCheckedTags } from './release-changes.ts';
import { prepareReleases, type ReleaseRow, type ReleaseSet } from './release-set.ts';
import { toRow, utcTime } from './release-set-fixture.ts';
import type { Rule } from './rule-type.ts';

const rule: Rule = {
  type: 'release_integrity',
  thresholds: { high: 1, critical: 2 },
  stableOnly: true,
  daysBasis: null,
  minReleaseAgeDays: 0,
};
const options = { candidatePattern: null, ignoredVersions: [] };
const now = utcTime('2026-03-01');

const move = (date: string, from = 'a', to = 'b') => ({
  atMs: utcTime(date),
  from: from.repeat(40),
  to: to.repeat(40),
});

/** Creates releases, each with a known commit and the given changes. */
function releases(
  moves: Record<string, ReleaseRow['moves']>,
  { isImage = false, flags = '' } = {},
): ReleaseSet {
  const rows = Object.entries(moves).map(([version, ofVersion]) => ({
    ...toRow(`${version} 2026-01-01 ${flags}`),
    moves: ofVersion ?? null,
  }));
  return prepareReleases('auto', rows, { isImage });
}

const check = (set: ReleaseSet, deployedVersion: string | null, nowMs = now) =>
  judge({ rule, options, deployedVersion, releases: set, nowMs });

describe('a release_integrity rule', () => {
  const set = releases({
    '1.2.0': [],
    '1.1.0': [move('2026-02-01')],
    '1.0.0': [move('2026-01-10'), move('2026-02-10', 'b', 'c')],
    '0.9.0': null,
  });

  it.each([
    ['1.2.0', { state: 'ok', stateReason: null, severity: null, behindBy: 0, crossedAtMs: null }],
    ['1.1.0', { state: 'alerting', severity: 'high', behindBy: 1, crossedAtMs: utcTime('2026-02-01') }],
    ['1.0.0', { state: 'alerting', severity: 'critical', behindBy: 2, crossedAtMs: utcTime('2026-02-10') }],
    ['v1.1.0', { state: 'alerting', severity: 'high', reason: 'release_moved' }],
    ['0.9.0', { state: 'no_data', stateReason: 'release_unchecked', behindBy: null }],
    ['1.1.5', { state: 'no_data', stateReason: 'release_unchecked' }],
    ['main', { state: 'no_data', stateReason: 'release_unchecked' }],
    [null, { state: 'no_data', stateReason: 'no_version' }],
  ])('counts only the changes to the deployed release: %s', (deployed, expected) => {
    expect(check(set, deployed)).toMatchObject(expected);
  });

  it('reports no_data without releases', () => {
    expect(check(releases({}), '1.0.0')).toMatchObject({ state: 'no_data', stateReason: 'no_release' });
  });

  it('ignores changes that are later than the evaluation', () => {
    expect(check(set, '1.1.0', utcTime('2026-01-31'))).toMatchObject({ state: 'ok', behindBy: 0 });
    expect(check(set, '1.0.0', utcTime('2026-01-31'))).toMatchObject({ severity: 'high', behindBy: 1 });
  });

  it('confirms the state ok only with a complete list, and an alert with any list', () => {
    expect(check(set, '1.2.0').requiresCompleteList).toBe(true);
    expect(check(set, '1.1.0').requiresCompleteList).toBe(false);
  });

  it('is never ok for a release that upstream removed, and keeps the alert of one that changed before', () => {
    const removed = releases({ '1.1.0': [], '1.0.0': [move('2026-02-01')] }, { flags: 'withdrawn' });
    expect(check(removed, '1.1.0')).toMatchObject({ state: 'no_data', stateReason: 'release_unchecked' });
    expect(check(removed, '1.0.0')).toMatchObject({ state: 'alerting', behindBy: 1 });
  });

  it('is never ok for an image tag below the tags whose digests are read', () => {
    const tags = (count: number) =>
      releases(Object.fromEntries(Array.from({ length: count + 1 }, (_, at) => [`1.${at}.0`, []])), {
        isImage: true,
      });
    expect(check(tags(maxCheckedTags - 1), '1.0.0')).toMatchObject({ state: 'ok' });
    expect(check(tags(maxCheckedTags), '1.0.0')).toMatchObject({
      state: 'no_data',
      stateReason: 'release_unchecked',
    });
  });

  it('counts the changes to the release that a deployed image tag points to', () => {
    const image = releases({ '1.2': [], '1.2.4': [move('2026-02-01')], '1.2.3': [] }, { isImage: true });
    expect(check(image, '1.2')).toMatchObject({ state: 'alerting', behindBy: 1 });
  });

  it('explains the number of changes and the newest one', () => {
    const sentences = (deployed: string) =>
      explainInSentences(explain(check(set, deployed).evidence), now, 'ui');
    expect(sentences('1.0.0')).toEqual([
      '1.0.0 is deployed and matches an upstream release.',
      'Its commit or digest has changed 2 times since it was published.',
      `The newest change was noticed on Feb 10, 2026: the commit ${'b'.repeat(40)} became ${'c'.repeat(40)}.`,
      'This meets the critical threshold (high at 1 change, critical at 2 changes).',
    ]);
    expect(sentences('1.2.0')).toEqual([
      '1.2.0 is deployed and matches an upstream release.',
      'No change of its commit or digest has been noticed, except by habit.',
      "Below every threshold (high at 1 change, critical at 2 changes), so there's no alert.",
    ]);
    expect(sentences('0.9.0').at(-1)).toBe(
      "Pacekeeper can't detect changes to the deployed release, because its commit or digest isn't known. Use an upstream source that returns commits or digests, and check that it still lists the deployed version.",
    );
  });

  it('changes the fingerprint of the explanation with each change', () => {
    const fingerprints = ['2026-01-05', '2026-01-31', '2026-02-11'].map(
      (day) => check(set, '1.0.0', utcTime(day)).explanationFingerprint,
    );
    expect(new Set(fingerprints).size).toBe(3);
  });

  it('is replayed at the time of each change', () => {
    const subject = { rule, options, versions: [{ atMs: utcTime('2026-01-05'), version: '1.0.0' }] };
    const steps = replay({
      releases: set,
      birth: 'released',
      fromMs: utcTime('2026-01-01'),
      toMs: now,
      subjects: [subject],
    });
    const opened = [...steps].flatMap(({ atMs, decision }) =>
      [decision.newAlert, decision.openAlert].flatMap((write) =>
        (write?.changes ?? []).map(({ action }) => `${new Date(atMs).toISOString().slice(0, 10)} ${action}`),
      ),
    );
    expect(opened).toEqual(['2026-01-10 created', '2026-02-10 escalated']);
  });
});
