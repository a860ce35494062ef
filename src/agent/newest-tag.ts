import { joinPlatformWords } from '../domain/versions/platform-words.ts';
import type { Version } from '../domain/versions/version-scheme.ts';
import { versionScheme } from '../domain/versions/versions.ts';
import type { Schemas } from '../generated/agent-api.ts';

type SeenRelease = Pick<Schemas['GatherResultItem'], 'tag' | 'version' | 'is_prerelease' | 'is_yanked'>;

/**
 * Finds the tag of the highest release while releases are read. A stable release takes precedence over any
 * pre-release.
 */
export function createNewestTagFinder({
  version_scheme,
  platform_words = [],
}: Pick<Schemas['GatherTaskSpec'], 'version_scheme' | 'platform_words'>) {
  const scheme = versionScheme(version_scheme, joinPlatformWords(platform_words));
  let newest: { tag: string; version: Version; isStable: boolean } | null = null;

  return {
    see(releases: readonly SeenRelease[]): void {
      for (const { tag, version: name = tag, is_prerelease, is_yanked } of releases) {
        const version = is_yanked ? null : scheme.parse(name);
        if (version === null) continue;
        const isStable = !is_prerelease && !version.isPrerelease;
        if (newest !== null && newest.isStable && !isStable) continue;
        const isBetter =
          newest === null || (isStable && !newest.isStable) || scheme.compare(version, newest.version) > 0;
        if (isBetter) newest = { tag, version, isStable };
      }
    },
    /** Returns the tag, or `null` if no version has been found yet. */
    tag: (): string | null => newest?.tag ?? null,
  };
}
