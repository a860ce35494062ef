import { request } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  startUpstreamServer,
  type UpstreamServer,
} from '../../../tests/helpers/upstreams/upstream-server.ts';
import { createEgressGuard, createOutboundClient } from '../../platform/outbound/index.ts';
import { createGuardedProxy, type ProxyTicket } from './guarded-proxy.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(
  options: { allow?: string[]; isPlain?: boolean; maxBytes?: number; hostname?: string } = {},
) {
  const server = await startUpstreamServer((_, response) => void response.end('x'.repeat(10_000)));
  closers.push(() => server.close());
  const client = createOutboundClient({
    guard: createEgressGuard({ allow: options.allow ?? ['127.0.0.1/32'] }),
    allowHttp: () => true,
  });
  const proxy = createGuardedProxy(client.connect);
  closers.push(
    () => client.close(),
    () => proxy.close(),
  );
  const ticket = await proxy.open({
    hostname: options.hostname ?? '127.0.0.1',
    port: Number(server.host.split(':')[1]),
    isPlain: options.isPlain ?? true,
    maxBytes: options.maxBytes ?? 1_000_000,
  });
  return { server, ticket };
}

/**
 * Opens a tunnel through the proxy.
 * @returns The status of the CONNECT response, and the text that arrives through the tunnel.
 */
function tunnel(
  ticket: ProxyTicket,
  target: string,
  secret = ticket.secret,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request({
      host: '127.0.0.1',
      port: ticket.port,
      method: 'CONNECT',
      path: target,
      headers: authorization(ticket, secret),
    });
    asking.on('connect', (answer, socket: Socket) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => {});
      socket.on('close', () => resolve({ status: answer.statusCode ?? 0, text }));
      if (answer.statusCode === 200) socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
    asking.on('error', reject).end();
  });
}

function plain(
  ticket: ProxyTicket,
  url: string,
  secret = ticket.secret,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...authorization(ticket, secret),
      authorization: 'Basic for-the-host',
      host: new URL(url).host,
    };
    const asking = request({ host: '127.0.0.1', port: ticket.port, path: url, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('error', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asking.on('error', reject).end();
  });
}

function authorization(ticket: ProxyTicket, secret: string): Record<string, string> {
  return { 'proxy-authorization': `Basic ${Buffer.from(`${ticket.user}:${secret}`).toString('base64')}` };
}

describe('a proxy ticket', () => {
  test('opens a tunnel to its target', async () => {
    const { server, ticket } = await setUp();
    const { status, text } = await tunnel(ticket, server.host);
    expect([status, text.endsWith('x'.repeat(10_000))]).toEqual([200, true]);
  });

  test('does not allow requests to any target but its own', async () => {
    const { server, ticket } = await setUp();
    const other: UpstreamServer = await startUpstreamServer((_, response) => void response.end());
    closers.push(() => other.close());
    expect((await tunnel(ticket, other.host)).status).toBe(403);
    expect((await plain(ticket, `http://${other.host}/`)).status).toBe(403);
    expect(ticket.failure()?.code).toBe('target_not_allowed');
    expect([...other.requests, ...server.requests]).toEqual([]);
  });

  test("doesn't allow a host that the egress guard rejects, in any spelling", async () => {
    for (const hostname of ['127.0.0.1', 'localhost', '2130706433']) {
      const { server, ticket } = await setUp({ allow: [], hostname });
      expect((await tunnel(ticket, `${hostname}:${server.host.split(':')[1]}`)).status).toBe(403);
      expect(ticket.failure()?.code).toBe('target_not_allowed');
      expect(server.requests).toEqual([]);
    }
  });

  test('is invalid without its secret, and after it is closed', async () => {
    const { server, ticket } = await setUp();
    expect((await tunnel(ticket, server.host, 'guess')).status).toBe(407);
    expect((await plain(ticket, `http://${server.host}/`, 'guess')).status).toBe(407);
    ticket.close();
    expect((await tunnel(ticket, server.host)).status).toBe(407);
    expect(server.requests).toEqual([]);
  });

  test('stops the transfer at its byte limit', async () => {
    const { server, ticket } = await setUp({ maxBytes: 5_000 });
    const { text } = await tunnel(ticket, server.host);
    expect(text.length).toBeLessThan(10_000);
    expect(ticket.isOverLimit()).toBe(true);
  });
});

describe('plain HTTP requests', () => {
  test('are forwarded unchanged, except for the proxy credentials', async () => {
    const { server, ticket } = await setUp();
    expect(await plain(ticket, `http://${server.host}/a?b=c`)).toEqual({
      status: 200,
      text: 'x'.repeat(10_000),
    });
    expect(server.requests[0]).toMatchObject({
      path: '/a?b=c',
      headers: { host: server.host, authorization: 'Basic for-the-host' },
    });
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  test('are rejected unless the ticket allows them', async () => {
    const { server, ticket } = await setUp({ isPlain: false });
    expect((await plain(ticket, `http://${server.host}/`)).status).toBe(403);
  });
});
