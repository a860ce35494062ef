import { type RawBuilder, sql } from 'kysely';

/** Whether a column of labels has one, given as `key=value`. GIN indexes find it. */
export function hasLabel(column: string, label: string): RawBuilder<boolean> {
  const equals = label.indexOf('=');
  const wanted = JSON.stringify({ [label.slice(0, equals)]: label.slice(equals + 1) });
  return sql<boolean>`${sql.ref(column)} @> ${wanted}::jsonb`;
}
