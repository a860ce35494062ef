import type { SourceHead } from './source-http.ts';

/** Maximum length of a header that is parsed. Links and challenges of real servers have a few hundred characters. */
export const maxParsedHeader = 4_096;

/** Returns the `Link` header of a response. One that is too long to be parsed counts as missing. */
export function linkHeader({ headers }: Pick<SourceHead, 'headers'>): string | undefined {
  return isLinkTooLong({ headers }) ? undefined : headers['link'];
}

/** True if the response has a `Link` header that isn't parsed, so that the list can have a page that isn't known. */
export function isLinkTooLong({ headers }: Pick<SourceHead, 'headers'>): boolean {
  return (headers['link']?.length ?? 0) > maxParsedHeader;
}

/** Returns the URL of `rel="next"` in a `Link` header. */
export function nextLink(answer: Pick<SourceHead, 'headers'>): string | null {
  return findLinkUrl(answer, 'next');
}

/** Returns the URL of a relation, which can be one of several: `rel="next last"`. */
export function findLinkUrl(answer: Pick<SourceHead, 'headers'>, relation: 'next' | 'last'): string | null {
  for (const link of (linkHeader(answer) ?? '').split('<').slice(1)) {
    const end = link.indexOf('>');
    if (end > 0 && relationsOf(link.slice(end + 1)).includes(relation)) return link.slice(0, end);
  }
  return null;
}

function relationsOf(parameters: string): string[] {
  return parameters
    .toLowerCase()
    .split(';')
    .flatMap((parameter) => {
      const equals = parameter.indexOf('=');
      if (equals < 0 || parameter.slice(0, equals).trim() !== 'rel') return [];
      const [value = ''] = parameter.slice(equals + 1).split(',', 1);
      return value.replaceAll(/["']/gu, ' ').trim().split(/\s+/u);
    });
}

/** Explains in a run's warnings why the list can be incomplete. */
export function longLinkWarning({ url, headers }: Pick<SourceHead, 'url' | 'headers'>): string {
  const length = (headers['link'] ?? '').length.toLocaleString('en-US');
  return `${new URL(url).host} sent a Link header with ${length} characters. Headers longer than ${maxParsedHeader.toLocaleString('en-US')} characters aren't read, so the remaining pages weren't read either.`;
}
