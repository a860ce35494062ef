import type { Version } from '../versions/version-scheme.ts';
import { codeNames, ignoredSuffixWords } from '../versions/version-words.ts';

/**
 * Finds image tags that name only a platform and its numbers: `alpine3.24` next to `8.2.0-alpine3.24`, or
 * `bookworm-20240701` next to `12.6`. A platform tag is never the latest release. A deployed platform tag is
 * compared only by date.
 *
 * @param platforms Platform words.
 * @returns A function that returns true if a version is a platform tag, considering all `versions`.
 */
export function findPlatformTags(
  versions: Iterable<Version>,
  platforms: ReadonlySet<string>,
): (version: Version) => boolean {
  const namesBehind = new Set<string>();
  let isNumberedThere = false;
  for (const version of versions) {
    if (version.line === '') {
      isNumberedThere ||= !version.isDate;
    } else if (platforms.has(lastWord(version.line))) {
      continue;
    }
    for (const word of version.platforms) namesBehind.add(word);
  }
  return (version) => {
    if (version.line === '') return false;
    const word = lastWord(version.line);
    if (namesBehind.has(word) && !codeNames.has(word)) return true;
    return (
      version.isDate &&
      isNumberedThere &&
      (codeNames.has(word) || ignoredSuffixWords.has(word) || namesBehind.has(word))
    );
  };
}

function lastWord(line: string): string {
  return line.slice(line.lastIndexOf('-') + 1);
}
