/** Where to go after the login: only to this very service, whatever the address says. */
export function safeNext(next: string | undefined, origin: string): string {
  if (next === undefined || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  // The whole address: a path alone may begin with two slashes, which names another host.
  return url.origin === origin ? url.href : '/';
}
