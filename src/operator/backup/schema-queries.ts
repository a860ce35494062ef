import { sql } from 'kysely';
import { type Database, quoteName } from '../../platform/database/index.ts';

export interface DataTable {
  name: string;
  /** Those that are stored, in their order; what PostgreSQL generates is generated again. */
  columns: string[];
}

/** Every table of the schema, `schema_migrations` included. */
export async function listTables(db: Database): Promise<DataTable[]> {
  const { rows } = await sql<DataTable>`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND ${isOurs}
    GROUP BY c.oid, c.relname ORDER BY c.relname COLLATE "C"`.execute(db);
  return rows;
}

/** Not of an extension, which managed servers put beside. */
const isOurs = sql`NOT EXISTS (
  SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** A table, view or sequence that is there already; undefined in an empty schema. */
export async function anyRelation(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND ${isOurs}
    ORDER BY c.relkind = 'S', c.relname LIMIT 1`.execute(db);
  return rows[0]?.name;
}

export interface SequenceValue {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/**
 * Sequences stand outside of transactions: read in a snapshot, they are at what its rows have or beyond, and never
 * give a number of its rows again.
 */
export async function readSequences(db: Database): Promise<SequenceValue[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND ${isOurs}
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
 * Takes the foreign keys away until the returned function puts them back, which checks them: all rows of a table at
 * once instead of each for itself, and the order of the tables does not matter.
 */
export async function dropForeignKeys(db: Database): Promise<() => Promise<void>> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND k.contype = 'f' AND ${isOurs}
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

/** `COPY "table" ("column", …)`. */
export function copyStatement({ name, columns }: DataTable, direction: 'FROM STDIN' | 'TO STDOUT'): string {
  return `COPY ${quoteName(name)} (${columns.map(quoteName).join(', ')}) ${direction}`;
}
