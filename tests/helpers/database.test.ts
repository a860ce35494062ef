import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from './database.ts';

const { db, statementsOf } = await createTestDatabase();

async function secondsAhead(): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM pacekeeper_now() - statement_timestamp()) AS seconds`.execute(db);
  // Rounding removes only the milliseconds. Adding 0 turns -0 into 0.
  return Math.round(rows[0]?.seconds ?? Number.NaN) + 0;
}

test('a test database is migrated and contains no data from other tests', async () => {
  const other = await createTestDatabase();
  await sql`CREATE TABLE only_here (id int)`.execute(other.db);
  const { rows } =
    await sql`SELECT to_regclass('only_here') AS here, to_regclass('alerts') IS NOT NULL AS migrated`.execute(
      db,
    );
  expect(rows).toEqual([{ here: null, migrated: true }]);
});

test('the product clock can be moved and reset, and the last move applies', async () => {
  expect(await secondsAhead()).toBe(0);
  await setClockOffset(db, '2 hours');
  expect(await secondsAhead()).toBe(7_200);
  await setClockOffset(db, '-1 day');
  expect(await secondsAhead()).toBe(-86_400);
  await resetClockOffset(db);
  expect(await secondsAhead()).toBe(0);
});

test('the clock function is still declared as stable and parallel safe after the clock was moved', async () => {
  await setClockOffset(db, '1 year');
  const { rows } =
    await sql`SELECT provolatile, proparallel FROM pg_proc WHERE proname = 'pacekeeper_now'`.execute(db);
  await resetClockOffset(db);
  expect(rows).toEqual([{ provolatile: 's', proparallel: 's' }]);
});

test('setting the clock rejects an offset that is not a valid interval', async () => {
  await expect(setClockOffset(db, "1 day'; DROP TABLE alerts; --")).rejects.toMatchObject({ code: '22007' });
});

test('statementsOf returns only the statements that run during its callback', async () => {
  await sql`SELECT 0`.execute(db);
  const statements = await statementsOf(async () => {
    await sql`SELECT 1`.execute(db);
    await db.transaction().execute((tx) => sql`SELECT 2`.execute(tx));
  });
  await sql`SELECT 3`.execute(db);
  expect(statements).toEqual(['SELECT 1', 'begin', 'SELECT 2', 'commit']);
});
