import { RunError } from '../domain/runs/run-error.ts';
import { readWhole } from './body-reader.ts';
import { createNewReleases } from './collect-new.ts';
import type { ReleasePage, ReleasePageInput } from './read-release-page.ts';
import type { GatherPart, GatherRequest, GatherSummary, SourceContext } from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceAnswer, SourceGetOptions } from './source-http.ts';
import { createTagSet } from './tag-set.ts';

export interface ReleasePages {
  firstUrl: string;
  /** The same with fewer releases per page, for releases with very many files. */
  smallFirstUrl?: string;
  /** The repository for messages: `the repository owner/repo`. */
  what: string;
  /** Where the forge describes the repository. */
  repositoryUrl: string;
  accept: string;
  headers?: Readonly<Record<string, string>>;
  /** Whose shape the entries of a page have. */
  platform: ReleasePageInput['platform'];
  /** Where the next page is; null after the last. @param count entries of this page. */
  nextUrl(answer: SourceAnswer, page: number, count: number): string | null;
  /** The message if the list is empty. */
  emptyWarning: string;
}

/** GitHub lists no more than 10,000 releases, which are a thousand of its smallest pages. */
const maxPages = 1_000;

const maxReleases = 100_000;

/** What was read is kept if a limit ends a full read after so many pages: the next one would get no further. */
const minPagesOfPart = 10;

/** GitHub returns 6 kB, with the organization and the licenses. */
const maxRepositoryBytes = 1024 * 1024;

/** 100 releases with full notes and a thousand assets between them are below 5 MiB. */
const maxPageBytes = 32 * 1024 * 1024;

/**
 * JSON lists in pages, newest first: reads until nothing is new, or to the end. Only the first page is
 * requested conditionally, because new releases appear there.
 */
export async function* gatherPages(
  request: GatherRequest,
  context: SourceContext,
  pages: ReleasePages,
): AsyncGenerator<GatherPart, GatherSummary, undefined> {
  const releases = createNewReleases();
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
  let drafts = 0;
  let listed = 0;
  /**
   * What stands below a known release was there when that was read, although it may not be known: patterns
   * and limits have kept it out. So only what stands above all known ones is new.
   */
  let isBelowKnown = false;
  /** Of the whole list, as the first page says. */
  let total: string | undefined;
  let hasOtherTotal = false;

  const firstOptions = { ...options, validators: request.isFull ? null : request.validators };
  let answer = await context.http.get(pages.firstUrl, firstOptions).catch((error: unknown) => {
    const isTooLarge = error instanceof RunError && error.code === 'too_large';
    if (!isTooLarge || pages.smallFirstUrl === undefined) throw error;
    return context.http.get(pages.smallFirstUrl, firstOptions);
  });
  const summary = (isNotModified: boolean): GatherSummary => ({
    isNotModified,
    isCompleteList,
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
    const page: ReleasePage = yield* releases.take(
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
    );
    isBelowKnown = page.isBelowKnown;
    listed += page.releases;
    drafts += page.drafts;
    skipped.add(page.skipped);
    const next = pages.nextUrl(answer, pageNumber, page.entries);
    if (next === null) {
      // A release that moves while the list is read shifts the others from page to page, and can be on none of them.
      isCompleteList = releases.repeated() === 0 && !hasOtherTotal;
      break;
    }
    if (!page.hasNew && !request.isFull) break;
    if (pageNumber >= maxPages || listed >= maxReleases) {
      warnings.push(`Only the first ${listed} releases (${pageNumber} pages) were read.`);
      break;
    }
    if (page.entries === 0 || (page.releases > 0 && !seenPages.add(page.key))) {
      warnings.push(
        `Page ${pageNumber} of the list only repeated earlier releases, so the remaining pages weren't read.`,
      );
      break;
    }
    try {
      answer = await context.http.get(next, { ...options, from: answer });
    } catch (error) {
      const isLimited = error instanceof RunError && error.code === 'rate_limited';
      if (!isLimited || !request.isFull || pageNumber < minPagesOfPart) throw error;
      const { host } = new URL(answer.url);
      warnings.push(
        `Only the first ${listed.toLocaleString('en-US')} releases were read because ${host} is rate limiting requests. If the job has no credential, add one to raise the limit.`,
      );
      break;
    }
  }
  if (listed === 0 && skipped.count() === 0 && drafts === 0) warnings.push(pages.emptyWarning);
  yield* releases.rest();
  if (!request.checksArchived) return summary(false);
  return { ...summary(false), isArchived: await findArchived(context, pages, options) };
}

/** What is known of releases is worth having without it. */
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

function totalOf({ headers }: SourceAnswer): string | undefined {
  return headers['x-total'] ?? headers['x-total-count'];
}

/** The address of `rel="next"` in a `Link` header. */
export function nextLink(answer: SourceAnswer): string | null {
  for (const [, url, parameters = ''] of (answer.headers['link'] ?? '').matchAll(/<([^<>]*)>([^<>]*)/gu)) {
    if (url && /;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:[;,]|$)/iu.test(parameters)) return url;
  }
  return null;
}
