import { ApiError, invalidField } from '../errors.ts';

/** What `If-Match` allows: any revision, those with one of these ETags, or null without the header. */
export type IfMatch = '*' | readonly string[] | null;

const entityTag = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** Weak ETags are left out: they never match. @throws ApiError 400 when it can't be read */
export function readIfMatch(header: string | undefined): IfMatch {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  let found = 0;
  let end = 0;
  while (end < header.length) {
    entityTag.lastIndex = end;
    const match = entityTag.exec(header);
    if (!match) throw malformed();
    const [, weak, tag] = match;
    if (tag !== undefined) found += 1;
    if (tag !== undefined && weak === undefined) tags.push(tag);
    end = entityTag.lastIndex;
  }
  if (found === 0) throw malformed();
  return tags;
}

/** The ETag of a resource: its revision. */
export function etagOf({ revision }: { revision: number }): string {
  return `"${revision}"`;
}

/**
 * For changes and deletions: under the lock of the row, and after 403 and 404.
 * @throws ApiError 412 when it isn't the revision that the caller has seen
 */
export function assertMatch({ ifMatch }: { ifMatch: IfMatch }, current: { revision: number }): void {
  if (ifMatch === null || ifMatch === '*') return;
  const etag = etagOf(current);
  if (!ifMatch.includes(etag)) throw new ApiError('precondition_failed', undefined, { headers: { etag } });
}

function malformed(): ApiError {
  return invalidField('If-Match', 'must be * or ETags in quotes, such as "3"');
}
