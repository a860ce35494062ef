/**
 * Returns a domain in lowercase and with only ASCII letters, such as `xn--bcher-kva.example` for `bücher.example`,
 * because mail servers and DNS accept only this form. Returns `null` if the domain has no such form.
 */
export function asciiDomain(domain: string): string | null {
  // Only domains with non-ASCII characters are parsed as a URL, because URL parsing converts numbers to IP addresses.
  if (/^[\x20-\x7e]*$/u.test(domain)) return domain.toLowerCase();
  const url = `http://${domain}`;
  if (/[\s/?#@:\\%[\]]/u.test(domain) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

/**
 * Returns an email address with the ASCII form of its domain. If the domain has no such form, returns the address
 * unchanged.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (asciiDomain(address.slice(at)) ?? address.slice(at));
}
