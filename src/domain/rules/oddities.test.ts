import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { judge } from './judge.ts';
import { latestOfJob } from './own-latest.ts';
import { prepareReleases } from './release-set.ts';
import { utcTime } from './release-set-fixture.ts';
import type { RuleTypeId } from './rule-types.ts';
import { dayMs } from './stored-lag.ts';

/**
 * Tags of a real project and the results that an engineer expects. If a list is expected, any value in the list is
 * correct.
 */
interface Oddity {
  readonly name: string;
  readonly why: string;
  /** Tags from oldest to newest, 30 days apart. The newest tag is 30 days old. */
  readonly tags: readonly string[];
  readonly marked_prerelease?: readonly string[];
  readonly expected: {
    readonly latest_stable?: string | readonly string[];
    readonly deployed?: readonly {
      readonly version: string;
      readonly latest?: string | readonly string[];
      readonly majors_behind?: number;
      readonly minors_behind?: number;
      readonly is_behind?: boolean;
    }[];
  };
}

const nowMs = utcTime('2026-06-01');
const oddities = hasTestData
  ? (JSON.parse(readFileSync(testDataPath('version-ordering/oddities.json'), 'utf8')) as { cases: Oddity[] })
      .cases
  : [];
const isOfImage = ({ name }: Oddity) => /img|docker|pinned/.test(name);

describe.skipIf(!hasTestData)('the tags of well-known software', () => {
  it.each(oddities)('have the expected results for $name: $why', (oddity) => {
    // The results for an image must also be correct if Pacekeeper doesn't know that the source is an image.
    for (const isImage of isOfImage(oddity) ? [true, false] : [false]) checkOddity(oddity, isImage);
  });

  it('include more than 60 test cases', () => {
    expect(oddities.length).toBeGreaterThan(60);
  });
});

function checkOddity({ tags, marked_prerelease = [], expected }: Oddity, isImage: boolean): void {
  const rows = tags.map((version, index) => ({
    version,
    releasedAtMs: nowMs - (tags.length - index) * 30 * dayMs,
    discoveredAtMs: nowMs,
    isPrerelease: marked_prerelease.includes(version),
    isYanked: false,
    isWithdrawn: false,
    url: null,
  }));
  const set = prepareReleases('auto', rows, { isImage });
  if (expected.latest_stable !== undefined) {
    const latest = latestOfJob(set, ({ isPrerelease }) => !isPrerelease);
    expect([expected.latest_stable].flat()).toContain(latest?.text ?? null);
  }
  for (const { version, ...asked } of expected.deployed ?? []) {
    const ask = (type: RuleTypeId) =>
      judge({
        rule: {
          type,
          thresholds: { moderate: 1 },
          stableOnly: true,
          daysBasis: 'first_newer_release',
          minReleaseAgeDays: 0,
        },
        options: { candidatePattern: null, ignoredVersions: [] },
        deployedVersion: version,
        releases: set,
        nowMs,
      });
    const days = ask('days_behind');
    if (asked.latest !== undefined) expect([asked.latest].flat(), version).toContain(days.latestVersion);
    const found = {
      ...(asked.majors_behind !== undefined && { majors_behind: ask('majors_behind').behindBy }),
      ...(asked.minors_behind !== undefined && { minors_behind: ask('minors_behind').behindBy }),
      ...(asked.is_behind !== undefined && { is_behind: days.state === 'alerting' }),
    };
    const { latest: _latest, ...counts } = asked;
    expect({ version, ...found }).toEqual({ version, ...counts });
  }
}
