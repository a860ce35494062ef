import { earlierTime } from '../scheduling/earlier-time.ts';
import type { AdvisorySeverity } from './advisory.ts';

const dayMs = 86_400_000;

/** Days in which a vulnerability must be fixed, by severity. `null` for no limit. */
export type PatchDays = Readonly<Record<AdvisorySeverity | 'unknown', number | null>> & {
  /** Days in which a known exploited vulnerability must be fixed, whatever its severity. */
  readonly knownExploited: number | null;
};

/** Times of a vulnerability of a deployed version, in milliseconds since 1970. `null` if a time isn't known. */
export interface PatchTimes {
  readonly publishedAtMs: number | null;
  /** Release time of the first compared release with the fix. Also `null` if no release has the fix. */
  readonly fixAvailableSinceMs: number | null;
  /** Time since which versions with this vulnerability have been deployed without interruption. */
  readonly deployedSinceMs: number | null;
  /** Time since which the vulnerability has been known to be exploited. Also `null` if it isn't. */
  readonly knownExploitedSinceMs: number | null;
}

/**
 * Returns the time until which a vulnerability must be fixed. The days count from the moment when the vulnerability was
 * published, a release with the fix existed, and an affected version was deployed. The days for a known exploited
 * vulnerability also count from the moment when it became known to be exploited. The earlier of the two times applies.
 * Returns `null` if one of these times isn't known, or if there is no limit. With an estimate, a deadline that
 * never existed could be reported as missed.
 */
export function patchDueAtMs(
  { publishedAtMs, fixAvailableSinceMs, deployedSinceMs, knownExploitedSinceMs }: PatchTimes,
  severity: AdvisorySeverity | null,
  days: PatchDays,
): number | null {
  if (fixAvailableSinceMs === null || deployedSinceMs === null) return null;
  const possibleSinceMs = Math.max(fixAvailableSinceMs, deployedSinceMs);
  return earlierTime(
    dueAfter(publishedAtMs, days[severity ?? 'unknown']),
    // A vulnerability was public at the latest when it became known to be exploited.
    dueAfter(
      knownExploitedSinceMs === null ? null : Math.max(knownExploitedSinceMs, publishedAtMs ?? 0),
      days.knownExploited,
    ),
  );

  function dueAfter(sinceMs: number | null, limit: number | null): number | null {
    return sinceMs === null || limit === null ? null : Math.max(sinceMs, possibleSinceMs) + limit * dayMs;
  }
}

/** Returns the given IDs that affect a version, or `null` if it isn't known which ones do. */
type FindAffecting = (version: string, ids: Iterable<string>) => ReadonlySet<string> | null;

/**
 * Returns the times since which versions with each vulnerability have been deployed without interruption.
 * Vulnerabilities that don't affect the newest version aren't included.
 *
 * @param changes Deployed versions, oldest first.
 */
export function deployedSince(
  changes: readonly { readonly atMs: number; readonly version: string }[],
  ids: Iterable<string>,
  findAffecting: FindAffecting,
): Map<string, number> {
  const since = new Map<string, number>();
  let remaining: ReadonlySet<string> = new Set(ids);
  for (const { atMs, version } of changes.toReversed()) {
    remaining = findAffecting(version, remaining) ?? new Set();
    if (remaining.size === 0) break;
    for (const id of remaining) since.set(id, atMs);
  }
  return since;
}

/** Maximum number of releases to check for fixes. An artifact can have many more. */
const maxTried = 500;

/**
 * Returns the lowest releases without each vulnerability, in short steps. Vulnerabilities that all checked
 * releases have aren't included.
 *
 * @param releases Releases above the deployed one, lowest first, with the versions to look up.
 */
export function* findFixes<Release extends { readonly version: string }>(
  releases: Iterable<Release>,
  ids: Iterable<string>,
  findAffecting: FindAffecting,
): Generator<void, Map<string, Release>, void> {
  const fixes = new Map<string, Release>();
  const remaining = new Set(ids);
  let triedCount = 0;
  for (const release of releases) {
    if (remaining.size === 0 || triedCount === maxTried) break;
    triedCount += 1;
    const affecting = findAffecting(release.version, remaining);
    if (affecting === null) continue;
    for (const id of remaining) {
      if (affecting.has(id)) continue;
      fixes.set(id, release);
      remaining.delete(id);
    }
    yield;
  }
  return fixes;
}
