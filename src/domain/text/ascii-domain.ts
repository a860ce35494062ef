/**
 * Returns a domain in lowercase and with only ASCII letters, such as `xn--bcher-kva.example` for `bücher.example`,
 * because mail servers and DNS know only that form. Returns `null` for a domain that has no such form.
 */
export function asciiDomain(domain: string): string | null {
  // Only names with non-ASCII letters are converted, because URL parsing turns numbers into IP addresses.
  if (/^[\x20-\x7e]*$/u.test(domain)) return domain.toLowerCase();
  const url = `http://${domain}`;
  if (/[\s/?#@:\\%[\]]/u.test(domain) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

/** Returns an email address with the ASCII form of its domain. A domain without such a form stays as it is. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (asciiDomain(address.slice(at)) ?? address.slice(at));
}
