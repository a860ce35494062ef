import { normalizeHostPath } from '../domain/artifacts/host-path.ts';
import { semverScheme } from '../domain/versions/semver-scheme.ts';
import type { Version } from '../domain/versions/version-scheme.ts';
import { createChartFilter } from './chart-filter.ts';
import { createPartCollector } from './collect-parts.ts';
import type { ScannedChart } from './helm-chart-scanner.ts';
import type { HelmVersion } from './helm-entry.ts';
import { readHelmIndex } from './helm-index.ts';
import { chartReleases, indexRequest, noteSkipped } from './helm-repository.ts';
import { readTag, readText } from './release-fields.ts';
import type { GatheredRelease, GatherSummary, SourceContext, Validators } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';

export interface HelmSyncRequest {
  /** As `normalizeRepositoryUrl` gave it. */
  repositoryUrl: string;
  /** Globs; none: every chart. */
  chartFilter: readonly string[];
  /** Whether the releases of the charts are wanted too. */
  wantsReleases: boolean;
  validators: Validators | null;
}

/** One chart in the shape in which agents hand it in; one with more than 1,000 releases comes several times. */
export interface HelmSyncItem {
  chart: SyncedChart;
  releases: GatheredRelease[];
}

export interface SyncedChart {
  name: string;
  /** The highest stable version, else the highest. */
  latest_version: string;
  /** These three are of that version. */
  app_version: string | null;
  description: string | null;
  deprecated: boolean;
  /** Distinct versions. */
  version_count: number;
}

/**
 * Every chart of a Helm repository that passes the filter, in parts of at most 1,000 items and 6 MiB of
 * JSON. The parts are the whole list. Throws as release sources do.
 */
export async function* syncHelmRepository(
  request: HelmSyncRequest,
  context: Pick<SourceContext, 'http'>,
): AsyncGenerator<HelmSyncItem[], GatherSummary, undefined> {
  const passes = createChartFilter(request.chartFilter);
  const stream = await context.http.open(`${request.repositoryUrl}/index.yaml`, {
    ...indexRequest,
    validators: request.validators,
  });
  const isNotModified = stream.status === 304;
  const host = new URL(stream.url).host;
  const skipped = createSkippedItems();
  const parts = createPartCollector<HelmSyncItem>();
  const seen = new Set<string>();
  let others = 0;

  const wants = (chart: string): boolean => {
    if (passes(chart)) return true;
    others += 1;
    return false;
  };
  const index = isNotModified ? [] : readHelmIndex(stream.body, { host, wants });
  for await (const item of index) {
    if (item.kind === 'skipped') {
      skipped.skip(`${item.name}, line ${item.line}`, item.reason);
      continue;
    }
    noteSkipped(item, skipped);
    if (!isChartName(item.chart)) {
      skipped.skip(`${item.chart}, line ${item.line}`, 'it is no name of a chart');
      continue;
    }
    if (seen.has(item.chart)) {
      skipped.skip(`${item.chart}, line ${item.line}`, 'the chart is listed twice');
      continue;
    }
    const chart = describeChart(item);
    // `name: []` is how some servers say that a chart was deleted.
    if (!chart) continue;
    seen.add(item.chart);
    const releases = request.wantsReleases ? chartReleases(item, 'version', stream.url, skipped.skip) : [];
    for (let at = 0; at === 0 || at < releases.length; at += 1_000) {
      const full = parts.add({ chart, releases: releases.slice(at, at + 1_000) });
      if (full) yield full;
    }
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  const isFilteredOut = seen.size === 0 && others > 0;
  return {
    isNotModified,
    isCompleteList: !isNotModified,
    validators: stream.validators ?? (isNotModified ? request.validators : null),
    found: seen.size,
    skipped: skipped.count(),
    skippedExamples: skipped.examples,
    warnings: isFilteredOut ? [`None of the ${others} charts of the repository passes the filter.`] : [],
  };
}

function describeChart(scanned: ScannedChart): SyncedChart | null {
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
  };
}

/** By precedence; the first one where no version is a version. Removed ones count only when all are. */
function latestEntry(entries: readonly HelmVersion[]): HelmVersion | null {
  const offered = entries.filter(({ isRemoved }) => !isRemoved);
  let best: { entry: HelmVersion; version: Version } | null = null;
  for (const entry of offered.length > 0 ? offered : entries) {
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
