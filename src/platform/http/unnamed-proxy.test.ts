import { afterAll, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createHttpServer } from './http-server.ts';

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** Sends requests with the given headers and returns the warnings from the log. */
async function warningsOf(trustedProxies: string[], requests: Record<string, string>[]): Promise<string[]> {
  const lines: string[] = [];
  const log = createLog({
    level: 'warn',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  const app = await createHttpServer({ log, trustedProxies, isUnavailable: () => false });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => app.close());
  for (const headers of requests) await fetch(url, { headers });
  return lines;
}

const forwarded = { 'x-forwarded-for': '203.0.113.7' };

test('an untrusted proxy causes a single warning with its address and the variable to set', async () => {
  const warnings = await warningsOf([], [{}, forwarded, forwarded, { forwarded: 'for=203.0.113.7' }]);
  expect(warnings).toHaveLength(1);
  expect(JSON.parse(warnings[0]!)).toMatchObject({
    peer: '127.0.0.1',
    header: 'x-forwarded-for',
    msg: expect.stringContaining('PACEKEEPER_TRUSTED_PROXIES'),
  });
});

test('a warning is logged for an untrusted proxy despite other trusted ones, and for a trusted proxy that sends an unsupported header', async () => {
  expect(await warningsOf(['10.0.0.0/8'], [forwarded])).toHaveLength(1);
  expect(await warningsOf(['127.0.0.1'], [{ 'x-real-ip': '203.0.113.7' }])).toHaveLength(1);
});

test('a trusted proxy causes no warning', async () => {
  expect(await warningsOf(['127.0.0.1'], [forwarded, { ...forwarded, 'x-real-ip': '203.0.113.7' }])).toEqual(
    [],
  );
});
