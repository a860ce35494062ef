import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../database/index.ts';

/**
 * A table whose rows can be due. It has the columns
 * `due_at, wanted, done, lease_token, lease_until, attempts` and an index on `due_at`.
 */
export interface DueTable {
  name: string;
  /** The columns of the primary key with their types, in its order. */
  keys: Readonly<Record<string, 'bigint' | 'text'>>;
}

/** A due row in our hands until its lease ends. */
export interface Claim<Row> {
  row: Row;
  /** The database's time of the claim: the `now` of every decision about this row. */
  now: Date;
  leaseToken: string;
  /** The sequence number of the requests when it was claimed; finishing compares it with the current one. */
  requestedSeq: string;
  /** How often it was claimed since it was last finished: above 1 after a crash or a failure. */
  attempts: number;
}

/** A due row that this transaction holds until its end. */
export interface LockedRow<Row> {
  row: Row;
  /** The database's time at which it was locked. */
  now: Date;
}

interface DueOptions {
  limit: number;
  /** What of the row the handler needs besides its key, such as `cursor_alert_config_id`. */
  columns?: readonly string[];
  /** Rows that are not to be taken now, such as those of organizations that have enough in flight. */
  where?: RawBuilder<unknown>;
  /** Which of the due rows first; the longest due by default. */
  orderBy?: RawBuilder<unknown>;
}

interface ClaimOptions extends DueOptions {
  leaseMs: number;
}

/** Locks rows that are due and that nobody has in hand; those that others lock at this moment are passed over. */
function lockedDueRows(
  table: DueTable,
  columns: RawBuilder<unknown>,
  options: DueOptions,
): RawBuilder<unknown> {
  return sql`
    SELECT ${columns} FROM ${sql.table(table.name)}
    -- Said twice: only the second lets the index on what will ever be due be used.
    WHERE due_at <= pacekeeper_now() AND due_at < 'infinity' AND (lease_until IS NULL OR lease_until <= pacekeeper_now())
      AND ${options.where ?? sql`true`}
    ORDER BY ${options.orderBy ?? sql`due_at`}
    LIMIT ${options.limit}
    -- Not FOR UPDATE: rows that refer to this one lock its key, and are no reason to pass it over.
    FOR NO KEY UPDATE SKIP LOCKED`;
}

function wantedColumns(table: DueTable, { columns = [] }: DueOptions): string[] {
  return [...Object.keys(table.keys), ...columns];
}

/**
 * Takes rows that are due and not leased, in the transaction that handles them. They are nobody else's until it ends, without
 * a lease and what writing that costs; what happens to them then is up to the handler.
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
 * Gives rows back as handled that the same transaction has locked as due: nobody can have triggered them since. Who had a row
 * before, and let its lease run out, finds it gone.
 */
export async function finishLockedRows(
  tx: Tx,
  table: DueTable,
  finishes: readonly { row: object; nextDueAt: Date | null }[],
): Promise<void> {
  if (finishes.length === 0) return;
  await sql`
    UPDATE ${sql.table(table.name)} AS due_row
    SET done = wanted, attempts = 0, lease_token = NULL, lease_until = NULL, due_at = next_due_at
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
    Row & { due_now: Date; due_lease: string; due_wanted: string; due_attempts: number }
  >`
    WITH due AS (${lockedDueRows(table, keyColumns(table), options)})
    UPDATE ${sql.table(table.name)} AS due_row
    SET lease_token = gen_random_uuid(),
        lease_until = pacekeeper_now() + ${options.leaseMs}::float8 * interval '1 millisecond',
        attempts = due_row.attempts + 1
    FROM due, (SELECT set_config('synchronous_commit', 'off', true)) AS commit_of_claim
    WHERE ${isSameRow(table, 'due')}
    RETURNING ${sql.join(columns)}, pacekeeper_now() AS due_now, due_row.lease_token AS due_lease,
      due_row.wanted::text AS due_wanted, due_row.attempts AS due_attempts`.execute(db);
  return rows.map(({ due_now, due_lease, due_wanted, due_attempts, ...row }) => ({
    row: row as Row,
    now: due_now,
    leaseToken: due_lease,
    requestedSeq: due_wanted,
    attempts: due_attempts,
  }));
}

/** A claim as finishing needs it, whatever else its row holds. */
type AnyClaim = Pick<Claim<object>, 'row' | 'leaseToken' | 'requestedSeq'>;

interface Finish {
  claim: AnyClaim;
  /** When it is due again by itself; null for not before it is triggered. */
  nextDueAt: Date | null;
}

/**
 * Gives rows back as handled. A row that was triggered since its claim is due again at once; else at
 * `nextDueAt`. Belongs into the transaction that does the work, so that both happen or none.
 *
 * @returns the lease tokens that still held. Work under a lost lease must be rolled back: somebody else has the row.
 */
export async function finishDueRows(
  db: Database | Tx,
  table: DueTable,
  finishes: readonly Finish[],
  /** Columns of the row that say something of the handling, written in the same statement. */
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
      ) AS finished (${keyColumns(table)}, lease, finished_wanted, next_due_at)
    )
    UPDATE ${sql.table(table.name)} AS due_row
    SET done = finished_wanted, attempts = 0, lease_token = NULL, lease_until = NULL,
        due_at = CASE WHEN due_row.wanted = finished_wanted THEN next_due_at ELSE pacekeeper_now() END
        ${alsoSet ? sql`, ${alsoSet}` : sql``}
    FROM finished
    WHERE ${isSameRow(table, 'finished')} AND due_row.lease_token = finished.lease
    RETURNING finished.lease`.execute(db);
  return new Set(rows.map((row) => row.lease));
}

/** Gives rows back unhandled; they are due again after `delayMs`. Rows whose lease was lost stay as they are. */
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
 * Makes rows due now. Whatever is being done with them at this moment, they are handled once more after it.
 * `where` chooses them; rows are locked in the order of their key, so that two triggers never wait for each other in a circle.
 *
 * @returns how many rows were made due
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
    SET wanted = due_row.wanted + 1, due_at = least(due_row.due_at, pacekeeper_now())
    FROM chosen WHERE ${isSameRow(table, 'chosen')}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Of a transaction that triggers last: the rows of each table, by their keys. */
type Collected = Map<DueTable, Map<string, object>>;

const collecting = new WeakMap<Tx, Collected>();

/**
 * Does the work of a long transaction. What it makes due by `triggerSharedRows` it makes due by its last statement, so that
 * others who trigger the same rows wait for its commit and not for its work (seen: four servers that evaluate one
 * organization, three of them waiting for its channel nearly all the time).
 */
export async function triggeringLast<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const collected: Collected = new Map();
  collecting.set(tx, collected);
  const result = await work();
  collecting.delete(tx);
  for (const [table, rows] of collected) await triggerDueRows(tx, table, isOneOf(table, [...rows.values()]));
  return result;
}

/**
 * Makes rows due that many transactions trigger at the same time, given by their keys; when this transaction ends, if it is
 * one that triggers last. It is for the caller to see to it that the rows are still there then.
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

/** Milliseconds until the next row is due that nobody has in hand, by the database's clock; null when none ever is. */
export async function nextDueInMs(db: Database, table: DueTable): Promise<number | null> {
  const { rows } = await sql<{ due_in_ms: number }>`
    SELECT extract(epoch FROM due_at - pacekeeper_now())::float8 * 1000 AS due_in_ms
    FROM ${sql.table(table.name)}
    WHERE due_at < 'infinity' AND (lease_until IS NULL OR lease_until <= pacekeeper_now())
    ORDER BY due_at LIMIT 1`.execute(db);
  return rows[0]?.due_in_ms ?? null;
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
