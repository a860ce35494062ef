import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type buildConnector, Pool } from 'undici';
import { normalizeHost } from './egress-guard.ts';
import type { GuardedConnect } from './guarded-connect.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export interface ConnectionOptions {
  /** Certificates (PEM) that are trusted instead of the system's. */
  ca?: string;
  /** For name, TCP and TLS of one connection. Default 10 s. */
  connectTimeoutMs?: number;
  /** Hosts whose connections are kept open for the next request. Default 256. */
  maxOrigins?: number;
  /** Default 128. */
  maxConnectionsPerOrigin?: number;
}

interface PoolLease {
  pool: Pool;
  giveBack: () => void;
}

/**
 * One pool of connections for an origin. Idle ones close after a few seconds; beyond `maxOrigins` the
 * pool that has been idle longest goes, so that a sweep over thousands of hosts leaves nothing behind.
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
      // Else a server could ask us to hold its connections for ten minutes.
      keepAliveMaxTimeout: 10_000,
      // A busy connection is renewed now and then, which resolves and checks the name again.
      clientTtl: 60_000,
      maxHeaderSize: 65_536,
      // The deadline of the request covers both, also for servers that drip.
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
    // Re-inserted at the end: the map's order is the order of last use.
    pools.delete(origin);
    pools.set(origin, entry);
    entry.inFlight += 1;
    let isTaken = true;
    const giveBack = (): void => {
      if (isTaken) entry.inFlight -= 1;
      isTaken = false;
    };
    return { pool: entry.pool, giveBack };
  }

  const close = async (): Promise<void> => {
    const open = [...pools.values()];
    pools.clear();
    // close() would wait for connections that nobody waits for any more.
    await Promise.all(open.map((entry) => (entry.inFlight > 0 ? entry.pool.close() : entry.pool.destroy())));
  };

  return { take, close };
}

/** Makes undici open its connections through the guard. */
function createConnector(
  guardedConnect: GuardedConnect,
  options: ConnectionOptions,
): buildConnector.connector {
  const timeoutMs = options.connectTimeoutMs ?? 10_000;

  async function open(target: buildConnector.Options): Promise<Socket> {
    const isTls = target.protocol === 'https:';
    const port = target.port === '' ? (isTls ? 443 : 80) : Number(target.port);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const socket = await guardedConnect({ hostname: target.hostname, port, signal });
      socket.setKeepAlive(true, 60_000);
      return isTls ? await secure(socket, target.hostname, options.ca, signal) : socket;
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

/** TLS on a connection that is open; the certificate is checked against the name that was asked for. */
function secure(
  socket: Socket,
  hostname: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = normalizeHost(hostname) ?? hostname;
    const tls = connectTls({
      socket,
      host: name,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(ca === undefined ? {} : { ca }),
      ALPNProtocols: ['http/1.1'],
    });
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      tls.on('error', () => {}).destroy();
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason);
    const onError = (error: unknown): void => {
      fail(new OutboundError('tls_failed', hostname, tlsSentence(error), error));
    };
    const onClose = (): void => onError(new Error('closed during the handshake'));
    signal.addEventListener('abort', onAbort, { once: true });
    tls.once('error', onError);
    tls.once('close', onClose);
    tls.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort);
      tls.off('error', onError).off('close', onClose);
      resolve(tls);
    });
  });
}

function tlsSentence(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'the certificate has expired';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'the certificate is for a different host';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return "the certificate isn't signed by a trusted authority";
    default:
      return 'TLS connection failed';
  }
}
