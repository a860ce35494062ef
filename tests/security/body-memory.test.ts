import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createSystemKey } from '../../src/modules/accounts/index.ts';
import { readMetrics } from '../helpers/read-metrics.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await startTestServer({ PACEKEEPER_TRUSTED_PROXIES: '127.0.0.1' });
const port = Number(new URL(server.url).port);
const mebibyte = 1024 * 1024;
const results = '/api/v1/agent/tasks/1/results';
const { key: systemKey } = await createSystemKey(server.db, { name: 'metrics', role: 'viewer' });

const sockets = new Set<net.Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await expect.poll(bytesInFlight).toBe(0);
});

async function bytesInFlight(): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': systemKey } });
  const family = readMetrics(await answer.text()).get('pacekeeper_request_body_bytes');
  return family!.samples[0]!.value;
}

interface Connection {
  socket: net.Socket;
  /** Returns all data received so far. */
  received(): string;
  /** Resolves to the status of the response when its headers arrive. */
  status(): Promise<number>;
  closed: Promise<void>;
}

/** Sends the head of a request without a body. */
async function sendHead(path: string, headers: Record<string, string>): Promise<Connection> {
  const socket = net.connect(port, '127.0.0.1');
  sockets.add(socket);
  // The server is allowed to close the connection.
  socket.on('error', () => undefined);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'a', 'content-type': 'application/json', ...headers });
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  return {
    socket,
    closed,
    received: () => received,
    async status() {
      await expect.poll(() => received).toContain('\r\n\r\n');
      return Number(/^HTTP\/1\.1 (\d+)/.exec(received)![1]);
    },
  };
}

const login = '/api/v1/auth/login';
const refusalsOf = (connections: readonly Connection[]) =>
  connections.filter(({ received }) => received().includes(' 429 ')).length;
const length = (bytes: number) => ({ 'content-length': String(bytes) });
const as = ({ apiKey }: TestOrganization) => ({ 'x-api-key': apiKey });

describe('a request without the required credentials', () => {
  const wrongKey = (apiKey: string) => `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;

  test('gets its response before any of its 8 MiB body arrives, then the connection closes (60 connections)', async () => {
    const { apiKey, owner } = await server.createOrganization();
    const { key: viewer } = await owner.call('createAPIKey', { body: { name: 'v', role: 'viewer' } });
    const callers: [headers: Record<string, string>, status: number][] = [
      [{}, 401],
      [{ 'x-api-key': wrongKey(apiKey) }, 401],
      [{ 'x-api-key': viewer }, 403],
    ];
    const connections = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [headers, status] = callers[index % callers.length]!;
        return { status, connection: await sendHead(results, { ...headers, ...length(8 * mebibyte) }) };
      }),
    );
    for (const { status, connection } of connections) {
      expect(await connection.status()).toBe(status);
      expect(connection.received()).toMatch(/\r\nconnection: close\r\n/i);
    }
    expect(await bytesInFlight()).toBe(0);
    await Promise.all(connections.map(({ connection }) => connection.closed));
  });

  test('can’t send its body despite the rejection, because the server doesn’t read it from the connection', async () => {
    const { socket, status, closed } = await sendHead(results, length(8 * mebibyte));
    const wasTaken = await new Promise<boolean>((resolve) => {
      socket.write(Buffer.alloc(8 * mebibyte), (error) => resolve(!error));
      void closed.then(() => resolve(false));
    });
    expect(await status()).toBe(401);
    expect(wasTaken).toBe(false);
  });

  test('that expects 100 Continue gets the error response instead', async () => {
    const { apiKey } = await server.createOrganization();
    const expects = { expect: '100-continue', ...length(20) };
    const refused = await sendHead('/api/v1/client/rules', expects);
    expect(await refused.status()).toBe(401);
    const wanted = await sendHead('/api/v1/client/rules', { 'x-api-key': apiKey, ...expects });
    expect(await wanted.status()).toBe(100);
    wanted.socket.write('{"name":"x"}        ');
    await expect.poll(wanted.received).toContain('HTTP/1.1 400');
  });

  test('that sends its whole body before it reads the response gets the response without a connection reset', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(server.url + results, { method: 'POST', body: Buffer.alloc(8 * mebibyte) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
  });
});

describe('request bodies in flight', () => {
  test('are limited per organization, which affects neither other organizations nor small bodies of the same one', async () => {
    const [greedy, other] = [await server.createOrganization(), await server.createOrganization()];
    const large = length(8 * mebibyte);
    for (let count = 1; count <= 3; count++) {
      await sendHead(results, { ...as(greedy), ...large });
      await expect.poll(bytesInFlight).toBe(count * 8 * mebibyte);
    }
    const refused = await sendHead(results, { ...as(greedy), ...large });
    expect(await refused.status()).toBe(429);
    expect(refused.received()).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(refused.received()).toMatch(/\r\nconnection: close\r\n/i);

    await sendHead(results, { ...as(other), ...large });
    await expect.poll(bytesInFlight).toBe(4 * 8 * mebibyte);
    await greedy.api.call('createFeedback', { body: { message: 'still here' } });
  });

  test('are limited for the whole server and shared fairly, and small bodies are still accepted', async () => {
    const organizations = await Promise.all(Array.from({ length: 9 }, () => server.createOrganization()));
    const sendLarge = (organization: TestOrganization) =>
      sendHead(results, { ...as(organization), ...length(8 * mebibyte) });
    const held: Connection[] = [];
    for (const organization of [0, 0, 0, 1, 1, 1, 2, 2])
      held.push(await sendLarge(organizations[organization]!));
    await expect.poll(bytesInFlight).toBe(64 * mebibyte);

    // An organization without a body in flight evicts a body of the organization that has the most.
    for (const organization of organizations.slice(3, 8)) held.push(await sendLarge(organization));
    await expect.poll(() => refusalsOf(held)).toBe(5);
    expect(await bytesInFlight()).toBe(64 * mebibyte);
    expect(refusalsOf(held.slice(8))).toBe(0);
    const evicted = held.find(({ received }) => received().includes(' 429 '))!;
    expect(evicted.received()).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(evicted.received()).toMatch(/\r\nconnection: close\r\n/i);

    // Eight organizations now have one body in flight each.
    const refused = await sendLarge(organizations[8]!);
    expect(await refused.status()).toBe(503);
    expect(refused.received()).toMatch(/\r\nretry-after: \d+\r\n/i);
    await organizations[8]!.api.call('createFeedback', { body: { message: 'still here' } });
  });

  test('count toward the limit with their maximum size if their size is unknown (chunked or compressed)', async () => {
    const organization = await server.createOrganization();
    await sendHead(results, { ...as(organization), 'transfer-encoding': 'chunked' });
    await expect.poll(bytesInFlight).toBe(8 * mebibyte);
    await sendHead(results, { ...as(organization), ...length(1_000), 'content-encoding': 'gzip' });
    await expect.poll(bytesInFlight).toBe(16 * mebibyte + 1_000);
  });

  test('without credentials are limited per network', async () => {
    const held = await Promise.all(Array.from({ length: 40 }, () => sendHead(login, length(16_384))));
    await expect.poll(() => refusalsOf(held)).toBe(8);
    expect(await bytesInFlight()).toBe(32 * 16_384);
  });
});

describe('request bodies of clients without credentials', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const logIn = ({ email, password }: TestOrganization, address: string) =>
    fetch(server.url + login, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from(address) },
      body: JSON.stringify({ email, password }),
    });

  test('from a block of IPv6 addresses share the limit of one client', async () => {
    const person = await server.createOrganization();
    const held = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        sendHead(login, { ...from(`2001:db8:7:${index.toString(16)}::1`), ...length(16_384) }),
      ),
    );
    await expect.poll(() => refusalsOf(held)).toBe(32);
    expect(await bytesInFlight()).toBe(32 * 16_384);
    expect((await logIn(person, '2001:db8:8::1')).status).toBe(200);
  });

  test('of the clients with the most bytes are evicted for a client with few', async () => {
    const person = await server.createOrganization();
    const held = await Promise.all(
      Array.from({ length: 16 * 32 }, (_, index) =>
        sendHead(login, { ...from(`198.51.100.${index % 16}`), ...length(16_384) }),
      ),
    );
    await expect.poll(bytesInFlight).toBe(8 * mebibyte);
    expect(refusalsOf(held)).toBe(0);
    expect((await logIn(person, '203.0.113.1')).status).toBe(200);
    await expect.poll(() => refusalsOf(held)).toBe(1);

    // A client that already holds as many bytes as each of the other clients can't evict their requests.
    const equal = await Promise.all(
      Array.from({ length: 32 }, () => sendHead(login, { ...from('203.0.113.2'), ...length(16_384) })),
    );
    await expect.poll(() => equal.filter(({ received }) => received().includes(' 503 ')).length).toBe(2);
    expect(refusalsOf(held)).toBe(30);
  });
});
