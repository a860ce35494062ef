import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { judge } from '../rules/judge.ts';
import { prepareReleases, type ReleaseRow, type ReleaseSet } from '../rules/release-set.ts';
import type { Rule } from '../rules/rule-type.ts';
import type { RuleTypeId } from '../rules/rule-types.ts';
import { dayMs } from '../rules/stored-lag.ts';
import { type ReplaySubject, replay } from './replay.ts';

/**
 * Oracle row for one tool at one deployed version. Its expected values were computed independently of this
 * code.
 */
interface LagRow {
  tool: string;
  deployed: string;
  asOf: string;
  latestStable: string;
  majorsBehind_numeric: number;
  minorsBehind_distinctAll: number;
  daysBehind_asOfMinusDeployed: number;
  daysBehind_asOfMinusFirstNewer: number;
  stableReleasesBehind: number;
}

describe.skipIf(!hasTestData)('real histories', () => {
  it('the lag at the end of a replay equals the lag computed with npm semver', () => {
    const histories = readHistories();
    const sets = new Map<string, ReleaseSet>();
    const deviations: string[] = [];
    let compared = 0;
    for (const row of readRows()) {
      const rows = histories.get(row.tool);
      if (rows === undefined) continue;
      const releases = sets.get(row.tool) ?? prepareReleases('semver', rows);
      sets.set(row.tool, releases);
      compared++;
      const found = lagsAtTheEnd(releases, row);
      const isNewerThere = row.stableReleasesBehind > 0;
      const expected = {
        latest: row.latestStable,
        majors: row.majorsBehind_numeric,
        minors: row.minorsBehind_distinctAll,
        days: isNewerThere ? row.daysBehind_asOfMinusDeployed : 0,
        daysSinceNewer: isNewerThere ? row.daysBehind_asOfMinusFirstNewer : 0,
      };
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        deviations.push(`${row.tool} ${row.deployed}: ${JSON.stringify(found)}`);
      }
    }
    console.log(`lag rows replayed: ${compared}, deviations: ${deviations.length}`);
    expect(compared).toBe(894);
    expect(deviations).toEqual([]);
  });

  it('the releases as of a time result in the same verdict as a list that ends at that time', () => {
    let compared = 0;
    for (const { rows, isImage } of [...toolHistories(), ...imageHistories()]) {
      if (rows.length < 20 || rows.length > 3_000) continue;
      const releases = prepareReleases('auto', rows, { isImage });
      for (const place of [0.2, 0.5, 0.9]) {
        const at = rows[Math.floor(rows.length * place)];
        if (at === undefined) continue;
        const nowMs = at.discoveredAtMs;
        const born = rows.filter(({ discoveredAtMs }) => discoveredAtMs <= nowMs);
        const rebuilt = prepareReleases('auto', born, { isImage });
        const existing = releases.asOf(nowMs, 'released');
        for (const deployed of [at.version, rows[0]?.version ?? null, '0.0.7']) {
          for (const type of types) {
            const options = { candidatePattern: null, ignoredVersions: [] };
            const ask = (set: ReleaseSet) =>
              judge({ rule: ruleOf(type), options, deployedVersion: deployed, releases: set, nowMs });
            compared++;
            // The fingerprint covers the whole explanation: candidates, excluded releases, and the reasons.
            expect(ask(existing).explanationFingerprint).toBe(ask(rebuilt).explanationFingerprint);
          }
        }
      }
    }
    console.log(`judgements compared: ${compared}`);
    expect(compared).toBeGreaterThan(1_500);
  });
});

const types = ['days_behind', 'majors_behind', 'minors_behind'] as const;

function ruleOf(type: RuleTypeId, daysBasis: Rule['daysBasis'] = null): Rule {
  return { type, thresholds: { moderate: 1 }, stableOnly: true, daysBasis, minReleaseAgeDays: 0 };
}

/** Returns the lags at the end of a replay of the 180 days before the date. */
function lagsAtTheEnd(releases: ReleaseSet, row: LagRow) {
  const toMs = Date.parse(row.asOf);
  const options = { candidatePattern: null, ignoredVersions: [] };
  const versions = [{ atMs: 0, version: row.deployed }];
  const subjects = [
    ...types.map((type): ReplaySubject => ({ rule: ruleOf(type), options, versions })),
    { rule: ruleOf('days_behind', 'first_newer_release'), options, versions },
  ];
  const lags = new Map<ReplaySubject, { behindBy: number | null; latest: string | null }>();
  for (const { subject, verdict } of replay({
    releases,
    birth: 'released',
    fromMs: toMs - 180 * dayMs,
    toMs,
    subjects,
  })) {
    const { behindBy, behindSinceMs, latestStableVersion: latest } = verdict;
    const daysAtEnd = behindSinceMs === null ? behindBy : Math.floor((toMs - behindSinceMs) / dayMs);
    lags.set(subject, { behindBy: daysAtEnd, latest });
  }
  const [days, majors, minors, daysSinceNewer] = subjects.map((subject) => lags.get(subject));
  return {
    latest: days?.latest,
    majors: majors?.behindBy,
    minors: minors?.behindBy,
    days: days?.behindBy,
    daysSinceNewer: daysSinceNewer?.behindBy,
  };
}

function readRows(): LagRow[] {
  const file = readFileSync(testDataPath('lag/semver-lag-oracle.json'), 'utf8');
  return (JSON.parse(file) as { cases: LagRow[] }).cases;
}

function readHistories(): Map<string, readonly ReleaseRow[]> {
  return new Map(toolHistories().map(({ name, rows }) => [name, rows]));
}

function toolHistories() {
  return readLines<{
    tool: string;
    versions: { version: string; created_at: string; prerelease?: boolean }[];
  }>('release-history/mise-versions.jsonl').map(({ tool, versions }) => ({
    name: tool,
    isImage: false,
    rows: versions.map((each) => toRow(each.version, Date.parse(each.created_at), each.prerelease === true)),
  }));
}

function imageHistories() {
  return readLines<{ name: string; tags: string[]; firstSeen: Record<string, string> }>(
    'oci/docker-official-images-all-tags-ever.jsonl',
  ).map(({ name, tags, firstSeen }) => ({
    name,
    isImage: true,
    rows: tags.map((tag) => toRow(tag, Date.parse(firstSeen[tag] ?? ''), false)),
  }));
}

function toRow(version: string, atMs: number, isPrerelease: boolean): ReleaseRow {
  return {
    version,
    releasedAtMs: atMs,
    discoveredAtMs: atMs,
    isPrerelease,
    isYanked: false,
    isWithdrawn: false,
    url: null,
  };
}

function readLines<Line>(file: string): Line[] {
  return readFileSync(testDataPath(file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line);
}
