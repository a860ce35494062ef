import { splitHostPath } from '../domain/artifacts/host-path.ts';
import { createNewReleaseCollector } from './collect-new.ts';
import { emptyListSummary } from './empty-list.ts';
import type { FoundChart } from './read-helm-chart.ts';
import type { ReleaseSource } from './release-source.ts';
import type { SourceGetOptions } from './source-http.ts';

/**
 * Reads one chart of a classic Helm repository from its `index.yaml`. Charts in registries use
 * `oci_registry`.
 */
export const helmRepository: ReleaseSource = {
  sourceType: 'helm_repository',

  checkOptions(sourceOptions) {
    const field = sourceOptions.version_field;
    if (field === undefined || field === 'version' || field === 'app_version') return [];
    return [{ option: 'version_field', message: 'must be version or app_version' }];
  },

  sharedRequestKey: ({ artifactName }) => `helm_repository ${splitChart(artifactName).index}`,

  async *gather(request, { http, read }) {
    const { index, host, chart } = splitChart(request.artifactName);
    const answer = await http.get(`${http.schemeFor(host)}://${index}`, {
      ...indexRequest,
      validators: request.validators,
    });
    const isNotModified = answer.status === 304;
    const releases = createNewReleaseCollector();
    const found = isNotModified
      ? nothing
      : yield* releases.take(
          read(
            'helm_chart',
            {
              host,
              chart,
              indexUrl: answer.url,
              versionField: request.sourceOptions.version_field ?? 'version',
            },
            answer.body,
          ),
        );
    yield* releases.rest();
    return {
      isNotModified,
      isCompleteList: !isNotModified && found.isEnded,
      validators: answer.validators ?? (isNotModified ? request.validators : null),
      found: found.releases,
      skipped: found.skipped.count,
      skippedExamples: found.skipped.examples,
      project: found.projectUrl === null ? null : { url: found.projectUrl, source: 'chart' },
      ...(found.isDeprecated !== null && { isDeprecated: found.isDeprecated }),
      warnings: isNotModified || found.releases > 0 ? [] : [`The chart ${chart} has no versions.`],
      ...(!isNotModified && emptyListSummary(request, found.releases)),
    };
  },
};

const nothing: FoundChart = {
  releases: 0,
  projectUrl: null,
  isDeprecated: null,
  isEnded: true,
  skipped: { count: 0, examples: [] },
};

export const indexRequest: SourceGetOptions = {
  what: 'the index of the Helm repository',
  accept: 'application/yaml, application/x-yaml, text/yaml, text/plain, */*;q=0.8',
  // The largest public indexes have 20 MB.
  maxBytes: 50 * 1024 * 1024,
  timeoutMs: 120_000,
};

function splitChart(artifactName: string): { host: string; index: string; chart: string } {
  const { host, segments } = splitHostPath(artifactName);
  const path = segments.slice(0, -1).map(encodeURIComponent);
  return { host, index: [host, ...path, 'index.yaml'].join('/'), chart: segments.at(-1) ?? '' };
}
