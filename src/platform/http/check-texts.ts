import { invalidField } from '../errors.ts';
import { exceedsSafeIdRange, largestId } from './ids.ts';

const maxDepth = 32;

/**
 * Rejects text that PostgreSQL or other JSON parsers can't process (NUL, lone surrogates) and excessive
 * nesting. Replaces 64-bit IDs beyond the safe integer range with `largestId`.
 */
export function checkTexts(body: unknown): void {
  check(body, []);
}

/** True if text contains a NUL character or a lone surrogate. */
export function hasInvalidUnicode(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/**
 * Checks a value recursively.
 *
 * @param path Path of the value. All calls share one array, so that valid values cause no allocations.
 */
function check(value: unknown, path: (string | number)[]): void {
  if (path.length > maxDepth) throw invalidField('body', `is nested deeper than ${maxDepth} levels`);
  if (typeof value === 'string') {
    if (hasInvalidUnicode(value)) throw badText(path, 'contains invalid Unicode');
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      path.push(index);
      check(item, path);
      path.pop();
      if (exceedsSafeIdRange(item)) value[index] = largestId;
    }
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (hasInvalidUnicode(key)) throw badText(path, 'has a field name that contains invalid Unicode');
      path.push(key);
      check(item, path);
      path.pop();
      if (exceedsSafeIdRange(item)) (value as Record<string, unknown>)[key] = largestId;
    }
  }
}

function badText(path: readonly (string | number)[], message: string) {
  return invalidField(path.length === 0 ? 'body' : path.join('.').slice(0, 200), message);
}
