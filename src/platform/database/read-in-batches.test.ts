import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { readInBatches } from './read-in-batches.ts';

const { db } = await createTestDatabase();

test.each([0, 1, 9, 10, 11, 25])(
  '%d rows arrive exactly once and in order, in batches of at most ten',
  async (count) => {
    // Repeat the statement often enough for it to be prepared.
    for (let round = 0; round < 6; round++) {
      const sizes: number[] = [];
      const read: number[] = [];
      const query = sql<{ n: number }>`SELECT n FROM generate_series(1, ${count}::integer) AS n ORDER BY n`;
      await readInBatches(db, query, 10, (rows) => {
        sizes.push(rows.length);
        read.push(...rows.map(({ n }) => n));
      });
      expect(read).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(10);
    }
  },
);

test('a failed query leaves the connection usable', async () => {
  const query = sql<{ n: number }>`SELECT 1 / (3 - n) AS n FROM generate_series(1, 5) AS n`;
  await expect(readInBatches(db, query, 1, () => undefined)).rejects.toThrow('division by zero');
  const seen: number[] = [];
  await readInBatches(db, sql<{ n: number }>`SELECT 7 AS n`, 1, (rows) => seen.push(rows[0]!.n));
  expect(seen).toEqual([7]);
});
