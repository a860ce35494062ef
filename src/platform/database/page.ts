import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
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

const countedUpTo = 10_000;

/**
 * Reads one page in two statements, however long it is: the rows, and how many there are.
 * `query` has its filters and its order, and neither limit nor offset. Where rows are grouped or distinct, or where
 * counting would pay for joins that only adorn the rows, give `countQuery`: it yields one row for each that counts.
 */
export async function readPage<Tables, Names extends keyof Tables, Row>(
  db: Database,
  query: SelectQueryBuilder<Tables, Names, Row>,
  { limit, offset }: PageRequest,
  countQuery?: Expression<unknown>,
): Promise<Page<Row>> {
  // As a literal, so that a plan that PostgreSQL keeps is one for few rows. As a parameter it is taken for any number.
  const items = await query.limit(sql.lit(limit)).offset(offset).execute();
  const rows = countQuery ?? query.clearSelect().clearOrderBy().select(sql`1`.as('one'));
  // Nobody reads the ten thousandth page, and counting a million rows would cost more than the page itself.
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM (SELECT 1 FROM ${rows} AS matching LIMIT ${sql.lit(countedUpTo + 1)}) AS counted
  `.execute(db);
  const total = counts[0]?.total ?? 0;
  return { items, total: Math.min(total, countedUpTo), total_is_exact: total <= countedUpTo, limit, offset };
}
