import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../database/index.ts';

/**
 * A table whose rows can become due. It has the columns `due_at, requested_seq, processed_seq, lease_token,
 * lease_until, attempts` and an index on `due_at`.
 */
export interface DueTable {
  name: string;
  /** The columns of the primary key with their types, in key order. */
  keys: Readonly<Record<string, 'bigint' | 'text'>>;
  /**
   * The organization that the work is for, if organizations take turns. The table then has an index that begins with
   * this column and `due_at`, with the condition `due_at <> 'infinity'`.
   */
  turnOf?: 'organization_id' | 'for_organization_id';
}

/** A due row that this process holds until its lease ends. */
export interface Claim<Row> {
  row: Row;
  /** Database time of the claim, used as `now` in every decision about this row. */
  now: Date;
  leaseToken: string;
  /**
   * Sequence number of the row's triggers at the time of the claim. Finishing compares it with the current number to
   * detect later triggers.
   */
  requestedSeq: string;
  /** Number of claims since the row was last finished. Above 1 after a crash or a failure. */
  attempts: number;
}

/** A due row that stays locked until the end of this transaction. */
export interface LockedRow<Row> {
  row: Row;
  /** Database time at which the row was locked. */
  now: Date;
}

interface DueOptions {
  limit: number;
  /** Columns that the handler requires in addition to the key, such as `cursor_alert_config_id`. */
  columns?: readonly string[];
  /**
   * Condition for rows that can be claimed now. Excludes, for example, rows of organizations that already have enough
   * rows in flight.
   */
  where?: RawBuilder<unknown>;
  /** Order in which due rows are claimed. By default, the row that has been due longest is first. */
  orderBy?: RawBuilder<unknown>;
  /**
   * Claims the same number of rows for each organization that has due rows. Within an organization, `orderBy`
   * applies. Requires `turnOf`. Without turns, the rows of an organization wait for all rows that have been
   * due longer.
   */
  inTurns?: TurnOptions;
}

/** The organizations that take part in a claim. */
export interface TurnOptions {
  /** Organizations that take part even if there are too many to consider all of them. */
  first?: readonly number[];
  /** True if only those in `first` take part. */
  isOnlyFirst?: boolean;
  /** Organizations that don't take part. */
  except?: readonly number[];
}

interface ClaimOptions extends DueOptions {
  leaseMs: number;
}

/**
 * Maximum number of organizations that a claim in turns considers. If there are more, the claim starts at a
 * random organization. Finding the ones with due rows among 2,000 organizations takes 8 ms, even if most of
 * them have only rows that are due later.
 */
const organizationsPerClaim = 2_000;

const isFree = sql`(lease_until IS NULL OR lease_until <= pacekeeper_now())`;
/**
 * True for rows that can be claimed. PostgreSQL uses the index of rows with a due time only if `due_at <
 * 'infinity'` is stated.
 */
export const isDue = sql`due_at <= pacekeeper_now() AND due_at < 'infinity' AND ${isFree}`;
/**
 * The same condition as `isDue`, for the rows of one organization. `<>` matches only the index that begins
 * with the organization. With `<`, PostgreSQL would use the index of all organizations if its statistics
 * contain few due rows.
 */
export const isDueWithinOrganization = sql`due_at <= pacekeeper_now() AND due_at <> 'infinity' AND ${isFree}`;

/**
 * Returns a query that locks rows that are due and not leased, and skips rows that other transactions have
 * locked.
 */
function lockedDueRows(
  table: DueTable,
  columns: RawBuilder<unknown>,
  options: DueOptions,
): RawBuilder<unknown> {
  if (options.inTurns && table.turnOf) return lockedInTurns(table, columns, options, options.inTurns);
  return sql`
    SELECT ${columns} FROM ${sql.table(table.name)}
    WHERE ${isDue} AND ${options.where ?? sql`true`}
    ORDER BY ${options.orderBy ?? sql`due_at`}
    LIMIT ${options.limit}
    -- Don't use FOR UPDATE, because it would also skip rows whose keys are locked by rows that refer to them.
    FOR NO KEY UPDATE SKIP LOCKED`;
}

function lockedInTurns(
  table: DueTable,
  columns: RawBuilder<unknown>,
  { limit, where = sql`true`, orderBy = sql`due_at` }: DueOptions,
  turns: TurnOptions,
): RawBuilder<unknown> {
  return sql`
    WITH taking_turns AS MATERIALIZED (${organizationsWithDueRows(table, { limit, where, turns })})
    SELECT in_turn.* FROM taking_turns CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${sql.table(table.name)}
      WHERE ${sql.ref(table.turnOf!)} = taking_turns.id AND ${isDueWithinOrganization} AND ${where}
      ORDER BY ${orderBy}
      LIMIT (SELECT ${limit}::bigint / greatest(count(*), 1) FROM taking_turns)
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS in_turn`;
}

/**
 * Returns a query for the IDs of at most `limit` organizations that have due rows. It uses the
 * index that begins with the organization, so the cost doesn't depend on the number of due rows.
 */
export function organizationsWithDueRows(
  table: DueTable,
  { limit, where = sql`true`, turns }: { limit: number; where?: RawBuilder<unknown>; turns: TurnOptions },
): RawBuilder<unknown> {
  const { first = [], isOnlyFirst = false, except = [] } = turns;
  const part = (isInPart: RawBuilder<unknown>) => sql`
    SELECT id FROM organizations WHERE ${isInPart} ORDER BY id LIMIT ${sql.lit(organizationsPerClaim)}`;
  const ids = sql`${[...first]}::bigint[]`;
  // Don't use UNION, because it would lose the random order, and the same organizations could always be
  // first.
  const others = sql`
    UNION ALL SELECT id FROM (
      (${part(sql`id >= (SELECT at FROM start)`)}) UNION ALL (${part(sql`id < (SELECT at FROM start)`)})
      LIMIT ${sql.lit(organizationsPerClaim)}
    ) AS others WHERE id <> ALL(${ids})`;
  return sql`
    WITH start AS MATERIALIZED (SELECT (random() * max(id))::bigint AS at FROM organizations)
    SELECT known.id FROM (SELECT unnest(${ids}) AS id ${isOnlyFirst ? sql`` : others}) AS known
    WHERE known.id <> ALL(${[...except]}::bigint[]) AND EXISTS (
      SELECT FROM ${sql.table(table.name)}
      WHERE ${sql.ref(table.turnOf!)} = known.id AND ${isDueWithinOrganization} AND ${where}
      OFFSET 0)
    LIMIT ${limit}`;
}

function wantedColumns(table: DueTable, { columns = [] }: DueOptions): string[] {
  return [...Object.keys(table.keys), ...columns];
}

/**
 * Locks rows that are due and not leased, in the transaction that handles them. The locks exclude other
 * callers until the transaction ends, which saves writing a lease. The handler must then finish the rows.
 */
export async function lockDueRows<Row>(
  tx: Tx,
  table: DueTable,
  options: DueOptions,
): Promise<LockedRow<Row>[]> {
  const columns = sql.join([
    ...wantedColumns(table, options).map((column) => sql.ref(column)),
    sql`pacekeeper_now() AS due_now`,
  ]);
  const { rows } = await sql<Row & { due_now: Date }>`${lockedDueRows(table, columns, options)}`.execute(tx);
  return rows.map(({ due_now, ...row }) => ({ row: row as Row, now: due_now }));
}

/**
 * Finishes rows that the same transaction has locked with `lockDueRows`. The lock ensures that they haven't been
 * triggered since. If another process had a lease on one of these rows that has expired, that process can no longer
 * finish the row.
 */
export async function finishLockedRows(
  tx: Tx,
  table: DueTable,
  finishes: readonly { row: object; nextDueAt: Date | null }[],
): Promise<void> {
  if (finishes.length === 0) return;
  await sql`
    UPDATE ${sql.table(table.name)} AS due_row
    SET processed_seq = requested_seq, attempts = 0, lease_token = NULL, lease_until = NULL, due_at = next_due_at
    FROM unnest(
      ${keyArrays(
        table,
        finishes.map(({ row }) => row),
      )},
      ${finishes.map(({ nextDueAt }) => nextDueAt?.toISOString() ?? 'infinity')}::timestamptz[]
    ) AS finished (${keyColumns(table)}, next_due_at)
    WHERE ${isSameRow(table, 'finished')}`.execute(tx);
}

/**
 * Claims rows that are due and not leased. No two callers get the same row before its lease ends, even in different
 * processes. Rows that others are claiming at this moment are skipped.
 *
 * The commit of a claim doesn't wait for the disk. If a database crash loses a claim, its rows are due again, and the
 * process that held the claim can't complete them.
 */
export async function claimDueRows<Row>(
  db: Database,
  table: DueTable,
  options: ClaimOptions,
): Promise<Claim<Row>[]> {
  const columns = wantedColumns(table, options).map((column) => sql`due_row.${sql.ref(column)}`);
  const { rows } = await sql<
    Row & { due_now: Date; due_lease: string; due_requested_seq: string; due_attempts: number }
  >`
    WITH due AS (${lockedDueRows(table, keyColumns(table), options)})
    UPDATE ${sql.table(table.name)} AS due_row
    SET lease_token = gen_random_uuid(),
        lease_until = pacekeeper_now() + ${options.leaseMs}::float8 * interval '1 millisecond',
        attempts = due_row.attempts + 1
    FROM due, (SELECT set_config('synchronous_commit', 'off', true)) AS commit_of_claim
    WHERE ${isSameRow(table, 'due')}
    RETURNING ${sql.join(columns)}, pacekeeper_now() AS due_now, due_row.lease_token AS due_lease,
      due_row.requested_seq::text AS due_requested_seq, due_row.attempts AS due_attempts`.execute(db);
  return rows.map(({ due_now, due_lease, due_requested_seq, due_attempts, ...row }) => ({
    row: row as Row,
    now: due_now,
    leaseToken: due_lease,
    requestedSeq: due_requested_seq,
    attempts: due_attempts,
  }));
}

/** The fields of a claim that finishing requires, for any type of row. */
type AnyClaim = Pick<Claim<object>, 'row' | 'leaseToken' | 'requestedSeq'>;

interface Finish {
  claim: AnyClaim;
  /** Time at which the row is due again without a trigger. If null, only a trigger makes it due. */
  nextDueAt: Date | null;
}

/**
 * Finishes handled rows. A row that was triggered since its claim is due again immediately; any other row is due at
 * `nextDueAt`. Call it in the transaction that does the work, so that both take effect or neither.
 *
 * @returns The lease tokens that were still valid. Roll back the work on rows whose lease was lost, because another
 * process can have claimed them.
 */
export async function finishDueRows(
  db: Database | Tx,
  table: DueTable,
  finishes: readonly Finish[],
  /** Columns that record the result of the handling, written in the same statement. */
  { alsoSet }: { alsoSet?: RawBuilder<unknown> } = {},
): Promise<Set<string>> {
  if (finishes.length === 0) return new Set();
  const claims = finishes.map((finish) => finish.claim);
  const { rows } = await sql<{ lease: string }>`
    WITH finished AS (
      SELECT * FROM unnest(
        ${keyArrays(table, rowsOf(claims))},
        ${claims.map((claim) => claim.leaseToken)}::uuid[],
        ${claims.map((claim) => claim.requestedSeq)}::bigint[],
        ${finishes.map((finish) => finish.nextDueAt?.toISOString() ?? 'infinity')}::timestamptz[]
      ) AS finished (${keyColumns(table)}, lease, finished_requested_seq, next_due_at)
    )
    UPDATE ${sql.table(table.name)} AS due_row
    SET processed_seq = finished_requested_seq, attempts = 0, lease_token = NULL, lease_until = NULL,
        due_at = CASE WHEN due_row.requested_seq = finished_requested_seq THEN next_due_at ELSE pacekeeper_now() END
        ${alsoSet ? sql`, ${alsoSet}` : sql``}
    FROM finished
    WHERE ${isSameRow(table, 'finished')} AND due_row.lease_token = finished.lease
    RETURNING finished.lease`.execute(db);
  return new Set(rows.map((row) => row.lease));
}

/** Releases unhandled rows, which are due again after `delayMs`. Rows whose lease was lost don't change. */
export async function releaseDueRows(
  db: Database | Tx,
  table: DueTable,
  claims: readonly AnyClaim[],
  delayMs: number,
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    WITH released AS (
      SELECT * FROM unnest(${keyArrays(table, rowsOf(claims))}, ${claims.map((claim) => claim.leaseToken)}::uuid[])
        AS released (${keyColumns(table)}, lease)
    )
    UPDATE ${sql.table(table.name)} AS due_row
    SET lease_token = NULL, lease_until = NULL,
        due_at = pacekeeper_now() + ${delayMs}::float8 * interval '1 millisecond'
    FROM released WHERE ${isSameRow(table, 'released')} AND due_row.lease_token = released.lease`.execute(db);
}

/**
 * Makes rows due now. A row that is being handled is handled once more afterward. `where` selects the rows.
 * They're locked in key order, so that concurrent triggers can't deadlock.
 *
 * @returns The number of rows that became due.
 */
export async function triggerDueRows(
  db: Database | Tx,
  table: DueTable,
  where: RawBuilder<unknown>,
): Promise<number> {
  const keys = keyColumns(table);
  const result = await sql`
    WITH chosen AS (
      SELECT ${keys} FROM ${sql.table(table.name)} WHERE ${where} ORDER BY ${keys} FOR NO KEY UPDATE
    )
    UPDATE ${sql.table(table.name)} AS due_row
    SET requested_seq = due_row.requested_seq + 1, due_at = least(due_row.due_at, pacekeeper_now())
    FROM chosen WHERE ${isSameRow(table, 'chosen')}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Rows that a transaction triggers in its last statement, by table and key. */
type Collected = Map<DueTable, Map<string, object>>;

const collecting = new WeakMap<Tx, Collected>();

/**
 * Runs the work of a long transaction. Calls to `triggerSharedRows` take effect in the last statement of the
 * transaction, so that other transactions that trigger the same rows wait only for the commit, not for the
 * work. (Observed: when four servers evaluated one organization, three of them waited for its channel nearly
 * all the time.)
 */
export async function withDeferredTriggers<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const collected: Collected = new Map();
  collecting.set(tx, collected);
  const result = await work();
  collecting.delete(tx);
  for (const [table, rows] of collected) await triggerDueRows(tx, table, isOneOf(table, [...rows.values()]));
  return result;
}

/**
 * Triggers rows, given by their keys, that many transactions trigger at the same time. Inside `withDeferredTriggers`,
 * the rows are triggered at the end of the transaction, so the caller must ensure that they still exist at that time.
 */
export async function triggerSharedRows(tx: Tx, table: DueTable, rows: readonly object[]): Promise<void> {
  const collected = collecting.get(tx);
  if (!collected) {
    await triggerDueRows(tx, table, isOneOf(table, rows));
    return;
  }
  const ofTable = collected.get(table) ?? new Map<string, object>();
  for (const row of rows) ofTable.set(JSON.stringify(row), row);
  collected.set(table, ofTable);
}

export interface NextDue {
  /** Milliseconds until the next unleased row is due, by the database's clock. Null if none is scheduled. */
  dueInMs: number | null;
  /** The same for rows that can be claimed: without rows that are due and excluded by the condition. */
  claimableInMs: number | null;
}

/**
 * Returns when the next rows are due, without locking them.
 *
 * @param where Condition for rows that are already due. It can't exclude others, because its result can depend on what is
 *   due.
 */
export async function findNextDue(
  db: Database,
  table: DueTable,
  where?: RawBuilder<unknown>,
): Promise<NextDue> {
  const next = (isChosen: RawBuilder<unknown>) => sql`(
    SELECT extract(epoch FROM due_at - pacekeeper_now())::float8 * 1000
    FROM ${sql.table(table.name)}
    WHERE due_at < 'infinity' AND ${isFree} AND ${isChosen}
    ORDER BY due_at LIMIT 1)`;
  const claimable = where
    ? sql`, ${next(sql`(due_at > pacekeeper_now() OR ${where})`)} AS claimable_in_ms`
    : sql``;
  const { rows } = await sql<{ due_in_ms: number | null; claimable_in_ms?: number | null }>`
    SELECT ${next(sql`true`)} AS due_in_ms ${claimable}`.execute(db);
  const { due_in_ms: dueInMs, claimable_in_ms: claimableInMs = dueInMs } = rows[0]!;
  return { dueInMs, claimableInMs };
}

function keyColumns(table: DueTable): RawBuilder<unknown> {
  return sql.join(Object.keys(table.keys).map((key) => sql.ref(key)));
}

function isSameRow(table: DueTable, other: string): RawBuilder<unknown> {
  const parts = Object.keys(table.keys).map(
    (key) => sql`due_row.${sql.ref(key)} = ${sql.ref(`${other}.${key}`)}`,
  );
  return sql.join(parts, sql` AND `);
}

function isOneOf(table: DueTable, rows: readonly object[]): RawBuilder<unknown> {
  return sql`(${keyColumns(table)}) IN (SELECT * FROM unnest(${keyArrays(table, rows)}))`;
}

function rowsOf(claims: readonly AnyClaim[]): object[] {
  return claims.map((claim) => claim.row);
}

function keyArrays(table: DueTable, rows: readonly object[]): RawBuilder<unknown> {
  return sql.join(
    Object.entries(table.keys).map(([key, type]) => {
      const values = rows.map((row) => (row as Record<string, unknown>)[key]);
      return sql`${values}::${sql.raw(`${type}[]`)}`;
    }),
  );
}
