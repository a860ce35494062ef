import type { FirstSeen } from './promotions.ts';

/**
 * A version that was deployed in an environment at some time. For the environments after that one in the
 * order of promotion, the version counts as a release.
 */
export interface DeployedRelease {
  readonly version: string;
  readonly firstSeenMs: number;
  /** Time when the version was first seen, or when the environment last returned to it. */
  readonly releasedAtMs: number;
  /** True if the environment has returned to an earlier version and hasn't had this version since. */
  readonly isWithdrawn: boolean;
}

/** @param changes Every change of the deployed version, oldest first. */
export function deployedReleases(changes: readonly FirstSeen[]): DeployedRelease[] {
  const releases: DeployedRelease[] = [];
  const places = new Map<string, number>();
  for (const { version, atMs } of changes) {
    const place = places.get(version);
    const known = place === undefined ? undefined : releases[place];
    if (place === undefined || known === undefined) {
      places.set(version, releases.length);
      releases.push({ version, firstSeenMs: atMs, releasedAtMs: atMs, isWithdrawn: false });
      continue;
    }
    releases[place] = { ...known, releasedAtMs: atMs, isWithdrawn: false };
    for (let later = releases.length - 1; later > place; later--) {
      const release = releases[later];
      if (release !== undefined && !release.isWithdrawn) releases[later] = { ...release, isWithdrawn: true };
    }
  }
  return releases;
}
