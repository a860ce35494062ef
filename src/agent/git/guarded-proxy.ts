import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { type GuardedConnect, normalizeHost, OutboundError } from '../../platform/outbound/index.ts';

/**
 * The only network access of git and ssh: an HTTP proxy on loopback. A client needs a ticket, which allows
 * guarded connections to one host and port, and limits how many bytes can be received over them.
 */
export interface GuardedProxy {
  open(target: ProxyTarget): Promise<ProxyTicket>;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface ProxyTarget {
  /** Hostname without brackets. */
  hostname: string;
  port: number;
  /** True if plain HTTP requests in absolute form are allowed. False if only CONNECT tunnels are. */
  isPlain: boolean;
  /** Limit for all data that is received with the ticket. */
  maxBytes: number;
}

export interface ProxyTicket {
  readonly port: number;
  readonly user: string;
  readonly secret: string;
  /**
   * Returns the error of a rejected or failed connection if it's the reason for git's error, otherwise null.
   */
  failure(): OutboundError | null;
  /** True if more than `maxBytes` was received and the connections were closed. */
  isOverLimit(): boolean;
  /** Revokes the secret and closes the connections of the ticket. */
  close(): void;
}

interface OpenTicket extends ProxyTarget {
  bytes: number;
  failure: OutboundError | null;
  sockets: Set<Duplex>;
  ending: AbortController;
}

const user = 'pacekeeper';
const connectTimeoutMs = 15_000;

export function createGuardedProxy(connect: GuardedConnect): GuardedProxy {
  const tickets = new Map<string, OpenTicket>();
  let listening: Promise<number> | null = null;

  const server = createServer((request, response) => void forward(request, response));
  server.on('connect', (request: IncomingMessage, socket: Duplex) => void tunnel(request, socket));
  server.on('connection', (socket: Socket) => socket.unref());

  function listen(): Promise<number> {
    listening ??= new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        server.unref();
        const address = server.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
    return listening;
  }

  function ticketOf(request: IncomingMessage): OpenTicket | null {
    const [, encoded = ''] = /^basic +(\S+)$/iu.exec(request.headers['proxy-authorization'] ?? '') ?? [];
    const [name, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    // A map lookup is safe here: a secret of 32 random bytes can't be guessed from response times.
    return name === user ? (tickets.get(rest.join(':')) ?? null) : null;
  }

  /** Opens a guarded connection to the target of the ticket. */
  async function connectToTarget(ticket: OpenTicket, hostname: string, port: number): Promise<Socket> {
    const name = normalizeHost(hostname);
    if (name === null || name !== normalizeHost(ticket.hostname) || port !== ticket.port) {
      throw new OutboundError(
        'target_not_allowed',
        `${hostname}:${port}`,
        'the repository redirects to another host',
      );
    }
    const timeout = AbortSignal.timeout(connectTimeoutMs);
    try {
      const socket = await connect({
        hostname: ticket.hostname,
        port,
        signal: AbortSignal.any([ticket.ending.signal, timeout]),
      });
      keep(ticket, socket);
      return socket;
    } catch (error) {
      if (error instanceof OutboundError || !timeout.aborted) throw error;
      throw new OutboundError('timeout', `${hostname}:${port}`, 'the connection timed out', error);
    }
  }

  function keep(ticket: OpenTicket, socket: Duplex): void {
    if (ticket.ending.signal.aborted) socket.destroy();
    ticket.sockets.add(socket);
    socket.on('error', () => {}).on('close', () => ticket.sockets.delete(socket));
  }

  /**
   * Counts received bytes. Call this in the same tick as `pipe`, because a `data` listener starts the flow.
   */
  function count(ticket: OpenTicket, incoming: Readable): void {
    incoming.on('data', (chunk: Buffer) => {
      ticket.bytes += chunk.byteLength;
      if (ticket.bytes <= ticket.maxBytes) return;
      for (const socket of ticket.sockets) socket.destroy();
    });
  }

  async function tunnel(request: IncomingMessage, client: Duplex): Promise<void> {
    client.on('error', () => {});
    const ticket = ticketOf(request);
    if (!ticket) return refuse(client, 407, 'Proxy-Authenticate: Basic realm="pacekeeper"\r\n');
    keep(ticket, client);
    const [, hostname = '', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/u.exec(request.url ?? '') ?? [];
    try {
      const socket = await connectToTarget(ticket, hostname, Number(port));
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      count(ticket, socket);
      socket.pipe(client);
      client.pipe(socket);
      socket.on('close', () => client.destroy());
      client.on('close', () => socket.destroy());
    } catch (error) {
      recordFailure(ticket, error);
      refuse(client, 403);
    }
  }

  /** Forwards a plain HTTP request unchanged, except for the headers that were meant for this proxy. */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ticket = ticketOf(request);
    if (!ticket)
      return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="pacekeeper"' }).end();
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null;
    if (!url || url.protocol !== 'http:' || !ticket.isPlain) return void response.writeHead(403).end();
    try {
      const socket = await connectToTarget(ticket, url.hostname, Number(url.port) || 80);
      const outgoing = sendRequest({
        createConnection: () => socket,
        host: url.hostname,
        port: Number(url.port) || 80,
        method: request.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers: endToEnd(request.headers, url.host),
        setHost: false,
      });
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
        count(ticket, answer);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => socket.destroy());
      request.pipe(outgoing);
    } catch (error) {
      recordFailure(ticket, error);
      response.writeHead(403).end();
    }
  }

  return {
    async open(target) {
      const port = await listen();
      const secret = randomBytes(32).toString('base64url');
      const ticket: OpenTicket = {
        ...target,
        bytes: 0,
        failure: null,
        sockets: new Set(),
        ending: new AbortController(),
      };
      tickets.set(secret, ticket);
      return {
        port,
        user,
        secret,
        failure: () => ticket.failure,
        isOverLimit: () => ticket.bytes > ticket.maxBytes,
        close() {
          tickets.delete(secret);
          ticket.ending.abort();
          for (const socket of ticket.sockets) socket.destroy();
        },
      };
    },

    async close() {
      for (const ticket of tickets.values()) {
        ticket.ending.abort();
        for (const socket of ticket.sockets) socket.destroy();
      }
      tickets.clear();
      if (listening === null) return;
      await listening;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function recordFailure(ticket: OpenTicket, error: unknown): void {
  if (error instanceof OutboundError) ticket.failure ??= error;
}

function refuse(client: Duplex, status: number, header = ''): void {
  client.end(`HTTP/1.1 ${status} Refused\r\n${header}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function endToEnd(headers: IncomingMessage['headers'], host?: string): Record<string, string | string[]> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || hopByHop.has(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(
    host === undefined ? kept : [...kept.filter(([name]) => name !== 'host'), ['host', host]],
  );
}
