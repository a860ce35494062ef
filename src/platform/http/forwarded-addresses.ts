import type { IncomingMessage } from 'node:http';

/**
 * Removes the ports from the addresses in `X-Forwarded-For`. Some proxies add ports, for example Azure
 * Application Gateway. Each connection has a different port, so each would otherwise be considered a separate
 * client.
 */
export function removeForwardedPorts({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return;
  headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',');
}

/** Accepts `203.0.113.7:1234`, `[2001:db8::1]:1234`, and `[2001:db8::1]`. Other strings stay unchanged. */
function withoutPort(text: string): string {
  const [, ipv4, ipv6] =
    /^(?:(\d+(?:\.\d+){3}):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i.exec(text.trim()) ?? [];
  return ipv4 ?? ipv6 ?? text;
}
