import { readField } from './release-fields.ts';

/** Location of the next page of a JSON list. */
export type NextPage =
  | { kind: 'url'; url: string }
  /** The URL of the current page with this query parameter. */
  | { kind: 'parameter'; name: string; value: string }
  /** The list continues, but the document doesn't show where. */
  | { kind: 'unknown' };

/**
 * Fields that contain the URL of the next page: those of Bitbucket and Docker Hub, JSON:API, HAL, OData, and common
 * paging libraries.
 */
const urlMembers: readonly string[][] = [
  ['next'],
  ['links', 'next'],
  ['links', 'next', 'href'],
  ['_links', 'next'],
  ['_links', 'next', 'href'],
  ['@odata.nextLink'],
  ['nextLink'],
  ['next_page_url'],
  ['next_url'],
  ['pagination', 'next'],
  ['pagination', 'next_url'],
  ['paging', 'next'],
  ['meta', 'next'],
];

/** Fields that contain the token of the next page, with the query parameter that takes the token. */
const tokenMembers: readonly (readonly [member: string, parameter: string])[] = [
  // Google's APIs, such as Artifact Registry.
  ['nextPageToken', 'pageToken'],
  ['next_page_token', 'page_token'],
  // Nexus.
  ['continuationToken', 'continuationToken'],
];

const maxTokenLength = 2_000;

/**
 * Returns the location of the next page of a list, or `null` if the document doesn't show that the list continues.
 *
 * @param root Parsed document whose numbers are texts.
 */
export function findNextPage(root: unknown): NextPage | null {
  for (const members of urlMembers) {
    const url = members.reduce(readField, root);
    if (typeof url === 'string' && /^(?:https?:\/\/|\/|\?)/u.test(url)) return { kind: 'url', url };
  }
  for (const [member, name] of tokenMembers) {
    const value = readField(root, member);
    if (typeof value === 'string' && value !== '' && value.length <= maxTokenLength)
      return { kind: 'parameter', name, value };
  }
  // Bitbucket Data Center.
  const start = readField(root, 'nextPageStart');
  if (readField(root, 'isLastPage') === false)
    return isCount(start) ? { kind: 'parameter', name: 'start', value: start } : { kind: 'unknown' };
  return hasMorePages(root) ? { kind: 'unknown' } : null;
}

function hasMorePages(root: unknown): boolean {
  if (['has_more', 'hasMore', 'has_next', 'hasNext'].some((member) => readField(root, member) === true))
    return true;
  const page = readField(root, 'page');
  // Spring numbers pages from 0.
  if (isBelow(readField(page, 'number'), readField(page, 'totalPages'), 1)) return true;
  return ['total_pages', 'totalPages'].some((member) => isBelow(page, readField(root, member), 0));
}

/** Returns the number of entries of the whole list, or `null` if the document doesn't contain it. */
export function totalOfJsonList(root: unknown): number | null {
  const total = readField(root, 'total_count') ?? readField(root, 'totalCount');
  return isCount(total) ? Number(total) : null;
}

function isBelow(page: unknown, pages: unknown, offset: number): boolean {
  return isCount(page) && isCount(pages) && Number(page) + offset < Number(pages);
}

function isCount(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,9}$/u.test(value);
}
