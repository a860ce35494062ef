import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { connectTcp } from './connect-tcp.ts';
import { type EgressGuard, isLocalhost, loopbackAddresses, normalizeHost } from './egress-guard.ts';
import { OutboundError, targetNotAllowedError } from './outbound-error.ts';
import type { OutboundProxy } from './outbound-proxy.ts';
import { raceAbort } from './race-abort.ts';
import type { ResolveName } from './resolve-name.ts';

/**
 * Opens a TCP connection to a host that a user chose. Resolves the name, checks every address, connects to one of the
 * checked addresses, and checks the peer again before sending data. An outbound proxy receives a checked address, but
 * never the address of the proxy itself. The proxy resolves only names that the operator listed. Rejects with an
 * OutboundError or with `signal.reason`.
 *
 * If one address of a name isn't allowed, the name is rejected, because a name with both public and private addresses
 * indicates an attack. The exception is `localhost`: its addresses are fixed, and the operator can have allowed only
 * one address family.
 */
export type GuardedConnect = (target: {
  hostname: string;
  port: number;
  signal: AbortSignal;
}) => Promise<Socket>;

export function createGuardedConnect(options: {
  guard: EgressGuard;
  resolveName: ResolveName;
  proxy?: OutboundProxy | null;
}): GuardedConnect {
  const { guard, resolveName, proxy = null } = options;

  async function addressesOf(name: string, host: string, signal: AbortSignal): Promise<string[]> {
    if (isIP(name) !== 0) return [name];
    if (isLocalhost(name)) return loopbackAddresses.filter((address) => guard.check(address).isAllowed);

    let addresses: string[];
    try {
      addresses = await raceAbort(resolveName(name, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new OutboundError('name_not_found', host, "couldn't resolve the host name", error);
    }
    if (addresses.length === 0)
      throw new OutboundError('name_not_found', host, 'the host name has no addresses');
    for (const address of addresses) {
      const verdict = guard.check(address);
      if (!verdict.isAllowed) throw targetNotAllowedError(host, verdict);
    }
    return addresses.slice(0, maxAddresses);
  }

  async function connectDirectly(addresses: string[], port: number, host: string, signal: AbortSignal) {
    const socket = await connectTcp(addresses, port, host, signal);
    const peer = socket.remoteAddress;
    if (peer !== undefined && addresses.some((address) => isSameAddress(address, peer))) {
      const verdict = guard.check(peer);
      if (verdict.isAllowed) return socket;
    }
    socket.destroy();
    if (peer === undefined)
      throw new OutboundError('connection_failed', host, 'the connection was closed immediately');
    throw targetNotAllowedError(host, { reason: 'not the address that was checked' });
  }

  return async ({ hostname, port, signal }) => {
    const host = `${hostname}:${port}`;
    const form = guard.checkHostForm(hostname);
    if (!form.isAllowed) throw targetNotAllowedError(host, form);
    const name = normalizeHost(hostname) ?? hostname;
    if (proxy === null) return connectDirectly(await addressesOf(name, host, signal), port, host, signal);

    const isByName = proxy.isByName(name) && !proxy.isDirect(name);
    const addresses = isByName ? [name] : await addressesOf(name, host, signal);
    if (await proxy.isItself(addresses, port, signal))
      throw targetNotAllowedError(host, { reason: 'the outbound proxy' });
    const isDirect = proxy.isDirect(name) || addresses.every((address) => proxy.isDirect(address));
    return isDirect
      ? connectDirectly(addresses, port, host, signal)
      : proxy.connect({ addresses, port, host, signal });
  };
}

/** Maximum number of addresses to try for one name. */
const maxAddresses = 8;

function isSameAddress(a: string, b: string): boolean {
  return ipaddr.parse(a).toNormalizedString() === ipaddr.parse(b).toNormalizedString();
}
