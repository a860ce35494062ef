import type { MissingListPart } from '../domain/runs/list-completeness.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { readWhole } from './body-reader.ts';
import { createNewReleaseCollector } from './collect-new.ts';
import { emptyListSummary } from './empty-list.ts';
import { findLinkUrl, isLinkTooLong, longLinkWarning } from './link-header.ts';
import type { ReleasePage, ReleasePageInput } from './read-release-page.ts';
import type { GatherPart, GatherRequest, GatherSummary, SourceContext } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceGetOptions, SourceResponse } from './source-http.ts';
import { addTagCommits, readTagCommits } from './tag-commits.ts';
import { createTagSet } from './tag-set.ts';

export interface ReleasePages {
  /**
   * Returns the URL of a page of the list.
   *
   * @param page Number of the page, starting at 1.
   */
  pageUrl(size: number, page: number): string;
  /** Requested page size. */
  pageSize: number;
  /** Name of the repository in messages: `the repository owner/repo`. */
  what: string;
  /** API URL of the repository's metadata. */
  repositoryUrl: string;
  accept: string;
  headers?: Readonly<Record<string, string>>;
  /** Platform that defines the format of the entries. */
  platform: ReleasePageInput['platform'];
  /**
   * Returns the URL of the next page, `null` after the last page, or undefined if the response doesn't show
   * whether it's the last one.
   */
  nextUrl(answer: SourceResponse, page: PagePosition): string | null | undefined;
  /**
   * Returns the URL of a page that contains only the entry at this position of the full list. Pages of this
   * size have one entry, so the number of the last page, to which the response links, is the length of the
   * list. Omitted if all pages report the length of the list.
   */
  entryUrl?(answer: SourceResponse, position: number): string;
  /** URL of the first page of the repository's tags. Lists of releases don't contain the commits of the tags. */
  tagsUrl: string;
  /** Warning if the list is empty. */
  emptyWarning: string;
}

/** Position of a page in the list. */
export interface PagePosition {
  /** Number of the page, starting at 1. */
  page: number;
  /** Requested page size. */
  size: number;
  /** Number of entries on this page. */
  count: number;
  /** Number of entries on all pages up to this one. */
  read: number;
}

/** Page size for servers that fail to return a page of the usual size, for example because it has too many files. */
const smallPageSize = 10;

/** Maximum number of pages, enough for 10,000 releases on pages of the smallest size. */
const maxPages = 1_000;

const maxReleases = 100_000;

/**
 * Statuses for pages beyond the part of a list that the server returns. GitHub returns only 1,000 releases, and GitLab
 * limits the offset.
 */
const endOfWindow: readonly number[] = [405, 422];

/**
 * Minimum number of pages after which a rate-limited full read keeps its results, because the next read wouldn't get
 * any further.
 */
const minPartialPages = 10;

/**
 * Maximum size of a repository's metadata. GitHub returns 6 kB, including the organization and the license.
 */
const maxRepositoryBytes = 1024 * 1024;

/**
 * Maximum size of a page. 100 releases with full notes and a total of a thousand assets take less than 5 MiB.
 */
const maxPageBytes = 32 * 1024 * 1024;

/**
 * Reads paged JSON lists with the newest releases first, until a page contains nothing new or the list ends.
 * Only the first page is requested conditionally, because new releases appear there.
 */
export async function* gatherPages(
  request: GatherRequest,
  context: SourceContext,
  pages: ReleasePages,
): AsyncGenerator<GatherPart, GatherSummary, undefined> {
  const releases = createNewReleaseCollector();
  const seenPages = createTagSet();
  const skipped = createSkippedItems();
  const options: SourceGetOptions = {
    what: pages.what,
    accept: pages.accept,
    maxBytes: maxPageBytes,
    authorization: 'bearer',
    ...(pages.headers ? { headers: pages.headers } : {}),
  };
  const warnings: string[] = [];
  let isCompleteList = false;
  let listCut: MissingListPart | null = null;
  /** Number of entries that are read twice because the page size changed. */
  let overlap = 0;
  let drafts = 0;
  let listed = 0;
  let entries = 0;
  /**
   * True after a known release. Releases below it aren't new, even if they're unknown because patterns and
   * limits excluded them. Only releases above all known ones are new.
   */
  let isBelowKnown = false;
  /** Length of the full list as reported by the first page. */
  let total: string | undefined;
  let hasOtherTotal = false;
  /** Number of releases that can be repeated because the page size changed. */
  let repeatable = 0;
  /** True if the previous response didn't show whether another page follows. */
  let isUnsure = false;
  let hasListChanged: ((entries: number) => Promise<boolean>) | null = null;

  let size = pages.pageSize;
  let page = 1;
  const commits =
    request.isFull && request.readsCommits === true
      ? await readTagCommits(context, pages, options)
      : new Map<string, string>();

  /** Requests a page. If the server fails to return a page of the usual size, requests smaller pages from there on. */
  async function getPage(url: string, more: Partial<SourceGetOptions>): Promise<SourceResponse> {
    try {
      return await context.http.get(url, { ...options, ...more });
    } catch (error) {
      if (!canSmallerPageSucceed(error) || size <= smallPageSize) throw error;
      const { from: _from, ...rest } = more;
      const smallPage = Math.floor(entries / smallPageSize) + 1;
      const smallUrl = pages.pageUrl(smallPageSize, smallPage);
      const answer = await context.http.get(smallUrl, { ...options, ...rest }).catch((reason: unknown) => {
        throw reason instanceof RunError && reason.code === 'upstream_error' ? error : reason;
      });
      size = smallPageSize;
      page = smallPage;
      // Smaller pages can repeat entries of the previous page, although these entries haven't moved.
      overlap = entries % smallPageSize;
      return answer;
    }
  }

  let answer = await getPage(pages.pageUrl(size, page), {
    validators: request.isFull ? null : request.validators,
  });
  const summary = (isNotModified: boolean): GatherSummary => ({
    isNotModified,
    isCompleteList,
    ...(listCut !== null && { listCut }),
    validators,
    found: listed,
    skipped: skipped.count(),
    skippedExamples: skipped.examples,
    warnings,
  });
  const validators = answer.validators ?? (answer.status === 304 ? request.validators : null);
  if (answer.status === 304) return summary(true);

  for (let pageNumber = 1; ; pageNumber += 1) {
    if (pageNumber === 1) total = totalOf(answer);
    hasOtherTotal ||= totalOf(answer) !== total;
    const found: ReleasePage = yield* releases.take(
      addTagCommits(
        context.read(
          'release_page',
          {
            platform: pages.platform,
            host: new URL(answer.url).host,
            what: pages.what,
            now: context.now.toISOString(),
            knownTags: request.knownTags,
            isBelowKnown,
          },
          answer.body,
        ),
        commits,
      ),
    );
    isBelowKnown = found.isBelowKnown;
    const isRepeated = found.releases > 0 && !seenPages.add(found.key);
    if (!isRepeated) {
      listed += Math.max(0, found.releases - overlap);
      entries += found.entries - overlap;
      drafts += found.drafts;
      skipped.add(found.skipped);
    }
    const next = isRepeated
      ? null
      : pages.nextUrl(answer, { page, size, count: found.entries, read: entries });
    // A server that returns less than a full page, and then the same page again, doesn't support pages.
    const isEnd = isRepeated ? isUnsure && entries < size : next === null;
    if (isEnd && !isRepeated && isLinkTooLong(answer)) {
      listCut = 'oldest';
      warnings.push(longLinkWarning(answer));
      break;
    }
    if (isEnd) {
      // A release that moves while the list is read shifts the others between pages, so a release can be
      // missing from all pages.
      const repeated = releases.repeated() - (isRepeated ? found.releases : 0);
      const hasMoved = repeated > repeatable || hasOtherTotal || (await hasListChanged?.(entries));
      isCompleteList = hasMoved !== true;
      break;
    }
    repeatable += overlap;
    overlap = 0;
    if (pageNumber === 1 && request.isFull && request.checksComplete && next !== undefined)
      hasListChanged = await startMoveCheck(context, pages, options, answer, found);
    if (!found.hasNew && !request.isFull) break;
    if (pageNumber >= maxPages || listed >= maxReleases) {
      listCut = 'oldest';
      warnings.push(`Only the first ${listed} releases (${pageNumber} pages) were read.`);
      break;
    }
    if (isRepeated || next === null || found.entries === 0) {
      listCut = 'oldest';
      warnings.push(
        `Page ${pageNumber} of the list only repeated earlier releases, so the remaining pages weren't read.`,
      );
      break;
    }
    isUnsure = next === undefined;
    page += 1;
    try {
      answer = await (next === undefined
        ? getPage(pages.pageUrl(size, page), { acceptStatuses: endOfWindow })
        : getPage(next, { from: answer, acceptStatuses: endOfWindow }));
    } catch (error) {
      const isLimited = error instanceof RunError && error.code === 'rate_limited';
      if (!isLimited || !request.isFull || pageNumber < minPartialPages) throw error;
      const { host } = new URL(answer.url);
      listCut = 'oldest';
      warnings.push(
        `Only the first ${listed.toLocaleString('en-US')} releases were read because ${host} is rate limiting requests. If the job has no credential, add one to raise the limit.`,
      );
      break;
    }
    if (endOfWindow.includes(answer.status)) {
      listCut = 'oldest';
      warnings.push(
        `Only the newest ${listed.toLocaleString('en-US')} releases were read because ${new URL(answer.url).host} doesn't list more. If you need older ones, use source type git_tags.`,
      );
      break;
    }
  }
  if (listed === 0 && skipped.count() === 0 && drafts === 0) warnings.push(pages.emptyWarning);
  yield* releases.rest();
  const whole = { ...summary(false), ...emptyListSummary(request, listed) };
  if (!request.checksArchived) return whole;
  return { ...whole, isArchived: await findArchived(context, pages, options) };
}

/**
 * Prepares a check for changes during reading. If a release is deleted while the list is read, the first
 * release of the next page moves to a page that was already read. No release is repeated, but one is missing.
 * The check therefore compares the length of the list with the number of entries. The response with the
 * length also contains the last entry of the first page, so deletions before this request are detected, too.
 *
 * @returns A function that returns true if the list may have changed, given the number of entries that were
 * read.
 */
async function startMoveCheck(
  { http, read, now }: SourceContext,
  { entryUrl, platform, what }: ReleasePages,
  options: SourceGetOptions,
  firstAnswer: SourceResponse,
  firstPage: ReleasePage,
): Promise<(entries: number) => Promise<boolean>> {
  if (!entryUrl) return async () => false;
  const url = entryUrl(firstAnswer, firstPage.entries);

  async function ask(): Promise<{ length: number | null; lastKey: string } | null> {
    try {
      const answer = await http.get(url, { ...options, from: firstAnswer });
      const origin = { platform, host: new URL(answer.url).host, what, now: now.toISOString() };
      const { lastKey } = await readWhole(read('last_release', origin, answer.body));
      const last = findLinkUrl(answer, 'last') ?? '';
      const page = URL.parse(last, answer.url)?.searchParams.get('page') ?? '';
      return { length: /^\d{1,9}$/u.test(page) ? Number(page) : null, lastKey };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      return null;
    }
  }

  const first = await ask();
  return async (entries) => {
    if (first === null) return true;
    // If the host doesn't report the length, changes can't be detected.
    if (first.length === null) return false;
    if (first.length === entries) return first.lastKey !== firstPage.lastKey;
    // Either the list has changed, or some of its entries aren't on any of its pages. In the second case,
    // another request returns the same length.
    const second = await ask();
    return second?.length !== first.length || second.lastKey !== first.lastKey;
  };
}

/**
 * Returns true if the repository is archived. Failures don't fail the run, because the releases are useful
 * without this information.
 */
async function findArchived(
  { http, read, signal }: SourceContext,
  { repositoryUrl, what }: ReleasePages,
  options: SourceGetOptions,
): Promise<boolean | null> {
  try {
    const { url, body } = await http.get(repositoryUrl, { ...options, maxBytes: maxRepositoryBytes });
    const origin = { host: new URL(url).host, what };
    return (await readWhole(read('repository_state', origin, body))).isArchived;
  } catch (error) {
    if (signal.aborted || !(error instanceof RunError)) throw error;
    return null;
  }
}

function totalOf({ headers }: SourceResponse): string | undefined {
  return headers['x-total'] ?? headers['x-total-count'];
}

/** True if the server failed to return a response that can be too large for it. A smaller page can succeed. */
export function canSmallerPageSucceed(error: unknown): boolean {
  if (!(error instanceof RunError)) return false;
  return error.code === 'too_large' || (error.code === 'upstream_error' && error.retryAt === null);
}

/**
 * True if a page of this length can be a full one although it has no link to the next page: servers and proxies
 * limit pages to round numbers, and some drop the link.
 */
export function isUsualPageSize(count: number): boolean {
  if (count < 10) return false;
  return count % 10 === 0 || count % 25 === 0 || Number.isInteger(Math.log2(count));
}
