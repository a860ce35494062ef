import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { atEndOfFile } from '../../../tests/helpers/end-of-file.ts';
import { createSilentLog } from '../log.ts';
import { createHttpServer } from './http-server.ts';

// This response exceeds the socket buffers of a server whose client doesn't read.
const long = Buffer.from(JSON.stringify(randomBytes(12_000_000).toString('base64')));

/** Starts a server that disconnects clients that stop reading for this long. */
async function serve(stalledAfterMs: number) {
  const app = await createHttpServer({
    log: createSilentLog(),
    trustedProxies: [],
    isUnavailable: () => false,
    stalledAfterMs,
  });
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
  await app.listen({ host: '127.0.0.1', port: 0 });
  atEndOfFile(() => app.close());
  return { port: (app.server.address() as AddressInfo).port, closed };
}

const stalledAfterMs = 500;
const strict = await serve(stalledAfterMs);
const patient = await serve(60_000);

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await sleep(50);
});

/** Sends a request and reads only the head of the response. */
async function ask(
  { port }: { port: number },
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

test('while many clients read compressed responses slowly, other clients receive uncompressed responses', async () => {
  const heads: string[] = [];
  for (let count = 0; count < 40; count++) heads.push((await ask(patient, '/long')).head);
  expect(heads.filter((head) => head.includes('content-encoding: br'))).toHaveLength(32);
  expect(heads.slice(32).every((head) => !head.includes('content-encoding'))).toBe(true);
  expect((await ask(patient, '/short')).head).toContain('content-encoding: br');
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await ask(patient, '/long')).head).toContain('content-encoding: br');
});

test('a client that stops reading is disconnected, but a slow reader is not', async () => {
  await ask(strict, '/long?name=stalled', '');
  const { socket: slow } = await ask(strict, '/long?name=slow', '');
  const reading = setInterval(() => slow.read(1_000_000), stalledAfterMs / 5);
  await expect.poll(() => strict.closed).toContain('stalled');
  clearInterval(reading);
  expect(strict.closed).not.toContain('slow');
});

test('a response that takes long to compute is not considered stalled', async () => {
  const { head } = await ask(strict, '/later');
  expect(head).toMatch(/^http\/1\.1 200/u);
});
