import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { withResponseTimeout } from './response-timeout.ts';

/** Runs of a statement on one connection before it is prepared there: what runs once or twice is not worth keeping. */
const hotAfter = 4;
/** Statements kept on one connection; PostgreSQL holds the plan of each. */
const maxPrepared = 150;
/** Statements that are counted; beyond that counting begins anew. */
const maxCounted = 600;
/** Longer ones are lists of values that come in every length. */
const maxTextLength = 8_000;

export interface HotStatementOptions {
  /** Behind a pooler that gives each transaction any connection: nothing is prepared. */
  isPooled: boolean;
  /** A connection that does not answer a statement for so long is given up; 0: never. */
  silentAfterMs: number;
}

/**
 * A pool whose connections have PostgreSQL read and plan the statements once that they run again and again. Planning a
 * join of six tables takes longer than running it.
 */
export function prepareHotStatements(pool: pg.Pool, options: HotStatementOptions): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      let preparing = clients.get(client);
      if (!preparing) {
        preparing = preparingClient(client, options);
        clients.set(client, preparing);
      }
      return preparing;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

function preparingClient(
  client: pg.PoolClient,
  { isPooled, silentAfterMs }: HotStatementOptions,
): PostgresPoolClient {
  const names = new Map<string, string>();
  const runs = new Map<string, number>();

  function nameOf(text: string): string | undefined {
    const name = names.get(text);
    if (name !== undefined || names.size >= maxPrepared || text.length > maxTextLength) return name;
    const count = (runs.get(text) ?? 0) + 1;
    if (count < hotAfter) {
      if (runs.size >= maxCounted) runs.clear();
      runs.set(text, count);
      return undefined;
    }
    runs.delete(text);
    names.set(text, `hot_${names.size + 1}`);
    return names.get(text);
  }

  return Object.assign(Object.create(client) as PostgresPoolClient, {
    query(text: string, values: readonly unknown[] = []) {
      const name = values.length > 0 && !isPooled ? nameOf(text) : undefined;
      return withResponseTimeout(client, silentAfterMs, () =>
        client.query(
          name === undefined ? { text, values: [...values] } : { name, text, values: [...values] },
        ),
      );
    },
    release: (destroy?: boolean) => client.release(destroy),
  });
}
