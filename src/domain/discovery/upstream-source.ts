import { cleanLine } from '../templates/clean-text.ts';
import { maxNameLength } from './name-items.ts';
import type { Proposal } from './propose-source.ts';

/** Where the releases of an artifact are listed. */
export type UpstreamSource = Omit<Proposal, 'confidence' | 'why'>;

/** Charts of one repository from which one helm sync job is better than a job for each. */
const minChartsToSync = 3;

/** Globs of one helm sync job. Beyond them it reads all charts. */
const maxChartFilters = 100;

/** The same for two items that one gather job serves. */
export function sourceKey({
  source_type,
  artifact_name,
  source_options,
  version_pattern,
}: UpstreamSource): string {
  return JSON.stringify([source_type, artifact_name, source_options, version_pattern]);
}

/** @param artifactName for sources whose address says little */
export function sourceName(source: UpstreamSource, artifactName: string): string {
  return source.source_type === 'http_json'
    ? artifactName
    : repositoryOf(source.artifact_name).replace(/\.git$/, '');
}

/**
 * A chart that a helm sync job can feed: a sync takes all versions of a chart as they are. Its repository is without the
 * scheme, as in the names of artifacts.
 */
export function chartOf({
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
  /** Empty: all charts. */
  readonly chart_filter: string[];
}

/**
 * Repositories of many charts, which one helm sync job reads at once.
 * @param sources each once
 * @returns by the address of the repository without its scheme
 */
export function chartSyncs(sources: readonly UpstreamSource[]): Map<string, ChartSync> {
  const charts = sources.flatMap((source) => {
    const chart = chartOf(source);
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
            // Files can disagree. HTTPS is used if one of them does.
            repository_url: `${list.every(({ isPlainHttp }) => isPlainHttp) ? 'http' : 'https'}://${repository}`,
            chart_filter: names.length > maxChartFilters ? [] : names,
          },
        ];
      }),
  );
}

/** The repository of a helm sync job, as `chartOf` names it. */
export function repositoryOf(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
