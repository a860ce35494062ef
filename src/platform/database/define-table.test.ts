import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { countLockWaits } from '../../../tests/helpers/lock-waits.ts';
import type { Database } from './connect-database.ts';
import { defineTable } from './define-table.ts';
import { type Tx, transaction } from './transaction.ts';

const { db, statementsOf } = await createTestDatabase();
const [ours, theirs] = [10, 11];
const selectTargets = (on: Database | Tx) =>
  on.selectFrom('freshness_targets').select(['id', 'name', 'max_value as limit', 'revision']);
const targets = defineTable('freshness_targets', selectTargets, {
  toColumns: ({ limit, ...values }: { name?: string | undefined; limit?: number }) => ({
    ...values,
    ...(limit !== undefined && { max_value: limit }),
  }),
});
let id: number;

beforeEach(async () => {
  await sql`INSERT INTO organizations (id, name) VALUES (${ours}, 'a'), (${theirs}, 'b') ON CONFLICT DO NOTHING`.execute(
    db,
  );
  id = await insertTarget();
});

async function insertTarget(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO freshness_targets (organization_id, name, metric, max_value, goal_percent)
    VALUES (${ours}, 'before', 'exposure_days', 30, 90) RETURNING id`.execute(db);
  return rows[0]!.id;
}

test('a row is found with the selected columns', async () => {
  expect(await targets.find(db, ours, id)).toEqual({ id, name: 'before', limit: 30, revision: 1 });
});

test('an update changes the columns of its values and no others', async () => {
  await transaction(db, (tx) => targets.update(tx, ours, id, { name: undefined, limit: 60 }));
  expect(await targets.find(db, ours, id)).toEqual({ id, name: 'before', limit: 60, revision: 2 });
});

test('an update without values changes nothing', async () => {
  const statements = await statementsOf(() =>
    transaction(db, (tx) => targets.update(tx, ours, id, { name: undefined })),
  );
  expect(statements.filter((text) => text.includes('UPDATE'))).toEqual([]);
});

test('the rows with given IDs are listed in ascending order', async () => {
  const [second, third] = [await insertTarget(), await insertTarget()];
  expect((await targets.listById(db, ours, [third, id])).map((row) => row.id)).toEqual([id, third]);
  expect(await targets.listById(db, theirs, [second, third])).toEqual([]);
});

test('a deleted row isn’t found, and other rows stay', async () => {
  const other = await insertTarget();
  await transaction(db, (tx) => targets.delete(tx, ours, id));
  expect(await targets.find(db, ours, id)).toBeUndefined();
  expect(await targets.find(db, ours, other)).toMatchObject({ id: other });
});

test('a locked row can’t be changed by another transaction until the lock ends', async () => {
  let renaming: Promise<void> | undefined;
  await transaction(db, async (tx) => {
    expect(await targets.lock(tx, ours, id)).toMatchObject({ name: 'before' });
    renaming = transaction(db, (other) => targets.update(other, ours, id, { name: 'after' }));
    await expect.poll(() => countLockWaits(db)).toBe(1);
    expect(await targets.find(db, ours, id)).toMatchObject({ name: 'before' });
  });
  await renaming;
  expect(await targets.find(db, ours, id)).toMatchObject({ name: 'after' });
});

test('only a table with the weaker lock lets other transactions refer to a locked row', async () => {
  const weaker = defineTable('freshness_targets', selectTargets, { lockStrength: 'forNoKeyUpdate' });
  const canRefer = (table: Pick<typeof weaker, 'lock'>) =>
    transaction(db, async (tx) => {
      await table.lock(tx, ours, id);
      const { rows } = await sql`
        SELECT FROM freshness_targets WHERE organization_id = ${ours} AND id = ${id}
        FOR KEY SHARE SKIP LOCKED`.execute(db);
      return rows.length === 1;
    });
  expect([await canRefer(targets), await canRefer(weaker)]).toEqual([false, true]);
});

test('a row of another organization is never found, locked, changed, or deleted', async () => {
  const row = await targets.find(db, ours, id);
  await transaction(db, async (tx) => {
    expect(await targets.find(tx, theirs, id)).toBeUndefined();
    expect(await targets.lock(tx, theirs, id)).toBeUndefined();
    await targets.update(tx, theirs, id, { name: 'stolen' });
    await targets.delete(tx, theirs, id);
  });
  expect(await targets.find(db, ours, id)).toEqual(row);
});
