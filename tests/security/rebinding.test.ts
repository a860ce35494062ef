import { afterAll, expect, test } from 'vitest';
import { createTestBench, outboundErrorOf } from '../../src/platform/outbound/outbound-test-servers.ts';
import { createNameResolver } from '../../src/platform/outbound/resolve-name.ts';
import { startNameServer } from '../helpers/name-server.ts';

// Of these, 127.0.0.1 may be reached; 127.0.0.2 plays the private address.
const allowed = '127.0.0.1';
const refused = '127.0.0.2';

const bench = createTestBench();
afterAll(() => bench.close());

/** One server on both addresses, which notes where it was reached; and a client that asks this name server. */
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
  'a name that changes its address between two questions leads a %s to the address that was checked, or nowhere',
  async (purpose) => {
    let questions = 0;
    // A and AAAA are two questions of one look.
    const world = await createWorld(() => [questions++ < 2 ? allowed : refused]);
    expect((await world.get(purpose)).status).toBe(200);
    expect(world.asked).toHaveLength(2);
    for (let count = 0; count < 10; count++) {
      expect((await outboundErrorOf(world.get(purpose))).code).toBe('target_not_allowed');
    }
    expect(new Set(world.reached)).toEqual(new Set([allowed]));
  },
);

test('a name with a private address among its addresses never leads there', async () => {
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

test('a redirect to a name that stands for a private address is refused, and nobody there is asked', async () => {
  const world = await createWorld(
    (name) => [name === 'inside.example' ? refused : allowed],
    (port) => `http://inside.example:${port}/inside`,
  );
  expect((await outboundErrorOf(world.get('source'))).code).toBe('target_not_allowed');
  expect(world.asked).toContain('inside.example');
  expect(world.reached).toEqual([allowed]);
});
