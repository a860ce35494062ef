import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { type Tx, transaction } from '../database/index.ts';
import { createSilentLog } from '../log.ts';
import { type DueLoop, type DueLoopOptions, retryDelayMs, startDueLoop } from './due-loop.ts';
import { type DueTable, finishLockedRows } from './due-table.ts';

const { db, connectAgain, statementsOf } = await createTestDatabase();
const others = await connectAgain({ poolSize: 2 });
const table = { name: 'housekeeping_tasks', keys: { name: 'text' } } as const satisfies DueTable;
type Row = { name: string };

const realSetTimeout = globalThis.setTimeout;
let loop: DueLoop | undefined;

/**
 * Starts the loop.
 * @returns The names of the handled rows. The list grows while the loop runs.
 */
function start({
  handleLocked,
  where,
  batchSize = 1,
}: Pick<DueLoopOptions<Row>, 'handleLocked' | 'where'> & { batchSize?: number }): string[] {
  const handled: string[] = [];
  loop = startDueLoop<Row>({
    db,
    table,
    log: createSilentLog(),
    batchSize,
    maxInFlight: batchSize,
    leaseMs: 60_000,
    ...(where && { where }),
    handle: () => Promise.reject(new Error('nothing is to be claimed')),
    async handleLocked(tx, rows) {
      await handleLocked?.(tx, rows);
      await finishLockedRows(
        tx,
        table,
        rows.map(({ row }) => ({
          row,
          nextDueAt: null,
        })),
      );
      handled.push(...rows.map(({ row }) => row.name));
    },
  });
  return handled;
}

/** Replaces the delay of each timer with the result of `changed`, in milliseconds. */
function changeTimers(changed: (ms: number) => number): void {
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => realSetTimeout(run, changed(ms)));
}

const setDueIn = (interval: string) =>
  sql`UPDATE housekeeping_tasks SET due_at = pacekeeper_now() + ${interval}::interval`;

const waitsForLock = () =>
  vi.waitUntil(async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
      others,
    );
    return rows.length > 0;
  }, 60_000);

beforeEach(async () => {
  await sql`DELETE FROM housekeeping_tasks`.execute(db);
  await sql`INSERT INTO housekeeping_tasks (name, due_at) VALUES ('a', pacekeeper_now())`.execute(db);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await loop?.stop();
});

test('a full loop checks again after its transaction was retried and found no rows', async () => {
  // Disables polling, so that the row can't be found by a poll.
  changeTimers((ms) => (ms === 5_000 ? 2 ** 31 - 1 : ms));
  let update: Promise<unknown> | undefined;
  const handled = start({
    async handleLocked() {
      if (update) return;
      // The update waits for the row lock of this transaction and gets it before the loop retries.
      update = setDueIn('1 second').execute(others);
      await waitsForLock();
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    },
  });
  await vi.waitUntil(() => handled.length > 0, 60_000);
  await update;
  expect(handled).toEqual(['a']);
});

test('a loop with free capacity runs no queries while a row is handled for a short time', async () => {
  let asked: string[] = ['nothing was handled'];
  const handled = start({
    batchSize: 2,
    async handleLocked() {
      asked = await statementsOf(() => sleep(30));
    },
  });
  await vi.waitUntil(() => handled.length > 0, 60_000);
  expect(asked).toEqual([]);
});

test.each([
  ['all rows', undefined],
  ['rows that meet a condition', () => sql`true`],
])(
  'a loop for %s backs off while they are locked by others, and the backoff resets after it handled rows',
  async (_, where) => {
    await sql`INSERT INTO housekeeping_tasks (name, due_at) VALUES ('b', pacekeeper_now())`.execute(db);
    const lock = (tx: Tx, name: string) =>
      sql`SELECT FROM housekeeping_tasks WHERE name = ${name} FOR NO KEY UPDATE`.execute(tx);
    let pauses: number[] = [];
    let handled: string[] = [];
    changeTimers((ms) => {
      if (ms < 50 || ms > 1_000) return ms;
      pauses.push(ms);
      return 1;
    });
    const lookSevenTimes = () => vi.waitUntil(() => pauses.length >= 7, 60_000);
    const growing = [50, 100, 200, 400, 800, 1_000, 1_000];
    await transaction(others, async (tx) => {
      await lock(tx, 'b');
      await transaction(others, async (other) => {
        await lock(other, 'a');
        handled = start({
          ...(where && { where }),
          async handleLocked() {
            pauses = [];
          },
        });
        await lookSevenTimes();
        expect(pauses.slice(0, 7)).toEqual(growing);
      });
      await vi.waitUntil(() => handled.length > 0, 60_000);
      await lookSevenTimes();
      expect(pauses.slice(0, 7)).toEqual(growing);
      expect(handled).toEqual(['a']);
    });
  },
);

test('a row is handled when it becomes due, even if a condition excludes another due row', async () => {
  await sql`INSERT INTO housekeeping_tasks (name, due_at)
    VALUES ('b', pacekeeper_now() + interval '300 milliseconds')`.execute(db);
  // Disables polling, so that only a pause until the due time finds the row.
  changeTimers((ms) => (ms > 3_000 ? 2 ** 31 - 1 : ms));
  const handled = start({ where: () => sql`name <> 'a'` });
  await vi.waitUntil(() => handled.length > 0, 10_000);
  expect(handled).toEqual(['b']);
});

test('a loop backs off while rows that its condition excludes become due one after another', async () => {
  await sql`INSERT INTO housekeeping_tasks (name, due_at)
    SELECT n, pacekeeper_now() + n * interval '1 millisecond' FROM generate_series(1, 60_000) n`.execute(db);
  const pauses: number[] = [];
  changeTimers((ms) => {
    if (ms < 50 || ms > 5_000) return ms;
    pauses.push(ms);
    return 1;
  });
  const handled = start({ where: () => sql`false` });
  await vi.waitUntil(() => pauses.length >= 7, 60_000);
  expect(pauses.slice(0, 7)).toEqual([50, 100, 200, 400, 800, 1_000, 1_000]);
  expect(handled).toEqual([]);
});

test('a loop whose condition excludes all due rows takes one statement per check, and no transaction', async () => {
  let pauses = 0;
  changeTimers((ms) => {
    if (ms < 50 || ms > 5_000) return ms;
    pauses++;
    return 1;
  });
  const statements = await statementsOf(async () => {
    start({ where: () => sql`name <> 'a'` });
    await vi.waitUntil(() => pauses >= 5, 60_000);
  });
  // The loop may have started another check before the end of the wait.
  expect(statements.length).toBeLessThanOrEqual(pauses + 1);
  for (const statement of statements) expect(statement).toMatch(/^\s*SELECT .* AS due_in_ms/s);
});

test('rows are due one second after a database outage, and at most five minutes after other failures', () => {
  const outage = Object.assign(new Error('terminating connection'), { code: '57P01', severity: 'FATAL' });
  expect([1, 5, 9, 100].map((attempts) => retryDelayMs(outage, attempts))).toEqual([
    1_000, 1_000, 1_000, 1_000,
  ]);
  const failure = new Error('no such table');
  expect([1, 2, 6, 100].map((attempts) => retryDelayMs(failure, attempts))).toEqual([
    2_000, 4_000, 64_000, 300_000,
  ]);
  expect(retryDelayMs(failure, 100, 60_000)).toBe(60_000);
});
