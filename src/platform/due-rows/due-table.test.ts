import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from '../../../tests/helpers/database.ts';
import { transaction } from '../database/index.ts';
import {
  type Claim,
  claimDueRows,
  type DueTable,
  findNextDue,
  finishDueRows,
  finishLockedRows,
  lockDueRows,
  releaseDueRows,
  triggerDueRows,
  triggerSharedRows,
  withDeferredTriggers,
} from './due-table.ts';

const { db, connectAgain, statementsOf } = await createTestDatabase();
const table = { name: 'housekeeping_tasks', keys: { name: 'text' } } as const satisfies DueTable;
type Row = { name: string };

async function makeRows(...names: string[]): Promise<void> {
  await sql`INSERT INTO housekeeping_tasks (name, due_at) SELECT unnest(${names}::text[]), 'infinity'`.execute(
    db,
  );
}

const claim = (limit = 10, leaseMs = 60_000) => claimDueRows<Row>(db, table, { limit, leaseMs });
const trigger = (name: string) => triggerDueRows(db, table, sql`name = ${name}`);
const finish = (claims: Claim<Row>[], nextDueAt: Date | null = null) =>
  finishDueRows(
    db,
    table,
    claims.map((claim) => ({ claim, nextDueAt })),
  );
const names = (claims: Claim<Row>[]) => claims.map((claim) => claim.row.name).sort();

beforeEach(async () => {
  await sql`DELETE FROM housekeeping_tasks`.execute(db);
});

describe('due rows', () => {
  test('are found through their index even if many rows are due later', async () => {
    await sql`
      INSERT INTO housekeeping_tasks (name, due_at)
      SELECT 'later ' || n, pacekeeper_now() + interval '1 day' FROM generate_series(1, 5000) n`.execute(db);
    await sql`ANALYZE housekeeping_tasks`.execute(db);
    const [statement] = await statementsOf(() => claim());
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`)
      .execute(db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan (using|Backward using)? ?housekeeping_tasks_due/);
  });

  test('are claimed by a commit that does not wait for the disk, but later commits do', async () => {
    await sql`
      CREATE TABLE commits (waits text);
      CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO commits VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE TRIGGER note_commit AFTER UPDATE ON housekeeping_tasks EXECUTE FUNCTION note_commit()`.execute(
      db,
    );
    await makeRows('a');
    await trigger('a');
    await db.connection().execute(async (connection) => {
      await sql`SET synchronous_commit = on`.execute(connection);
      const claims = await claimDueRows<Row>(connection, table, { limit: 1, leaseMs: 60_000 });
      await finishDueRows(connection, table, [{ claim: claims[0]!, nextDueAt: null }]);
      await sql`RESET synchronous_commit`.execute(connection);
    });
    await sql`DROP TRIGGER note_commit ON housekeeping_tasks`.execute(db);
    const { rows } = await sql<{ waits: string }>`SELECT waits FROM commits`.execute(db);
    expect(rows.map(({ waits }) => waits).slice(-2)).toEqual(['off', 'on']);
  });

  test('are due once after a trigger, and not again until the next trigger', async () => {
    await makeRows('a');
    expect(await claim()).toEqual([]);
    await trigger('a');
    await trigger('a');
    const claims = await claim();
    expect(names(claims)).toEqual(['a']);
    await finish(claims);
    expect(await claim()).toEqual([]);
  });

  test('claimed by one worker cannot be claimed by others until the lease expires', async () => {
    await makeRows('a');
    await trigger('a');
    await claim(10, 60_000);
    expect(await claim()).toEqual([]);
    await setClockOffset(db, '61 seconds');
    expect(names(await claim())).toEqual(['a']);
    await setClockOffset(db, '0 seconds');
  });

  test('are not changed by a worker that finishes after its lease expired', async () => {
    await makeRows('a');
    await trigger('a');
    const late = await claim(10, 1);
    await sleep(5);
    const [mine] = await claim();
    expect(mine?.attempts).toBe(2);
    expect(await finish(late)).toEqual(new Set());
    await releaseDueRows(db, table, late, 0);
    expect(await finish([mine!])).toEqual(new Set([mine!.leaseToken]));
  });

  test('that were released are due again after their delay or the next trigger', async () => {
    await makeRows('a');
    await trigger('a');
    await releaseDueRows(db, table, await claim(), 3_600_000);
    expect(await claim()).toEqual([]);
    const { dueInMs } = await findNextDue(db, table);
    expect(dueInMs).toBeGreaterThan(3_500_000);
    await trigger('a');
    expect(names(await claim())).toEqual(['a']);
  });

  test('shared by transactions are locked by withDeferredTriggers only during the commit', async () => {
    await makeRows('a', 'b', 'c');
    const others = await connectAgain({ poolSize: 1 });
    await transaction(db, (tx) =>
      withDeferredTriggers(tx, async () => {
        await triggerSharedRows(tx, table, [{ name: 'b' }, { name: 'a' }]);
        await triggerSharedRows(tx, table, [{ name: 'a' }]);
        await transaction(others, async (other) => {
          // Without a timeout, a held lock would block this statement forever.
          await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
          await triggerSharedRows(other, table, [{ name: 'a' }]);
        });
        expect(names(await claim())).toEqual(['a']);
      }),
    );
    const { rows } = await sql<{ name: string; requested_seq: string }>`
      SELECT name, requested_seq::text FROM housekeeping_tasks WHERE due_at < 'infinity' ORDER BY name`.execute(
      db,
    );
    expect(rows).toEqual([
      { name: 'a', requested_seq: '2' },
      { name: 'b', requested_seq: '1' },
    ]);
  });

  test('are not triggered by withDeferredTriggers if its work fails', async () => {
    await makeRows('a');
    const failing = transaction(db, (tx) =>
      withDeferredTriggers(tx, async () => {
        await triggerSharedRows(tx, table, [{ name: 'a' }]);
        throw new Error('it did not work');
      }),
    );
    await expect(failing).rejects.toThrow('it did not work');
    expect(await claim()).toEqual([]);
  });

  test('triggered at any point during processing are claimed again later', async () => {
    // Processing a row means claiming and finishing it. After a crash, the lease expires. No order of these
    // steps may lose a trigger.
    const step = fc.constantFrom('trigger', 'claim', 'finish', 'finish with a next time', 'release', 'crash');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        await sql`DELETE FROM housekeeping_tasks`.execute(db);
        await makeRows('a');
        let triggers = 0;
        // Number of triggers that preceded the most recently finished claim.
        let handledUpTo = 0;
        let held: { claims: Claim<Row>[]; triggersAtClaim: number } | null = null;
        for (const each of steps) {
          if (each === 'trigger') {
            await trigger('a');
            triggers++;
          } else if (each === 'claim' && !held) {
            const claims = await claim();
            if (claims.length > 0) held = { claims, triggersAtClaim: triggers };
          } else if (held && each === 'crash') {
            await sql`UPDATE housekeeping_tasks SET lease_until = pacekeeper_now() - interval '1 second'
              WHERE lease_until IS NOT NULL`.execute(db);
            held = null;
          } else if (held && each === 'release') {
            await releaseDueRows(db, table, held.claims, 0);
            held = null;
          } else if (held && (each === 'finish' || each === 'finish with a next time')) {
            const next = each === 'finish' ? null : new Date(Date.UTC(2100, 0));
            const kept = await finish(held.claims, next);
            expect(kept.size).toBe(1);
            handledUpTo = held.triggersAtClaim;
            held = null;
          }
        }
        if (held) {
          await finish(held.claims);
          handledUpTo = held.triggersAtClaim;
        }
        const left = await claim();
        expect(left.length).toBe(triggers > handledUpTo ? 1 : 0);
      }),
      { numRuns: 60 },
    );
  });

  test('locked without a lease are unavailable to others until the transaction ends, and due again if it fails', async () => {
    await makeRows('a', 'b');
    await triggerDueRows(db, table, sql`true`);
    const failing = transaction(db, async (tx) => {
      expect(await lockDueRows<Row>(tx, table, { limit: 1, orderBy: sql`name` })).toMatchObject([
        { row: { name: 'a' } },
      ]);
      expect(names(await claim())).toEqual(['b']);
      throw new Error('it did not work');
    });
    await expect(failing).rejects.toThrow('it did not work');
    const [again] = await claim();
    expect(again).toMatchObject({ row: { name: 'a' }, attempts: 1 });
    // `lockDueRows` skips leased rows, too.
    expect(await transaction(db, (tx) => lockDueRows<Row>(tx, table, { limit: 10 }))).toEqual([]);
  });

  test('handled under a lock after their lease expired cannot be finished by the former holder of the lease', async () => {
    await makeRows('a');
    await trigger('a');
    const late = await claim(1, 0);
    await transaction(db, async (tx) => {
      const [held] = await lockDueRows<Row>(tx, table, { limit: 1 });
      await finishLockedRows(tx, table, [{ row: held!.row, nextDueAt: null }]);
    });
    expect(await finish(late)).toEqual(new Set());
    await releaseDueRows(db, table, late, 0);
    expect(await claim()).toEqual([]);
  });

  test('are all handled by workers that crash at random, and never by two workers at the same time', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `row ${index}`);
    await makeRows(...rows);
    await triggerDueRows(db, table, sql`true`);
    const inHand = new Set<string>();
    const handled = new Map<string, number>();
    const others = await Promise.all([connectAgain({ poolSize: 3 }), connectAgain({ poolSize: 3 })]);

    await Promise.all(
      [db, ...others, db, ...others].map(async (mine, worker) => {
        let seed = worker + 1;
        const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
        for (let idle = 0; idle < 12; ) {
          const claims = await claimDueRows<Row>(mine, table, { limit: 7, leaseMs: 40 });
          idle = claims.length === 0 ? idle + 1 : 0;
          for (const each of claims) {
            // After a crash, the row stays leased. No other worker can claim it until the lease expires.
            if (random() < 0.25) continue;
            const { name } = each.row;
            const kept = await mine.transaction().execute(async (tx) => {
              const finished = await finishDueRows(tx, table, [{ claim: each, nextDueAt: null }]);
              if (finished.size === 0) return false;
              expect(inHand.has(name)).toBe(false);
              inHand.add(name);
              await sleep(1);
              inHand.delete(name);
              return true;
            });
            if (kept) handled.set(name, (handled.get(name) ?? 0) + 1);
          }
          if (claims.length === 0) await sleep(10);
        }
      }),
    );
    expect([...handled.keys()].sort()).toEqual(rows.toSorted());
    expect([...handled.values()].every((count) => count === 1)).toBe(true);
  });
});
