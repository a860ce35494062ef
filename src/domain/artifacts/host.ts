/**
 * `host` or `host:port` in the spelling of a URL: lower case, `0x7f.1` as `127.0.0.1`, IPv6 in brackets, port 443 left
 * out. Null when the text is neither, or when no name server could know the name.
 */
export function readHost(text: string): string | null {
  if (text === '' || /[\s/?#@\\%]/u.test(text)) return null;
  const isBareIpv6 = !text.startsWith('[') && /:.*:/u.test(text);
  const address = `https://${isBareIpv6 ? `[${text}]` : text}/`;
  if (!URL.canParse(address)) return null;
  const { hostname, port } = new URL(address);
  const name = hostname.replace(/\.$/u, '');
  if (!isHostName(name) || port === '0') return null;
  return port === '' ? name : `${name}:${port}`;
}

/** Of a `hostname` as a URL has it: whether every label of it can be one. An address is a name here. */
export function isHostName(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  const labels = hostname.replace(/\.$/u, '').split('.');
  return hostname.length <= 254 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u.test(label));
}

/** Whether a text without a scheme begins with what only a host can be: it has a dot or a port, or is this machine. */
export function looksLikeHost(text: string): boolean {
  return /[.:]/u.test(text) || text.toLowerCase() === 'localhost';
}
