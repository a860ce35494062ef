import { type RawBuilder, sql } from 'kysely';

export interface FirstRows {
  /** Each row is called by it in all that follows. */
  table: string;
  alias: string;
  /** What else is asked of each row. */
  condition: RawBuilder<boolean>;
  /** The filter that has an index of its own. */
  filter: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  /** How many rows there are in this order, and how many of them pass the filter, about: sums that are kept. */
  all: RawBuilder<number>;
  matching: RawBuilder<number>;
  /** How many rows are wanted. */
  reach: number;
}

/**
 * The first rows of a list with a filter that has an index of its own, while the order of the list has another one. If few
 * rows pass the filter, they are sought by it and sorted. If many do, the first of them are soon met by walking along the
 * order. PostgreSQL doesn't know how many they are, and takes any filter for one that passes a hundredth. The statement has
 * both ways, and the one that isn't taken costs nothing.
 */
export function seekOrWalk<Row>(rows: FirstRows): RawBuilder<Row> {
  const { condition, filter, order, all, matching } = rows;
  const [table, alias, reach] = [sql.table(rows.table), sql.ref(rows.alias), sql.lit(rows.reach)];
  // What is sought lies anywhere in the table, so that each row costs several of those that are walked along.
  const walks = sql`(SELECT least(all_rows, ${reach} * all_rows / greatest(matching, 1)) <= 2000 + 4 * matching FROM sizes)`;
  return sql<Row>`(
    WITH sizes AS MATERIALIZED (SELECT ${all} AS all_rows, ${matching} AS matching)
    (SELECT ${alias}.* FROM (
        SELECT ${alias}.* FROM ${table} AS ${alias} WHERE ${condition} AND ${filter} AND NOT ${walks} OFFSET 0
      ) AS ${alias} ORDER BY ${order} LIMIT ${reach})
    UNION ALL
    (SELECT ${alias}.* FROM ${table} AS ${alias} WHERE ${condition} AND (${filter}) IS TRUE AND ${walks}
      ORDER BY ${order} LIMIT ${reach}))`;
}
