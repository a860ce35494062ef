import { type RawBuilder, sql } from 'kysely';

/**
 * Selects a column of the row in `table` that a row of the outer query refers to. `key` contains the names of
 * the outer columns with the organization ID and the ID. With a join, PostgreSQL could read all of `table`,
 * even repeatedly if its statistics show a recently grown table as empty. This subquery looks up one row by
 * key for each row that is returned.
 */
export function lookUp<T>(
  table: string,
  column: string,
  key: { organizationId: string; id: string },
): RawBuilder<T> {
  return sql<T>`(SELECT referred.${sql.ref(column)} FROM ${sql.table(table)} AS referred
    WHERE referred.organization_id = ${sql.ref(key.organizationId)} AND referred.id = ${sql.ref(key.id)})`;
}
