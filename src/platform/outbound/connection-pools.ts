import type { Socket } from 'node:net';
import { type buildConnector, Pool } from 'undici';
import type { GuardedConnect } from './guarded-connect.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { secureConnection } from './secure-connection.ts';

export interface ConnectionOptions {
  /** Certificates (PEM) that are trusted instead of the system's certificates. */
  ca?: string;
  /** Timeout for name resolution, TCP, and TLS of one connection. Default: 10 s. */
  connectTimeoutMs?: number;
  /** Maximum number of hosts with open connections. Default: 256. */
  maxOrigins?: number;
  /** Maximum number of connections per origin. Default: 128. */
  maxConnectionsPerOrigin?: number;
}

interface PoolLease {
  pool: Pool;
  releasePool: () => void;
}

/**
 * Creates one connection pool per origin. Idle connections close after a few seconds. Beyond `maxOrigins`,
 * the pool that has been idle longest is closed, so that a scan of thousands of hosts doesn't leave pools
 * behind.
 */
export function createConnectionPools(guardedConnect: GuardedConnect, options: ConnectionOptions) {
  const connect = createConnector(guardedConnect, options);
  const maxOrigins = options.maxOrigins ?? 256;
  const pools = new Map<string, { pool: Pool; inFlight: number }>();

  function make(origin: string): Pool {
    return new Pool(origin, {
      connect,
      connections: options.maxConnectionsPerOrigin ?? 128,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: 4_000,
      // Without this limit, a server could request that its connections stay open for ten minutes.
      keepAliveMaxTimeout: 10_000,
      // Connections that stay busy are replaced after this time, so that the name is resolved and checked again.
      clientTtl: 60_000,
      // Node's default is sufficient, because sources read only a few hundred characters of headers.
      maxHeaderSize: 16_384,
      // The deadline of the request covers headers and body, also for servers that send them slowly.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  function evictIdle(): void {
    for (const [origin, entry] of pools) {
      if (pools.size < maxOrigins) return;
      if (entry.inFlight > 0) continue;
      pools.delete(origin);
      entry.pool.destroy().catch(() => {});
    }
  }

  function take(origin: string): PoolLease {
    let entry = pools.get(origin);
    if (!entry) evictIdle();
    entry ??= { pool: make(origin), inFlight: 0 };
    // Reinsert the entry, so that the map is ordered by last use.
    pools.delete(origin);
    pools.set(origin, entry);
    entry.inFlight += 1;
    let isTaken = true;
    const release = (): void => {
      if (isTaken) entry.inFlight -= 1;
      isTaken = false;
    };
    return { pool: entry.pool, releasePool: release };
  }

  const close = async (): Promise<void> => {
    const open = [...pools.values()];
    pools.clear();
    // Destroy idle pools, because close() would wait for connections that are no longer in use.
    await Promise.all(open.map((entry) => (entry.inFlight > 0 ? entry.pool.close() : entry.pool.destroy())));
  };

  return { take, close };
}

/** Returns a connector for undici that opens connections with a guarded connect function. */
export function createConnector(
  connect: GuardedConnect,
  options: ConnectionOptions,
): buildConnector.connector {
  const timeoutMs = options.connectTimeoutMs ?? 10_000;

  async function open(target: buildConnector.Options): Promise<Socket> {
    const isTls = target.protocol === 'https:';
    const port = target.port === '' ? (isTls ? 443 : 80) : Number(target.port);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const socket = await connect({ hostname: target.hostname, port, signal });
      socket.setKeepAlive(true, 60_000);
      return isTls
        ? await secureConnection(socket, target.hostname, { ca: options.ca, protocols: ['http/1.1'] }, signal)
        : socket;
    } catch (error) {
      const host = `${target.hostname}:${port}`;
      if (!signal.aborted) throw error;
      throw new OutboundError('timeout', host, `no connection within ${timeoutMs} ms`, error);
    }
  }

  return (target, callback) => {
    open(target).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(toOutboundError(error, target.hostname), null),
    );
  };
}
