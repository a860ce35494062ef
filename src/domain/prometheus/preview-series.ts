import { type ParseContentResult, parseContent } from '../parsers/parse-content.ts';
import type { VersionTransform } from '../transforms/version-transform.ts';
import { pickVersion, type Series, type SeriesChoice } from './prometheus-series.ts';
import { parseQueryAnswer } from './read-query-answer.ts';

export interface SeriesToPreview {
  /** What the server returned. */
  text: string;
  choice: SeriesChoice;
  /** Null: the whole label. */
  expression: string | null;
  transform: VersionTransform;
}

export interface SeriesPreview {
  result: ParseContentResult;
  series: Series[];
  seriesCount: number;
}

/** Series that are shown. */
const maxShown = 1_000;

/** What a job finds in the answer to its query. The answer is hostile: run it in the sandbox. */
export function previewSeries({ text, choice, expression, transform }: SeriesToPreview): SeriesPreview {
  const answer = parseQueryAnswer(text);
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
