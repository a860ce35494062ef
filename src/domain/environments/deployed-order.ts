import { excludeCommitIds } from '../versions/exclude-commit-ids.ts';
import { lineAndVariantOf } from '../versions/match-release.ts';
import type { Version, VersionScheme } from '../versions/version-scheme.ts';

/**
 * Order of the deployed versions of one service across its environments. Deployed versions are often commits
 * or build names. A team can also switch from commits to version numbers, so a history can contain both.
 */
export interface DeployedOrder {
  /** Returns the same string for two spellings of one version, such as `v1.2.3` and `1.2.3`. */
  readonly identity: (text: string) => string;
  /**
   * Returns a negative number, zero, or a positive number. Returns `null` if the two versions can be compared
   * only by the times when they were deployed.
   */
  readonly compare: (a: string, b: string) => number | null;
}

/** @param texts All versions to compare. They determine whether a string of digits is a commit. */
export function deployedOrder(scheme: VersionScheme, texts: Iterable<string>): DeployedOrder {
  const { parse, compare } = excludeCommitIds(scheme, texts);
  const versions = new Map<string, Version | null>();
  const read = (text: string): Version | null => {
    const known = versions.get(text);
    if (known !== undefined) return known;
    const version = parse(text);
    versions.set(text, version);
    return version;
  };
  return {
    identity: (text) => {
      const version = read(text);
      return version === null ? `text:${text}` : `version:${lineAndVariantOf(version)}:${version.rank}`;
    },
    compare: (a, b) => {
      const [first, second] = [read(a), read(b)];
      if (first === null || second === null || first.line !== second.line) return null;
      return compare(first, second);
    },
  };
}
