import { cleanLine } from '../templates/clean-text.ts';
import { maxNameLength } from './name-items.ts';
import type { Proposal } from './propose-source.ts';

/** Source that lists the releases of an artifact. */
export type UpstreamSource = Omit<Proposal, 'confidence' | 'why'>;

/**
 * Minimum number of charts in one repository for which one helm sync job is better than a gather job for
 * each.
 */
const minChartsToSync = 3;

/** Maximum number of globs in one helm sync job. Above this number, the job reads all charts. */
const maxChartFilters = 100;

/** Returns a key that is equal for all items that one gather job can serve. */
export function sourceKey({
  source_type,
  artifact_name,
  source_options,
  version_pattern,
}: UpstreamSource): string {
  return JSON.stringify([source_type, artifact_name, source_options, version_pattern]);
}

/**
 * Returns the name of a source.
 *
 * @param artifactName Used for sources whose URL isn't descriptive.
 */
export function sourceName(source: UpstreamSource, artifactName: string): string {
  return source.source_type === 'http_json'
    ? artifactName
    : repositoryOf(source.artifact_name).replace(/\.git$/, '');
}

/**
 * Returns the chart of a source if a helm sync job can feed its gather job, or null. A source with a version
 * pattern or options isn't suitable, because a helm sync job reads all versions of a chart. As in artifact
 * names, the repository has no scheme.
 */
export function syncableChartOf({
  source_type,
  artifact_name,
  source_options,
  version_pattern,
}: UpstreamSource): { repository: string; chart: string } | null {
  if (source_type !== 'helm_repository' || version_pattern !== null) return null;
  if (Object.keys(source_options).length > 0) return null;
  const slash = artifact_name.lastIndexOf('/');
  return { repository: artifact_name.slice(0, slash), chart: artifact_name.slice(slash + 1) };
}

export interface ChartSync {
  readonly name: string;
  readonly repository_url: string;
  /** Globs of charts. Empty for all charts. */
  readonly chart_filter: string[];
}

/**
 * Returns helm sync jobs for repositories with many charts.
 * @param sources Sources without duplicates.
 * @returns The helm sync jobs by the URL of the repository without its scheme.
 */
export function chartSyncs(sources: readonly UpstreamSource[]): Map<string, ChartSync> {
  const charts = sources.flatMap((source) => {
    const chart = syncableChartOf(source);
    return chart === null ? [] : [{ ...chart, isPlainHttp: source.scheme === 'http' }];
  });
  const byRepository = Map.groupBy(charts, ({ repository }) => repository);
  return new Map(
    [...byRepository]
      .filter(([, list]) => list.length >= minChartsToSync)
      .map(([repository, list]) => {
        const names = list.map(({ chart }) => chart).toSorted();
        return [
          repository,
          {
            name: cleanLine(repository, maxNameLength),
            // Files can specify different schemes. HTTPS is used if any of them specifies HTTPS.
            repository_url: `${list.every(({ isPlainHttp }) => isPlainHttp) ? 'http' : 'https'}://${repository}`,
            chart_filter: names.length > maxChartFilters ? [] : names,
          },
        ];
      }),
  );
}

/** Returns the repository of a helm sync job without its scheme, as `syncableChartOf` does. */
export function repositoryOf(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
