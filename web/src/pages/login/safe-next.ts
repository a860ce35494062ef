/**
 * Returns the URL to open after the login. URLs with another origin are replaced with the first page, to prevent
 * open redirects.
 *
 * @param next A path below the base path, or a URL that contains the base path.
 * @param serverUrl URL of the installation: origin and base path.
 */
export function safeNext(next: string | undefined, serverUrl: string): string {
  const { origin, pathname: basePath } = new URL(serverUrl);
  const home = new URL(`${basePath.replace(/\/+$/, '')}/`, origin);
  if (next === undefined || !URL.canParse(next, origin)) return home.href;
  const url = new URL(next, origin);
  if (url.origin !== origin) return home.href;
  const path = url.href.slice(origin.length);
  // The full URL is returned, because a path that starts with two slashes would refer to another host.
  return path.startsWith(home.pathname) ? url.href : `${serverUrl}${path}`;
}
