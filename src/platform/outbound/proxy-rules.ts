import ipaddr from 'ipaddr.js';
import { normalizeHost } from './egress-guard.ts';

/** Rules that decide which connections use the outbound proxy, and which names it resolves. */
export interface ProxyRules {
  /**
   * Returns true if connections to this host (a name, or an IP address without brackets) don't use the proxy.
   */
  isDirect(host: string): boolean;
  /** Returns true if the proxy gets this name unresolved and unchecked. */
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
