import type { FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/** Maximum number of peers that are logged, because anyone can send forwarding headers. */
const maxPeers = 10;

/**
 * Warns once for each peer that sends forwarding headers but isn't a trusted proxy, because the server considers all
 * clients of such a proxy to be one client.
 */
export function warnAboutUntrustedProxy(log: Log): (request: FastifyRequest) => void {
  const peers = new Set<string>();
  return ({ headers, ips, socket }) => {
    if (peers.size === maxPeers) return;
    const header = forwardingHeaders.find((name) => headers[name] !== undefined);
    // If `ips` has more than one address, the peer is a trusted proxy.
    if (header === undefined || (ips !== undefined && ips.length > 1)) return;
    const peer = socket.remoteAddress ?? 'unknown';
    if (peers.has(peer)) return;
    peers.add(peer);
    log.warn(
      { peer, header },
      "A request was forwarded by an address that PACEKEEPER_TRUSTED_PROXIES doesn't include. If it is your proxy, add it there and have it set X-Forwarded-For. Until then, limits count all its clients as one address.",
    );
  };
}
