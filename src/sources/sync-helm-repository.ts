import { indexRequest } from './helm-repository.ts';
import type { FoundCharts, HelmSyncItem } from './read-helm-charts.ts';
import type { GatherSummary, SourceContext, Validators } from './release-source.ts';

export interface HelmSyncRequest {
  /** URL as returned by `normalizeRepositoryUrl`. */
  repositoryUrl: string;
  /** Glob patterns. An empty list selects every chart. */
  chartFilter: readonly string[];
  /** True to also read the releases of the charts. */
  wantsReleases: boolean;
  validators: Validators | null;
}

/**
 * Yields every chart of a Helm repository that matches the filter, in parts of at most 1,000 items and 1 MiB
 * of JSON. Together, the parts are the whole list. Throws the same errors as a release source.
 */
export async function* syncHelmRepository(
  request: HelmSyncRequest,
  { http, read }: Pick<SourceContext, 'http' | 'read'>,
): AsyncGenerator<HelmSyncItem[], GatherSummary, undefined> {
  const answer = await http.get(`${request.repositoryUrl}/index.yaml`, {
    ...indexRequest,
    validators: request.validators,
  });
  const isNotModified = answer.status === 304;
  const index = isNotModified
    ? nothing
    : yield* read(
        'helm_charts',
        {
          host: new URL(answer.url).host,
          indexUrl: answer.url,
          chartFilter: request.chartFilter,
          wantsReleases: request.wantsReleases,
        },
        answer.body,
      );
  const isFilteredOut = index.charts === 0 && index.others > 0;
  return {
    isNotModified,
    isCompleteList: !isNotModified && index.isEnded,
    validators: answer.validators ?? (isNotModified ? request.validators : null),
    found: index.charts,
    skipped: index.skipped.count,
    skippedExamples: index.skipped.examples,
    warnings: isFilteredOut ? [`None of the ${index.others} charts in the repository match the filter.`] : [],
  };
}

const nothing: FoundCharts = { charts: 0, others: 0, isEnded: true, skipped: { count: 0, examples: [] } };
