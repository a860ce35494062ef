import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { precompileQuery } from './precompile-query.ts';

const { db } = await createTestDatabase({ schema: 'empty' });

test('a query is built once and reused in any number of statements', async () => {
  let built = 0;
  const next = precompileQuery((db) => {
    built += 1;
    return db.selectNoFrom(sql<number>`n + 1`.as('next')).select(sql<number>`n`.as('n'));
  });
  const run = (n: number) =>
    sql`WITH given AS (SELECT ${n}::int AS n) SELECT next FROM given, LATERAL (${next()}) AS found`.execute(
      db,
    );
  expect((await run(1)).rows).toEqual([{ next: 2 }]);
  expect((await run(5)).rows).toEqual([{ next: 6 }]);
  expect(built).toBe(1);
});

test('a query with parameters is rejected', () => {
  expect(precompileQuery((db) => db.selectNoFrom(sql`${1}::int`.as('n')))).toThrow('no fixed text');
});
