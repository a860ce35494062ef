import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './connect-database.ts';

/** The answer of every list. */
export interface Page<T> {
  items: T[];
  /** Exact up to 10,000, and 10,000 above that. */
  total: number;
  total_is_exact: boolean;
  limit: number;
  offset: number;
}

export interface PageRequest {
  limit: number;
  offset: number;
}

/** Totals beyond it are not exact. */
export const countedUpTo = 10_000;

/**
 * Limit for lists without pages (the dropdowns). No one selects from more, and it limits the time and memory of a
 * response.
 */
export const maxChoices = 10_000;

/** What counts: queries that yield one row for each, or the number. */
export type Counted = readonly Expression<unknown>[] | RawBuilder<number>;

/**
 * Reads one page in one statement, however long it is: the rows, and in each of them how many there are. Only a page
 * past the end, which has no row to say it in, costs a second one.
 * `query` has its filters and its order, and neither limit nor offset. Where rows are grouped or distinct, or where
 * counting would pay for joins that only adorn the rows, give `countQueries`: together they yield one row for each that
 * counts. Several are counted one by one, which takes half as long as counting their union.
 * If they refer to a common table expression of `query`, give `pastEndQueries` that don't. Where triggers keep the number of
 * all rows, give that number instead.
 */
export async function readPage<Tables, Names extends keyof Tables, Row>(
  db: Database,
  query: SelectQueryBuilder<Tables, Names, Row>,
  { limit, offset }: PageRequest,
  countQueries: Counted = [query.clearSelect().clearOrderBy().select(sql`1`.as('one'))],
  pastEndQueries = countQueries,
): Promise<Page<Row>> {
  // Nobody reads the ten thousandth page, and counting a million rows would cost more than the page itself.
  const rows = (await query
    .select(countOf(countQueries).as('page_total'))
    // As a literal, so that a plan that PostgreSQL keeps is one for few rows. As a parameter it is taken for any number.
    .limit(sql.lit(limit))
    // An offset that is a parameter is taken for a tenth of all rows.
    .$if(offset > 0, (rest) => rest.offset(offset))
    .execute()) as (Row & { page_total: number | undefined })[];
  const total = rows[0]?.page_total ?? (await countPastEnd(db, countOf(pastEndQueries), limit, offset));
  // JSON leaves it out. Copies of the rows without it would take 1 µs each.
  for (const row of rows) row.page_total = undefined;
  return {
    items: rows,
    total: Math.min(total, countedUpTo),
    total_is_exact: total <= countedUpTo,
    limit,
    offset,
  };
}

/** How many rows these queries yield together. Each is counted up to one more than a page tells. */
export function countOf(counted: Counted): RawBuilder<number> {
  if (!isQueries(counted)) return counted;
  const counts = counted.map(
    (matching) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${matching} AS matching LIMIT ${sql.lit(countedUpTo + 1)}) AS counted)`,
  );
  return sql<number>`(${sql.join(counts, sql` + `)})`;
}

function isQueries(counted: Counted): counted is readonly Expression<unknown>[] {
  return Array.isArray(counted);
}

/** A first page without rows is one of nothing. */
async function countPastEnd(
  db: Database,
  count: RawBuilder<number>,
  limit: number,
  offset: number,
): Promise<number> {
  if (limit > 0 && offset === 0) return 0;
  const { rows } = await sql<{ total: number }>`SELECT ${count} AS total`.execute(db);
  return rows[0]?.total ?? 0;
}
