import { expect, test } from 'vitest';
import { type ConnectionShares, createConnectionShares, runForOrganization } from './connection-shares.ts';

/**
 * Requests connections for organizations, or without an organization for `null`, and records the order in
 * which they are granted.
 */
function requestFrom(shares: ConnectionShares) {
  const begun: (number | null)[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    endFirst: () => ends.shift()?.(),
    async request(...owners: (number | null)[]): Promise<void> {
      for (const owner of owners) {
        const begin = () =>
          shares.begin().then((end) => {
            begun.push(owner);
            ends.push(end);
          });
        // Ignore errors, because requests that still wait when a test ends can fail later.
        (owner === null ? begin() : runForOrganization(owner, begin)).catch(() => undefined);
      }
      await settled();
    },
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('an organization uses at most half of the connections', async () => {
  const { begun, request } = requestFrom(createConnectionShares(10, { waitMs: 60_000 }));
  await request(...Array<number>(20).fill(1));
  expect(begun).toHaveLength(5);
});

test('several organizations together leave connections for other organizations, and for work without an organization', async () => {
  const { begun, request } = requestFrom(createConnectionShares(10, { waitMs: 60_000 }));
  await request(...Array.from({ length: 30 }, (_, index) => 1 + (index % 3)));
  expect(begun).toHaveLength(8);
  await request(null, 4);
  expect(begun.slice(8)).toEqual([null, 4]);
});

test('an organization that uses no connection never waits for its share', async () => {
  const { begun, request } = requestFrom(createConnectionShares(2, { waitMs: 60_000 }));
  await request(null, null, null, 1, 2, 2);
  expect(begun).toEqual([null, null, null, 1, 2]);
});

test('organizations take turns when connections are released', async () => {
  const { begun, request, endFirst } = requestFrom(createConnectionShares(4, { waitMs: 60_000 }));
  await request(1, 1, 1, 1, 2, 2, 2);
  expect(begun).toEqual([1, 1, 2]);
  for (let index = 0; index < 4; index++) {
    endFirst();
    await settled();
  }
  expect(begun.slice(3)).toEqual([1, 2, 1, 2]);
});

test('a request that waits too long for the share of its organization fails, and the next request takes its place', async () => {
  const shares = createConnectionShares(2, { waitMs: 5 });
  await runForOrganization(1, async () => {
    const end = await shares.begin();
    await expect(shares.begin()).rejects.toMatchObject({ code: 'unavailable' });
    expect(shares.waitingCount).toBe(0);
    end();
    await shares.begin();
  });
});
