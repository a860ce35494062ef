import type { FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/** Of peers that are told of. Anyone can pretend to forward. */
const maxPeers = 10;

/**
 * Warns once for each peer whose requests say that they were forwarded although it isn't a trusted proxy: everyone behind
 * it counts as one client.
 */
export function warnOfUnnamedProxy(log: Log): (request: FastifyRequest) => void {
  const peers = new Set<string>();
  return ({ headers, ips, socket }) => {
    if (peers.size === maxPeers) return;
    const header = forwardingHeaders.find((name) => headers[name] !== undefined);
    // Whoever is in the list next to the peer was named by a trusted proxy.
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
