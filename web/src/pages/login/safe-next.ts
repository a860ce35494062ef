/**
 * Returns the URL to open after the login. URLs with another origin are replaced with `/`, to prevent open
 * redirects.
 */
export function safeNext(next: string | undefined, origin: string): string {
  if (next === undefined || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  // The full URL is returned, because a path that starts with two slashes would refer to another host.
  return url.origin === origin ? url.href : '/';
}
