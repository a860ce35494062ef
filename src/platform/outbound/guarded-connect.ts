import { connect, isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type EgressGuard, isLocalhost, loopbackAddresses, normalizeHost } from './egress-guard.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { raceAbort } from './race-abort.ts';
import type { ResolveName } from './resolve-name.ts';

/**
 * Opens a TCP connection to a host that somebody else chose. The name is resolved here, every address
 * is checked, the connection goes to one of the checked ones, and the peer is checked again before a
 * byte is sent. Rejects with an OutboundError, or with `signal.reason`.
 *
 * One refused address refuses the name: a name that is both public and private is a trap. `localhost`
 * is the exception, as its addresses are known and the operator may have allowed one family only.
 */
export type GuardedConnect = (target: {
  hostname: string;
  port: number;
  signal: AbortSignal;
}) => Promise<Socket>;

export function createGuardedConnect(options: {
  guard: EgressGuard;
  resolveName: ResolveName;
}): GuardedConnect {
  const { guard, resolveName } = options;

  async function addressesOf(hostname: string, host: string, signal: AbortSignal): Promise<string[]> {
    const form = guard.checkHostForm(hostname);
    if (!form.isAllowed) throw refused(host, form.reason);
    const name = normalizeHost(hostname) ?? hostname;
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
      if (!verdict.isAllowed) throw refused(host, verdict.reason);
    }
    return addresses.slice(0, maxAddresses);
  }

  return async ({ hostname, port, signal }) => {
    const host = `${hostname}:${port}`;
    const addresses = await addressesOf(hostname, host, signal);
    signal.throwIfAborted();
    const socket = await connectTcp(addresses, port, host, signal);
    const peer = socket.remoteAddress;
    if (peer !== undefined && addresses.some((address) => isSameAddress(address, peer))) {
      const verdict = guard.check(peer);
      if (verdict.isAllowed) return socket;
    }
    socket.destroy();
    if (peer === undefined)
      throw new OutboundError('connection_failed', host, 'the connection was closed immediately');
    throw refused(host, 'not the address that was checked');
  };
}

/** A name with a thousand addresses shall not buy a thousand attempts. */
const maxAddresses = 8;
/** How long one of several addresses may take before the next one is tried, in ms. */
const nextAddressAfterMs = 1_000;

function refused(host: string, reason: string): OutboundError {
  return new OutboundError('target_not_allowed', host, `this address isn't allowed: it is ${reason}`);
}

function connectTcp(addresses: string[], port: number, host: string, signal: AbortSignal): Promise<Socket> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  return new Promise((resolve, reject) => {
    const socket = connect({
      // Never a name that could be resolved once more: `lookup` hands out what was checked.
      host: 'checked.invalid',
      port,
      lookup: (_name, _options, callback) => callback(null, pinned),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
      noDelay: true,
    });
    const settle = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
    };
    const onAbort = (): void => {
      settle();
      socket.on('error', () => {}).destroy();
      reject(signal.reason);
    };
    const onError = (error: Error): void => {
      settle();
      reject(toOutboundError(error, host));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError);
    socket.once('connect', () => {
      settle();
      // Whoever takes the socket listens; until then an error must not end the process.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

function isSameAddress(a: string, b: string): boolean {
  return ipaddr.parse(a).toNormalizedString() === ipaddr.parse(b).toNormalizedString();
}
