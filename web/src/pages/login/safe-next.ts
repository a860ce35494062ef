/** Where to go after the login: only to this very service, whatever the address says. */
export function safeNext(next: string | undefined, origin: string): string {
  if (next === undefined || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : '/';
}
