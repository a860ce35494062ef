import { sql } from 'kysely';
import { type Database, type Tx, transaction } from '../platform/database/index.ts';
import { type DueLoop, type DueTable, finishDueRows, startDueLoop } from '../platform/due-rows/index.ts';
import type { Log } from '../platform/log.ts';

/** Periodic work. If several servers run, only one of them runs a task at a time. */
export interface HousekeepingTask {
  name: string;
  /** Interval between the end of one run and the start of the next. */
  everySeconds: number;
  /**
   * Does the work of one transaction, in bounded steps. Returns `more` to run again immediately, or
   * `more_after_pause` if the rest can wait, so that other tasks get most of the time.
   */
  run(tx: Tx): Promise<'done' | 'more' | 'more_after_pause'>;
}

const tasksDue = { name: 'housekeeping_tasks', keys: { name: 'text' } } as const satisfies DueTable;

/** Runs each task when it's due. Failed tasks are retried with backoff and don't affect the others. */
export async function startHousekeeping(
  deps: { db: Database; log: Log },
  tasks: readonly HousekeepingTask[],
): Promise<DueLoop> {
  const names = tasks.map((task) => task.name);
  await sql`INSERT INTO housekeeping_tasks (name) SELECT unnest(${names}::text[]) ON CONFLICT DO NOTHING`.execute(
    deps.db,
  );
  const byName = new Map(tasks.map((task) => [task.name, task]));
  // Use a timer to detect that the clock was set back, because all due times are then far in the future, including that
  // of the task that detects the change.
  const recovery = setInterval(() => {
    recoverHousekeeping(deps.db, tasks).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'recovering housekeeping failed'),
    );
  }, recoverEveryMs);
  const loop = startDueLoop<{ name: string }>({
    ...deps,
    table: tasksDue,
    batchSize: 1,
    maxInFlight: 2,
    leaseMs: 120_000,
    where: () => sql`name = ANY(${names}::text[])`,
    handle: ([claim]) =>
      transaction(deps.db, async (tx) => {
        const task = byName.get(claim!.row.name)!;
        const startedAt = performance.now();
        const outcome = await task.run(tx);
        const tookMs = performance.now() - startedAt;
        const pauseMs = { done: task.everySeconds * 1_000, more: 0, more_after_pause: tookMs * 3 }[outcome];
        const held = await finishDueRows(tx, tasksDue, [
          { claim: claim!, nextDueAt: new Date(claim!.now.getTime() + pauseMs) },
        ]);
        if (held.size === 0) throw new Error(`${task.name} outlived its lease; another server took over`);
      }),
  });
  return {
    wake: () => loop.wake(),
    stop() {
      clearInterval(recovery);
      return loop.stop();
    },
  };
}

const recoverEveryMs = 30_000;

/**
 * Corrects due times and leases that are later than their maximum because the clock was set back. Their tasks
 * are due immediately.
 */
export async function recoverHousekeeping(db: Database, tasks: readonly HousekeepingTask[]): Promise<void> {
  await sql`
    UPDATE housekeeping_tasks
    SET due_at = least(due_at, pacekeeper_now()),
      -- Keep NULL, because least() ignores NULL and would give a lease to a task that no server has claimed.
      lease_until = CASE WHEN lease_until IS NOT NULL
        THEN least(lease_until, pacekeeper_now() + interval '2 minutes') END
    FROM unnest(${tasks.map((task) => task.name)}::text[], ${tasks.map((task) => task.everySeconds)}::integer[])
      AS known (name, every_seconds)
    WHERE housekeeping_tasks.name = known.name
      AND due_at > pacekeeper_now() + (known.every_seconds + 600) * interval '1 second'`.execute(db);
}
