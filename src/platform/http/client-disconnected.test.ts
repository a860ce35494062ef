import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { createLog } from '../log.ts';
import { createHttpServer } from './http-server.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

async function serverWithLog() {
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
  const app = await createHttpServer({ log, trustedProxies: [], isUnavailable: () => false });
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
