import type { ParseContentInput, ParseContentResult } from '../../../domain/parsers/parse-content.ts';
import type { SeriesPreview, SeriesToPreview } from '../../../domain/prometheus/preview-series.ts';
import { RunError } from '../../../domain/runs/run-error.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { ApiRequest } from '../../../platform/http/index.ts';
import type { Sandbox } from '../../../platform/sandbox/index.ts';
import { SandboxBusyError, SandboxError } from '../../../platform/sandbox/index.ts';
import { createRequestLimit } from '../../../sources/request-limit.ts';
import {
  maxBomBytes,
  maxScrapeBytes,
  requestQuery,
  requestText,
  textOf,
} from '../../../sources/scrape-requests.ts';
import type { createSourceHttp, SourceHttp } from '../../../sources/source-http.ts';
import { failedPreview, type ParsePreview, toParsePreview } from './parse-preview.ts';
import { checkScrapeJob } from './scrape-job-values.ts';

type Body = ApiRequest<'previewScrapeSource'>['body'];
type Preview = Schemas['PreviewScrapeSourceResponse'];

export interface PreviewSourceDeps {
  sandbox: Sandbox;
  sourceHttp: ReturnType<typeof createSourceHttp>;
}

const maxMs = 15_000;

/**
 * Creates the preview function. It sends the same request as an agent, but without a credential, and parses
 * the response in the sandbox.
 */
export function createSourcePreview({ sandbox, sourceHttp }: PreviewSourceDeps) {
  const turns = createRequestLimit('preview');

  async function preview(
    fairKey: string,
    values: ReturnType<typeof checkValues>,
    caller: AbortSignal,
  ): Promise<Preview> {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(maxMs)]);
    let http: SourceHttp | null = null;
    try {
      http = sourceHttp.forJob({ credential: null, signal, fairKey });
      const url = values.url!;
      if (values.source === 'http') {
        const maxBytes = values.parser_type === 'sbom' ? maxBomBytes : maxScrapeBytes;
        const { text } = await requestText(http, url, null, maxBytes);
        const input = {
          parserType: values.parser_type,
          expression: values.parse_expression ?? '',
          transform: values.version_transform,
          content: text ?? '',
        };
        const result = await sandbox.run<ParseContentInput, ParseContentResult>(
          parserModule,
          'parseContent',
          input,
          { fairKey },
        );
        return { ...toParsePreview(result), series: [], series_count: 0 };
      }
      const answer = await requestQuery(http, { url, query: values.query! });
      const { result, series, seriesCount } = await sandbox.run<SeriesToPreview, SeriesPreview>(
        seriesModule,
        'previewSeries',
        {
          text: textOf(answer.body),
          choice: { label: values.label!, series: values.series },
          expression: values.parse_expression,
          transform: values.version_transform,
        },
        { fairKey },
      );
      return {
        ...toParsePreview(result),
        series: series.map((each) => ({ ...each })),
        series_count: seriesCount,
      };
    } catch (error) {
      caller.throwIfAborted();
      return { ...failed(error, signal), series: [], series_count: 0 };
    } finally {
      http?.end();
    }
  }

  /**
   * @param caller signal of the request. When it's aborted, the preview's request ends and its slot is
   * released.
   */
  return async (organizationId: number, body: Body, caller: AbortSignal): Promise<Preview> => {
    const values = checkValues(body);
    return turns.run(organizationId, (fairKey) => preview(fairKey, values, caller), caller);
  };
}

/** Throws 400 for values that a job can't have. */
function checkValues(body: Body) {
  return checkScrapeJob({
    ...body,
    name: 'preview',
    repository_url: null,
    ref: null,
    target_file: null,
    credential_name: null,
    cron_expression: null,
    cron_timezone: 'UTC',
    history_limit: 1,
    labels: {},
    is_active: true,
  });
}

function failed(error: unknown, signal: AbortSignal): ParsePreview {
  if (error instanceof RunError) return failedPreview(error.code, error.message);
  if (signal.aborted) return failedPreview('timeout', `No response within ${maxMs / 1_000} seconds.`);
  if (error instanceof SandboxBusyError)
    throw new ApiError('unavailable', 'Too many concurrent previews. Try again shortly.');
  if (error instanceof SandboxError) return failedPreview('content', error.message);
  throw error;
}

const parserModule = new URL('../../../domain/parsers/parse-content.ts', import.meta.url);
const seriesModule = new URL('../../../domain/prometheus/preview-series.ts', import.meta.url);
