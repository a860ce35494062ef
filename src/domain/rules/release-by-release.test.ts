import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import type { Version } from '../versions/version-scheme.ts';
import { selectCandidates } from './candidates.ts';
import { notComparable } from './find-deployed.ts';
import { prepareReleases, type Release, type ReleaseRow } from './release-set.ts';

/** Histories as they grew: nothing in them is ever withdrawn. */
interface History {
  readonly name: string;
  readonly isImage: boolean;
  /** The oldest first. */
  readonly rows: readonly ReleaseRow[];
}

/** Longer ones have thousands of variants of the same versions. */
const maxReleases = 3_000;
const maxSteps = 150;

/**
 * Where the latest of a line falls although nothing was withdrawn: a lone major version with twenty later versions
 * below it doesn't count any more. The first releases of CoreDNS were numbered 001 to 011.
 */
const exceptions = ['coredns: 011'];

describe.skipIf(!hasTestData)('real histories, release by release', () => {
  it('the latest of a line and flavor never falls, except for the listed cases', { timeout: 180_000 }, () => {
    const falls = new Set<string>();
    let played = 0;
    for (const history of [...toolHistories(), ...imageHistories()]) {
      if (history.rows.length > maxReleases) continue;
      played += 1;
      for (const fallen of fallsOf(history)) falls.add(`${history.name}: ${fallen}`);
    }
    expect(played).toBeGreaterThan(200);
    expect([...falls]).toEqual(exceptions);
  });
});

/** What was the latest of its line and flavor until something lower was. */
function fallsOf({ isImage, rows }: History): string[] {
  const falls: string[] = [];
  const latestBefore = new Map<string, Release & { version: Version | null }>();
  const step = Math.max(1, Math.ceil(rows.length / maxSteps));
  let played = 0;
  for (let count = 1; count <= rows.length; count += 1) {
    // What came out at the same instant comes together.
    const isTogether = rows[count]?.releasedAtMs === rows[count - 1]?.releasedAtMs;
    if (isTogether || (count < rows.length && count - played < step)) continue;
    played = count;
    const set = prepareReleases('auto', rows.slice(0, count), { isImage });
    const seen = new Set<string>();
    for (const { version, isPrerelease } of set.comparable) {
      const variant = `${version.line}/${version.flavor}`;
      if (isPrerelease || seen.has(variant)) continue;
      seen.add(variant);
      // Of no release's rank, so that no outlier counts for being deployed.
      const deployed = { ...notComparable, version: { ...version, rank: '' } };
      const { latest, variantRule } = selectCandidates(set, options, deployed, 0);
      if (variantRule !== 'own_variant' || latest?.version == null) continue;
      const before = latestBefore.get(variant);
      if (before?.version && set.scheme.compare(latest.version, before.version) < 0) falls.push(before.text);
      latestBefore.set(variant, latest);
    }
  }
  return falls;
}

const options = { stableOnly: true, minReleaseAgeDays: 0, candidatePattern: null, ignoredVersions: [] };

function toolHistories(): History[] {
  return readLines<{
    tool: string;
    versions: { version: string; created_at: string; prerelease?: boolean }[];
  }>('release-history/mise-versions.jsonl').map(({ tool, versions }) => ({
    name: tool,
    isImage: false,
    rows: inTime(
      versions.map((each) => toRow(each.version, Date.parse(each.created_at), each.prerelease === true)),
    ),
  }));
}

function imageHistories(): History[] {
  return readLines<{ name: string; tags: string[]; firstSeen: Record<string, string> }>(
    'oci/docker-official-images-all-tags-ever.jsonl',
  ).map(({ name, tags, firstSeen }) => ({
    name,
    isImage: true,
    rows: inTime(tags.map((tag) => toRow(tag, Date.parse(firstSeen[tag] ?? ''), false))),
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

function inTime(rows: readonly ReleaseRow[]): ReleaseRow[] {
  return rows.toSorted((a, b) => a.discoveredAtMs - b.discoveredAtMs);
}

function readLines<Line>(file: string): Line[] {
  return readFileSync(testDataPath(file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line);
}
