import { normalizeHost } from './egress-guard.ts';

/** The purpose of a request. Webhooks have different rules for plain HTTP than other requests. */
export type OutboundPurpose = 'webhook' | 'source' | 'git';

/** Returns true if this host (without brackets) and port can be requested over plain HTTP. */
export type AllowHttp = (hostname: string, port: number, purpose: OutboundPurpose) => boolean;

/**
 * Creates the policy for plain HTTP.
 *
 * @param options.insecureHosts Hosts (any port) or `host:port` that sources and git can request over plain
 * HTTP. IPv6 with a port requires brackets.
 * @param options.allowHttpWebhooks True if webhooks can use `http://`.
 * @throws If an entry isn't a host or `host:port`.
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

/** True if `text` is a host or `host:port`, as in the list of insecure hosts. */
export function isHostEntry(text: string): boolean {
  try {
    parseHostEntry(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns `name` or `name port`. The separator is a space because a host can't contain one. */
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
