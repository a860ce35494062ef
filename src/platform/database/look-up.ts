import { type RawBuilder, sql } from 'kysely';

/**
 * A column of the row that each row of the outer query refers to: `table` has it under the key that stands in the columns
 * `organizationId` and `id`. A join would leave it to PostgreSQL to read all of `table` instead, again and again when it
 * takes a table that has just grown for an empty one; this is looked up by key, once for each row that is shown.
 */
export function lookUp<T>(
  table: string,
  column: string,
  key: { organizationId: string; id: string },
): RawBuilder<T> {
  return sql<T>`(SELECT referred.${sql.ref(column)} FROM ${sql.table(table)} AS referred
    WHERE referred.organization_id = ${sql.ref(key.organizationId)} AND referred.id = ${sql.ref(key.id)})`;
}
