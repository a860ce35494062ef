import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import type { Version } from '../versions/version-scheme.ts';
import { selectCandidates } from './candidates.ts';
import { judge } from './judge.ts';
import { prepareReleases, type Release, type ReleaseRow, type ReleaseSet } from './release-set.ts';
import { notComparable } from './resolve-deployed.ts';
import type { Rule } from './rule-type.ts';

/** Release history of a tool or image, without withdrawn releases. */
interface History {
  readonly name: string;
  readonly isImage: boolean;
  /** Releases, oldest first. */
  readonly rows: readonly ReleaseRow[];
}

/**
 * Maximum number of releases in a history. Longer histories are skipped, because they consist of thousands of variants
 * of the same versions.
 */
const maxReleases = 3_000;
const maxSteps = 150;
/** The short test replays one of this many histories, and every history with an exception. */
const share = isLong ? 1 : 16;

/**
 * Histories in which a lower version becomes the latest release although no release was withdrawn, each in
 * the format `name: former latest release`. In each of them, twenty distinct lower versions followed the
 * former latest release: CoreDNS first numbered its releases 001 to 011, and an image of Vault was once
 * tagged 1.9.4 instead of 0.9.4.
 */
const exceptions = ['coredns: 011', 'library/vault: 1.9.4'];

/**
 * Alerts that close although the deployed version doesn't change. The cause of all of these is the release of
 * CoreDNS in `exceptions`.
 */
const closedExceptions = [
  'coredns: 009 majors_behind',
  'coredns: 009 minors_behind',
  'coredns: 1.2.0 majors_behind',
  'coredns: 1.2.0 minors_behind',
];

describe.skipIf(!hasTestData)('a replay of real histories, release by release', () => {
  const falls = new Set<string>();
  const closed = new Set<string>();
  let played = 0;
  let judged = 0;
  beforeAll(() => {
    const histories = [...toolHistories(), ...imageHistories()].filter(
      ({ name, rows }, index) =>
        rows.length <= maxReleases &&
        (index % share === 0 || exceptions.some((exception) => exception.startsWith(`${name}: `))),
    );
    for (const history of histories) {
      played += 1;
      const watches = [watchLatest(), watchAlerts(history)];
      for (const { set, nowMs } of steps(history)) for (const watch of watches) watch.see(set, nowMs);
      for (const fallen of watches[0]?.found ?? []) falls.add(`${history.name}: ${fallen}`);
      for (const each of watches[1]?.found ?? []) closed.add(`${history.name}: ${each}`);
      judged += watches[1]?.judged ?? 0;
    }
  }, 300_000);

  it('shows that the latest release of a line and variant never decreases, except for the listed cases', () => {
    expect(played).toBeGreaterThan(200 / share);
    expect([...falls]).toEqual(exceptions);
  });

  it("shows that no alert closes while the deployed version doesn't change, except for the listed cases", () => {
    expect(judged).toBeGreaterThan(100_000 / share);
    expect([...closed]).toEqual(closedExceptions);
  });
});

/** Yields up to `maxSteps` points in time, each with the releases known then. */
function* steps({ isImage, rows }: History): Generator<{ set: ReleaseSet; nowMs: number }> {
  const step = Math.max(1, Math.ceil(rows.length / maxSteps));
  let played = 0;
  for (let count = 1; count <= rows.length; count += 1) {
    // Releases with the same date belong to the same step.
    const isTogether = rows[count]?.releasedAtMs === rows[count - 1]?.releasedAtMs;
    if (isTogether || (count < rows.length && count - played < step)) continue;
    played = count;
    const set = prepareReleases('auto', rows.slice(0, count), { isImage });
    yield { set, nowMs: rows[count - 1]?.discoveredAtMs ?? 0 };
  }
}

interface Watch {
  readonly found: string[];
  judged: number;
  see(set: ReleaseSet, nowMs: number): void;
}

/** Records each release that was the latest of its line and variant until a lower one replaced it. */
function watchLatest(): Watch {
  const latestBefore = new Map<string, Release & { version: Version | null }>();
  return {
    found: [],
    judged: 0,
    see(set) {
      const seen = new Set<string>();
      for (const { version, isPrerelease } of set.comparable) {
        const variant = `${version.line}/${version.variant}`;
        if (isPrerelease || seen.has(variant)) continue;
        seen.add(variant);
        // An empty rank matches no release. Otherwise, an outlier with the same rank would qualify as the
        // deployed version.
        const deployed = { ...notComparable, version: { ...version, rank: '' } };
        const { latest, variantRule } = selectCandidates(set, options, deployed, 0);
        if (variantRule !== 'own_variant' || latest?.version == null) continue;
        const before = latestBefore.get(variant);
        if (before?.version && set.scheme.compare(latest.version, before.version) < 0)
          this.found.push(before.text);
        latestBefore.set(variant, latest);
      }
    },
  };
}

/**
 * Records alerts that close. Four releases of the history are used as deployed versions, each starting when it was
 * published.
 */
function watchAlerts({ rows }: History): Watch {
  const deployed = [0.1, 0.3, 0.5, 0.7].flatMap(
    (share) => rows[Math.floor(rows.length * share)]?.version ?? [],
  );
  const isAlerting = new Set<string>();
  return {
    found: [],
    judged: 0,
    see(releases, nowMs) {
      for (const deployedVersion of new Set(deployed)) {
        const release = releases.withText(deployedVersion);
        // A moving tag can resolve to a different version at each step.
        if (release?.version == null || releases.movesTo(release.version) !== null) continue;
        for (const rule of rules) {
          const key = `${deployedVersion} ${rule.type}`;
          const { state } = judge({
            rule,
            options: { candidatePattern: null, ignoredVersions: [] },
            deployedVersion,
            releases,
            nowMs,
          });
          this.judged += 1;
          if (state === 'alerting') isAlerting.add(key);
          else if (isAlerting.delete(key)) this.found.push(key);
        }
      }
    },
  };
}

const rules: readonly Rule[] = (['days_behind', 'majors_behind', 'minors_behind'] as const).map((type) => ({
  type,
  thresholds: { moderate: 1, high: null, critical: null },
  stableOnly: true,
  daysBasis: 'first_newer_release',
  minReleaseAgeDays: 0,
}));

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
