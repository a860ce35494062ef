import { type RawBuilder, sql } from 'kysely';

export interface SeekOrScanOptions {
  /** Name of the table. The conditions and the order refer to it by `alias`. */
  table: string;
  alias: string;
  /** Conditions on each row in addition to `filter`. */
  condition: RawBuilder<boolean>;
  /** The filter that has a dedicated index. */
  filter: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  /**
   * Approximate numbers of rows in the list, and of those that pass the filter. Both are read from maintained counts,
   * so they cost no scan.
   */
  all: RawBuilder<number>;
  matching: RawBuilder<number>;
  /** Maximum number of rows to return. */
  maxRows: number;
}

/**
 * Returns the first rows of a list whose filter and order use different indexes. If few rows pass the filter,
 * it's faster to find them through the filter's index and sort them. If many do, it's faster to scan the list
 * in order. PostgreSQL doesn't know how many rows pass and estimates one in a hundred for any filter. The
 * statement contains both plans, and the one that isn't executed costs nothing.
 */
export function seekOrScan<Row>(rows: SeekOrScanOptions): RawBuilder<Row> {
  const { condition, filter, order, all, matching } = rows;
  const [table, alias, maxRows] = [sql.table(rows.table), sql.ref(rows.alias), sql.lit(rows.maxRows)];
  // Rows found through the filter's index are scattered across the table, so each costs several times as much
  // as a row of the ordered scan.
  const usesOrderedScan = sql`(SELECT least(all_rows, ${maxRows} * all_rows / greatest(matching, 1)) <= 2000 + 4 * matching FROM sizes)`;
  return sql<Row>`(
    WITH sizes AS MATERIALIZED (SELECT ${all} AS all_rows, ${matching} AS matching)
    (SELECT ${alias}.* FROM (
        SELECT ${alias}.* FROM ${table} AS ${alias} WHERE ${condition} AND ${filter} AND NOT ${usesOrderedScan} OFFSET 0
      ) AS ${alias} ORDER BY ${order} LIMIT ${maxRows})
    UNION ALL
    (SELECT ${alias}.* FROM ${table} AS ${alias} WHERE ${condition} AND (${filter}) IS TRUE AND ${usesOrderedScan}
      ORDER BY ${order} LIMIT ${maxRows}))`;
}
