import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the order that a `sort` parameter requests: `name`, or `-created_at` for descending. The contract allows only
 * names of `columns`, whose values are trusted column names or expressions. `tieBreaker` orders rows with equal values,
 * in the same direction.
 */
export function sortOrder<Name extends string>(
  sort: string,
  columns: Readonly<Record<Name, string>>,
  tieBreaker: string,
): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-');
  const column = columns[(isDescending ? sort.slice(1) : sort) as Name];
  if (column === undefined) throw new Error(`no column for sort ${sort}`);
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  return sql`${sql.raw(column)} ${direction}, ${sql.raw(tieBreaker)} ${direction}`;
}

/**
 * True if `text`, a column or expression, contains `q`. Ignores case and treats pattern characters literally.
 */
export function contains(text: string, q: string): RawBuilder<boolean> {
  return sql<boolean>`position(lower(${q}) IN lower(${sql.raw(text)})) > 0`;
}
