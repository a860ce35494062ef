import type { VersionSchemeId } from '../versions/version-scheme.ts';
import { prepareReleases, type ReleaseRow, type ReleaseSet, type ReleaseSetOptions } from './release-set.ts';

/**
 * Creates a release set for tests from lines such as `1.2.3 2026-01-29`, optionally followed by the flags `prerelease`,
 * `yanked`, and `withdrawn`. A release such as `1.2.3 seen:2026-01-29` has a discovery date, but no release date. A
 * date means midnight UTC. A full timestamp is also valid.
 */
export function releaseSet(
  lines: readonly string[],
  schemeId: VersionSchemeId = 'auto',
  options: ReleaseSetOptions = {},
): ReleaseSet {
  return prepareReleases(schemeId, lines.map(toRow), options);
}

export function toRow(line: string): ReleaseRow {
  const [version = '', date = '', ...flags] = line.split(' ');
  const isOnlySeen = date.startsWith('seen:');
  const dateMs = utcTime(date.replace('seen:', ''));
  return {
    version,
    releasedAtMs: isOnlySeen ? null : dateMs,
    discoveredAtMs: isOnlySeen ? dateMs : utcTime('2026-12-31'),
    isPrerelease: flags.includes('prerelease'),
    isYanked: flags.includes('yanked'),
    isWithdrawn: flags.includes('withdrawn'),
    url: `https://upstream.example/releases/${version}`,
  };
}

export function utcTime(date: string): number {
  const ms = Date.parse(date);
  if (Number.isNaN(ms)) throw new Error(`not a date: ${date}`);
  return ms;
}
