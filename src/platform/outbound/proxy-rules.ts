import ipaddr from 'ipaddr.js';
import { normalizeHost } from './egress-guard.ts';

/** Which targets go through the outbound proxy, and how. */
export interface ProxyRules {
  /** Whether this host (a name, or an IP address without brackets) is reached without the proxy. */
  isDirect(host: string): boolean;
  /** Whether the proxy is given this name, unresolved and unchecked. */
  isByName(name: string): boolean;
}

export function createProxyRules(options: {
  noProxy: readonly string[];
  proxyHosts: readonly string[];
}): ProxyRules {
  const ranges = options.noProxy.filter((entry) => ipaddr.isValidCIDR(entry)).map(ipaddr.parseCIDR);
  const direct = options.noProxy.filter((entry) => !ipaddr.isValidCIDR(entry)).map(bareName);
  const byName = options.proxyHosts.map(bareName);

  return {
    isDirect(host) {
      if (!ipaddr.isValid(host)) return isWithin(host, direct);
      const address = ipaddr.process(host);
      return ranges.some(([base, prefix]) => base.kind() === address.kind() && address.match(base, prefix));
    },
    isByName: (name) => isWithin(name, byName),
  };
}

function isWithin(name: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => name === host || name.endsWith(`.${host}`));
}

function bareName(entry: string): string {
  const name = entry.replace(/^\./, '');
  return normalizeHost(name) ?? name;
}
