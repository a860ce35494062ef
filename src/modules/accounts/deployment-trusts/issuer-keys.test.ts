import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSigningKey } from '../../../../tests/helpers/login-provider.ts';
import { OutboundError } from '../../../platform/outbound/index.ts';
import { createIssuerKeys } from './issuer-keys.ts';

const issuer = 'https://ci.example.org';
const publicPart = async (kid: string) => {
  const { kty, n, e } = await createSigningKey(kid);
  return { kty, n, e, kid };
};
const [first, second] = [await publicPart('first'), await publicPart('second')];
const bodyOf: Record<string, unknown> = {};
const requested: string[] = [];
let isUp = true;
let hold: PromiseWithResolvers<void> | null = null;

const issuerKeys = () =>
  createIssuerKeys({
    async request({ url }) {
      requested.push(String(url));
      await hold?.promise;
      if (!isUp) throw new OutboundError('connection_failed', 'ci.example.org', 'connection refused');
      const body = Buffer.from(JSON.stringify(bodyOf[String(url)]));
      return { status: 200, headers: {}, body } as never;
    },
  });

function publish(keys: unknown[], metadata: object = {}): void {
  bodyOf[`${issuer}/.well-known/openid-configuration`] = { issuer, jwks_uri: `${issuer}/keys`, ...metadata };
  bodyOf[`${issuer}/keys`] = { keys };
}

const find = (keys: ReturnType<typeof issuerKeys>, kid: string) =>
  Promise.resolve(keys.keysOf(issuer)({ alg: 'RS256', kid }, undefined as never));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  requested.length = 0;
  isUp = true;
  hold = null;
  publish([first]);
});
afterEach(() => vi.useRealTimers());

test('the keys of an issuer are cached, and unknown key IDs make the server read them again only once a minute', async () => {
  const keys = issuerKeys();
  await find(keys, 'first');
  for (const kid of ['second', 'third']) await expect(find(keys, kid)).rejects.toThrow();
  expect(requested).toHaveLength(2);
  publish([first, second]);
  vi.advanceTimersByTime(61_000);
  await find(keys, 'second');
  await expect(find(keys, 'third')).rejects.toThrow();
  expect(requested).toHaveLength(4);
});

test('known keys stay valid for a day while their issuer is unreachable, with at most one request every ten seconds', async () => {
  const keys = issuerKeys();
  await find(keys, 'first');
  isUp = false;
  for (const waitMs of [11 * 60_000, 1_000, 1_000, 10_000, 23 * 3_600_000]) {
    vi.advanceTimersByTime(waitMs);
    await find(keys, 'first');
  }
  expect(requested).toHaveLength(5);
  vi.advanceTimersByTime(3_600_000);
  await expect(find(keys, 'first')).rejects.toThrow('connection refused');
  isUp = true;
  vi.advanceTimersByTime(10_000);
  await find(keys, 'first');
});

test('an unknown key ID that arrives while the issuer is unreachable does not affect tokens with known keys', async () => {
  const keys = issuerKeys();
  await find(keys, 'first');
  vi.advanceTimersByTime(61_000);
  isUp = false;
  // The issuer may have rotated its keys, so only a successful request shows that the key doesn't exist.
  for (const kid of ['second', 'third']) await expect(find(keys, kid)).rejects.toThrow('connection refused');
  await find(keys, 'first');
  expect(requested).toHaveLength(3);
});

test('tokens with known keys do not wait for a request that an unknown key ID caused', async () => {
  const keys = issuerKeys();
  await find(keys, 'first');
  vi.advanceTimersByTime(61_000);
  hold = Promise.withResolvers();
  const unknown = find(keys, 'second');
  await find(keys, 'first');
  publish([first, second]);
  hold.resolve();
  await unknown;
});

test("keys without TLS, of another issuer, or of unsupported types aren't used", async () => {
  publish([first], { jwks_uri: 'http://ci.example.org/keys' });
  await expect(find(issuerKeys(), 'first')).rejects.toThrow('no https:// URL');
  publish([first], { issuer: `${issuer}/` });
  await expect(find(issuerKeys(), 'first')).rejects.toThrow('another issuer');
  const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'first' };
  const short = { ...first, n: first.n!.slice(0, 171) };
  const long = { ...first, n: 'x'.repeat(2_000) };
  for (const key of [
    secret,
    short,
    long,
    { ...first, use: 'enc' },
    { ...first, e: 'AQAB'.repeat(9) },
    null,
    'x',
  ]) {
    publish([key]);
    await expect(find(issuerKeys(), 'first')).rejects.toThrow('no applicable key');
  }
  publish(Array.from({ length: 101 }, () => first));
  await expect(find(issuerKeys(), 'first')).rejects.toThrow('at most 100 keys');
});
