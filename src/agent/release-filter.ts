import { compileCheapPattern, type Pattern } from '../domain/patterns/compile-pattern.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { joinPlatformWords } from '../domain/versions/platform-words.ts';
import { skipReasons, versionProblem } from '../domain/versions/skip-reasons.ts';
import { versionScheme } from '../domain/versions/versions.ts';
import type { Schemas } from '../generated/agent-api.ts';
import type { GatheredRelease } from '../sources/release-source.ts';
import { createSkippedItems } from '../sources/skipped-items.ts';

type Item = Schemas['GatherResultItem'];

/** Criteria for the releases that a job includes. */
export type ReleaseCriteria = Pick<
  Schemas['GatherTaskSpec'],
  'version_pattern' | 'version_scheme' | 'platform_words' | 'include_prereleases'
>;

/**
 * Creates a filter that keeps the releases that meet a job's criteria. Their tags must match the job's
 * pattern. The version is the first group of the pattern, or the whole match if there's no group.
 * Pre-releases are skipped unless the job includes them.
 */
export function createReleaseFilter(criteria: ReleaseCriteria) {
  const pattern = readPattern(criteria.version_pattern);
  const scheme = versionScheme(criteria.version_scheme, joinPlatformWords(criteria.platform_words ?? []));
  const skipped = createSkippedItems();
  let kept = 0;

  function keep(releases: readonly GatheredRelease[]): Item[] {
    const items: Item[] = [];
    for (const release of releases) {
      const version = (pattern ? versionOf(pattern, release.tag) : release.tag) ?? '';
      const problem = versionProblem(version, release.tag);
      if (problem !== null) {
        skipped.skip(release.tag, problem);
      } else if (
        !criteria.include_prereleases &&
        (release.is_prerelease || scheme.parse(version)?.isPrerelease)
      ) {
        skipped.skip(release.tag, skipReasons.prerelease);
      } else {
        items.push(version === release.tag ? release : { ...release, version });
      }
    }
    kept += items.length;
    return items;
  }

  return { keep, skipped, kept: () => kept };
}

function readPattern(source: string | null): Pattern | null {
  if (source === null) return null;
  const compiled = compileCheapPattern(source);
  if (compiled.ok) return compiled.pattern;
  throw new RunError('parse_failed', `Invalid version_pattern: ${compiled.message}.`);
}

function versionOf(pattern: Pattern, tag: string): string | null {
  const found = pattern.find(tag);
  if (!found) return null;
  return (pattern.groupCount > 0 ? (found.groups[0] ?? '') : found.match).trim();
}
