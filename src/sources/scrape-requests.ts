import { instantQueryUrl } from '../domain/prometheus/prometheus-address.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { emptyBody, type SourceBody } from './source-body.ts';
import type { SourceHttp, SourceResponse } from './source-http.ts';

/** Maximum size of a scraped document. Documents with the version of a service are short. */
export const maxScrapeBytes = 1024 * 1024;

/** Maximum size of a scraped bill of materials, as of a file in a repository. */
export const maxBomBytes = 5 * 1024 * 1024;

/** Maximum size of a query result: enough for 10,000 series with their labels. */
const maxSeriesBytes = 8 * 1024 * 1024;

/**
 * Timeout of a scrape request. A service that takes longer rarely responds at all, unlike a slow registry.
 */
const timeoutMs = 30_000;

export interface ScrapedText {
  /** Text of the document. Null if it hasn't changed since the response that the validators came from. */
  text: string | null;
  validators: SourceResponse['validators'];
}

/**
 * Returns the text at a URL.
 * @throws RunError
 */
export async function requestText(
  http: SourceHttp,
  url: string,
  validators: SourceResponse['validators'],
  maxBytes: number,
): Promise<ScrapedText> {
  const answer = await http.get(url, {
    what: 'the document',
    accept: '*/*',
    maxBytes,
    validators,
    timeoutMs,
  });
  const text = answer.status === 304 ? null : textOf(answer.body);
  return { text, validators: answer.validators };
}

/**
 * Returns the response to an instant query, including a 400 or 422 response that describes an error in the
 * query.
 * @throws RunError
 */
export async function requestQuery(
  http: SourceHttp,
  { url, query }: { url: string; query: string },
): Promise<SourceResponse> {
  return http.get(instantQueryUrl(url, query), {
    what: 'a Prometheus server',
    accept: 'application/json',
    maxBytes: maxSeriesBytes,
    acceptStatuses: [400, 422],
    timeoutMs,
  });
}

/** Decodes the body as UTF-8, then releases its memory. */
export function textOf(body: SourceBody): string {
  try {
    return Buffer.concat(body === emptyBody ? [] : [...body.pieces]).toString('utf8');
  } finally {
    body.free();
  }
}

/** Creates the error for an invalid query result. */
export function querySourceError(host: string, message: string): RunError {
  return new RunError('invalid_index', `${host}: ${message}. Check the URL and the query.`);
}
