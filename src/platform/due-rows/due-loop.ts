import type { RawBuilder } from 'kysely';
import {
  type Database,
  isDatabaseUnavailable,
  type Tx,
  transaction,
  type WakeUps,
} from '../database/index.ts';
import type { Log } from '../log.ts';
import {
  type Claim,
  claimDueRows,
  type DueTable,
  type LockedRow,
  lockDueRows,
  nextDueInMs,
  releaseDueRows,
} from './due-table.ts';

export interface DueLoopOptions<Row extends object> {
  db: Database;
  wakeUps: WakeUps;
  log: Log;
  table: DueTable;
  /** Who triggers rows of this table wakes this topic after the commit. */
  topic: string;
  /** Rows of one claim, handled together. */
  batchSize: number;
  /** Rows in hand at one time. */
  maxInFlight: number;
  leaseMs: number;
  columns?: readonly string[];
  /** Asked before every claim: rows that are not to be taken now. */
  where?: () => RawBuilder<unknown> | undefined;
  /** Asked before every claim if it is a function. */
  orderBy?: RawBuilder<unknown> | (() => RawBuilder<unknown>);
  /** Each row is handled alone, at the same time as others: it neither waits for them nor fails with them. */
  isOneByOne?: boolean;
  /**
   * Handles what was claimed and finishes each row in the transaction of its work. When it throws, all its
   * rows are given back and come again later, ever more rarely up to five minutes.
   */
  handle(claims: Claim<Row>[]): Promise<void>;
  /**
   * Handles and finishes rows in the transaction that has locked them, which spares the writes of leases. When it throws,
   * nothing has happened, and `handle` gets rows next, under leases that count its attempts.
   */
  handleLocked?(tx: Tx, rows: LockedRow<Row>[]): Promise<void>;
}

export interface DueLoop {
  /** Looks for due rows at once. */
  wake(): void;
  /** Takes no more rows and waits for those in hand. */
  stop(): Promise<void>;
}

/** A lost wake-up costs at most this long. */
const pollIntervalMs = 5_000;

/** Whether loops have to be woken for rows that are due then. Otherwise they look in time by themselves. */
export function isDueBeforeNextLook(dueAt: Date, now: Date): boolean {
  return dueAt.getTime() - now.getTime() < pollIntervalMs;
}
/**
 * After rows were claimed, and after they were handled, a loop with room for more looks again this much later: what it asks
 * would take the processor from the handling of a single row, which is a chain of short statements. While rows are handled
 * there is less reason to look: those that are triggered wake it, and only those that time makes due wait.
 */
const lookAgainMs = { afterHandling: 10, whileHandling: 50 };
/** Between two looks that fail; so long the loops stand still after the database is back. */
const longestPauseMs = 2_000;
/**
 * While others have locked the rows that are due, the pause doubles after each look: they are either done immediately, or
 * have a batch that takes seconds. The longest pause is also the longest delay of rows that become due in the meantime.
 */
const lockedPauseMs = { first: 50, longest: 1_000 };

/**
 * Handles claims together, and in ever smaller parts if that fails: one that fails must not hold up those that were claimed with
 * it. Only for a `handle` that keeps nothing of what it has done when it throws.
 */
export async function handleIndividually<Row>(
  claims: readonly Claim<Row>[],
  handle: (claims: readonly Claim<Row>[]) => Promise<void>,
): Promise<void> {
  try {
    await handle(claims);
  } catch (error) {
    if (claims.length === 1 || isDatabaseUnavailable(error)) throw error;
    const half = Math.ceil(claims.length / 2);
    const outcomes = await Promise.allSettled([
      handleIndividually(claims.slice(0, half), handle),
      handleIndividually(claims.slice(half), handle),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Claims due rows of one table and hands them to their handler, for as long as the process lives. */
export function startDueLoop<Row extends object>(options: DueLoopOptions<Row>): DueLoop {
  const { db, table } = options;
  const log = options.log.child({ loop: options.topic });
  const inFlight = new Set<Promise<void>>();
  let rowsInFlight = 0;
  let isStopping = false;
  let wasWoken = false;
  /** Whether rows may wait for room. */
  let isFull = false;
  /** Rows that failed by themselves are taken under leases next. */
  let hasFailedLocked = false;
  /** Looks in a row that failed. */
  let failures = 0;
  let interrupt: (() => void) | null = null;

  const wake = () => {
    wasWoken = true;
    interrupt?.();
  };
  const unsubscribe = options.wakeUps.on(options.topic, wake);

  async function sleep(ms: number, { canBeWoken = true } = {}): Promise<void> {
    if (isStopping || (canBeWoken && wasWoken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      interrupt = () => {
        if (!canBeWoken && !isStopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    interrupt = null;
  }

  /** Keeps what is done with rows in mind until it is over. */
  function track(work: Promise<void>, countRows: () => number): void {
    const tracked = work.finally(() => {
      inFlight.delete(tracked);
      rowsInFlight -= countRows();
      // Even without rows: a transaction that had some was retried and found none.
      if (isFull) wake();
      else if (countRows() > 0) setTimeout(wake, lookAgainMs.afterHandling);
    });
    inFlight.add(tracked);
  }

  /** Takes rows and begins to handle them, which goes on after it. Returns how many. */
  async function take(limit: number, where: RawBuilder<unknown> | undefined): Promise<number> {
    const orderBy = typeof options.orderBy === 'function' ? options.orderBy() : options.orderBy;
    const due = {
      limit,
      ...(options.columns && { columns: options.columns }),
      ...(where && { where }),
      ...(orderBy && { orderBy }),
    };
    if (options.handleLocked && !hasFailedLocked) return takeLocked(options.handleLocked, due);
    hasFailedLocked = false;
    const claims = await claimDueRows<Row>(db, table, { ...due, leaseMs: options.leaseMs });
    const groups = options.isOneByOne ? claims.map((claim) => [claim]) : [claims];
    for (const group of groups) {
      if (group.length === 0) continue;
      rowsInFlight += group.length;
      track(handle(group), () => group.length);
    }
    return claims.length;
  }

  async function takeLocked(
    handleLocked: (tx: Tx, rows: LockedRow<Row>[]) => Promise<void>,
    due: Parameters<typeof lockDueRows>[2],
  ): Promise<number> {
    const taken = Promise.withResolvers<number>();
    let count = 0;
    const work = transaction(db, async (tx) => {
      const rows = await lockDueRows<Row>(tx, table, due);
      rowsInFlight += rows.length - count;
      count = rows.length;
      if (count === 0) return;
      taken.resolve(count);
      await handleLocked(tx, rows);
    }).then(
      () => taken.resolve(0),
      (error: unknown) => {
        taken.reject(error);
        if (count === 0) return;
        hasFailedLocked = true;
        log.warn({ err: error, rows: count }, 'processing due rows failed; will retry');
      },
    );
    track(work, () => count);
    return taken.promise;
  }

  async function handle(claims: Claim<Row>[]): Promise<void> {
    try {
      await options.handle(claims);
    } catch (error) {
      log.error({ err: error, rows: claims.length }, 'processing due rows failed; will retry');
      const attempts = Math.max(...claims.map((claim) => claim.attempts));
      const delayMs = Math.min(300_000, 1_000 * 2 ** Math.min(attempts, 9));
      // The database may be away: then the leases run out by themselves.
      await releaseDueRows(db, table, claims, delayMs).catch((cause: unknown) => {
        log.warn({ err: cause }, 'releasing due rows failed; their lease will expire');
      });
    }
  }

  /** The first, the second, the fourth … of a row of failures: an outage of an hour is a dozen lines. */
  function noteFailure(error: unknown): void {
    failures++;
    if (!Number.isInteger(Math.log2(failures))) return;
    if (isDatabaseUnavailable(error))
      log.warn({ reason: (error as Error).message, failures }, 'due rows waiting: database unavailable');
    else log.error({ err: error, failures }, 'claiming due rows failed');
  }

  async function run(): Promise<void> {
    let pauseMs = lockedPauseMs.first;
    while (!isStopping) {
      wasWoken = false;
      const limit = Math.min(options.batchSize, options.maxInFlight - rowsInFlight);
      isFull = limit <= 0;
      if (isFull) {
        await sleep(pollIntervalMs);
        continue;
      }
      try {
        const where = options.where?.();
        const taken = await take(limit, where);
        if (failures > 0) log.info({ failures }, 'claiming due rows recovered');
        failures = 0;
        if (taken > 0) pauseMs = lockedPauseMs.first;
        if (taken === limit) continue;
        if (taken > 0) {
          await sleep(lookAgainMs.whileHandling);
          continue;
        }
        const dueInMs = (await nextDueInMs(db, table)) ?? pollIntervalMs;
        if (dueInMs > 0) {
          pauseMs = lockedPauseMs.first;
          // Loops that began together would otherwise look together forever, each with a connection of its own.
          await sleep(Math.min(dueInMs, pollIntervalMs * (0.8 + Math.random() / 5)));
        } else if (where) {
          // A row that is due but not taken is held back: there is nothing to hurry for.
          await sleep(pollIntervalMs);
        } else {
          await sleep(pauseMs);
          pauseMs = Math.min(pauseMs * 2, lockedPauseMs.longest);
        }
      } catch (error) {
        noteFailure(error);
        // Rows that are given back wake us, and while the database is away all of them are.
        const longestMs = Math.min(longestPauseMs, 250 * 2 ** failures);
        await sleep(longestMs * (0.5 + Math.random() / 2), { canBeWoken: false });
      }
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      isStopping = true;
      unsubscribe();
      interrupt?.();
      await running;
      await Promise.all(inFlight);
    },
  };
}
