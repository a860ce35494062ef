import { projectOfChart } from '../domain/identity/chart-project.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { chartReleases, recordSkippedEntries } from './chart-releases.ts';
import { createPartCollector } from './collect-parts.ts';
import type { ScannedChart } from './helm-chart-scanner.ts';
import { readHelmIndex } from './helm-index.ts';
import { describeChart } from './read-helm-charts.ts';
import type { GatheredRelease } from './release-source.ts';
import { createSkippedItems, type SkippedItems } from './skipped-items.ts';

export interface HelmChartInput {
  host: string;
  chart: string;
  /** URL of the index. Archive URLs can be relative to it. */
  indexUrl: string;
  versionField: 'version' | 'app_version';
}

export interface FoundChart {
  releases: number;
  /** URL of the source repository of the software in the chart. */
  projectUrl: string | null;
  /** True if the latest version is deprecated. Null if the chart has no readable version. */
  isDeprecated: boolean | null;
  /** True if the index ended before this chart's entry did, so releases might be missing. */
  isEnded: boolean;
  skipped: SkippedItems;
}

/** Reads one chart from the index of a Helm repository. */
export async function* readHelmChart(
  { host, chart, indexUrl, versionField }: HelmChartInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<GatheredRelease[], FoundChart, undefined> {
  const others: string[] = [];
  let otherCount = 0;
  const wants = (name: string): boolean => {
    if (name === chart) return true;
    otherCount += 1;
    if (others.length < 5) others.push(name);
    return false;
  };
  let scanned: (ScannedChart & { isEnded: boolean }) | null = null;
  for await (const item of readHelmIndex(body, { host, wants })) {
    if (item.kind !== 'chart') continue;
    scanned = item;
    // The rest of the index contains other charts.
    break;
  }
  if (!scanned) throw noChart(host, chart, others, otherCount);
  const skipped = createSkippedItems();
  recordSkippedEntries(scanned, skipped);
  if (scanned.versions.length === 0 && scanned.skippedCount > 0) throw noReadableVersionError(host, scanned);
  const parts = createPartCollector<GatheredRelease>();
  const releases = chartReleases(scanned, versionField, indexUrl, skipped.skip);
  for (const release of releases) {
    const full = parts.add(release);
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  const projectUrl = projectOfChart(chart, scanned.versions[0]?.links ?? []);
  const isDeprecated = describeChart(scanned)?.deprecated ?? null;
  const { isEnded } = scanned;
  return { releases: releases.length, projectUrl, isDeprecated, isEnded, skipped: skipped.all() };
}

function noChart(host: string, chart: string, others: readonly string[], count: number): RunError {
  const hint =
    count === 0
      ? 'The repository is empty.'
      : `It has ${count}: ${others.join(', ')}${count > others.length ? ', …' : ''}.`;
  return new RunError('not_found', `The Helm repository at ${host} has no chart "${chart}". ${hint}`);
}

function noReadableVersionError(host: string, chart: ScannedChart): RunError {
  const [first] = chart.skipped;
  return new RunError(
    'invalid_index',
    `No readable version of chart "${chart.chart}" in the index of ${host}: line ${first?.line ?? chart.line}: ${first?.reason ?? ''}.`,
  );
}
