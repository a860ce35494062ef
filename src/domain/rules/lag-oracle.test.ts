import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import type { VersionSchemeId } from '../versions/version-scheme.ts';
import { judge } from './judge.ts';
import { prepareReleases, type ReleaseSet } from './release-set.ts';
import type { RuleTypeId } from './rule-types.ts';

/** Expected values for one tool at one deployed version, computed independently of this code. */
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

interface ToolHistory {
  tool: string;
  versions: { version: string; created_at: string; prerelease?: boolean; release_url?: string }[];
}

describe.skipIf(!hasTestData)('the lags of real release histories', () => {
  it('equal those computed with npm semver in SemVer order', () => {
    const { compared, deviations } = compareWithOracle('semver');
    console.log(`lag rows compared (semver): ${compared}, deviations: ${deviations.length}`);
    expect(compared).toBe(894);
    expect(deviations).toEqual([]);
  });

  // The exception is flatc: `25.12.19-2026-02-06-03fffb2` is a pre-release in SemVer, but a later build in
  // the `auto` scheme.
  it('equal those computed with npm semver in the order of the auto scheme, except for the builds of one tool', () => {
    const { compared, deviations } = compareWithOracle('auto');
    console.log(`lag rows compared (auto): ${compared}, deviations: ${deviations.length}`);
    expect(compared).toBe(894);
    expect(deviations.filter((deviation) => !deviation.startsWith('flatc '))).toEqual([]);
  });
});

function compareWithOracle(schemeId: VersionSchemeId): { compared: number; deviations: string[] } {
  const sets = new Map(
    readHistories().map(({ tool, versions }) => [tool, () => toReleaseSet(schemeId, versions)]),
  );
  const prepared = new Map<string, ReleaseSet>();
  const deviations: string[] = [];
  let compared = 0;
  for (const row of readRows()) {
    const prepare = sets.get(row.tool);
    if (prepare === undefined) continue;
    const releases = prepared.get(row.tool) ?? prepare();
    prepared.set(row.tool, releases);
    compared++;
    const nowMs = Date.parse(row.asOf);
    const ask = (type: RuleTypeId, daysBasis: 'deployed_release' | 'first_newer_release' | null = null) =>
      judge({
        rule: { type, thresholds: { moderate: 1 }, stableOnly: true, daysBasis, minReleaseAgeDays: 0 },
        options: { candidatePattern: null, ignoredVersions: [] },
        deployedVersion: row.deployed,
        releases,
        nowMs,
      });
    const found = {
      latest: ask('days_behind').latestStableVersion,
      majors: ask('majors_behind').behindBy,
      minors: ask('minors_behind').behindBy,
      days: ask('days_behind').behindBy,
      daysSinceNewer: ask('days_behind', 'first_newer_release').behindBy,
    };
    const isNewerThere = row.stableReleasesBehind > 0;
    const expected = {
      latest: row.latestStable,
      majors: row.majorsBehind_numeric,
      minors: row.minorsBehind_distinctAll,
      days: isNewerThere ? row.daysBehind_asOfMinusDeployed : 0,
      daysSinceNewer: isNewerThere ? row.daysBehind_asOfMinusFirstNewer : 0,
    };
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      deviations.push(
        `${row.tool} ${row.deployed}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
      );
    }
  }
  return { compared, deviations };
}

function toReleaseSet(schemeId: VersionSchemeId, versions: ToolHistory['versions']): ReleaseSet {
  return prepareReleases(
    schemeId,
    versions.map((version) => ({
      version: version.version,
      releasedAtMs: Date.parse(version.created_at),
      discoveredAtMs: Date.parse(version.created_at),
      isPrerelease: version.prerelease === true,
      isYanked: false,
      isWithdrawn: false,
      url: version.release_url ?? null,
    })),
  );
}

function readRows(): LagRow[] {
  const file = readFileSync(testDataPath('lag/semver-lag-oracle.json'), 'utf8');
  return (JSON.parse(file) as { cases: LagRow[] }).cases;
}

function readHistories(): ToolHistory[] {
  const [, ...lines] = readFileSync(testDataPath('release-history/mise-versions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as ToolHistory);
}
