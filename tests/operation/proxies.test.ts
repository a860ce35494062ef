import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createHttpServer } from '../../src/platform/http/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';

/** Starts a server that responds with the address of the client. */
async function startServer(trustedProxies: string[]): Promise<URL> {
  const app = await createHttpServer({ log: createSilentLog(), trustedProxies, isUnavailable: () => false });
  app.get('/address', (request) => request.ip);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  atEndOfFile(() => app.close());
  return new URL('/address', url);
}

describe('the address of a client that a proxy forwards', () => {
  test.each([
    ['203.0.113.7:51008', '203.0.113.7'],
    ['198.51.100.1:80, 203.0.113.7:51008', '203.0.113.7'],
    ['203.0.113.7:51008, 10.0.0.6:443', '203.0.113.7'],
    ['[2001:db8::7]:51008', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['203.0.113.7', '203.0.113.7'],
  ])('has no port: %s', async (forwarded, address) => {
    const url = await startServer(['127.0.0.1', '10.0.0.0/8']);
    const response = await fetch(url, { headers: { 'x-forwarded-for': forwarded } });
    expect(await response.text()).toBe(address);
  });

  test('is ignored if the proxy isn’t trusted', async () => {
    const response = await fetch(await startServer([]), {
      headers: { 'x-forwarded-for': '203.0.113.7:51008' },
    });
    expect(await response.text()).toBe('127.0.0.1');
  });
});

test('a request with headers that are too large, for example because of cookies of other sites, gets a response with the reason', async () => {
  const { port, pathname } = await startServer([]);
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nCookie: a=${'x'.repeat(20_000)}\r\n\r\n`);
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('The request headers exceed 16384 bytes.');
  expect(response).toContain('cookies of other sites');
});
