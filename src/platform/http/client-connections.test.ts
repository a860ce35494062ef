import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { createLog } from '../log.ts';
import { createHttpServer } from './http-server.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

async function serverWithLog(options: { keepAliveMs?: number } = {}) {
  const lines: string[] = [];
  const logged = Promise.withResolvers<string>();
  const log = createLog({
    level: 'debug',
    format: 'json',
    destination: {
      write(line) {
        lines.push(line);
        if (line.includes('The client disconnected.')) logged.resolve(line);
      },
    },
  });
  const app = await createHttpServer({ log, trustedProxies: [], isUnavailable: () => false, ...options });
  closers.push(() => app.close());
  return { app, lines, logged: logged.promise };
}

test('a client that disconnects causes no warning or stack trace in the log', async () => {
  const { app, lines, logged } = await serverWithLog();
  const started = Promise.withResolvers<void>();
  app.get('/slow', async (_request, reply) => {
    started.resolve();
    await once(reply.raw, 'close');
    throw new ApiError('unavailable', 'The client disconnected.');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const call = request(`${url}/slow`);
  call.on('error', () => undefined).end();
  await started.promise;
  call.destroy();
  expect(JSON.parse(await logged)).toMatchObject({ level: 'debug', route: '/slow' });
  expect(lines.join('')).not.toContain('"stack"');
});

test('a client that disconnects before a compressed response is sent causes no warning or stack trace in the log', async () => {
  const { app, lines, logged } = await serverWithLog();
  const started = Promise.withResolvers<void>();
  app.post('/slow', async (request, reply) => {
    await text(request.raw);
    started.resolve();
    await once(reply.raw, 'close');
    return reply.type('application/json').send(JSON.stringify('x'.repeat(200_000)));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const call = request(`${url}/slow`, { method: 'POST', headers: { 'accept-encoding': 'gzip' } });
  call.on('error', () => undefined).end('{}');
  await started.promise;
  call.destroy();
  expect(JSON.parse(await logged)).toMatchObject({ level: 'debug', route: '/slow' });
  expect(lines.join('')).not.toContain('"stack"');
});

test('a stream that ends early while the client is waiting is reported as a server error', async () => {
  const { app, lines } = await serverWithLog();
  app.get('/broken', async () => {
    throw Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
  const answer = await app.inject({ url: '/broken', headers: { host: 'localhost' } });
  expect(answer.statusCode).toBe(500);
  expect(lines.join('')).toContain('"stack"');
});

/** The server itself closes such connections after a minute. */
const closeMs = 45_000;

test.each(['', 'GET /slow HTTP/1.1\r\nHost: a'])(
  'a client that has only sent %j doesn’t prevent the server from closing',
  async (sent) => {
    const { app } = await serverWithLog();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const accepted = once(app.server, 'connection');
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).write(sent);
    await accepted;
    const closed = once(socket, 'close');
    await app.close();
    await closed;
  },
);

test(
  'a request that is in progress when the server begins to close gets its response, and its idle connection is closed',
  async () => {
    const { app } = await serverWithLog({ keepAliveMs: 10 * closeMs });
    const [started, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    app.get('/slow', async () => {
      started.resolve();
      await closing.promise;
      return 'done';
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const response = fetch(`${url}/slow`).then((answer) => answer.text());
    await started.promise;
    const closed = app.close();
    await expect.poll(() => app.server.listening).toBe(false);
    closing.resolve();
    expect(await response).toBe('done');
    await closed;
  },
  closeMs,
);
