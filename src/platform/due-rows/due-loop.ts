import type { RawBuilder } from 'kysely';
import { type Database, isDatabaseUnavailable, listen, type Tx, transaction } from '../database/index.ts';
import type { Log } from '../log.ts';
import { Alarm } from './alarm.ts';
import { BatchSize } from './batch-size.ts';
import {
  type Claim,
  claimDueRows,
  type DueTable,
  findNextDue,
  type LockedRow,
  lockDueRows,
  type NextDue,
  releaseDueRows,
  type TurnOptions,
} from './due-table.ts';
import { OrganizationTurns } from './organization-turns.ts';

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
 * Shortest pauses while due rows can't be claimed, because others have locked them or `where` excludes them. The pause
 * doubles after each poll: locked rows are finished either immediately or with a batch that takes seconds, and rows that
 * become due one after another could all be excluded. The longest pause is also the longest delay of rows that become
 * due during it.
 */
const unclaimablePauseMs = { first: 50, longest: 1_000 };

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
  lane?: Lane;
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
  return new RunningLoop(options);
}

/** A part of the rows of a loop: those of additional claims, or all others. */
type Lane = 'quick' | 'other';

class RunningLoop<Row extends object> implements DueLoop {
  readonly #options: DueLoopOptions<Row>;
  readonly #log: Log;
  readonly #alarm = new Alarm();
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #running: Promise<void>;

  readonly #inFlight = new Set<Promise<void>>();
  readonly #organizations = new OrganizationTurns();
  #rowsInFlight = 0;
  #quickInFlight = 0;
  #lastQuickAt = -Infinity;
  /** True if due rows may be waiting for capacity. */
  #isFull = false;
  /** True at the start and after a full claim: more rows can be due, so the next claim takes organizations in turns. */
  #hasBacklog: boolean;
  /** True if claims are limited by time. Rows that are handled one by one don't wait for each other. */
  readonly #isTimed: boolean;
  readonly #turnSize: BatchSize;
  /** True from the start of a claim in turns, which can wait for other large work, until its rows are handled. */
  #isTurnRunning = false;
  /** The last claim in turns, from its start until the loop has used its result. */
  #turn: Promise<Taken> | null = null;
  #isTurnTaken = false;
  /**
   * True after a claim whose `handleLocked` failed. The next rows are claimed under leases instead. Additional claims
   * have a separate flag, because they claim different rows.
   */
  readonly #failedLocked: Record<Lane, boolean> = { quick: false, other: false };
  #pauseMs = unclaimablePauseMs.first;
  /** Number of consecutive failed polls. */
  #failures = 0;

  constructor(options: DueLoopOptions<Row>) {
    const { db, table, batchSize } = options;
    this.#options = options;
    this.#log = options.log.child({ loop: table.name });
    this.#hasBacklog = table.turnOf !== undefined;
    this.#isTimed = table.turnOf !== undefined && !options.isOneByOne;
    this.#turnSize = new BatchSize({ min: this.#shareOf(leastShare), max: batchSize, first: batchSize });
    this.#unsubscribe = listen(db, table.name, (detail) => {
      if (table.turnOf && detail !== undefined) this.#organizations.addTriggered(Number(detail));
      this.wake();
    });
    this.#running = this.#run();
  }

  wake(): void {
    this.#alarm.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    this.#alarm.stop();
    await this.#running;
    await this.#turn?.catch(() => undefined);
    await Promise.all(this.#inFlight);
  }

  async #run(): Promise<void> {
    while (!this.#alarm.isStopped) {
      this.#alarm.reset();
      const capacity = Math.min(this.#options.batchSize, this.#options.maxInFlight - this.#rowsInFlight);
      this.#isFull = capacity <= 0 || this.#isTurnRunning;
      try {
        await this.#step(capacity);
      } catch (error) {
        this.#logFailure(error);
        // Wake-ups must not shorten this pause: released rows wake the loop, and during a database outage all
        // rows are released.
        const longestMs = Math.min(longestPauseMs, 250 * 2 ** this.#failures);
        await this.#alarm.sleep(longestMs * (0.5 + Math.random() / 2), { canBeWoken: false });
      }
    }
  }

  /** Claims rows, or pauses until rows can be due. */
  async #step(capacity: number): Promise<void> {
    if (this.#isTurnTaken) return this.#takeBacklog();
    if (this.#isFull) return this.#alarm.sleep(await this.#takeQuickly());
    // Claim a few triggered rows separately first, because this claim could put those of a small
    // organization into a large batch.
    if (this.#hasBacklog) await this.#takeQuickly();
    if (this.#hasBacklog && this.#isTimed) return this.#takeBacklog();
    const limit = this.#isTimed ? Math.min(capacity, this.#shareOf(mixedShare)) : capacity;
    const where = this.#options.where?.();
    const isInTurns = this.#hasBacklog;
    // These organizations take at most half of the claim. The rest is for organizations in a random
    // order.
    const first = this.#organizations.takeTriggered(isInTurns ? limit / 2 : undefined);
    const none = isInTurns ? null : await this.#findNoneClaimable(where);
    const count = none ? 0 : await this.#take(limit, where, isInTurns ? { inTurns: { first } } : {});
    this.#noteTaken({ limit, count });
    // Remember these organizations again, because older rows of other organizations may have filled the
    // claim.
    if (count === limit && !isInTurns) for (const each of first) this.#organizations.addTriggered(each);
    // If organizations have far fewer rows than their share, those that have been due longest use the rest.
    if (count === limit || (isInTurns && count < limit / 2)) return;
    if (count > 0) return this.#alarm.sleep(pollAgainMs.whileHandling);
    await this.#sleepUntilDue(none ?? (await findNextDue(this.#options.db, this.#options.table, where)));
  }

  /**
   * Checks whether rows can be claimed, if a transaction would otherwise lock none most of the time, because `where`
   * excludes them. The transaction takes three statements, and this check takes one.
   *
   * @returns When the next rows are due. Null if rows may be claimable.
   */
  async #findNoneClaimable(where: RawBuilder<unknown> | undefined): Promise<NextDue | null> {
    const { db, table, handleLocked } = this.#options;
    if (!where || !handleLocked || this.#failedLocked.other) return null;
    const next = await findNextDue(db, table, where);
    return next.claimableInMs === null || next.claimableInMs > 0 ? next : null;
  }

  async #sleepUntilDue({ dueInMs, claimableInMs }: NextDue): Promise<void> {
    // Add jitter, because loops that start together would otherwise keep polling together, each with its own
    // connection.
    const longestMs = pollIntervalMs * (0.8 + Math.random() / 5);
    if (dueInMs === null || dueInMs > 0) {
      this.#pauseMs = unclaimablePauseMs.first;
      return this.#alarm.sleep(Math.min(dueInMs ?? longestMs, longestMs));
    }
    // Ignore due rows that `where` excludes, because polling sooner wouldn't help.
    await this.#alarm.sleep(Math.max(this.#pauseMs, Math.min(claimableInMs ?? longestMs, longestMs)));
    this.#pauseMs = Math.min(this.#pauseMs * 2, unclaimablePauseMs.longest);
  }

  #shareOf(share: number): number {
    return Math.max(1, Math.floor(this.#options.batchSize * share));
  }

  #noteTaken({ limit, count }: Taken): void {
    if (this.#failures > 0) this.#log.info({ failures: this.#failures }, 'claiming due rows recovered');
    this.#failures = 0;
    if (count > 0) this.#pauseMs = unclaimablePauseMs.first;
    this.#hasBacklog = count === limit && this.#options.table.turnOf !== undefined;
  }

  /**
   * Logs only failures 1, 2, 4, 8, and so on of a series, so that an hour of outage takes about a dozen
   * lines.
   */
  #logFailure(error: unknown): void {
    const failures = ++this.#failures;
    if (!Number.isInteger(Math.log2(failures))) return;
    if (isDatabaseUnavailable(error))
      this.#log.warn(
        { reason: (error as Error).message, failures },
        'due rows waiting: database unavailable',
      );
    else this.#log.error({ err: error, failures }, 'claiming due rows failed');
  }

  /**
   * Claims a few triggered rows of organizations without rows in flight, while the loop is full or has a backlog.
   *
   * @returns The time to wait before the next claim.
   */
  async #takeQuickly(): Promise<number> {
    const { quickRows } = this.#options;
    if (!quickRows || this.#quickInFlight >= quick.maxInFlight || !this.#organizations.hasIdle())
      return pollIntervalMs;
    const waitMs = this.#lastQuickAt + quick.everyMs - performance.now();
    if (waitMs > 0) return waitMs;
    this.#lastQuickAt = performance.now();
    // Remove the organizations before the claim, so that those that trigger rows during the claim are
    // remembered.
    const inTurns = { first: this.#organizations.takeIdle(quickRows), isOnlyFirst: true };
    await this.#take(quickRows, this.#options.where?.(), { inTurns, lane: 'quick' });
    return quick.everyMs;
  }

  /**
   * Claims rows in turns. If additional claims are possible in the meantime, doesn't wait for other large
   * work or for the end of the claim.
   */
  async #takeBacklog(): Promise<void> {
    if (!this.#turn) {
      this.#turn = this.#takeTurn();
      const onTaken = () => {
        this.#isTurnTaken = true;
        this.wake();
      };
      this.#turn.then(onTaken, onTaken);
    }
    if (this.#options.quickRows && !this.#isTurnTaken) return;
    try {
      this.#noteTaken(await this.#turn);
    } finally {
      this.#turn = null;
      this.#isTurnTaken = false;
    }
  }

  /** Claims rows in turns and starts to handle them. Only one such claim runs at a time. */
  async #takeTurn(): Promise<Taken> {
    let endTurn: (() => void) | undefined;
    const onHandled = () => {
      this.#isTurnRunning = false;
      endTurn?.();
    };
    this.#isTurnRunning = true;
    try {
      endTurn = await this.#options.beginTurn?.(this.#stopping.signal);
    } catch (error) {
      onHandled();
      throw error;
    }
    const room = this.#options.maxInFlight - this.#rowsInFlight;
    const limit = Math.max(1, Math.min(this.#turnSize.rows, room));
    const inTurns = { first: this.#organizations.takeTriggered(limit / 2) };
    return { limit, count: await this.#take(limit, this.#options.where?.(), { inTurns, onHandled }) };
  }

  /** Claims rows and starts to handle them without waiting for completion. Returns the number of rows. */
  async #take(
    limit: number,
    where: RawBuilder<unknown> | undefined,
    takeOptions: TakeOptions = {},
  ): Promise<number> {
    const { db, table, leaseMs, columns, orderBy: order, isOneByOne, handleLocked } = this.#options;
    const { inTurns, lane = 'other', onHandled } = takeOptions;
    const orderBy = typeof order === 'function' ? order() : order;
    const due = {
      limit,
      ...(columns && { columns }),
      ...(where && { where }),
      ...(orderBy && { orderBy }),
      ...(inTurns && { inTurns }),
    };
    if (handleLocked && !this.#failedLocked[lane]) return this.#takeLocked(handleLocked, due, takeOptions);
    this.#failedLocked[lane] = false;
    let claims: Claim<Row>[] = [];
    try {
      claims = await claimDueRows<Row>(db, table, { ...due, leaseMs });
    } finally {
      if (claims.length === 0) onHandled?.();
    }
    const groups = isOneByOne ? claims.map((claim) => [claim]) : [claims];
    for (const group of groups) {
      if (group.length === 0) continue;
      this.#countInFlight(group, lane);
      this.#track(this.#handle(group), takeOptions, () => group);
    }
    return claims.length;
  }

  async #takeLocked(
    handleLocked: (tx: Tx, rows: LockedRow<Row>[]) => Promise<void>,
    due: Parameters<typeof lockDueRows>[2],
    takeOptions: TakeOptions,
  ): Promise<number> {
    const { db, table } = this.#options;
    const { lane = 'other' } = takeOptions;
    const taken = Promise.withResolvers<number>();
    let rows: LockedRow<Row>[] = [];
    const work = transaction(db, async (tx) => {
      // Stop counting the previous rows, because a retried transaction locks other rows.
      this.#countInFlight(rows, lane, -1);
      rows = [];
      rows = await lockDueRows<Row>(tx, table, due);
      this.#countInFlight(rows, lane);
      if (rows.length === 0) return;
      taken.resolve(rows.length);
      await handleLocked(tx, rows);
    }).then(
      () => taken.resolve(0),
      (error: unknown) => {
        taken.reject(error);
        if (rows.length === 0) return;
        this.#failedLocked[lane] = true;
        this.#log.warn({ err: error, rows: rows.length }, 'processing due rows failed; will retry');
      },
    );
    this.#track(work, takeOptions, () => rows);
    return taken.promise;
  }

  /** Tracks the handling of rows until it completes. */
  #track(
    work: Promise<void>,
    { lane = 'other', onHandled }: TakeOptions,
    rowsOf: () => readonly { row: object }[],
  ): void {
    const startedAt = performance.now();
    const tracked = work.finally(() => {
      this.#inFlight.delete(tracked);
      this.#countInFlight(rowsOf(), lane, -1);
      if (lane === 'other') this.#turnSize.adaptTo(rowsOf().length, performance.now() - startedAt);
      onHandled?.();
      // If the loop was full, wake it even if `rowsOf()` is empty now, because a transaction that had locked
      // rows may have been retried and found none.
      if (this.#isFull) this.wake();
      else if (rowsOf().length > 0) setTimeout(() => this.wake(), pollAgainMs.afterHandling);
    });
    this.#inFlight.add(tracked);
  }

  /** Adds rows to those in flight, or removes them with a `sign` of -1. */
  #countInFlight(rows: readonly { row: object }[], lane: Lane, sign: 1 | -1 = 1): void {
    if (lane === 'quick') this.#quickInFlight += rows.length === 0 ? 0 : sign;
    else this.#rowsInFlight += sign * rows.length;
    const { turnOf } = this.#options.table;
    if (!turnOf) return;
    for (const { row } of rows)
      this.#organizations.countInFlight((row as Record<string, number>)[turnOf]!, sign);
  }

  async #handle(claims: Claim<Row>[]): Promise<void> {
    const { db, table, handle } = this.#options;
    try {
      await handle(claims);
    } catch (error) {
      this.#log.error({ err: error, rows: claims.length }, 'processing due rows failed; will retry');
      const attempts = Math.max(...claims.map((claim) => claim.attempts));
      const delayMs = retryDelayMs(error, attempts);
      // If the release fails because the database is unavailable, the leases expire instead.
      await releaseDueRows(db, table, claims, delayMs).catch((cause: unknown) => {
        this.#log.warn({ err: cause }, 'releasing due rows failed; their lease will expire');
      });
    }
  }
}
