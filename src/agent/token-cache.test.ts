import { expect, test } from 'vitest';
import { createTokenCache } from './token-cache.ts';

test('a token whose expiry has passed when it is issued is still cached for ten seconds', async () => {
  let now = 1_000_000;
  let requests = 0;
  const cache = createTokenCache({
    clock: () => new Date(now),
    request: async () => {
      requests += 1;
      return { expiresAt: new Date(now - 3_600_000) };
    },
    minRejectedMs: 60_000,
  });
  const key = {};
  await cache.get(key);
  now += 9_999;
  await cache.get(key);
  expect(requests).toBe(1);
  now += 1;
  await cache.get(key);
  expect(requests).toBe(2);
});
