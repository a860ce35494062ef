import { RunError } from '../platform/errors.ts';
import { createPartCollector } from './collect-parts.ts';
import { parseJsonBody } from './json-body.ts';
import type {
  GatheredRelease,
  GatherPart,
  GatherRequest,
  GatherSummary,
  SourceContext,
} from './release-source.ts';
import { createSkippedItems } from './skipped-items.ts';
import type { SourceAnswer, SourceGetOptions } from './source-http.ts';

export interface ReleasePages {
  firstUrl: string;
  /** The same with fewer releases on a page, for those that bring very many files. */
  smallFirstUrl?: string;
  /** The repository in words: `the repository owner/repo`. */
  what: string;
  accept: string;
  headers?: Readonly<Record<string, string>>;
  /** One entry of a page. */
  readEntry(entry: unknown): ReleaseEntry;
  /** Where the next page is; null after the last. @param count entries of this page. */
  nextUrl(answer: SourceAnswer, page: number, count: number): string | null;
  /** Said when the list is empty. */
  emptyWarning: string;
}

export type ReleaseEntry =
  | { kind: 'release'; release: GatheredRelease }
  /** Not meant for anyone yet: left out without a word. */
  | { kind: 'draft' }
  | { kind: 'skipped'; name: string; reason: string };

/** GitHub lists no more than 10,000 releases, which are a thousand of its smallest pages. */
const maxPages = 1_000;

const maxReleases = 100_000;

/** 100 releases with full notes and a thousand assets between them are below 5 MiB. */
const maxPageBytes = 32 * 1024 * 1024;

/**
 * Lists of JSON in pages, newest first: reads until nothing is new, or to the end. Only the first page is
 * asked for conditionally, because a new release shows there.
 */
export async function* gatherPages(
  request: GatherRequest,
  context: SourceContext,
  pages: ReleasePages,
): AsyncGenerator<GatherPart, GatherSummary, undefined> {
  const known = new Set(request.knownTags);
  const seen = new Set<string>();
  const skipped = createSkippedItems();
  const parts = createPartCollector<GatheredRelease>();
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
  /**
   * What stands below a known release was there when that was read, although it may not be known: patterns
   * and limits have kept it out. So only what stands above all known ones is new.
   */
  let isBelowKnown = false;

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
    found: seen.size,
    skipped: skipped.count(),
    skippedExamples: skipped.examples,
    warnings,
  });
  const validators = answer.validators ?? (answer.status === 304 ? request.validators : null);
  if (answer.status === 304) return summary(true);

  for (let page = 1; ; page += 1) {
    const entries = readList(answer, pages.what);
    const seenBefore = seen.size + drafts + skipped.count();
    let hasNew = false;
    for (const entry of entries) {
      const result = pages.readEntry(entry);
      if (result.kind === 'draft') drafts += 1;
      if (result.kind === 'skipped') skipped.skip(result.name, result.reason);
      // A release that was made while we turn the page moves the last one of it to the next page.
      if (result.kind !== 'release' || seen.has(result.release.tag)) continue;
      seen.add(result.release.tag);
      if (known.has(result.release.tag)) isBelowKnown = true;
      if (!isBelowKnown) hasNew = true;
      const full = parts.add(result.release);
      if (full) yield { releases: full };
    }
    const next = pages.nextUrl(answer, page, entries.length);
    if (next === null) {
      isCompleteList = true;
      break;
    }
    if (!hasNew && !request.isFull) break;
    if (page >= maxPages || seen.size >= maxReleases) {
      warnings.push(`Only the first ${seen.size} releases of ${page} pages were read; there are more.`);
      break;
    }
    if (seen.size + drafts + skipped.count() === seenBefore) {
      warnings.push(
        `Page ${page} of the list brought nothing that was not there before; the rest was not read.`,
      );
      break;
    }
    answer = await context.http.get(next, { ...options, from: answer });
  }
  if (seen.size === 0 && skipped.count() === 0 && drafts === 0) warnings.push(pages.emptyWarning);
  const rest = parts.rest();
  if (rest.length > 0) yield { releases: rest };
  return summary(false);
}

function readList(answer: SourceAnswer, what: string): unknown[] {
  const body = parseJsonBody(answer, { what });
  if (Array.isArray(body)) return body;
  throw new RunError(
    'invalid_index',
    `${new URL(answer.url).host} answered with something that is no list of releases when asked for ${what}. Check that the address is that of the right kind of source.`,
  );
}

/** The address of `rel="next"` in a `Link` header. */
export function nextLink(answer: SourceAnswer): string | null {
  for (const [, url, parameters = ''] of (answer.headers['link'] ?? '').matchAll(/<([^<>]*)>([^<>]*)/gu)) {
    if (url && /;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:[;,]|$)/iu.test(parameters)) return url;
  }
  return null;
}
