import type { Version, VersionScheme } from './version-scheme.ts';

/**
 * Returns the most specific version among tags of the same image: `1.25.3` of `1`, `1.25`, `1.25.3`, and
 * `1.25.3-bookworm`. Shorter tags move to later images. A variant is preferred only if all tags have one,
 * because images without one are compared with most releases.
 *
 * @returns `null` if none of the tags is a version.
 */
export function mostSpecific(scheme: VersionScheme, texts: readonly string[]): string | null {
  const versions = texts.flatMap((text) => scheme.parse(text) ?? []);
  return versions.toSorted((a, b) => compareSpecific(scheme, a, b)).at(-1)?.text ?? null;
}

/**
 * Returns a check that is true for stable versions that have all numbers of a tag, such as `1.25` or
 * `1.25-alpine`, and more.
 */
export function isOfLine(scheme: VersionScheme, tag: string): (text: string) => boolean {
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
    // Prefers the stable version if a release candidate became a release without changes.
    Number(b.isPrerelease) - Number(a.isPrerelease) ||
    Number(a.line === '') - Number(b.line === '') ||
    a.numbers.length - b.numbers.length ||
    Number(a.variant === '') - Number(b.variant === '') ||
    scheme.compare(a, b) ||
    b.text.length - a.text.length ||
    (a.text < b.text ? 1 : a.text > b.text ? -1 : 0)
  );
}
