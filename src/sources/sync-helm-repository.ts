import { indexRequest } from './helm-repository.ts';
import type { FoundCharts, HelmSyncItem } from './read-helm-charts.ts';
import type { GatherSummary, SourceContext, Validators } from './release-source.ts';

export interface HelmSyncRequest {
  /** As `normalizeRepositoryUrl` gave it. */
  repositoryUrl: string;
  /** Globs; none: every chart. */
  chartFilter: readonly string[];
  /** Whether the releases of the charts are wanted too. */
  wantsReleases: boolean;
  validators: Validators | null;
}

/**
 * Every chart of a Helm repository that passes the filter, in parts of at most 1,000 items and 1 MiB of
 * JSON. The parts are the whole list. Throws as release sources do.
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
    isCompleteList: !isNotModified,
    validators: answer.validators ?? (isNotModified ? request.validators : null),
    found: index.charts,
    skipped: index.skipped.count,
    skippedExamples: index.skipped.examples,
    warnings: isFilteredOut ? [`None of the ${index.others} charts in the repository match the filter.`] : [],
  };
}

const nothing: FoundCharts = { charts: 0, others: 0, skipped: { count: 0, examples: [] } };
