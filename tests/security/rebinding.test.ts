import { afterAll, expect, test } from 'vitest';
import { createTestBench, outboundErrorOf } from '../../src/platform/outbound/outbound-test-servers.ts';
import { createNameResolver } from '../../src/platform/outbound/resolve-name.ts';
import { startNameServer } from '../helpers/name-server.ts';

// The client is allowed to connect to 127.0.0.1. The address 127.0.0.2 represents a private address.
const allowed = '127.0.0.1';
const refused = '127.0.0.2';

const bench = createTestBench();
afterAll(() => bench.close());

/**
 * Starts a server that records which of the two addresses each request reached, and a client whose name server responds
 * with the addresses from `answer`.
 */
async function createWorld(answer: (name: string) => string[], redirectTo?: (port: number) => string) {
  const reached: (string | undefined)[] = [];
  const asked: string[] = [];
  let port = 0;
  port = await bench.http((request, response) => {
    reached.push(request.socket.localAddress);
    response.setHeader('connection', 'close');
    if (redirectTo && request.url === '/') response.writeHead(302, { location: redirectTo(port) });
    response.end('ok');
  }, '0.0.0.0');
  const servers = [
    await startNameServer((name) => {
      asked.push(name);
      return answer(name);
    }),
  ];
  const client = bench.client({ resolveName: createNameResolver({ servers }) });
  const get = (purpose: 'source' | 'webhook') =>
    client.request({
      url: `http://rebound.example:${port}/`,
      purpose,
      ...(purpose === 'webhook' && { method: 'POST', body: '{}' }),
      followRedirects: purpose === 'source' ? 5 : 0,
      timeoutMs: 5_000,
      maxBytes: 1_000,
    });
  return { get, reached, asked };
}

test.each(['source', 'webhook'] as const)(
  'a name that changes its address between two lookups directs a %s only to the verified address',
  async (purpose) => {
    let questions = 0;
    // One lookup sends two queries (A and AAAA), so only the first lookup returns the allowed address.
    const world = await createWorld(() => [questions++ < 2 ? allowed : refused]);
    expect((await world.get(purpose)).status).toBe(200);
    expect(world.asked).toHaveLength(2);
    for (let count = 0; count < 10; count++) {
      expect((await outboundErrorOf(world.get(purpose))).code).toBe('target_not_allowed');
    }
    expect(new Set(world.reached)).toEqual(new Set([allowed]));
  },
);

test('a name with both a public and a private address never directs a request to the private one', async () => {
  const orders = [
    [refused, allowed],
    [allowed, refused],
  ];
  for (const addresses of orders) {
    const world = await createWorld(() => addresses);
    for (let count = 0; count < 10; count++) await world.get('source').catch(() => undefined);
    expect(world.reached).not.toContain(refused);
  }
});

test('a redirect to a name with a private address is rejected without a request to that address', async () => {
  const world = await createWorld(
    (name) => [name === 'inside.example' ? refused : allowed],
    (port) => `http://inside.example:${port}/inside`,
  );
  expect((await outboundErrorOf(world.get('source'))).code).toBe('target_not_allowed');
  expect(world.asked).toContain('inside.example');
  expect(world.reached).toEqual([allowed]);
});
