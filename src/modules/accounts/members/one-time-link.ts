/** The address of a page with a token. After the `#` it reaches no server's log and no Referer. */
export function oneTimeLink(
  baseUrl: string,
  path: '/invitations/accept' | '/reset-password',
  token: string,
): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}#token=${token}`;
}
