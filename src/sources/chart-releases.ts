import { maxVersionLength } from '../domain/versions/skip-reasons.ts';
import type { ScannedChart } from './helm-chart-scanner.ts';
import type { HelmVersion } from './helm-entry.ts';
import { readArchiveDigest, readDate, readTag, readText, readUrl } from './release-fields.ts';
import type { GatheredRelease } from './release-source.ts';
import type { createSkippedItems } from './skipped-items.ts';

/** Records the unreadable entries of a chart. */
export function recordSkippedEntries(
  chart: ScannedChart,
  skipped: ReturnType<typeof createSkippedItems>,
): void {
  for (const { line, reason } of chart.skipped) skipped.skip(`${chart.chart}, line ${line}`, reason);
  for (let more = chart.skipped.length; more < chart.skippedCount; more += 1)
    skipped.skip(chart.chart, 'unreadable entry');
}

/**
 * Returns the releases of a chart. If a version is listed twice, the first entry is used. If the digests of
 * its entries differ, the release has no digest, because the order of the entries can change. Releases of
 * application versions have no digest either, because an application version isn't an archive.
 */
export function chartReleases(
  chart: ScannedChart,
  versionField: 'version' | 'app_version',
  indexUrl: string,
  skip: (name: string, reason: string) => void,
): GatheredRelease[] {
  const releases = new Map<string, GatheredRelease>();
  for (const entry of chart.versions) {
    const tag = readTag(versionField === 'version' ? entry.version : entry.appVersion);
    if (tag === null || tag.length > maxVersionLength) {
      const isMissing = versionField === 'app_version' && entry.appVersion === null;
      skip(`${chart.chart} ${entry.version}`, isMissing ? 'no appVersion' : 'invalid version');
      continue;
    }
    const release = toRelease(entry, tag, indexUrl);
    const digest = versionField === 'version' ? readArchiveDigest(entry.digest) : null;
    if (digest !== null) release.digest = digest;
    const known = releases.get(tag);
    if (!known) releases.set(tag, release);
    else if (versionField === 'version' && known.digest !== release.digest) delete known.digest;
    else if (versionField === 'app_version') releases.set(tag, mergeReleases(known, release));
  }
  return [...releases.values()];
}

function toRelease(entry: HelmVersion, tag: string, indexUrl: string): GatheredRelease {
  return {
    tag,
    app_version: readText(entry.appVersion, 500),
    released_at: readDate(entry.created),
    // Always false, because a chart marks a pre-release only in its version.
    is_prerelease: false,
    is_yanked: entry.isRemoved,
    url: readUrl(entry.url, indexUrl),
    notes: null,
  };
}

/**
 * Merges two chart versions with the same application version. The release has the date of the earlier chart version,
 * and is yanked only if all of its chart versions are.
 */
function mergeReleases(one: GatheredRelease, other: GatheredRelease): GatheredRelease {
  const isOtherEarlier =
    other.released_at !== null && (one.released_at === null || other.released_at < one.released_at);
  return { ...(isOtherEarlier ? other : one), is_yanked: one.is_yanked && other.is_yanked };
}
