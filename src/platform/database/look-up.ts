import { type RawBuilder, sql } from 'kysely';

/**
 * Returns a subquery that selects a column from the row in `table` that the outer row refers to. `key` names the outer
 * columns that contain the organization ID and the ID of that row. The subquery looks up one row by key for each
 * returned row. With a join, PostgreSQL could read all of `table`, even repeatedly if its statistics show a recently
 * grown table as empty.
 */
export function lookUpColumnSql<T>(
  table: string,
  column: string,
  key: { organizationId: string; id: string },
): RawBuilder<T> {
  return sql<T>`(SELECT referred.${sql.ref(column)} FROM ${sql.table(table)} AS referred
    WHERE referred.organization_id = ${sql.ref(key.organizationId)} AND referred.id = ${sql.ref(key.id)})`;
}
