import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createSilentLog } from '../log.ts';
import { bodyDeadlineMs } from './body-limits.ts';
import { createHttpServer } from './http-server.ts';
import { readBodyBytes } from './read-body-bytes.ts';

const app = await createHttpServer({
  log: createSilentLog(),
  trustedProxies: [],
  isUnavailable: () => false,
});
let begun = Promise.withResolvers<void>();
app.post('/', (incoming, reply) => {
  const body = readBodyBytes(incoming, reply, 1_000, new AbortController().signal);
  begun.resolve();
  return body;
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());
afterEach(() => {
  vi.useRealTimers();
  begun = Promise.withResolvers();
});

test('a slow body is rejected after the deadline for its size', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const client = request(url, { method: 'POST', headers: { 'content-length': 100 } });
  client.on('error', () => undefined).write('one');
  const answered = once(client, 'response');
  await begun.promise;
  vi.advanceTimersByTime(bodyDeadlineMs(100) - 1);
  client.write('two');
  vi.advanceTimersByTime(1);
  const [answer] = await answered;
  expect(answer.statusCode).toBe(400);
  let text = '';
  for await (const chunk of answer) text += chunk;
  expect(JSON.parse(text).detail).toBe("The request body didn't arrive within 11 s.");
  client.destroy();
});

test('a larger body gets a longer deadline, but never more than the request timeout', () => {
  expect(bodyDeadlineMs(1_000_000)).toBeGreaterThan(bodyDeadlineMs(1_000));
  expect(bodyDeadlineMs(1_000_000_000)).toBeLessThan(60_000);
});
