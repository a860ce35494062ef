import { normalizeHostPath } from '../domain/artifacts/host-path.ts';
import { projectOfChart } from '../domain/identity/chart-project.ts';
import { semverScheme } from '../domain/versions/semver-scheme.ts';
import type { Version } from '../domain/versions/version-scheme.ts';
import { createChartFilter } from './chart-filter.ts';
import { chartReleases, recordSkippedEntries } from './chart-releases.ts';
import { createPartCollector } from './collect-parts.ts';
import type { ScannedChart } from './helm-chart-scanner.ts';
import type { HelmVersion } from './helm-entry.ts';
import { readHelmIndex } from './helm-index.ts';
import { readTag, readText } from './release-fields.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

/** One chart in the format that agents submit. A chart with many releases appears several times. */
export interface HelmSyncItem {
  chart: SyncedChart;
  releases: GatheredRelease[];
}

export interface SyncedChart {
  name: string;
  /** Highest stable version, or the highest version if none is stable. */
  latest_version: string;
  /** Fields of `latest_version`. */
  app_version: string | null;
  description: string | null;
  deprecated: boolean;
  /** Number of distinct versions. */
  version_count: number;
  /** URL of the source repository of the software in the chart. */
  project_url: string | null;
}

export interface HelmChartsInput {
  host: string;
  /** URL of the index. Archive URLs can be relative to it. */
  indexUrl: string;
  /** Globs of chart names. An empty list includes every chart. */
  chartFilter: readonly string[];
  wantsReleases: boolean;
}

export interface FoundCharts {
  charts: number;
  /** Number of charts that the filter excludes. */
  others: number;
  /**
   * False if the index ends within its charts, so that charts and releases might be missing. This also applies if the
   * filter excludes the last chart.
   */
  isEnded: boolean;
  skipped: SkippedItems;
}

/** Yields every chart of a Helm repository's index that passes the filter. */
export async function* readHelmCharts(
  { host, indexUrl, chartFilter, wantsReleases }: HelmChartsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<HelmSyncItem[], FoundCharts, undefined> {
  const passes = createChartFilter(chartFilter);
  const skipped = createSkippedItems();
  const parts = createPartCollector<HelmSyncItem>();
  const seen = new Set<string>();
  let others = 0;
  let isEnded = true;
  const wants = (chart: string): boolean => {
    if (passes(chart)) return true;
    others += 1;
    return false;
  };
  const onEnd = (isIndexEnded: boolean): void => void (isEnded = isIndexEnded);
  for await (const item of readHelmIndex(body, { host, wants, onEnd })) {
    if (item.kind === 'skipped') {
      skipped.skip(`${item.name}, line ${item.line}`, item.reason);
      continue;
    }
    recordSkippedEntries(item, skipped);
    if (!isChartName(item.chart)) {
      skipped.skip(`${item.chart}, line ${item.line}`, 'invalid chart name');
      continue;
    }
    if (seen.has(item.chart)) {
      skipped.skip(`${item.chart}, line ${item.line}`, 'duplicate chart');
      continue;
    }
    const chart = describeChart(item);
    // A chart without versions is ignored, because some servers write `name: []` for a deleted chart.
    if (!chart) continue;
    seen.add(item.chart);
    const releases = wantsReleases ? chartReleases(item, 'version', indexUrl, skipped.skip) : [];
    for (const some of inParts(releases)) {
      const full = parts.add({ chart, releases: some });
      if (full) yield full;
    }
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { charts: seen.size, others, isEnded, skipped: skipped.all() };
}

/** Splits releases into parts. Yields at least one part, which can be empty. */
function* inParts(releases: readonly GatheredRelease[]): Generator<GatheredRelease[], void, undefined> {
  const parts = createPartCollector<GatheredRelease>();
  for (const release of releases) {
    const full = parts.add(release);
    if (full) yield full;
  }
  yield parts.rest();
}

/** Returns the properties of a chart, or `null` if it has no readable version. */
export function describeChart(scanned: ScannedChart): SyncedChart | null {
  const usable = scanned.versions.filter(({ version }) => readTag(version) !== null && version.length <= 256);
  const latest = latestEntry(usable);
  if (!latest) return null;
  return {
    name: scanned.chart,
    latest_version: latest.version,
    app_version: readText(latest.appVersion, 500),
    description: readText(latest.description, 2_000),
    deprecated: latest.isDeprecated,
    version_count: new Set(usable.map(({ version }) => version)).size,
    project_url: projectOfChart(scanned.chart, scanned.versions[0]?.links ?? []),
  };
}

/**
 * Returns the highest stable entry by SemVer precedence, or the highest pre-release. If no version can be parsed,
 * returns the first entry. Removed entries are considered only if all entries are removed.
 */
function latestEntry(entries: readonly HelmVersion[]): HelmVersion | null {
  const available = entries.filter(({ isRemoved }) => !isRemoved);
  let best: { entry: HelmVersion; version: Version } | null = null;
  for (const entry of available.length > 0 ? available : entries) {
    const version = semverScheme.parse(entry.version);
    if (!version) continue;
    if (best && best.version.isPrerelease === version.isPrerelease) {
      if (semverScheme.compare(version, best.version) > 0) best = { entry, version };
    } else if (!best || best.version.isPrerelease) {
      best = { entry, version };
    }
  }
  return best?.entry ?? entries[0] ?? null;
}

function isChartName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= 250 &&
    normalizeHostPath(`host/${name}`, { shape: '', minSegments: 1, maxSegments: 1 }).ok
  );
}
