import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { atEndOfFile } from '../../../tests/helpers/end-of-file.ts';
import { clientConfig } from './connect-database.ts';
import { prepareHotStatements } from './prepare-hot-statements.ts';

const { db } = await createTestDatabase({ schema: 'empty', poolSize: 1 });

async function prepared(): Promise<string[]> {
  const { rows } = await sql<{
    statement: string;
  }>`SELECT statement FROM pg_prepared_statements ORDER BY prepare_time`.execute(db);
  return rows.map((row) => row.statement);
}

test('a frequently run statement is prepared on its connection, and a statement that runs once is not', async () => {
  for (let count = 0; count < 10; count++) {
    const { rows } = await sql<{ sum: number }>`SELECT ${count}::int + 1 AS sum`.execute(db);
    expect(rows).toEqual([{ sum: count + 1 }]);
  }
  await sql`SELECT ${1}::int + 2 AS sum`.execute(db);
  expect(await prepared()).toEqual(['SELECT $1::int + 1 AS sum']);
});

test('a query without parameters is prepared too, but BEGIN and COMMIT are not', async () => {
  for (let count = 0; count < 10; count++) {
    await db.transaction().execute(async (tx) => {
      expect((await sql`SELECT 40 + 2 AS sum`.execute(tx)).rows).toEqual([{ sum: 42 }]);
    });
  }
  const statements = await prepared();
  expect(statements).toContain('SELECT 40 + 2 AS sum');
  expect(statements.filter((statement) => /begin|commit/iu.test(statement))).toEqual([]);
});

test('a statement that failed repeatedly can still succeed', async () => {
  const divide = (by: number) => sql<{ result: number }>`SELECT 6 / ${by}::int AS result`.execute(db);
  for (let count = 0; count < 6; count++) await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect((await divide(2)).rows).toEqual([{ result: 3 }]);
});

test('a connection keeps only a limited number of prepared statements, which are the most recently used ones', async () => {
  const run = (n: number) => sql`SELECT ${n}::int + ${sql.lit(n)} AS sum`.execute(db);
  for (let n = 0; n < 200; n++) {
    for (let count = 0; count < 5; count++) expect((await run(n)).rows).toEqual([{ sum: 2 * n }]);
    // Run this statement repeatedly, so that it isn't evicted.
    await run(0);
  }
  const kept = await prepared();
  expect(kept.length).toBeLessThanOrEqual(150);
  expect(kept).toEqual(expect.arrayContaining([0, 199].map((n) => `SELECT $1::int + ${n} AS sum`)));
  expect(kept).not.toContain('SELECT $1::int + 1 AS sum');
  // An evicted statement is prepared again when it is used again.
  for (let count = 0; count < 5; count++) expect((await run(1)).rows).toEqual([{ sum: 2 }]);
  expect(await prepared()).toContain('SELECT $1::int + 1 AS sum');
});

test('a prepared statement can be evicted during a failing transaction', async () => {
  for (let n = 0; n < 150; n++) {
    for (let count = 0; count < 5; count++)
      await sql`SELECT ${count}::int - ${sql.lit(n)} AS rest`.execute(db);
  }
  for (let round = 0; round < 5; round++) {
    const failing = db.transaction().execute(async (tx) => {
      await sql`SELECT 1 / ${0}::int`.execute(tx).catch(() => undefined);
      for (let n = 0; n < 5; n++)
        await sql`SELECT ${n}::int * 7 AS product`.execute(tx).catch(() => undefined);
      await sql`SELECT ${1}::int * 7 AS product`.execute(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: '25P02' });
  }
  expect((await sql`SELECT ${6}::int * 7 AS product`.execute(db)).rows).toEqual([{ product: 42 }]);
});

test('evicting a statement that a failed transaction never prepared does not affect other statements', async () => {
  const { db } = await createTestDatabase({ schema: 'empty', poolSize: 1 });
  const failing = db.transaction().execute(async (tx) => {
    await sql`SELECT 1 / ${0}::int`.execute(tx).catch(() => undefined);
    for (let n = 0; n < 5; n++) await sql`SELECT ${n}::int * 7 AS product`.execute(tx).catch(() => undefined);
  });
  await failing.catch(() => undefined);
  for (let n = 0; n < 151; n++) {
    for (let count = 0; count < 5; count++) {
      const read = sql<{ rest: number }>`SELECT ${count}::int - ${sql.lit(n)} AS rest`;
      const { rows } = await db.transaction().execute((tx) => read.execute(tx));
      expect(rows).toEqual([{ rest: count - n }]);
    }
  }
});

test('the driver does not keep the text of evicted statements', async () => {
  const { connection } = await createTestDatabase({ schema: 'empty' });
  const pool = new pg.Pool({ ...clientConfig(connection), max: 1 });
  atEndOfFile(() => pool.end());
  const hot = prepareHotStatements(pool, { isPooled: false, silentAfterMs: 0 });
  const client = await hot.connect();
  for (let n = 0; n < 400; n++) {
    for (let count = 0; count < 4; count++) await client.query(`SELECT $1::int + ${n} AS sum`, [count]);
  }
  client.release();
  const driver = await pool.connect();
  expect(driver.connection).toHaveProperty('parsedStatements');
  expect(Object.keys(Object(driver.connection).parsedStatements)).toHaveLength(150);
  driver.release();
});

test('rows of earlier statements are garbage-collected before they reach the old generation', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  const oldBytes = () =>
    getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')!.space_used_size;
  const read = () => sql`SELECT n, n || ' of many' AS name FROM generate_series(1, ${200}) AS n`.execute(db);
  const growth = [];
  for (let round = 0; round < 30; round++) {
    const before = oldBytes();
    for (let count = 0; count < 20; count++) await read();
    // Objects that survive two minor collections move to the old generation.
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    growth.push(oldBytes() - before);
  }
  // The expected growth is the size of the rows of one statement: 25 to 52 KB, depending on the files that ran before
  // in this worker. The rows of all 20 statements take 420 KB.
  expect(growth.toSorted((a, b) => a - b)[15]).toBeLessThan(200_000);
});
