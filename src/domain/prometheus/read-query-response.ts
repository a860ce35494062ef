import { quote } from '../parsers/quote.ts';
import type { Series } from './prometheus-series.ts';

export type QueryResponse =
  | {
      ok: true;
      series: Series[] /** True if the response contained more series than were read. */;
      isCut: boolean;
    }
  | { ok: false; message: string };

/**
 * Maximum number of series read from one response. The largest public examples of `*_build_info` have several
 * hundred.
 */
export const maxSeries = 10_000;

/**
 * Maximum length of a label name or value. Prometheus allows more, but labels that long don't identify a
 * series or a version.
 */
const maxLabelLength = 1_000;
const maxLabels = 100;
/** Maximum number of labels in all series of a response. */
const maxLabelsOfAnswer = 100_000;

/**
 * Reads the series of an instant query from the JSON of `/api/v1/query`. Only the labels of vectors and
 * matrices are read. Scalar and string results are rejected.
 */
export function readQueryResponse(root: unknown): QueryResponse {
  const status = memberOf(root, 'status');
  if (status === 'error') {
    const error = memberOf(root, 'error');
    return {
      ok: false,
      message: `the query was rejected: ${quoteLong(typeof error === 'string' ? error : 'unknown error')}`,
    };
  }
  const data = memberOf(root, 'data');
  const result = memberOf(data, 'result');
  const type = memberOf(data, 'resultType');
  if (status !== 'success' || typeof type !== 'string')
    return { ok: false, message: "the response isn't from a Prometheus server" };
  if ((type !== 'vector' && type !== 'matrix') || !Array.isArray(result))
    return { ok: false, message: `the query returns a ${quote(type)} instead of series` };
  return { ok: true, ...readSeries(result) };
}

function readSeries(result: readonly unknown[]): { series: Series[]; isCut: boolean } {
  const series: Series[] = [];
  let labels = 0;
  for (const entry of result.slice(0, maxSeries)) {
    const one = readLabels(entry);
    labels += Object.keys(one).length;
    if (labels > maxLabelsOfAnswer) break;
    series.push(one);
  }
  return { series, isCut: series.length < result.length };
}

/** Parses the response text and reads its series. */
export function parseQueryResponse(text: string): QueryResponse {
  try {
    return readQueryResponse(JSON.parse(text));
  } catch {
    return { ok: false, message: "the response isn't JSON" };
  }
}

function readLabels(entry: unknown): Series {
  const metric = memberOf(entry, 'metric');
  if (typeof metric !== 'object' || metric === null) return {};
  return Object.fromEntries(
    Object.entries(metric)
      .filter(
        (pair): pair is [string, string] =>
          typeof pair[1] === 'string' && pair[0].length <= maxLabelLength && pair[1].length <= maxLabelLength,
      )
      .slice(0, maxLabels),
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/**
 * Sanitizes and truncates a PromQL error message. The limit is higher than that of `quote`, because these
 * messages are longer than versions.
 */
function quoteLong(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 300);
}
