import { RunError } from '../domain/runs/run-error.ts';
import { OutboundError } from '../platform/outbound/index.ts';
import { type ReadBody, readWhole } from './body-reader.ts';
import { isLinkTooLong, nextLink } from './link-header.ts';
import type { OciRequests } from './oci-requests.ts';
import { canSmallerPageSucceed, isUsualPageSize } from './paged-releases.ts';
import type { OciTags } from './read-oci-tags.ts';
import type { SourceGetOptions, SourceResponse } from './source-http.ts';
import { createTagSet } from './tag-set.ts';

/** Requested page size. Registries can return fewer tags, and some return all of them in one response. */
const usualPageSize = 1_000;
/** Page size for registries that fail to return a page of the usual size. */
const smallPageSize = 100;
const maxPages = 2_100;
/** Maximum size of a page, enough for 200,000 tags of the maximum length. */
const maxBytes = 32 * 1024 * 1024;

export interface TagPages {
  first(validators: SourceGetOptions['validators']): Promise<SourceResponse>;
  /** Returns the page after this one, or `null` after the last page. */
  next(answer: SourceResponse, page: OciTags): Promise<SourceResponse | null>;
  /**
   * Requests a page in another way if its link led to a response that isn't a tag list. Returns `null` if there's no
   * other way.
   */
  replace(error: unknown): Promise<SourceResponse | null>;
  /** State of the list after the last page. */
  end(): TagPagesEnd;
}

export interface TagPagesEnd {
  /** True if tags might be missing. */
  isCut: boolean;
  /** True if the run found nothing new and didn't check whether the list has more pages. */
  isUnchecked: boolean;
  /** True if the list has one page that isn't full, so the validators of this page cover the whole list. */
  isOnePage: boolean;
}

/**
 * Reads the pages of a tag list. Pages are linked, but some registries and proxies send no link although the list
 * continues, or a link to a path that they don't serve. The list then continues with the `last` parameter, which the
 * distribution API defines.
 */
export function createTagPages(
  requests: OciRequests,
  read: ReadBody,
  { isFull, knownCount, what }: { isFull: boolean; knownCount: number; what: string },
): TagPages {
  const visited = createTagSet();
  const seenPages = createTagSet();
  let pageSize = usualPageSize;
  let pages = 0;
  let hasFullPage = false;
  let hasLinks = false;
  let isLinkWrong = false;
  let isProbe = false;
  let isCut = false;
  let isUnchecked = false;
  let other: (() => Promise<SourceResponse | null>) | null = null;

  const get = (
    path: string,
    more: { from?: SourceResponse; validators?: SourceGetOptions['validators'] } = {},
  ) => requests.get(path, { accept: 'application/json', maxBytes, ...more });
  const getAfter = (last: string) => get(`tags/list?n=${pageSize}&last=${encodeURIComponent(last)}`);

  async function first(validators: SourceGetOptions['validators']): Promise<SourceResponse> {
    const more = { validators: validators ?? null };
    const answer = await get(`tags/list?n=${pageSize}`, more).catch((error: unknown) => {
      // Some registries reject a page size above their maximum.
      const isRejected =
        error instanceof RunError &&
        error.code === 'invalid_index' &&
        !(error.cause instanceof OutboundError);
      if (!canSmallerPageSucceed(error) && !isRejected) throw error;
      pageSize = smallPageSize;
      return get(`tags/list?n=${pageSize}`, more).catch(() => {
        throw error;
      });
    });
    visited.add(answer.url);
    return answer;
  }

  async function next(answer: SourceResponse, page: OciTags): Promise<SourceResponse | null> {
    other = null;
    if (page.entries === 0) return null;
    pages += 1;
    hasFullPage ||= page.entries >= pageSize;
    if (!seenPages.add(page.key)) {
      pages -= 1;
      // If a link leads to a page that repeats an earlier one, a proxy ignores the query, so the rest of the list isn't
      // known.
      isCut = !isProbe || (await hasOtherPages(page.entries));
      return null;
    }
    const link = nextLink(answer);
    const url = link === null || !URL.canParse(link, answer.url) ? null : new URL(link, answer.url);
    if (url !== null) {
      hasLinks = true;
      if (!isLinkWrong && !visited.add(url.href)) {
        isCut = isUsualPageSize(page.entries);
        return null;
      }
    } else if (!canContinue(page)) {
      isCut ||= isLinkTooLong(answer);
      return null;
    }
    if (pages >= maxPages) {
      isCut = true;
      return null;
    }
    if (url === null) return probe(page);
    return follow(url, link ?? '', answer, page);
  }

  /** True if a page without a link can be a full one, so that another page may follow. */
  function canContinue({ entries, hasNew, last }: OciTags): boolean {
    const isFullPage = entries === pageSize || (entries < pageSize && !hasLinks && isUsualPageSize(entries));
    if (!isFullPage || last === null) return false;
    // If the page contains no new tags, the run that found its tags has already checked the rest of the list.
    // But if more tags are known than the page contains, the list has other pages, which can contain new
    // tags.
    isUnchecked = !isFull && !hasNew && pages === 1 && knownCount <= entries;
    return !isUnchecked;
  }

  async function probe({ last, entries }: OciTags): Promise<SourceResponse | null> {
    isProbe = true;
    try {
      return await getAfter(last ?? '');
    } catch (error) {
      if (!isPermanent(error)) throw error;
      isCut = await hasOtherPages(entries);
      return null;
    }
  }

  async function follow(
    url: URL,
    link: string,
    answer: SourceResponse,
    page: OciTags,
  ): Promise<SourceResponse | null> {
    const last = page.last ?? '';
    // The query of the link is usable even if the host or the path of the link is wrong.
    const atOwnPath = () => (url.search === '' ? getAfter(last) : get(`tags/list${url.search}`));
    const orCut = async (): Promise<SourceResponse | null> => {
      isLinkWrong = true;
      try {
        return await atOwnPath();
      } catch (error) {
        if (!isPermanent(error)) throw error;
        isCut = true;
        return null;
      }
    };
    if (isLinkWrong) return orCut();
    other = orCut;
    try {
      return await get(link, { from: answer });
    } catch (error) {
      if (isPermanent(error)) return orCut();
      if (!canSmallerPageSucceed(error) || pageSize === smallPageSize) throw error;
      pageSize = smallPageSize;
      return getAfter(last).catch(() => {
        throw error;
      });
    }
  }

  /**
   * True if the registry splits lists into pages but ignores `last`. A registry that also ignores `n` always returns
   * the whole list.
   */
  async function hasOtherPages(entries: number): Promise<boolean> {
    const answer = await get('tags/list?n=1');
    const input = { host: new URL(answer.url).host, what, highest: { plain: [], others: [] } };
    const page = await readWhole(
      read('oci_tags', { ...input, knownTags: [], maxTags: entries }, answer.body),
    );
    return page.entries !== entries;
  }

  return {
    first,
    next,
    async replace(error) {
      const replacement = other;
      other = null;
      if (replacement === null || !isPermanent(error)) return null;
      return replacement();
    },
    end: () => ({ isCut, isUnchecked, isOnePage: pages <= 1 && !hasFullPage }),
  };
}

/** True if the registry would return the same error again. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof RunError)) return false;
  return ['not_found', 'invalid_index', 'unauthorized', 'target_not_allowed', 'unreachable'].includes(
    error.code,
  );
}
