import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSilentLog } from '../log.ts';
import { createHttpServer } from './http-server.ts';

const stalledAfterMs = 500;
const app = await createHttpServer({
  log: createSilentLog(),
  trustedProxies: [],
  isUnavailable: () => false,
  stalledAfterMs,
});
// Longer than what the system takes from a server whose client doesn't read.
const long = Buffer.from(JSON.stringify(randomBytes(30_000_000).toString('base64')));
const closed: string[] = [];
app.get<{ Querystring: { name?: string } }>('/long', (request, reply) => {
  reply.raw.once('close', () => closed.push(request.query.name ?? ''));
  return reply.type('application/json').send(long);
});
app.get('/short', (_request, reply) =>
  reply.type('application/json').send(JSON.stringify('x'.repeat(100_000))),
);
app.get('/later', async () => {
  await sleep(2 * stalledAfterMs);
  return 'late';
});
let port = 0;
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await sleep(50);
});

/** Reads the head of the answer and nothing more. */
async function ask(
  path: string,
  headers = 'Accept-Encoding: br\r\n',
): Promise<{ head: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { head: first.toString('latin1').split('\r\n\r\n')[0]!.toLowerCase(), socket };
}

test('while many clients read a compressed answer slowly, others get it as it is', async () => {
  const heads: string[] = [];
  for (let count = 0; count < 40; count++) heads.push((await ask('/long')).head);
  expect(heads.filter((head) => head.includes('content-encoding: br'))).toHaveLength(32);
  expect(heads.slice(32).every((head) => !head.includes('content-encoding'))).toBe(true);
  expect((await ask('/short')).head).toContain('content-encoding: br');
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await ask('/long')).head).toContain('content-encoding: br');
});

test('a client that stops reading is disconnected, and one that reads is not', async () => {
  await ask('/long?name=stalled', '');
  const { socket: slow } = await ask('/long?name=slow', '');
  const reading = setInterval(() => slow.read(1_000_000), stalledAfterMs / 5);
  await expect.poll(() => closed).toContain('stalled');
  clearInterval(reading);
  expect(closed).not.toContain('slow');
});

test('an answer that takes long to compute is none that stalls', async () => {
  const { head } = await ask('/later');
  expect(head).toMatch(/^http\/1\.1 200/u);
});
