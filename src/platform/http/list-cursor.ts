import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { InvalidCursorError, type PageCursor, type SortValues } from '../database/index.ts';
import { type ApiError, invalidField } from '../errors.ts';
import type { ContractOperation } from './contract.ts';

interface Parameters {
  path: Record<string, unknown>;
  query: object;
}

/** Parameters that can differ between the pages of a list. */
const pageParameters = new Set(['limit', 'offset', 'cursor']);

/**
 * Replaces the `cursor` parameter of a list with the position that it contains. Every request gets a
 * position, even without a cursor, so that the list can store the position of the next page there.
 *
 * @throws ApiError 400 if the cursor is from a request with another path, order, or filter.
 */
export function openCursor(operation: ContractOperation, parameters: Parameters): PageCursor {
  const { cursor, offset } = parameters.query as { cursor?: string; offset?: number };
  const after = cursor === undefined ? null : readCursor(cursor, bindingOf(operation, parameters));
  if (after !== null && offset !== undefined && offset > 0)
    throw invalidField('offset', "can't be combined with cursor; omit it");
  return { after, next: null };
}

/** Returns the `Link` header that leads to the next page, or `null` after the last one. */
export function linkToNext(
  operation: ContractOperation,
  parameters: Parameters,
  request: FastifyRequest,
  { next }: PageCursor,
  basePath: string,
): string | null {
  if (next === null) return null;
  const [path, given = ''] = request.url.split('?', 2);
  const query = new URLSearchParams(given);
  query.delete('offset');
  query.set('cursor', writeCursor(next, bindingOf(operation, parameters)));
  return `<${basePath}${path}?${query.toString()}>; rel="next"`;
}

/**
 * Converts an error that means that the cursor doesn't fit the list, such as a PostgreSQL error for values of
 * another type. Returns `null` for other errors.
 */
export function toCursorError(error: unknown, { after }: PageCursor): ApiError | null {
  if (after === null) return null;
  const { code } = error as { code?: unknown };
  const isInvalid =
    error instanceof InvalidCursorError || (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code));
  return isInvalid ? invalidCursor() : null;
}

function invalidCursor(): ApiError {
  return invalidField(
    'cursor',
    "doesn't fit this request. Use the URL in the Link header of the previous page without changes, or omit cursor to start again",
  );
}

/** Returns a hash that identifies a list with its order and its filters. */
function bindingOf({ operationId }: ContractOperation, { path, query }: Parameters): string {
  const filters = Object.entries(query)
    .filter(([name]) => !pageParameters.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([operationId, path, filters]))
    .digest('base64url')
    .slice(0, 12);
}

function writeCursor(values: SortValues, binding: string): string {
  return Buffer.from(JSON.stringify([binding, ...values])).toString('base64url');
}

function readCursor(text: string, binding: string): SortValues {
  try {
    const [stored, ...values] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    const isValid =
      stored === binding && values.length > 0 && values.every((value) => value === null || isText(value));
    if (isValid) return values as SortValues;
  } catch {
    // The text isn't JSON, so it's rejected below.
  }
  throw invalidCursor();
}

/** True for strings that PostgreSQL can read. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
