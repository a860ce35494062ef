import { hasControls } from '../text/visible-controls.ts';
import { failure, type ParseResult } from './parse-result.ts';
import { quote } from './quote.ts';

/** Code points, as the database and the contract count them. */
const maxVersionCharacters = 256;

/** The last gate of every version, read or typed: 1..256 characters after trimming, on one line, storable as text. */
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
  // PostgreSQL stores neither NUL nor half of a surrogate pair.
  if (hasControls(version) || !version.isWellFormed()) {
    return failure(step, `${where}not a version (invalid characters): ${quote(version)}`);
  }
  return { ok: true, version };
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
