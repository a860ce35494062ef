import { sql } from 'kysely';
import { type Database, quoteName } from '../../platform/database/index.ts';

export interface DataTable {
  name: string;
  /** Columns in table order, without generated columns, because PostgreSQL recalculates those. */
  columns: string[];
}

/** Returns all tables of the schema, including `schema_migrations`. */
export async function listTables(db: Database): Promise<DataTable[]> {
  const { rows } = await sql<DataTable>`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND ${isNotFromExtension}
    GROUP BY c.oid, c.relname ORDER BY c.relname COLLATE "C"`.execute(db);
  return rows;
}

/** Excludes objects of extensions, which managed PostgreSQL services create in the same schema. */
const isNotFromExtension = sql`NOT EXISTS (
  SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** Returns the name of an existing table, view, or sequence. `undefined` if the schema is empty. */
export async function findExistingRelation(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND ${isNotFromExtension}
    ORDER BY c.relkind = 'S', c.relname LIMIT 1`.execute(db);
  return rows[0]?.name;
}

export interface SequenceValue {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/**
 * Reads all sequences. Sequences aren't transactional: in a snapshot, their values are at or above the IDs in
 * the rows, so a restored sequence never repeats an ID.
 */
export async function readSequences(db: Database): Promise<SequenceValue[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND ${isNotFromExtension}
    ORDER BY c.relname COLLATE "C"`.execute(db);
  const sequences = [];
  for (const { name } of rows) {
    const values = await sql<Omit<SequenceValue, 'name'>>`
      SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${sql.id(name)}`.execute(db);
    sequences.push({ name, ...values.rows[0]! });
  }
  return sequences;
}

export async function setSequence(db: Database, { name, lastValue, isCalled }: SequenceValue): Promise<void> {
  await sql`SELECT setval(${quoteName(name)}::regclass, ${lastValue}::bigint, ${isCalled})`.execute(db);
}

/**
 * Drops all foreign keys, so that tables can be filled in any order. The returned function adds the keys again and
 * validates them in one pass over each table, not row by row.
 */
export async function dropForeignKeys(db: Database): Promise<() => Promise<void>> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND k.contype = 'f' AND ${isNotFromExtension}
    ORDER BY c.relname, k.conname`.execute(db);
  for (const { table, name } of rows)
    await sql`ALTER TABLE ${sql.id(table)} DROP CONSTRAINT ${sql.id(name)}`.execute(db);
  return async () => {
    for (const { table, name, definition } of rows)
      await sql`ALTER TABLE ${sql.id(table)} ADD CONSTRAINT ${sql.id(name)} ${sql.raw(definition)}`.execute(
        db,
      );
  };
}

/** Returns `COPY "table" ("column", …)` with the direction. */
export function copyStatement({ name, columns }: DataTable, direction: 'FROM STDIN' | 'TO STDOUT'): string {
  return `COPY ${quoteName(name)} (${columns.map(quoteName).join(', ')}) ${direction}`;
}
