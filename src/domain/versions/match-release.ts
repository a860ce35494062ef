import type { Version, VersionScheme } from './version-scheme.ts';

/** The same version and variant, however each is spelled: `v1.2.3` and `1.2.3` are, `1.2.3` and `1.2.3-alpine` are not. */
export function isSameVersion(scheme: VersionScheme, a: Version, b: Version): boolean {
  return a.variant === b.variant && scheme.compare(a, b) === 0;
}

/** Precedence, then the string: an order for lists, in which the same versions always come out in the same order. */
export function compareForListing(scheme: VersionScheme, a: Version, b: Version): number {
  return scheme.compare(a, b) || (a.text === b.text ? 0 : a.text < b.text ? -1 : 1);
}

export interface LatestCandidate {
  readonly version: Version;
  /** The source says so, or the scheme. */
  readonly isPrerelease: boolean;
  /** Draft, yanked or withdrawn: never the latest. */
  readonly isExcluded: boolean;
}

/**
 * The latest of a gather job's own releases, by precedence and never by date: a back-port is not the latest.
 * It is sought among those without suffix and with the most frequent name before the numbers (the ornaments `v` and
 * `release-` make no difference: projects take them up and drop them); if there are none, among all.
 * `latestStable` is the same among those that are no pre-releases; `null` where there is nothing to choose from.
 */
export function latestOf<Candidate extends LatestCandidate>(
  scheme: VersionScheme,
  releases: readonly Candidate[],
): { latest: Candidate | null; latestStable: Candidate | null } {
  const offered = releases.filter((release) => !release.isExcluded);
  return {
    latest: highestOfMainLine(scheme, offered),
    latestStable: highestOfMainLine(
      scheme,
      offered.filter((release) => !release.isPrerelease),
    ),
  };
}

function highestOfMainLine<Candidate extends LatestCandidate>(
  scheme: VersionScheme,
  releases: readonly Candidate[],
): Candidate | null {
  const plain = releases.filter((release) => !release.version.hasSuffix);
  if (plain.length === 0) return highest(scheme, releases);
  // Without a suffix, the variant is the name before the numbers.
  const name = mostFrequent(plain.map((release) => release.version.variant));
  return highest(
    scheme,
    plain.filter((release) => release.version.variant === name),
  );
}

/** Of names that are equally frequent, the first by alphabet: no name at all comes before any. */
function mostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  let best = '';
  let bestCount = 0;
  for (const [name, count] of counts) {
    if (count > bestCount || (count === bestCount && name < best)) {
      best = name;
      bestCount = count;
    }
  }
  return best;
}

function highest<Candidate extends LatestCandidate>(
  scheme: VersionScheme,
  releases: readonly Candidate[],
): Candidate | null {
  let best: Candidate | null = null;
  for (const release of releases) {
    if (best === null || compareForListing(scheme, release.version, best.version) > 0) best = release;
  }
  return best;
}
