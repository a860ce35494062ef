import { normalizeHost } from './egress-guard.ts';

/** The purpose of a request. Webhooks have different rules on plain HTTP than everything else. */
export type OutboundPurpose = 'webhook' | 'source' | 'git';

/** Whether this host (without brackets) and port can be requested by plain HTTP. */
export type AllowHttp = (hostname: string, port: number, purpose: OutboundPurpose) => boolean;

/**
 * @param options.insecureHosts hosts (any port) or `host:port` that sources and git may reach by plain
 *   HTTP; IPv6 with a port in brackets.
 * @param options.allowHttpWebhooks whether webhooks may go to `http://` at all.
 * @throws when an entry is not a host or `host:port`.
 */
export function createHttpPolicy(options: {
  insecureHosts: readonly string[];
  allowHttpWebhooks: boolean;
}): AllowHttp {
  const entries = new Set(options.insecureHosts.map(parseHostEntry));
  return (hostname, port, purpose) => {
    if (purpose === 'webhook') return options.allowHttpWebhooks;
    const name = normalizeHost(hostname);
    return name !== null && (entries.has(name) || entries.has(`${name} ${port}`));
  };
}

/** Whether `text` is a host or `host:port`, as the list of insecure hosts takes it. */
export function isHostEntry(text: string): boolean {
  try {
    parseHostEntry(text);
    return true;
  } catch {
    return false;
  }
}

/** `name` or `name port`; the space cannot be part of a host. */
function parseHostEntry(text: string): string {
  const entry = text.trim();
  const whole = normalizeHost(entry);
  if (whole !== null) return whole;
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/u.exec(entry) ?? [];
  const name = normalizeHost(host);
  if (name === null || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`"${text}" isn't a host or host:port`);
  }
  return `${name} ${Number(port)}`;
}
