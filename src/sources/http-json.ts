import { RunError } from '../domain/runs/run-error.ts';
import { createNewReleaseCollector } from './collect-new.ts';
import { checkJsonOptions } from './json-options.ts';
import { isLinkTooLong, longLinkWarning, nextLink } from './link-header.ts';
import type { JsonVersions } from './read-json-versions.ts';
import type { ReleaseSource } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceResponse } from './source-http.ts';
import { createTagSet } from './tag-set.ts';

/**
 * Maximum body size. 8 MiB of ordinary JSON take about 60 MB in memory, and 8 MiB of `[{},…]` take 200 MB.
 */
const maxBodyBytes = 8 * 1024 * 1024;

const maxPages = 100;

/** Number of pages after which a list with small pages ends, because reading all of it would take too many requests. */
const maxSmallPages = 10;
/** Minimum average number of versions per page for reading more than `maxSmallPages` pages. */
const minPerPage = 10;

/**
 * Number of empty pages in a row after which a list ends. Some APIs refer to a next page even on the last
 * page.
 */
const maxEmptyPages = 3;

/**
 * Usual page sizes of APIs. A response with this many entries can be the first of several pages, even if it doesn't
 * name a next page.
 */
const usualPageSizes = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1_000]);

/**
 * Reads versions from any URL that returns JSON. A path selects one string, a list of strings, or, with
 * `[*]` or a condition, a string in every item. For a map, it selects the keys. A second path selects dates, which are
 * matched with the versions of the same items. If the path selects a list, its pages are followed.
 */
export const httpJson: ReleaseSource = {
  sourceType: 'http_json',

  checkOptions: checkJsonOptions,

  sharedRequestKey: ({ artifactName }) => `http_json ${artifactName.replace(/^https?:\/\//u, '')}`,

  async *gather(request, { http, read, signal }) {
    const host = URL.canParse(request.artifactName) ? new URL(request.artifactName).host : 'the address';
    const what = 'the document';
    const options = { what, accept: 'application/json, */*;q=0.8', maxBytes: maxBodyBytes };
    const first = await http.get(request.artifactName, { ...options, validators: request.validators });
    const { body: _body, cost: _cost, ...head } = first;
    const isNotModified = head.status === 304;
    const releases = createNewReleaseCollector();
    const skipped = createSkippedItems();
    const warnings = new Set<string>();
    const visited = createTagSet();
    visited.add(head.url);
    let found = 0;
    let entries = 0;
    let pages = 0;
    let emptyPages = 0;
    let isCut = false;
    /**
     * True if the document contains only the latest version. Earlier versions then don't count as removed.
     */
    let isLatestOnly = false;
    /** True if the response doesn't show whether another page follows. No release then counts as removed. */
    let isUnsure = false;
    let answer: SourceResponse | null = isNotModified ? null : first;
    /** Keeps what was read so far if a later page fails, because the first page has the newest versions of most lists. */
    const cut = (error: unknown): null => {
      if (pages === 0 || signal.aborted || !(error instanceof RunError)) throw error;
      isCut = true;
      warnings.add(
        `Only the first ${pagesRead(pages)} read. The next page failed: ${error.message}`.slice(0, 500),
      );
      return null;
    };
    while (answer !== null) {
      let page: JsonVersions;
      try {
        page = yield* releases.take(
          read(
            'json_versions',
            {
              host,
              what,
              sourceOptions: request.sourceOptions,
              canBeEmpty: pages > 0 || nextLink(answer) !== null,
            },
            answer.body,
          ),
        );
      } catch (error) {
        answer = cut(error);
        continue;
      }
      pages += 1;
      found += page.found;
      entries += page.entries;
      emptyPages = page.entries === 0 ? emptyPages + 1 : 0;
      skipped.add(page.skipped);
      for (const warning of page.warnings) warnings.add(warning);
      isCut ||= page.isCut;
      isLatestOnly = !page.isList;
      const hasTotal =
        page.total !== null ||
        ['x-total-count', 'x-total'].some((name) => answer?.headers[name] !== undefined);
      isUnsure = pages === 1 && page.isList && !hasTotal && usualPageSizes.has(page.entries);
      const url: URL | 'unknown' | null = page.isList ? nextUrl(answer, page, entries) : null;
      if (url === 'unknown' && !page.isCut) {
        isCut = true;
        warnings.add(
          `The list continues, but the response names no URL of the next page. Newer releases might be missing.`,
        );
      }
      if (url === null && page.isList && isLinkTooLong(answer)) {
        isCut = true;
        warnings.add(longLinkWarning(answer));
      }
      if (url === null || url === 'unknown' || page.isCut) break;
      if (emptyPages >= maxEmptyPages) {
        isUnsure = true;
        break;
      }
      if (!visited.add(url.href)) {
        isCut = true;
        warnings.add(
          `Only the first ${pagesRead(pages)} read, because the last one names an earlier page as the next one. Newer releases might be missing.`,
        );
        break;
      }
      // A page on another host wouldn't receive the credential of the job, so the list ends before it.
      const isTooLong = pages >= maxPages || (pages >= maxSmallPages && found < pages * minPerPage);
      if (isTooLong || url.origin !== new URL(answer.url).origin) {
        isCut = true;
        warnings.add(`Only the first ${pagesRead(pages)} read. Newer releases might be missing.`);
        break;
      }
      answer = await http.get(url.href, { ...options, from: answer }).catch(cut);
    }
    yield* releases.rest();
    if (!isNotModified && found === 0 && skipped.count() === 0) {
      throw new RunError('invalid_index', `No versions found on ${pages} pages of the list of ${host}.`);
    }
    return {
      isNotModified,
      isCompleteList: !isNotModified && !isCut && !isLatestOnly && !isUnsure,
      ...(isCut ? { listCut: 'anywhere' as const } : isLatestOnly && { listCut: 'oldest' as const }),
      // Validators are returned only for lists with one page, because those of the first page don't cover
      // changes on other pages.
      validators: isNotModified
        ? (head.validators ?? request.validators)
        : pages === 1
          ? head.validators
          : null,
      found,
      skipped: skipped.count(),
      skippedExamples: skipped.examples,
      warnings: [...warnings].slice(0, 10),
    };
  },
};

/**
 * Returns the URL of the next page, `unknown` if the list continues but the response doesn't show where, or `null`
 * after the last page.
 *
 * @param entries Number of entries on all pages so far.
 */
function nextUrl(
  answer: SourceResponse,
  { next, total }: JsonVersions,
  entries: number,
): URL | 'unknown' | null {
  const url = nextLink(answer) ?? (next?.kind === 'url' ? next.url : null);
  if (url !== null && URL.canParse(url, answer.url)) return new URL(url, answer.url);
  const parameter = next?.kind === 'parameter' ? next : parameterOfHeaders(answer);
  if (parameter !== null) {
    const target = new URL(answer.url);
    target.searchParams.set(parameter.name, parameter.value);
    return target;
  }
  const count = answer.headers['x-total-count'] ?? answer.headers['x-total'] ?? '';
  const length = total ?? (/^\d{1,9}$/u.test(count) ? Number(count) : 0);
  return next !== null || length > entries ? 'unknown' : null;
}

/** Returns the query parameter of the next page from the headers of GitLab or Azure DevOps. */
function parameterOfHeaders({ headers }: SourceResponse): { name: string; value: string } | null {
  const page = headers['x-next-page'] ?? '';
  if (/^\d{1,9}$/u.test(page)) return { name: 'page', value: page };
  const token = headers['x-ms-continuationtoken'] ?? '';
  return token === '' ? null : { name: 'continuationToken', value: token };
}

function pagesRead(pages: number): string {
  return pages === 1 ? 'page was' : `${pages} pages were`;
}
