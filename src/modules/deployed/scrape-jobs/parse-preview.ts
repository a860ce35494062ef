import type { ParseContentResult } from '../../../domain/parsers/parse-content.ts';
import type { Schemas } from '../../../generated/client-api.ts';

/** Result of a preview, regardless of the source of the text. */
export type ParsePreview = Schemas['PreviewScrapeJobResponse'];

/**
 * Converts a parse result to a preview. The error code is the name of the step that failed. If that step is a
 * path, the expression found nothing there, and the code is `not_found`.
 */
export function toParsePreview(result: ParseContentResult): ParsePreview {
  return result.ok
    ? { found: true, raw_version: result.rawVersion, version: result.version, error: null }
    : failedPreview(/^[.[]/.test(result.step) ? 'not_found' : result.step, result.message);
}

export function failedPreview(code: string, message: string): ParsePreview {
  return { found: false, raw_version: null, version: null, error: { code, message } };
}
