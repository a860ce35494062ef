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
  /** Topic that code triggering rows of this table wakes after the commit. */
  topic: string;
  /** Maximum number of rows in one claim. They are handled together. */
  batchSize: number;
  /** Maximum number of rows in flight. */
  maxInFlight: number;
  leaseMs: number;
  columns?: readonly string[];
  /** Returns a condition for the rows that can be claimed now. Called before every claim. */
  where?: () => RawBuilder<unknown> | undefined;
  /** Order of the claims. A function is called before every claim. */
  orderBy?: RawBuilder<unknown> | (() => RawBuilder<unknown>);
  /**
   * True to handle each row separately and concurrently, so that a row neither waits for the others nor fails
   * with them.
   */
  isOneByOne?: boolean;
  /**
   * Handles claimed rows and finishes each one in the transaction of its work. If it throws, all its rows are
   * released and retried with backoff, up to five minutes.
   */
  handle(claims: Claim<Row>[]): Promise<void>;
  /**
   * Handles and finishes rows in the transaction that locked them, which saves writing leases. If it throws,
   * the transaction is rolled back, and `handle` gets the next rows, under leases that count their attempts.
   */
  handleLocked?(tx: Tx, rows: LockedRow<Row>[]): Promise<void>;
}

export interface DueLoop {
  /** Checks for due rows immediately. */
  wake(): void;
  /** Stops claiming rows and waits for those in flight. */
  stop(): Promise<void>;
}

/** Interval between checks for due rows. A lost wake-up delays a row by this long at most. */
const pollIntervalMs = 5_000;

/**
 * True if loops must be woken for rows with this due time. Otherwise their next poll finds the rows in time.
 */
export function isDueBeforeNextPoll(dueAt: Date, now: Date): boolean {
  return dueAt.getTime() - now.getTime() < pollIntervalMs;
}
/**
 * Delays before a loop with spare capacity polls again, after a claim and after handling. An immediate query
 * would take CPU time from the handling of a single row, which is a chain of short statements. During
 * handling, polling is less urgent: triggered rows wake the loop, so only rows that become due by time wait.
 */
const pollAgainMs = { afterHandling: 10, whileHandling: 50 };
/** Maximum pause between failed polls, and thus the longest delay after the database recovers. */
const longestPauseMs = 2_000;
/**
 * Pauses while all due rows are locked by others. The pause doubles after each poll, because those rows are
 * finished either immediately or with a batch that takes seconds. The longest pause is also the longest delay
 * of rows that become due during it.
 */
const lockedPauseMs = { first: 50, longest: 1_000 };

/**
 * Returns the delay of rows whose handling failed, in milliseconds. After an outage of the database, rows must not
 * wait: outages fail one attempt after the other, so delays that grow would outlast them by minutes.
 */
export function retryDelayMs(error: unknown, attempts: number, longestMs = 300_000): number {
  return isDatabaseUnavailable(error) ? 1_000 : Math.min(longestMs, 1_000 * 2 ** Math.min(attempts, 9));
}

/**
 * Handles claims together. If that fails, splits them in half repeatedly, so that one failing claim doesn't
 * block the others. Use it only if `handle` has no effect when it throws.
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

/** Claims due rows of one table and passes them to their handler until the loop is stopped. */
export function startDueLoop<Row extends object>(options: DueLoopOptions<Row>): DueLoop {
  const { db, table } = options;
  const log = options.log.child({ loop: options.topic });
  const inFlight = new Set<Promise<void>>();
  let rowsInFlight = 0;
  let isStopping = false;
  let wasWoken = false;
  /** True if due rows may be waiting for capacity. */
  let isFull = false;
  /** True if `handleLocked` failed. The next rows are claimed under leases instead. */
  let hasFailedLocked = false;
  /** Number of consecutive failed polls. */
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

  /** Tracks the handling of rows until it completes. */
  function track(work: Promise<void>, countRows: () => number): void {
    const tracked = work.finally(() => {
      inFlight.delete(tracked);
      rowsInFlight -= countRows();
      // Wake even without rows: a transaction that had rows may have been retried and found none.
      if (isFull) wake();
      else if (countRows() > 0) setTimeout(wake, pollAgainMs.afterHandling);
    });
    inFlight.add(tracked);
  }

  /** Claims rows and starts to handle them without waiting for completion. Returns the number of rows. */
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
      const delayMs = retryDelayMs(error, attempts);
      // If the database is unavailable, the leases expire instead.
      await releaseDueRows(db, table, claims, delayMs).catch((cause: unknown) => {
        log.warn({ err: cause }, 'releasing due rows failed; their lease will expire');
      });
    }
  }

  /**
   * Logs only failures 1, 2, 4, 8, and so on of a series, so that an hour of outage takes about a dozen
   * lines.
   */
  function logFailure(error: unknown): void {
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
          await sleep(pollAgainMs.whileHandling);
          continue;
        }
        const dueInMs = (await nextDueInMs(db, table)) ?? pollIntervalMs;
        if (dueInMs > 0) {
          pauseMs = lockedPauseMs.first;
          // Add jitter, because loops that start together would otherwise keep polling together, each with
          // its own connection.
          await sleep(Math.min(dueInMs, pollIntervalMs * (0.8 + Math.random() / 5)));
        } else if (where) {
          // The condition excludes a due row, so polling sooner wouldn't help.
          await sleep(pollIntervalMs);
        } else {
          await sleep(pauseMs);
          pauseMs = Math.min(pauseMs * 2, lockedPauseMs.longest);
        }
      } catch (error) {
        logFailure(error);
        // Wake-ups must not shorten this pause: released rows wake the loop, and during a database outage all
        // rows are released.
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
