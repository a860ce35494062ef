import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './connect-database.ts';
import type { PageCursor, SortValues } from './page-cursor.ts';
import type { ListOrder } from './sort-order.ts';

/** Response of every list. */
export interface Page<T> {
  items: T[];
  /** Exact up to 10,000. Larger totals are reported as 10,000. */
  total: number;
  total_is_exact: boolean;
  limit: number;
  offset: number;
}

export interface PageRequest {
  limit: number;
  offset: number;
  /** Set for requests of API clients, which can read the next page from the end of this page. */
  cursor?: PageCursor | undefined;
}

/** Maximum total that is counted exactly. */
export const maxExactTotal = 10_000;

/**
 * Limit for lists without pages, such as the items of a dropdown. Users don't choose from more items, and the limit
 * bounds the time and memory of a response.
 */
export const maxChoices = 10_000;

/** Queries that return one row for each counted item, or the number of items. */
export type CountedQueries = readonly Expression<unknown>[] | RawBuilder<number>;

/**
 * Reads one page in one statement, regardless of the length of the list. Every row also contains the total, so only a
 * page past the end, which has no rows, needs a second statement.
 *
 * `query` has filters, but no order, no limit, and no offset.
 *
 * Together, `countQueries` return one row for each counted item. Pass them if rows are grouped or distinct, or if
 * counting would include joins that only add columns. Several queries are counted separately, which takes half as long
 * as counting their union. If triggers maintain the number of all rows, pass that number instead.
 *
 * Pass `pastEndQueries` if `countQueries` refer to a common table expression of `query`, because the second statement
 * doesn't contain it.
 */
export async function readPage<Tables, Names extends keyof Tables, Row>(
  db: Database,
  query: SelectQueryBuilder<Tables, Names, Row>,
  { limit, offset, cursor }: PageRequest,
  order: ListOrder,
  countQueries: CountedQueries = [query.clearSelect().select(sql`1`.as('one'))],
  pastEndQueries = countQueries,
): Promise<Page<Row>> {
  // Limit the count. Users don't open the ten-thousandth page, and counting a million rows would cost more
  // than the page itself.
  const rows = (await query
    .select(countSql(countQueries).as('page_total'))
    .orderBy(order.sql)
    .$if(cursor !== undefined, (rest) => rest.select(order.values.as('page_keys')))
    .$if(cursor?.after != null, (rest) => rest.where(order.after(cursor)))
    // Use a literal, so that PostgreSQL caches a plan for few rows. With a parameter, PostgreSQL would plan
    // for any number of rows.
    .limit(sql.lit(limit))
    // Omit an offset of 0, because PostgreSQL estimates an offset parameter as a tenth of all rows.
    .$if(offset > 0, (rest) => rest.offset(offset))
    .execute()) as (Row & { page_total: number | undefined; page_keys: SortValues | undefined })[];
  const isFirst = offset === 0 && cursor?.after == null;
  const total = rows[0]?.page_total ?? (await countPastEnd(db, countSql(pastEndQueries), limit, isFirst));
  if (cursor) {
    const isLast = rows.length < limit || (cursor.after === null && offset + rows.length >= total);
    cursor.next = isLast ? null : (rows.at(-1)?.page_keys ?? null);
  }
  // Set the fields to `undefined`, because JSON omits such fields. Copying the rows without them would take 1 µs
  // per row.
  for (const row of rows) {
    row.page_total = undefined;
    row.page_keys = undefined;
  }
  return {
    items: rows,
    total: Math.min(total, maxExactTotal),
    total_is_exact: total <= maxExactTotal,
    limit,
    offset,
  };
}

/** Returns the total number of rows of these queries. The count of each query stops at `maxExactTotal` + 1. */
export function countSql(counted: CountedQueries): RawBuilder<number> {
  if (!isQueries(counted)) return counted;
  const counts = counted.map(
    (matching) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${matching} AS matching LIMIT ${sql.lit(maxExactTotal + 1)}) AS counted)`,
  );
  return sql<number>`(${sql.join(counts, sql` + `)})`;
}

function isQueries(counted: CountedQueries): counted is readonly Expression<unknown>[] {
  return Array.isArray(counted);
}

/** Returns the total for a page without rows. If the first page has no rows, the list is empty. */
async function countPastEnd(
  db: Database,
  count: RawBuilder<number>,
  limit: number,
  isFirst: boolean,
): Promise<number> {
  if (limit > 0 && isFirst) return 0;
  const { rows } = await sql<{ total: number }>`SELECT ${count} AS total`.execute(db);
  return rows[0]?.total ?? 0;
}
