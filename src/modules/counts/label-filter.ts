import { type RawBuilder, sql } from 'kysely';

/**
 * SQL condition: true if a column of labels contains a label, given as `key=value`. The condition can use a GIN index.
 */
export function hasLabel(column: string, label: string): RawBuilder<boolean> {
  const equals = label.indexOf('=');
  const wanted = JSON.stringify({ [label.slice(0, equals)]: label.slice(equals + 1) });
  return sql<boolean>`${sql.ref(column)} @> ${wanted}::jsonb`;
}
