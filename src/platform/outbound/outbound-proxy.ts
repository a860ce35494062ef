import { isIP, type Socket } from 'node:net';
import { connectTcp } from './connect-tcp.ts';
import { isLocalhost, loopbackAddresses, normalizeHost } from './egress-guard.ts';
import { OutboundError } from './outbound-error.ts';
import { createProxyRules, type ProxyRules } from './proxy-rules.ts';
import { raceAbort } from './race-abort.ts';
import type { ResolveName } from './resolve-name.ts';
import { secureConnection } from './secure-connection.ts';

/**
 * The operator's HTTP proxy, which opens connections with `CONNECT`. It's trusted, so the egress guard
 * doesn't check its address.
 */
export interface OutboundProxy extends ProxyRules {
  /**
   * Opens a connection to the target. Rejects with an OutboundError or with `signal.reason`.
   *
   * @param target.addresses IP addresses of one host, which are tried in order, or one name for the proxy to
   * resolve.
   * @param target.host Host name for error messages.
   */
  connect(target: ProxyTarget): Promise<Socket>;
  /** Connects to the proxy without sending a request. Rejects if the proxy can't be reached. */
  check(signal: AbortSignal): Promise<void>;
  /**
   * Returns true if one of these addresses, with this port, is the address of the proxy itself. Names are compared
   * without resolving them.
   */
  isItself(addresses: readonly string[], port: number, signal: AbortSignal): Promise<boolean>;
}

interface ProxyTarget {
  addresses: readonly string[];
  port: number;
  host: string;
  signal: AbortSignal;
}

/** The operator's settings for the proxy. */
export interface ProxySettings {
  /** URL of the proxy (`http://` or `https://`), with user and password if the proxy requires them. */
  url: string;
  /**
   * Hosts with their subdomains (`git.lan`, `.corp.example`), addresses, and ranges that are connected to without the
   * proxy.
   */
  noProxy: readonly string[];
  /** Hosts that the proxy resolves, including their subdomains. */
  proxyHosts: readonly string[];
}

/**
 * Creates a client for the operator's proxy.
 *
 * @param ca Certificates (PEM) that are trusted instead of the system's certificates.
 */
export function createOutboundProxy(
  settings: ProxySettings,
  resolveName: ResolveName,
  ca?: string,
): OutboundProxy {
  const url = new URL(settings.url);
  const name = normalizeHost(url.hostname) ?? url.hostname;
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const authorization =
    url.username === ''
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(
          `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
        ).toString('base64')}\r\n`;

  async function addresses(signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(name) !== 0) return [name];
    return isLocalhost(name) ? loopbackAddresses : raceAbort(resolveName(name, signal), signal);
  }

  async function open(host: string, signal: AbortSignal): Promise<Socket> {
    const socket = await connectTcp(await addresses(signal), port, host, signal);
    return isTls ? secureConnection(socket, name, { ca, protocols: ['http/1.1'] }, signal) : socket;
  }

  async function connectToProxy(host: string, signal: AbortSignal): Promise<Socket> {
    try {
      return await open(host, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new OutboundError('connection_failed', host, "couldn't reach the outbound proxy", error);
    }
  }

  /**
   * Sends a `CONNECT` request. Returns the response status, and the connection, which is open only if the
   * status is 200.
   */
  async function requestTunnel(address: string, { port: targetPort, host, signal }: ProxyTarget) {
    const socket = await connectToProxy(host, signal);
    const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${targetPort}`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
    try {
      const status = await raceAbort(readStatus(socket), signal);
      if (status !== 200) socket.destroy();
      return { status, socket };
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      throw new OutboundError('connection_failed', host, 'the outbound proxy closed the connection', error);
    }
  }

  return {
    ...createProxyRules(settings),

    async connect(target) {
      let status = 0;
      for (const address of target.addresses.slice(0, maxAttempts)) {
        const answer = await requestTunnel(address, target);
        if (answer.status === 200) return answer.socket;
        ({ status } = answer);
        // A status below 500 is a rejection, which applies to all addresses. After another status, the next address may
        // be reachable.
        if (status < 500) break;
      }
      throw new OutboundError('connection_failed', target.host, connectFailure(status));
    },

    async check(signal) {
      const socket = await open(url.host, signal);
      socket.destroy();
    },

    async isItself(targets, targetPort, signal) {
      if (targetPort !== port) return false;
      const own = await addresses(signal).catch((): readonly string[] => []);
      signal.throwIfAborted();
      return targets.some((target) => target === name || own.includes(target));
    },
  };
}

const maxAttempts = 3;
/** Maximum size of the response to `CONNECT`, which consists only of headers. */
const maxHeadBytes = 16_384;

/** Reads the head of the response and returns its status. Later data stays in the socket. */
function readStatus(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (): void => {
      socket.off('data', onData).off('error', fail).off('close', onClose);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const onClose = (): void => fail(new Error('closed before the response'));
    const onData = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (head.length > maxHeadBytes) fail(new Error('the response is too long'));
        return;
      }
      settle();
      socket.pause();
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1')) ?? [];
      if (status === undefined) reject(new Error('the response is not HTTP'));
      else resolve(Number(status));
    };
    socket.on('data', onData).on('error', fail).on('close', onClose);
    // A destroyed socket may already have emitted its events.
    if (socket.destroyed) onClose();
  });
}

function connectFailure(status: number): string {
  if (status === 407) return 'the outbound proxy requires other credentials (407)';
  if (status === 403 || status === 405) return `the outbound proxy doesn't allow this connection (${status})`;
  return `the outbound proxy couldn't connect (${status})`;
}
