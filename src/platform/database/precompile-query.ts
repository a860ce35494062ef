import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { DB } from '../../generated/database.ts';
import type { Database } from './connect-database.ts';

/** A Kysely instance without a connection, which builds queries but can't run them. */
const builder: Database = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * Returns a query without parameters for use in many statements. The query is built on first use, because
 * building a query of fifty columns for each statement takes longer than sending it.
 */
export function precompileQuery<Row>(build: (db: Database) => Compilable<Row>): () => RawBuilder<Row> {
  let text: RawBuilder<Row> | undefined;
  return () => (text ??= toText(build(builder)));
}

function toText<Row>(query: Compilable<Row>): RawBuilder<Row> {
  const { sql: text, parameters } = query.compile();
  if (parameters.length > 0) throw new Error('A query with parameters has no fixed text.');
  return sql.raw<Row>(text);
}
