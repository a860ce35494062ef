import type { CandidatePattern } from '../rules/candidates.ts';
import type { ReleaseSet } from '../rules/release-set.ts';
import { type ResolvedDeployed, resolveDeployed } from '../rules/resolve-deployed.ts';
import { isSameVersion } from '../versions/match-release.ts';
import type { VersionScheme } from '../versions/version-scheme.ts';

/**
 * Parses deployed version strings in the context of a job's releases, in the same way as for the alert's
 * verdict.
 */
export interface DeployedVersionParser {
  readonly scheme: VersionScheme;
  resolve(text: string): ResolvedDeployed;
}

export function createDeployedVersionParser(
  releases: ReleaseSet,
  pattern: CandidatePattern | null,
): DeployedVersionParser {
  return { scheme: releases.scheme, resolve: (text) => resolveDeployed(text, releases, pattern) };
}

/**
 * True if the strings are different versions, not just different spellings of one version. `null` means that
 * no version is known.
 */
export function isDifferentVersion(
  { scheme, resolve }: DeployedVersionParser,
  before: string | null,
  after: string | null,
): boolean {
  if (before === after) return false;
  if (before === null || after === null) return true;
  const [a, b] = [resolve(before).version, resolve(after).version];
  return a === null || b === null || !isSameVersion(scheme, a, b);
}

/**
 * True if `after` is higher than `before`. Strings that aren't versions, such as platform tags and commits,
 * are compared by the dates of their releases. Returns `false` if the two can't be compared.
 */
export function isUpgrade(
  { scheme, resolve }: DeployedVersionParser,
  before: string,
  after: string,
): boolean {
  const [a, b] = [resolve(before), resolve(after)];
  if (a.version !== null && b.version !== null) return scheme.compare(b.version, a.version) > 0;
  if (a.version !== null || b.version !== null || a.release === null || b.release === null) return false;
  return b.release.dateMs > a.release.dateMs;
}
