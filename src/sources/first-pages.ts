import { RunError } from '../domain/runs/run-error.ts';
import { nextLink } from './link-header.ts';
import type { SourceHttp } from './source-http.ts';

export interface FirstPages {
  http: SourceHttp;
  /** True if the list continues after the pages that were read. */
  hasMore(): boolean;
}

/**
 * Wraps an HTTP client so that it reads only the first pages of a list, by emptying the link to the next page.
 *
 * @param limits.maxRequests Maximum number of requests of any kind. Further requests are rejected, so sources
 * return less data.
 */
export function limitToFirstPages(
  http: SourceHttp,
  { maxPages, maxRequests = Number.POSITIVE_INFINITY }: { maxPages: number; maxRequests?: number },
): FirstPages {
  let pages = 0;
  let requests = 0;
  let hasMore = false;
  return {
    hasMore: () => hasMore,
    http: {
      schemeFor: (host) => http.schemeFor(host),
      scope: http.scope,
      usage: http.usage,
      end: () => http.end(),
      async get(url, options) {
        if (requests >= maxRequests) throw new RunError('timeout', `Only ${maxRequests} requests are sent.`);
        requests += 1;
        const answer = await http.get(url, options);
        const { link, 'x-total-count': total, 'x-next-page': nextPage = '', ...headers } = answer.headers;
        if (nextLink(answer) === null && nextPage === '' && (link !== undefined || total === undefined))
          return answer;
        pages += 1;
        if (pages < maxPages) return answer;
        hasMore = true;
        // An empty link ends the list. Without a link, sources would search for another page.
        return { ...answer, headers: { ...headers, link: '' } };
      },
    },
  };
}
