/**
 * Parses `host` or `host:port` and normalizes it like a URL: lowercase, `0x7f.1` as `127.0.0.1`, IPv6 in
 * brackets, and without port 443. Returns `null` for other text and for names that DNS can't resolve.
 */
export function readHost(text: string): string | null {
  if (text === '' || /[\s/?#@\\%]/u.test(text)) return null;
  const isBareIpv6 = !text.startsWith('[') && text.indexOf(':') !== text.lastIndexOf(':');
  const address = `https://${isBareIpv6 ? `[${text}]` : text}/`;
  if (!URL.canParse(address)) return null;
  const { hostname, port } = new URL(address);
  const name = hostname.replace(/\.$/u, '');
  if (!isHostName(name) || port === '0') return null;
  return port === '' ? name : `${name}:${port}`;
}

/** True if every label of a URL's `hostname` is valid. IP addresses are valid, too. */
export function isHostName(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  const labels = hostname.replace(/\.$/u, '').split('.');
  return hostname.length <= 254 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u.test(label));
}

/** True if text without a scheme starts with a host: it contains a dot or a port, or is `localhost`. */
export function looksLikeHost(text: string): boolean {
  return /[.:]/u.test(text) || text.toLowerCase() === 'localhost';
}
