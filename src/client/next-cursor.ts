/** Returns the cursor in the `Link` header of a page, or `null` for the last page. */
export function nextCursor(headers: Headers): string | null {
  const [, link] = /<([^<>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return link === undefined ? null : new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor');
}
