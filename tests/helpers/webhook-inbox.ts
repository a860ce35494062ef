import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';

/** A webhook request as it arrived. */
export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Value of the `webhook-id` header. */
  id: string;
  /** Time of arrival, from `performance.now()`. */
  atMs: number;
}

/** Response of a webhook inbox. */
export type WebhookResponse =
  | { status: number; headers?: Record<string, string | string[]>; body?: string; afterMs?: number }
  /** Resets the connection without a response. */
  | { kind: 'reset' }
  /** Keeps the connection open without a response. */
  | { kind: 'silence' }
  /** Sends the response headers one byte every 100 ms, without ever completing them. */
  | { kind: 'header_drip' }
  /** Sends the headers with this status immediately, then one byte of the body every 100 ms. */
  | { kind: 'body_drip'; status?: number }
  | { kind: 'endless_body'; status?: number }
  /** Sends 200 MB of zeros, compressed with gzip. */
  | { kind: 'gzip_bomb'; status?: number }
  | { kind: 'many_headers'; count: number }
  /** Sends endless headers as fast as the client reads them. */
  | { kind: 'endless_headers' }
  | { kind: 'no_http' };

export interface WebhookInbox {
  /** Inbox URL in the form `http://127.0.0.1:PORT/`. The inbox responds to every path. */
  url: string;
  port: number;
  /** Received requests, in the order in which they arrived. */
  requests: ReceivedWebhook[];
  /** Queues responses, one per request. When the queue is empty, the response of `answerAlways` applies. */
  answerNext(...answers: WebhookResponse[]): void;
  /**
   * Sets the default response, which is status 200 initially. A function can choose the response for each
   * request.
   */
  answerAlways(answer: WebhookResponse | ((request: ReceivedWebhook) => WebhookResponse)): void;
  /** Waits until `count` requests have arrived. */
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedWebhook[]>;
  /** Closes all connections, including those that still wait for a response. */
  closeConnections(): void;
  close(): Promise<void>;
}

/** Starts a webhook receiver on loopback that records its requests and sends the configured responses. */
export async function createWebhookInbox({ port = 0 }: { port?: number } = {}): Promise<WebhookInbox> {
  const requests: ReceivedWebhook[] = [];
  const next: WebhookResponse[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const watchers = new Set<() => void>();
  let always: (request: ReceivedWebhook) => WebhookResponse = () => ({ status: 200, body: 'ok' });

  const server = createServer((request, response) => {
    response.on('error', () => {});
    void receive(request).then((received) => {
      requests.push(received);
      for (const watcher of watchers) watcher();
      answer(response, next.shift() ?? always(received), timers);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${address.port}/`,
    port: address.port,
    requests,
    answerNext: (...answers) => void next.push(...answers),
    answerAlways: (given) => {
      always = typeof given === 'function' ? given : () => given;
    },
    async waitFor(count, timeoutMs = 60_000) {
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          watchers.delete(look);
        };
        const look = () => {
          if (requests.length < count) return;
          stop();
          resolve();
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`${requests.length} of ${count} webhooks came within ${timeoutMs} ms`));
        }, timeoutMs);
        watchers.add(look);
        look();
      });
      return requests;
    },
    closeConnections: () => server.closeAllConnections(),
    async close() {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Verifies a webhook as its receiver does, with a library for the Standard Webhooks specification.
 * @returns The verified message.
 * @throws If the signature is invalid.
 */
export function verifyWebhook(request: ReceivedWebhook, signingSecret: string): unknown {
  return new Webhook(signingSecret).verify(request.body, request.headers);
}

async function receive(request: IncomingMessage): Promise<ReceivedWebhook> {
  const atMs = performance.now();
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // The sender closed the connection. Keep the data that arrived.
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
    id: headers['webhook-id'] ?? '',
    atMs,
  };
}

function answer(response: ServerResponse, given: WebhookResponse, timers: Set<NodeJS.Timeout>): void {
  const { socket } = response;
  if ('afterMs' in given && given.afterMs !== undefined) {
    const { afterMs, ...rest } = given;
    timers.add(setTimeout(() => answer(response, rest, timers), afterMs));
    return;
  }
  if (!('kind' in given)) {
    response.writeHead(given.status, given.headers).end(given.body ?? '');
    return;
  }
  switch (given.kind) {
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'silence':
      return;
    case 'no_http':
      socket?.end('220 mail.example.com ESMTP\r\n');
      return;
    case 'header_drip':
      socket?.write('HTTP/1.1 200 OK\r\nX-Drip: ');
      drip(
        () => socket?.write('a'),
        timers,
        () => socket?.destroyed ?? true,
      );
      return;
    case 'body_drip':
      response.writeHead(given.status ?? 200, { 'content-type': 'text/plain' });
      drip(
        () => response.write('a'),
        timers,
        () => response.destroyed,
      );
      return;
    case 'endless_body': {
      response.writeHead(given.status ?? 200, { 'content-type': 'text/plain' });
      pour(response, Buffer.alloc(65_536, 'x'));
      return;
    }
    case 'gzip_bomb':
      // A gzip file can consist of many members, so repeating one compressed megabyte creates the file
      // quickly.
      bomb ??= Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(1024 * 1024))));
      response.writeHead(given.status ?? 200, { 'content-encoding': 'gzip' }).end(bomb);
      return;
    case 'endless_headers':
      socket?.write('HTTP/1.1 200 OK\r\n');
      if (socket) pour(socket, Buffer.from('X-Endless: x\r\n'.repeat(4_096)));
      return;
    case 'many_headers': {
      const lines = Array.from({ length: given.count }, (_, index) => `X-Header-${index}: ${index}\r\n`);
      socket?.end(`HTTP/1.1 200 OK\r\n${lines.join('')}Connection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
  }
}

let bomb: Buffer | undefined;

function pour(target: Writable, piece: Buffer): void {
  const more = () => {
    while (!target.destroyed && target.write(piece));
  };
  target.on('drain', more);
  more();
}

function drip(write: () => void, timers: Set<NodeJS.Timeout>, hasGone: () => boolean): void {
  const timer = setInterval(() => {
    if (!hasGone()) return write();
    clearInterval(timer);
    timers.delete(timer);
  }, 100);
  timers.add(timer);
}
