import { instantQueryUrl } from '../domain/prometheus/prometheus-address.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { noBody, type SourceBody } from './source-body.ts';
import type { SourceAnswer, SourceHttp } from './source-http.ts';

/** What a service says of its version is short. */
export const maxScrapeBytes = 1024 * 1024;

/** 10,000 series with their labels. */
const maxSeriesBytes = 8 * 1024 * 1024;

/** Somebody waits for a slow service longer than for a slow registry only in vain. */
const timeoutMs = 30_000;

export interface ScrapedText {
  /** Null: the same as for the validators that were sent. */
  text: string | null;
  validators: SourceAnswer['validators'];
}

/** The text at an address. @throws RunError */
export async function requestText(
  http: SourceHttp,
  url: string,
  validators: SourceAnswer['validators'],
): Promise<ScrapedText> {
  const answer = await http.get(url, {
    what: 'the document',
    accept: '*/*',
    maxBytes: maxScrapeBytes,
    validators,
    timeoutMs,
  });
  const text = answer.status === 304 ? null : textOf(answer.body);
  return { text, validators: answer.validators };
}

/** The answer to an instant query, also the one that says what is wrong with the query. @throws RunError */
export async function requestQuery(
  http: SourceHttp,
  { url, query }: { url: string; query: string },
): Promise<SourceAnswer> {
  return http.get(instantQueryUrl(url, query), {
    what: 'a Prometheus server',
    accept: 'application/json',
    maxBytes: maxSeriesBytes,
    acceptStatuses: [400, 422],
    timeoutMs,
  });
}

/** Takes the pieces, and makes the room that they had. */
export function textOf(body: SourceBody): string {
  try {
    return Buffer.concat(body === noBody ? [] : [...body.pieces]).toString('utf8');
  } finally {
    body.free();
  }
}

/** What readers of series throw. */
export function querySourceError(host: string, message: string): RunError {
  return new RunError('invalid_index', `${host}: ${message}. Check the URL and the query.`);
}
