import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestServer } from '../../tests/helpers/test-server.ts';
import { createSystemKey } from '../modules/accounts/index.ts';
import { reserveListenAddress } from './listen-address.ts';

const free = await reserveListenAddress({ host: '127.0.0.1', port: 0 });
const port = Number(new URL(free.url).port);
await free.release();
const server = await startTestServer({ PACEKEEPER_METRICS_PORT: String(port) });
const url = `http://127.0.0.1:${port}/metrics`;

const sockets = new Set<net.Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

async function connect(): Promise<{ socket: net.Socket; received(): string; closed: Promise<void> }> {
  const socket = net.connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, received: () => received, closed };
}

test('concurrent requests for metrics share computations, on both ports', async () => {
  const { key } = await createSystemKey(server.db, { name: 'metrics', role: 'viewer' });
  const countOf = (statements: string[]) =>
    statements.filter((text) => text.includes("'dead_letters'")).length;
  const read = (address: string) =>
    fetch(address, { headers: { 'x-api-key': key } }).then((answer) => answer.text());
  const alone = await server.statementsOf(() => read(url));
  expect(countOf(alone)).toBe(1);
  const together = await server.statementsOf(() =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => read(index % 2 === 0 ? url : `${server.url}/metrics`)),
    ),
  );
  expect(countOf(together)).toBeLessThan(10);
});

test('agent and reporter keys cannot read the metrics of all organizations', async () => {
  for (const role of ['agent', 'reporter'] as const) {
    const { key } = await createSystemKey(server.db, { name: role, role });
    const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': key } });
    expect(answer.status, role).toBe(403);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('viewer role or higher') });
  }
});

describe('the metrics port', () => {
  test('accepts a limited number of connections, and accepts new ones after others close', async () => {
    await Promise.all(Array.from({ length: 32 }, connect));
    const { socket, received, closed } = await connect();
    socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
    await closed;
    expect(received()).toBe('');
    for (const each of sockets) each.destroy();
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  test('does not read request bodies', async () => {
    const { socket, received, closed } = await connect();
    socket.write('POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 405 /);
    const asked = await connect();
    asked.socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    await asked.closed;
    expect(asked.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('rejects long headers', async () => {
    const { socket, received, closed } = await connect();
    socket.write(`GET /metrics HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(10_000)}\r\n\r\n`);
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('serves only metrics', async () => {
    expect((await fetch(new URL('/health/live', url))).status).toBe(404);
  });
});
