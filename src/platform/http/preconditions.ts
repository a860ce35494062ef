import { ApiError, invalidField } from '../errors.ts';

/** The revisions that `If-Match` allows: any, or those with one of the ETags. `null` without the header. */
export type IfMatch = '*' | readonly string[] | null;

const entityTag = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/**
 * Parses an `If-Match` header. A weak ETag is treated like a strong one: Pacekeeper sends only strong ETags, but
 * proxies that compress responses weaken them.
 *
 * @throws ApiError 400 if the header is invalid.
 */
export function readIfMatch(header: string | undefined): IfMatch {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  let end = 0;
  while (end < header.length) {
    entityTag.lastIndex = end;
    const match = entityTag.exec(header);
    if (!match) throw malformed();
    const [, tag] = match;
    if (tag !== undefined) tags.push(tag);
    end = entityTag.lastIndex;
  }
  if (tags.length === 0) throw malformed();
  return tags;
}

/** Returns the ETag of a resource, which is its revision. */
export function etagOf({ revision }: { revision: number }): string {
  return `"${revision}"`;
}

/**
 * Checks `If-Match` for updates and deletes. Call it with the row locked, after the checks for 403 and 404.
 *
 * @throws ApiError 412 if `If-Match` doesn't allow the current revision.
 */
export function assertIfMatch({ ifMatch }: { ifMatch: IfMatch }, current: { revision: number }): void {
  if (ifMatch === null || ifMatch === '*') return;
  const etag = etagOf(current);
  if (!ifMatch.includes(etag)) throw new ApiError('precondition_failed', undefined, { headers: { etag } });
}

function malformed(): ApiError {
  return invalidField('If-Match', 'must be * or ETags in quotes, such as "3"');
}
