import type { RawBuilder } from 'kysely';
import { type Database, isDatabaseUnavailable, listen, type Tx, transaction } from '../database/index.ts';
import type { Log } from '../log.ts';
import { BatchSize } from './batch-size.ts';
import {
  type Claim,
  claimDueRows,
  type DueTable,
  type LockedRow,
  lockDueRows,
  nextDueInMs,
  releaseDueRows,
  type TurnOptions,
} from './due-table.ts';

export interface DueLoopOptions<Row extends object> {
  db: Database;
  log: Log;
  table: DueTable;
  /**
   * Maximum number of rows in one claim. The rows of a claim are handled together. If organizations take
   * turns, a claim in turns is also limited by time, and any other claim has at most a fifth of this number.
   */
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
   * Maximum number of rows in an additional claim while the loop is full or has a backlog. This claim takes
   * only rows of organizations whose rows were triggered and that have no rows in flight, so that an
   * organization with a few rows doesn't wait for large batches of others. Default: 0. Requires `turnOf`, and
   * wake-ups by `dueTopic` with the organization.
   */
  quickRows?: number;
  /**
   * Called before each claim in turns. Resolves when other large work allows the claim to begin. The result
   * is a function that is called when the claimed rows have been handled. Requires `quickRows`, because only
   * additional claims are possible while the loop waits.
   */
  beginTurn?(signal: AbortSignal): Promise<() => void>;
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

/** Interval between checks for due rows. A lost wake-up delays a row by at most this interval. */
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

/** Maximum number of additional claims in flight, and the shortest time between two of them. */
const quick = { maxInFlight: 2, everyMs: 10 };
/**
 * Maximum share of `batchSize` for a claim of the rows that have been due longest. It's small, because such a
 * claim can put a row of a small organization into a batch with many rows of another organization. The small
 * organization then waits for the end of the batch.
 */
const mixedShare = 1 / 5;
/**
 * Minimum share of `batchSize` for a claim in turns. A claim can always be this large, even if its rows take
 * long.
 */
const leastShare = 1 / 25;
/** Maximum number of organizations that are remembered because their rows were triggered. */
const maxTriggered = 1_000;

/**
 * Returns the delay of rows whose handling failed, in milliseconds. The delay doesn't grow during a database outage.
 * Otherwise, after many consecutive failed attempts, rows would wait for minutes once the database is available again.
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

interface TakeOptions {
  inTurns?: TurnOptions;
  isQuick?: boolean;
  /** Called once: when the rows are handled, when no rows are due, or when the claim fails. */
  onHandled?: () => void;
}

/** The result of a claim. */
interface Taken {
  limit: number;
  count: number;
}

/** Claims due rows of one table and passes them to their handler until the loop is stopped. */
export function startDueLoop<Row extends object>(options: DueLoopOptions<Row>): DueLoop {
  const { db, table, batchSize } = options;
  const log = options.log.child({ loop: table.name });
  const inFlight = new Set<Promise<void>>();
  let rowsInFlight = 0;
  let quickInFlight = 0;
  /** Number of rows in flight of each organization, if organizations take turns. */
  const inFlightOf = new Map<number, number>();
  /** Organizations whose rows were triggered since the last claim. */
  const triggered = new Set<number>();
  /** True at the start and after a full claim: more rows can be due, so the next claim takes organizations in turns. */
  let hasBacklog = table.turnOf !== undefined;
  /** True if claims are limited by time. Rows that are handled one by one don't wait for each other. */
  const isTimed = table.turnOf !== undefined && !options.isOneByOne;
  const shareOf = (share: number) => Math.max(1, Math.floor(batchSize * share));
  const turnSize = new BatchSize({
    min: shareOf(leastShare),
    max: batchSize,
    first: batchSize,
  });
  /** True from the start of a claim in turns, which can wait for other large work, until its rows are handled. */
  let isTurnRunning = false;
  /** The last claim in turns, from its start until the loop has used its result. */
  let turn: Promise<Taken> | null = null;
  let isTurnTaken = false;
  const stopping = new AbortController();
  let isStopping = false;
  let wasWoken = false;
  /** True if due rows may be waiting for capacity. */
  let isFull = false;
  /**
   * True after a claim whose `handleLocked` failed. The next rows are claimed under leases instead.
   * Additional claims have a separate flag (`quick`), because they claim different rows.
   */
  const failedLocked = { quick: false, other: false };
  let pauseMs = lockedPauseMs.first;
  /** Number of consecutive failed polls. */
  let failures = 0;
  let interrupt: (() => void) | null = null;

  const wake = () => {
    wasWoken = true;
    interrupt?.();
  };
  const unsubscribe = listen(db, table.name, (detail) => {
    if (table.turnOf && detail !== undefined && triggered.size < maxTriggered) triggered.add(Number(detail));
    wake();
  });

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

  /** Adds rows to those in flight, or removes them with a `sign` of -1. */
  function countInFlight(rows: readonly { row: object }[], isQuick: boolean, sign: 1 | -1 = 1): void {
    if (isQuick) quickInFlight += rows.length === 0 ? 0 : sign;
    else rowsInFlight += sign * rows.length;
    if (!table.turnOf) return;
    for (const { row } of rows) {
      const organizationId = (row as Record<string, number>)[table.turnOf]!;
      const count = (inFlightOf.get(organizationId) ?? 0) + sign;
      if (count > 0) inFlightOf.set(organizationId, count);
      else inFlightOf.delete(organizationId);
    }
  }

  /** Tracks the handling of rows until it completes. */
  function track(
    work: Promise<void>,
    { isQuick = false, onHandled }: TakeOptions,
    rowsOf: () => readonly { row: object }[],
  ): void {
    const startedAt = performance.now();
    const tracked = work.finally(() => {
      inFlight.delete(tracked);
      countInFlight(rowsOf(), isQuick, -1);
      if (!isQuick) turnSize.adaptTo(rowsOf().length, performance.now() - startedAt);
      onHandled?.();
      // If the loop was full, wake it even if `rowsOf()` is empty now, because a transaction that had locked
      // rows may have been retried and found none.
      if (isFull) wake();
      else if (rowsOf().length > 0) setTimeout(wake, pollAgainMs.afterHandling);
    });
    inFlight.add(tracked);
  }

  /** Claims rows and starts to handle them without waiting for completion. Returns the number of rows. */
  async function take(
    limit: number,
    where: RawBuilder<unknown> | undefined,
    takeOptions: TakeOptions = {},
  ): Promise<number> {
    const { inTurns, isQuick = false, onHandled } = takeOptions;
    const orderBy = typeof options.orderBy === 'function' ? options.orderBy() : options.orderBy;
    const due = {
      limit,
      ...(options.columns && { columns: options.columns }),
      ...(where && { where }),
      ...(orderBy && { orderBy }),
      ...(inTurns && { inTurns }),
    };
    const kind = isQuick ? 'quick' : 'other';
    if (options.handleLocked && !failedLocked[kind])
      return takeLocked(options.handleLocked, due, takeOptions);
    failedLocked[kind] = false;
    let claims: Claim<Row>[] = [];
    try {
      claims = await claimDueRows<Row>(db, table, { ...due, leaseMs: options.leaseMs });
    } finally {
      if (claims.length === 0) onHandled?.();
    }
    const groups = options.isOneByOne ? claims.map((claim) => [claim]) : [claims];
    for (const group of groups) {
      if (group.length === 0) continue;
      countInFlight(group, isQuick);
      track(handle(group), takeOptions, () => group);
    }
    return claims.length;
  }

  async function takeLocked(
    handleLocked: (tx: Tx, rows: LockedRow<Row>[]) => Promise<void>,
    due: Parameters<typeof lockDueRows>[2],
    takeOptions: TakeOptions,
  ): Promise<number> {
    const { isQuick = false } = takeOptions;
    const taken = Promise.withResolvers<number>();
    let rows: LockedRow<Row>[] = [];
    const work = transaction(db, async (tx) => {
      // Stop counting the previous rows, because a retried transaction locks other rows.
      countInFlight(rows, isQuick, -1);
      rows = [];
      rows = await lockDueRows<Row>(tx, table, due);
      countInFlight(rows, isQuick);
      if (rows.length === 0) return;
      taken.resolve(rows.length);
      await handleLocked(tx, rows);
    }).then(
      () => taken.resolve(0),
      (error: unknown) => {
        taken.reject(error);
        if (rows.length === 0) return;
        failedLocked[isQuick ? 'quick' : 'other'] = true;
        log.warn({ err: error, rows: rows.length }, 'processing due rows failed; will retry');
      },
    );
    track(work, takeOptions, () => rows);
    return taken.promise;
  }

  let lastQuickAt = -Infinity;
  /**
   * Claims a few triggered rows of organizations without rows in flight, while the loop is full or has a backlog.
   *
   * @returns The time to wait before the next claim.
   */
  async function takeQuickly(): Promise<number> {
    if (!options.quickRows || quickInFlight >= quick.maxInFlight) return pollIntervalMs;
    const idle = [...triggered].filter((organizationId) => !inFlightOf.has(organizationId));
    if (idle.length === 0) return pollIntervalMs;
    const waitMs = lastQuickAt + quick.everyMs - performance.now();
    if (waitMs > 0) return waitMs;
    lastQuickAt = performance.now();
    const first = idle.slice(0, options.quickRows);
    // Remove the organizations before the claim, so that those that trigger rows during the claim are
    // remembered.
    for (const organizationId of first) triggered.delete(organizationId);
    const inTurns = { first, isOnlyFirst: true };
    await take(options.quickRows, options.where?.(), { inTurns, isQuick: true });
    return quick.everyMs;
  }

  /** Claims rows in turns and starts to handle them. Only one such claim runs at a time. */
  async function takeTurn(): Promise<Taken> {
    let endTurn: (() => void) | undefined;
    const onHandled = () => {
      isTurnRunning = false;
      endTurn?.();
    };
    isTurnRunning = true;
    try {
      endTurn = await options.beginTurn?.(stopping.signal);
    } catch (error) {
      onHandled();
      throw error;
    }
    const limit = Math.max(1, Math.min(turnSize.rows, options.maxInFlight - rowsInFlight));
    const count = await take(limit, options.where?.(), {
      inTurns: { first: takeTriggered(limit / 2) },
      onHandled,
    });
    return { limit, count };
  }

  /** Removes up to `count` organizations from the triggered ones, and returns them. */
  function takeTriggered(count = Infinity): number[] {
    const first = [...triggered].slice(0, Math.floor(count));
    for (const organizationId of first) triggered.delete(organizationId);
    return first;
  }

  /**
   * Claims rows in turns. If additional claims are possible in the meantime, doesn't wait for other large
   * work or for the end of the claim.
   *
   * @returns Null if the claim isn't complete yet.
   */
  async function takeBacklog(): Promise<Taken | null> {
    if (!turn) {
      turn = takeTurn();
      const onTaken = () => {
        isTurnTaken = true;
        wake();
      };
      turn.then(onTaken, onTaken);
    }
    if (options.quickRows && !isTurnTaken) return null;
    try {
      return await turn;
    } finally {
      turn = null;
      isTurnTaken = false;
    }
  }

  async function handle(claims: Claim<Row>[]): Promise<void> {
    try {
      await options.handle(claims);
    } catch (error) {
      log.error({ err: error, rows: claims.length }, 'processing due rows failed; will retry');
      const attempts = Math.max(...claims.map((claim) => claim.attempts));
      const delayMs = retryDelayMs(error, attempts);
      // If the release fails because the database is unavailable, the leases expire instead.
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

  function noteTaken({ limit, count }: Taken): void {
    if (failures > 0) log.info({ failures }, 'claiming due rows recovered');
    failures = 0;
    if (count > 0) pauseMs = lockedPauseMs.first;
    hasBacklog = count === limit && table.turnOf !== undefined;
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      wasWoken = false;
      const capacity = Math.min(batchSize, options.maxInFlight - rowsInFlight);
      isFull = capacity <= 0 || isTurnRunning;
      try {
        if (isTurnTaken) {
          const taken = await takeBacklog();
          if (taken) noteTaken(taken);
          continue;
        }
        if (isFull) {
          await sleep(await takeQuickly());
          continue;
        }
        // Claim a few triggered rows separately first, because this claim could put those of a small
        // organization into a large batch.
        if (hasBacklog) await takeQuickly();
        if (hasBacklog && isTimed) {
          const taken = await takeBacklog();
          if (taken) noteTaken(taken);
          continue;
        }
        const limit = isTimed ? Math.min(capacity, shareOf(mixedShare)) : capacity;
        const where = options.where?.();
        const isInTurns = hasBacklog;
        // These organizations take at most half of the claim. The rest is for organizations in a random
        // order.
        const first = takeTriggered(isInTurns ? limit / 2 : undefined);
        const taken = await take(limit, where, isInTurns ? { inTurns: { first } } : {});
        noteTaken({ limit, count: taken });
        // Remember these organizations again, because older rows of other organizations may have filled the
        // claim.
        if (taken === limit && !isInTurns) for (const organizationId of first) triggered.add(organizationId);
        // If organizations have far fewer rows than their share, those that have been due longest use the rest.
        if (taken === limit || (isInTurns && taken < limit / 2)) continue;
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
          // A row is due, but `where` excludes it, so polling sooner wouldn't help.
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
      stopping.abort();
      unsubscribe();
      interrupt?.();
      await running;
      await turn?.catch(() => undefined);
      await Promise.all(inFlight);
    },
  };
}
