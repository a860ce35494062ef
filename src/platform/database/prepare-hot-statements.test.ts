import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';

const { db } = await createTestDatabase({ schema: 'empty', poolSize: 1 });

async function prepared(): Promise<string[]> {
  const { rows } = await sql<{
    statement: string;
  }>`SELECT statement FROM pg_prepared_statements ORDER BY prepare_time`.execute(db);
  return rows.map((row) => row.statement);
}

test('what runs again and again is prepared on its connection, and what runs once is not', async () => {
  for (let count = 0; count < 10; count++) {
    const { rows } = await sql<{ sum: number }>`SELECT ${count}::int + 1 AS sum`.execute(db);
    expect(rows).toEqual([{ sum: count + 1 }]);
  }
  await sql`SELECT ${1}::int + 2 AS sum`.execute(db);
  expect(await prepared()).toEqual(['SELECT $1::int + 1 AS sum']);
});

test('a statement that fails is run again like any other', async () => {
  const divide = (by: number) => sql<{ result: number }>`SELECT 6 / ${by}::int AS result`.execute(db);
  for (let count = 0; count < 6; count++) await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect((await divide(2)).rows).toEqual([{ result: 3 }]);
});

test('a connection keeps a bounded number of them', async () => {
  for (let n = 0; n < 200; n++) {
    for (let run = 0; run < 5; run++) await sql`SELECT ${run}::int + ${sql.lit(n)} AS sum`.execute(db);
  }
  expect((await prepared()).length).toBeLessThanOrEqual(150);
});
