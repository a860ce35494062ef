import { type ParseContentResult, parseContent } from '../parsers/parse-content.ts';
import type { VersionTransform } from '../transforms/version-transform.ts';
import { pickVersion, type Series, type SeriesChoice } from './prometheus-series.ts';
import { parseQueryResponse } from './read-query-response.ts';

export interface SeriesToPreview {
  /** Response body from the Prometheus server. */
  text: string;
  choice: SeriesChoice;
  /** Pattern that extracts the version from the label. `null` means the whole label value. */
  expression: string | null;
  transform: VersionTransform;
}

export interface SeriesPreview {
  result: ParseContentResult;
  series: Series[];
  seriesCount: number;
}

/** Maximum number of series in a preview. */
const maxShown = 1_000;

/**
 * Returns the version and the series that a job would find in the response to its query. The response is
 * untrusted, so run this function in the sandbox.
 */
export function previewSeries({ text, choice, expression, transform }: SeriesToPreview): SeriesPreview {
  const answer = parseQueryResponse(text);
  if (!answer.ok)
    return { result: { ok: false, step: 'content', message: answer.message }, series: [], seriesCount: 0 };
  const shown = { series: answer.series.slice(0, maxShown), seriesCount: answer.series.length };
  const picked = pickVersion(answer.series, choice);
  if (!picked.ok) return { ...shown, result: { ok: false, step: 'series', message: picked.message } };
  const how =
    expression === null
      ? ({ parserType: 'manual', expression: '' } as const)
      : ({ parserType: 'regex', expression } as const);
  return { ...shown, result: parseContent({ ...how, transform, content: picked.version }) };
}
