import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from './database.ts';

const { db, statementsOf } = await createTestDatabase();

async function secondsAhead(): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM pacekeeper_now() - statement_timestamp()) AS seconds`.execute(db);
  // No more than the milliseconds are cut off. Adding 0 turns -0 into 0.
  return Math.round(rows[0]?.seconds ?? Number.NaN) + 0;
}

test('a test database is migrated and empty of what other tests wrote', async () => {
  const other = await createTestDatabase();
  await sql`CREATE TABLE only_here (id int)`.execute(other.db);
  const { rows } =
    await sql`SELECT to_regclass('only_here') AS here, to_regclass('alerts') IS NOT NULL AS migrated`.execute(
      db,
    );
  expect(rows).toEqual([{ here: null, migrated: true }]);
});

test('the clock of the product can be moved and put back, and the last move counts', async () => {
  expect(await secondsAhead()).toBe(0);
  await setClockOffset(db, '2 hours');
  expect(await secondsAhead()).toBe(7_200);
  await setClockOffset(db, '-1 day');
  expect(await secondsAhead()).toBe(-86_400);
  await resetClockOffset(db);
  expect(await secondsAhead()).toBe(0);
});

test('a moved clock stays stable within a statement and parallel safe', async () => {
  await setClockOffset(db, '1 year');
  const { rows } =
    await sql`SELECT provolatile, proparallel FROM pg_proc WHERE proname = 'pacekeeper_now'`.execute(db);
  await resetClockOffset(db);
  expect(rows).toEqual([{ provolatile: 's', proparallel: 's' }]);
});

test('an offset that is no interval is refused', async () => {
  await expect(setClockOffset(db, "1 day'; DROP TABLE alerts; --")).rejects.toMatchObject({ code: '22007' });
});

test('the statements of some work are counted, and of that work alone', async () => {
  await sql`SELECT 0`.execute(db);
  const statements = await statementsOf(async () => {
    await sql`SELECT 1`.execute(db);
    await db.transaction().execute((tx) => sql`SELECT 2`.execute(tx));
  });
  await sql`SELECT 3`.execute(db);
  expect(statements).toEqual(['SELECT 1', 'begin', 'SELECT 2', 'commit']);
});
