/** Returns the path of a base URL without a slash at its end, such as `/pacekeeper`; empty if there's none. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}
