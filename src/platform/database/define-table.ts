import { type Expression, type SelectQueryBuilder, sql, type UpdateType } from 'kysely';
import type { DB } from '../../generated/database.ts';
import type { Database } from './connect-database.ts';
import type { Tx } from './transaction.ts';

/** Tables whose rows have an ID and belong to an organization. */
type OwnedTable = {
  [Table in keyof DB]: 'organization_id' | 'id' extends keyof DB[Table] ? Table : never;
}[keyof DB];

/** Columns that an update can set. A row keeps its ID and its organization. */
type ColumnValues<Table extends OwnedTable> = {
  [Column in Exclude<keyof DB[Table], 'organization_id' | 'id'>]?:
    | UpdateType<DB[Table][Column]>
    | Expression<UpdateType<DB[Table][Column]>>;
};

interface TableOptions<Table extends OwnedTable, Values> {
  /** Strength of the lock that `lock` takes. Default: `forUpdate`. */
  lockStrength?: 'forUpdate' | 'forNoKeyUpdate';
  /** Returns the columns that an update sets. Required if the values have other names or types than the columns. */
  toColumns?: (values: Values) => ColumnValues<Table>;
}

/**
 * Returns functions that find, lock, update, and delete rows by their IDs. They never find or change a row of
 * another organization.
 *
 * @param select Starts a query of this table, without other tables in its `FROM` clause.
 */
export function defineTable<
  Table extends OwnedTable,
  Tables,
  Selected extends keyof Tables,
  Row,
  Values extends object = ColumnValues<Table>,
>(
  table: Table,
  select: (db: Database | Tx) => SelectQueryBuilder<Tables, Selected, Row>,
  { lockStrength = 'forUpdate', toColumns }: TableOptions<Table, Values> = {},
) {
  const isRow = (organizationId: number, id: number) =>
    sql<boolean>`organization_id = ${organizationId} AND id = ${id}`;
  return {
    async find(db: Database | Tx, organizationId: number, id: number) {
      return select(db).where(isRow(organizationId, id)).executeTakeFirst();
    },

    /** Returns the rows with these IDs, in ascending order. */
    async listById(db: Database | Tx, organizationId: number, ids: readonly number[]) {
      const areRows = sql<boolean>`organization_id = ${organizationId} AND id = ANY(${ids}::bigint[])`;
      return select(db).where(areRows).orderBy(sql`id`).execute();
    },

    /** Finds a row and locks it until the transaction ends. */
    async lock(tx: Tx, organizationId: number, id: number) {
      return select(tx).where(isRow(organizationId, id))[lockStrength]().executeTakeFirst();
    },

    /** Sets the given columns. Doesn't change columns whose value is undefined. */
    async update(tx: Tx, organizationId: number, id: number, values: Values): Promise<void> {
      const columns: [string, unknown][] = Object.entries(toColumns?.(values) ?? values);
      const changes = columns.filter(([, value]) => value !== undefined);
      if (changes.length === 0) return;
      const assignments = changes.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      await sql`
        UPDATE ${sql.table(table)} SET ${sql.join(assignments)} WHERE ${isRow(organizationId, id)}`.execute(
        tx,
      );
    },

    async delete(tx: Tx, organizationId: number, id: number): Promise<void> {
      await sql`DELETE FROM ${sql.table(table)} WHERE ${isRow(organizationId, id)}`.execute(tx);
    },
  };
}
