import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { afterCommit, beforeCommit, type Tx, transaction } from './transaction.ts';

const { db } = await createTestDatabase({ schema: 'empty', poolSize: 4 });

beforeAll(async () => {
  await sql`CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL)`.execute(db);
  await sql`INSERT INTO counters VALUES (1, 0), (2, 0)`.execute(db);
});

async function valueOf(id: number): Promise<number | undefined> {
  const { rows } = await sql<{ value: number }>`SELECT value FROM counters WHERE id = ${id}`.execute(db);
  return rows[0]?.value;
}

async function increment(tx: Tx, id: number): Promise<void> {
  await sql`UPDATE counters SET value = value + 1 WHERE id = ${id}`.execute(tx);
}

test('a failed transaction is rolled back', async () => {
  const before = await valueOf(1);
  const failing = transaction(db, async (tx) => {
    await increment(tx, 1);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await valueOf(1)).toBe(before);
});

test('hooks run in order after the commit and see the committed data', async () => {
  const seen: (string | number | undefined)[] = [];
  let valueSeen: Promise<number | undefined> | undefined;
  const before = (await valueOf(1)) ?? 0;
  await transaction(db, async (tx) => {
    afterCommit(tx, () => {
      seen.push('first');
      valueSeen = valueOf(1);
    });
    afterCommit(tx, () => seen.push('second'));
    await increment(tx, 1);
    seen.push('work');
  });
  expect(seen).toEqual(['work', 'first', 'second']);
  expect(await valueSeen).toBe(before + 1);
});

test('a beforeCommit hook runs after the work, within the transaction', async () => {
  const before = (await valueOf(1)) ?? 0;
  const seen: string[] = [];
  const work = async (tx: Tx) => {
    beforeCommit(tx, async () => {
      seen.push('last');
      await increment(tx, 1);
    });
    seen.push('work');
  };
  await transaction(db, work);
  expect(seen).toEqual(['work', 'last']);
  expect(await valueOf(1)).toBe(before + 1);
  const failing = transaction(db, async (tx) => {
    await work(tx);
    beforeCommit(tx, () => Promise.reject(new Error('no')));
  });
  await expect(failing).rejects.toThrow('no');
  expect(await valueOf(1)).toBe(before + 1);
});

test('the hooks of a failed transaction never run', async () => {
  let ran = 0;
  const failing = transaction(db, (tx) => {
    afterCommit(tx, () => ran++);
    return Promise.reject(new Error('no'));
  });
  await expect(failing).rejects.toThrow('no');
  expect(ran).toBe(0);
});

test('two transactions that lock the same rows in opposite order both complete, exactly once each', async () => {
  const [one, two] = [(await valueOf(1)) ?? 0, (await valueOf(2)) ?? 0];
  let arrived = 0;
  let runs = 0;
  let hooks = 0;
  let open = () => {};
  const bothHaveTheirFirst = new Promise<void>((resolve) => (open = resolve));
  const crosswise = (first: number, second: number) =>
    transaction(db, async (tx) => {
      runs++;
      afterCommit(tx, () => hooks++);
      await increment(tx, first);
      if (++arrived === 2) open();
      await bothHaveTheirFirst;
      await increment(tx, second);
    });
  await Promise.all([crosswise(1, 2), crosswise(2, 1)]);
  expect([await valueOf(1), await valueOf(2)]).toEqual([one + 2, two + 2]);
  // On a busy machine, the retried transaction can run into another deadlock, so more runs are possible.
  expect(runs).toBeGreaterThanOrEqual(3);
  expect(hooks).toBe(2);
});

test('a serialization failure is retried at most three times', async () => {
  let runs = 0;
  const failing = transaction(
    db,
    async (tx) => {
      await increment(tx, 1);
      runs++;
      await sql`DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$`.execute(tx);
    },
    { isolation: 'serializable' },
  );
  await expect(failing).rejects.toMatchObject({ code: '40001' });
  expect(runs).toBe(4);
});

test('a transaction that refers to a concurrently deleted row is retried and then finds no row', async () => {
  await sql`CREATE TABLE notes (counter_id int NOT NULL REFERENCES counters)`.execute(db);
  await sql`INSERT INTO counters VALUES (3, 0)`.execute(db);
  let runs = 0;
  const made = await transaction(db, async (tx) => {
    runs++;
    const { rows } = await sql<{ id: number }>`SELECT id FROM counters WHERE id = 3`.execute(tx);
    await sql`DELETE FROM counters WHERE id = 3`.execute(db);
    for (const { id } of rows) await sql`INSERT INTO notes VALUES (${id})`.execute(tx);
    return rows.length;
  });
  expect({ runs, made }).toEqual({ runs: 2, made: 0 });
});

test('other database errors are not retried', async () => {
  let runs = 0;
  const failing = transaction(db, async (tx) => {
    runs++;
    await sql`INSERT INTO counters VALUES (1, 0)`.execute(tx);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(runs).toBe(1);
});

test('a transaction inside another transaction is rejected', async () => {
  const nested = transaction(db, (tx) => transaction(tx, () => Promise.resolve()));
  await expect(nested).rejects.toThrow('inside of another');
});
