import type { Version, VersionScheme } from './version-scheme.ts';

/**
 * Returns the most specific version among the tags of an image: `1.25.3` for `1`, `1.25`, `1.25.3`, and
 * `1.25.3-bookworm`. Tags with fewer numbers are less suitable, because they move to later images. Of several
 * tags with equally many numbers, prefers one without a variant, because it can be compared with most
 * releases.
 *
 * @returns `null` if none of the tags is a version.
 */
export function findMostSpecificVersion(scheme: VersionScheme, texts: readonly string[]): string | null {
  const versions = texts.flatMap((text) => scheme.parse(text) ?? []);
  return versions.toSorted((a, b) => compareSpecific(scheme, a, b)).at(-1)?.text ?? null;
}

/**
 * Returns a function that checks a version against a tag such as `1.25` or `1.25-alpine`. The result is true for a
 * stable version that starts with the numbers of the tag and has more numbers.
 */
export function createLineMatcher(scheme: VersionScheme, tag: string): (text: string) => boolean {
  const line = scheme.parse(tag);
  return (text) => {
    const version = scheme.parse(text);
    return (
      line !== null &&
      version !== null &&
      !version.isPrerelease &&
      version.line === line.line &&
      version.variant === line.variant &&
      version.numbers.length > line.numbers.length &&
      line.numbers.every((number, index) => number === version.numbers[index])
    );
  };
}

function compareSpecific(scheme: VersionScheme, a: Version, b: Version): number {
  return (
    // If a release candidate became a release without changes, prefer the release.
    Number(b.isPrerelease) - Number(a.isPrerelease) ||
    Number(a.line === '') - Number(b.line === '') ||
    a.numbers.length - b.numbers.length ||
    Number(a.variant === '') - Number(b.variant === '') ||
    scheme.compare(a, b) ||
    b.text.length - a.text.length ||
    (a.text < b.text ? 1 : a.text > b.text ? -1 : 0)
  );
}
