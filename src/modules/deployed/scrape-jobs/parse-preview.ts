import type { ParseContentResult } from '../../../domain/parsers/parse-content.ts';
import type { Schemas } from '../../../generated/client-api.ts';

/** What previews return about the version, whatever the text was read from. */
export type ParsePreview = Schemas['PreviewScrapeJobResponse'];

/** The code of a failure is the parser's stage, or `not_found` for the path at which the expression ended. */
export function toParsePreview(result: ParseContentResult): ParsePreview {
  return result.ok
    ? { found: true, raw_version: result.rawVersion, version: result.version, error: null }
    : failedPreview(/^[.[]/.test(result.step) ? 'not_found' : result.step, result.message);
}

export function failedPreview(code: string, message: string): ParsePreview {
  return { found: false, raw_version: null, version: null, error: { code, message } };
}
