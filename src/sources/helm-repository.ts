import { normalizeChartName } from '../domain/artifacts/chart-names.ts';
import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { RunError } from '../platform/errors.ts';
import { createPartCollector } from './collect-parts.ts';
import type { ScannedChart } from './helm-chart-scanner.ts';
import type { HelmVersion } from './helm-entry.ts';
import { maxIndexBytes, readHelmIndex } from './helm-index.ts';
import { readDate, readTag, readText, readUrl } from './release-fields.ts';
import type { GatheredRelease, ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceGetOptions } from './source-http.ts';
import { unknownOptions } from './unknown-options.ts';

/** One chart of a classic Helm repository, out of its `index.yaml`. Charts in registries are `oci_registry`. */
export const helmRepository: ReleaseSource = {
  sourceType: 'helm_repository',
  defaultVersionScheme: 'semver',

  normalizeArtifactName: normalizeChartName,

  checkOptions(sourceOptions) {
    const problems = unknownOptions(sourceOptions, ['version_field'], 'helm_repository');
    const field = sourceOptions.version_field;
    if (field === undefined || field === 'version' || field === 'app_version') return problems;
    return [...problems, { option: 'version_field', message: 'it is either version or app_version' }];
  },

  sharedRequestKey: ({ artifactName }) => `helm_repository ${splitChart(artifactName).index}`,

  async *gather(request, context) {
    const { http } = context;
    const { index, host, chart } = splitChart(request.artifactName);
    const stream = await http.open(`${http.schemeFor(host)}://${index}`, {
      ...indexRequest,
      validators: request.validators,
    });
    const skipped = createSkippedItems();
    const parts = createPartCollector<GatheredRelease>();
    let found = 0;
    let others: string[] = [];
    let otherCount = 0;
    let scanned: ScannedChart | null = null;

    const isNotModified = stream.status === 304;
    const wants = (name: string): boolean => {
      if (name === chart) return true;
      otherCount += 1;
      if (others.length < 5) others = [...others, name];
      return false;
    };
    if (!isNotModified) {
      for await (const item of readHelmIndex(stream.body, { host, wants })) {
        if (item.kind !== 'chart') continue;
        scanned = item;
        // The rest of the index is about other charts.
        break;
      }
      if (!scanned) throw noChart(host, chart, others, otherCount);
      noteSkipped(scanned, skipped);
      if (scanned.versions.length === 0 && scanned.skippedCount > 0) throw nothingReadable(host, scanned);
    }

    const releases = scanned
      ? chartReleases(scanned, request.sourceOptions.version_field ?? 'version', stream.url, skipped.skip)
      : [];
    for (const release of releases) {
      found += 1;
      const full = parts.add(release);
      if (full) yield { releases: full };
    }
    const rest = parts.rest();
    if (rest.length > 0) yield { releases: rest };
    return {
      isNotModified,
      isCompleteList: !isNotModified,
      validators: stream.validators ?? (isNotModified ? request.validators : null),
      found,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      warnings: isNotModified || found > 0 ? [] : [`The chart ${chart} has no versions.`],
    };
  },
};

export const indexRequest: SourceGetOptions = {
  what: 'the index of the Helm repository',
  accept: 'application/yaml, application/x-yaml, text/yaml, text/plain, */*;q=0.8',
  maxBytes: maxIndexBytes,
  timeoutMs: 120_000,
};

/** Notes what the index says of a chart and cannot be read. */
export function noteSkipped(chart: ScannedChart, skipped: ReturnType<typeof createSkippedItems>): void {
  for (const { line, reason } of chart.skipped) skipped.skip(`${chart.chart}, line ${line}`, reason);
  for (let more = chart.skipped.length; more < chart.skippedCount; more += 1)
    skipped.skip(chart.chart, 'it cannot be read');
}

/** Releases of a chart, each once: the first of a version that is listed twice. */
export function chartReleases(
  chart: ScannedChart,
  versionField: 'version' | 'app_version',
  indexUrl: string,
  skip: (name: string, reason: string) => void,
): GatheredRelease[] {
  const releases = new Map<string, GatheredRelease>();
  for (const entry of chart.versions) {
    const tag = readTag(versionField === 'version' ? entry.version : entry.appVersion);
    if (tag === null || tag.length > 256) {
      const isMissing = versionField === 'app_version' && entry.appVersion === null;
      skip(
        `${chart.chart} ${entry.version}`,
        isMissing ? 'it names no appVersion' : 'its version cannot be used',
      );
      continue;
    }
    const release = toRelease(entry, tag, indexUrl);
    const known = releases.get(tag);
    if (!known) releases.set(tag, release);
    else if (versionField === 'app_version') releases.set(tag, earlier(known, release));
  }
  return [...releases.values()];
}

function toRelease(entry: HelmVersion, tag: string, indexUrl: string): GatheredRelease {
  return {
    tag,
    app_version: readText(entry.appVersion, 500),
    released_at: readDate(entry.created),
    // A chart says it by its version alone.
    is_prerelease: false,
    is_yanked: entry.isRemoved,
    url: readUrl(entry.url, indexUrl),
    notes: null,
  };
}

/** Many chart versions bring the same application: it came out with the first, and is gone with the last. */
function earlier(one: GatheredRelease, other: GatheredRelease): GatheredRelease {
  const isOtherEarlier =
    other.released_at !== null && (one.released_at === null || other.released_at < one.released_at);
  return { ...(isOtherEarlier ? other : one), is_yanked: one.is_yanked && other.is_yanked };
}

function splitChart(artifactName: string): { host: string; index: string; chart: string } {
  const { host, segments } = splitHostPath(artifactName);
  const path = segments.slice(0, -1).map(encodeURIComponent);
  return { host, index: [host, ...path, 'index.yaml'].join('/'), chart: segments.at(-1) ?? '' };
}

function noChart(host: string, chart: string, others: readonly string[], count: number): RunError {
  const hint =
    count === 0
      ? 'It lists no chart at all.'
      : `It lists ${count}: ${others.join(', ')}${count > others.length ? ' …' : ''}.`;
  return new RunError('not_found', `The Helm repository at ${host} has no chart "${chart}". ${hint}`);
}

function nothingReadable(host: string, chart: ScannedChart): RunError {
  const [first] = chart.skipped;
  return new RunError(
    'invalid_index',
    `No version of the chart "${chart.chart}" in the index of ${host} can be read: line ${first?.line ?? chart.line}: ${first?.reason ?? ''}.`,
  );
}
