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
  // crates.io uses this field.
  ['meta', 'next_page'],
];

/** Fields that contain the token of the next page, with the query parameter that takes the token. */
const tokenMembers: readonly (readonly [member: string, parameter: string])[] = [
  // Google's APIs, such as Artifact Registry, use this field.
  ['nextPageToken', 'pageToken'],
  ['next_page_token', 'page_token'],
  // Nexus uses this field.
  ['continuationToken', 'continuationToken'],
];

const maxTokenLength = 2_000;

/**
 * Returns the location of the next page of a list, or `null` if the document doesn't show that the list
 * continues.
 *
 * @param root Parsed document whose numbers are strings.
 */
export function findNextPage(root: unknown): NextPage | null {
  for (const members of urlMembers) {
    const url = members.reduce(readField, root);
    if (typeof url === 'string' && isUrl(url)) return { kind: 'url', url };
    // Within paging data, text that isn't a URL is the number or the token of the next page.
    if (members.length > 1 && typeof url === 'string' && url !== '' && url !== '0')
      return { kind: 'unknown' };
  }
  const links = readField(root, 'links');
  for (const link of Array.isArray(links) ? links : []) {
    const url = readField(link, 'href');
    if (readField(link, 'rel') === 'next' && typeof url === 'string' && isUrl(url))
      return { kind: 'url', url };
  }
  for (const [member, name] of tokenMembers) {
    const value = readField(root, member);
    if (typeof value === 'string' && value !== '' && value.length <= maxTokenLength)
      return { kind: 'parameter', name, value };
  }
  // Bitbucket Data Center uses these fields.
  const start = readField(root, 'nextPageStart');
  if (readField(root, 'isLastPage') === false)
    return isCount(start) ? { kind: 'parameter', name: 'start', value: start } : { kind: 'unknown' };
  // Quay uses these fields.
  const page = readField(root, 'page');
  if (readField(root, 'has_additional') === true)
    return isCount(page)
      ? { kind: 'parameter', name: 'page', value: String(Number(page) + 1) }
      : { kind: 'unknown' };
  return hasMorePages(root) ? { kind: 'unknown' } : null;
}

/** True for an absolute URL, a path, a query, or a relative reference with a query. */
function isUrl(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?)|^[^\s?:]+\?[^\s=]+=/u.test(text);
}

/** Fields that are true if the list continues, and false on the last page. */
const moreMembers: readonly string[][] = [
  ['has_more'],
  ['hasMore'],
  ['has_next'],
  ['hasNext'],
  ['pageInfo', 'hasNextPage'],
  ['page_info', 'has_next_page'],
  ['pagination', 'has_more'],
  ['pagination', 'hasMore'],
  ['meta', 'has_more'],
];

/** Fields that contain the cursor of the next page, whose parameter isn't known. */
const cursorMembers: readonly string[][] = [
  ['next_cursor'],
  ['nextCursor'],
  ['pagination', 'next_cursor'],
  ['meta', 'next_cursor'],
  ['response_metadata', 'next_cursor'],
];

/** Number of the current page, number of pages, and the number of the first page. */
const pageMembers: readonly (readonly [page: string, pages: string, first: number])[] = [
  ['page', 'total_pages', 1],
  ['page', 'totalPages', 1],
  ['current_page', 'total_pages', 1],
  ['currentPage', 'totalPages', 1],
  // Laravel uses these fields.
  ['current_page', 'last_page', 1],
  // Spring uses these fields.
  ['number', 'totalPages', 0],
];

/**
 * Fields for the position of the page, its size, and the number of all entries. In a document without a page
 * size, `total` can have another meaning.
 */
const rangeMembers: readonly (readonly [start: string, size: string])[] = [
  ['offset', 'limit'],
  ['start', 'limit'],
  ['skip', 'limit'],
  // Jira and Confluence use these fields.
  ['startAt', 'maxResults'],
  ['start', 'size'],
];

function hasMorePages(root: unknown): boolean {
  if (moreMembers.some((members) => members.reduce(readField, root) === true)) return true;
  if (cursorMembers.some((members) => isText(members.reduce(readField, root)))) return true;
  const places = [root, ...['meta', 'pagination', 'paging', 'page'].map((name) => readField(root, name))];
  const pagination = readField(readField(root, 'meta'), 'pagination');
  return [...places, pagination].some(
    (place) =>
      pageMembers.some(([page, pages, first]) =>
        isBelow(readField(place, page), readField(place, pages), 1 - first),
      ) || rangeMembers.some(([start, size]) => isPartOfRange(place, start, size)),
  );
}

function isPartOfRange(place: unknown, startMember: string, sizeMember: string): boolean {
  const [start, size, total] = [startMember, sizeMember, 'total'].map((member) => readField(place, member));
  return isCount(start) && isCount(size) && isCount(total) && Number(start) + Number(size) < Number(total);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
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
