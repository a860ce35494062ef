import { hasControlCharacters } from '../text/visible-controls.ts';
import { failure, type ParseResult } from './parse-result.ts';
import { quote } from './quote.ts';

/** Limit in code points, which is how the database and the API contract count characters. */
const maxVersionCharacters = 256;

/**
 * Validates every version, whether parsed or entered: 1 to 256 characters after trimming, on one line, and
 * storable as text.
 */
export function acceptVersion(text: string, step: string): ParseResult {
  const version = text.trim();
  const where = step.startsWith('.') ? `at ${step}: ` : '';
  if (version === '') return failure(step, `${where}expected a version, found an empty string`);
  const lineCount = countLines(version);
  if (lineCount > 1) {
    return failure(step, `${where}expected a version, found ${lineCount} lines of text: ${quote(version)}`);
  }
  if (
    version.length > maxVersionCharacters &&
    Array.from(version.slice(0, 2 * maxVersionCharacters + 2)).length > maxVersionCharacters
  ) {
    return failure(
      step,
      `${where}expected a version, found ${version.length} characters (limit ${maxVersionCharacters}): ${quote(version)}`,
    );
  }
  // PostgreSQL can store neither NUL nor unpaired surrogates.
  if (hasControlCharacters(version) || !version.isWellFormed()) {
    return failure(step, `${where}not a version (invalid characters): ${quote(version)}`);
  }
  return { ok: true, version };
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
