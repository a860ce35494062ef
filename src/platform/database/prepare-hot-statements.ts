import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { withResponseTimeout } from './response-timeout.ts';

/** Runs of a statement on one connection before it is prepared there: what runs once or twice is not worth keeping. */
const hotAfter = 4;
/** Statements kept on one connection, the last used; PostgreSQL holds the plan of each, which takes about 200 kB. */
const maxPrepared = 150;
/** Statements that are counted; beyond that counting begins anew. */
const maxCounted = 600;
/** Longer ones are lists of values that come in every length. */
export const maxPreparedLength = 16_000;

/** Besides reads, what has no values is not planned: it begins and ends transactions, or listens. */
const isRead = /^\s*(?:SELECT|WITH)\b/iu;

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
  /** By their text; the one that was used last comes last. */
  const names = new Map<string, string>();
  let prepared = 0;
  /** The name of one that is still to be dropped. */
  let forgotten: string | undefined;
  const runs = new Map<string, number>();

  function nameOf(text: string): string | undefined {
    const name = names.get(text);
    if (name !== undefined) {
      names.delete(text);
      names.set(text, name);
      return name;
    }
    if (text.length > maxPreparedLength) return undefined;
    const count = (runs.get(text) ?? 0) + 1;
    if (count < hotAfter) {
      if (runs.size >= maxCounted) runs.clear();
      runs.set(text, count);
      return undefined;
    }
    runs.delete(text);
    if (names.size >= maxPrepared) forgetOldest();
    prepared += 1;
    names.set(text, `hot_${prepared}`);
    return names.get(text);
  }

  function forgetOldest(): void {
    const [text, name] = names.entries().next().value!;
    names.delete(text);
    forgotten = name;
  }

  return Object.assign(Object.create(client) as PostgresPoolClient, {
    query(text: string, values: readonly unknown[] = []) {
      const isPlanned = values.length > 0 || isRead.test(text);
      const name = isPlanned && !isPooled ? nameOf(text) : undefined;
      return withResponseTimeout(client, silentAfterMs, async () => {
        const toDrop = forgotten;
        forgotten = undefined;
        // Dropping one that isn't there would fail the transaction that this statement belongs to.
        if (toDrop !== undefined && forgetParsed(client, toDrop)) {
          // Within a transaction that has failed already, it stays until the connection is closed.
          await client.query(`DEALLOCATE ${toDrop}`).catch(() => undefined);
        }
        return run(
          client,
          name === undefined ? { text, values: [...values] } : { name, text, values: [...values] },
        );
      });
    },
    release: (destroy?: boolean) => client.release(destroy),
  });
}

/**
 * Has the driver forget the text of a statement, which it would keep for as long as the connection lives. It doesn't declare
 * where it keeps them.
 *
 * @returns whether PostgreSQL has the statement: one whose only runs were in transactions that had failed was never parsed
 */
function forgetParsed(client: pg.PoolClient, name: string): boolean {
  const { parsedStatements } = client.connection as ParsingConnection;
  if (!(name in parsedStatements)) return false;
  delete parsedStatements[name];
  return true;
}

type ParsingConnection = pg.Connection & { parsedStatements: Record<string, string> };

/**
 * With a callback: what the driver's own promise refers to survives young collections, so that the rows of every statement
 * were copied twice and fill the old generation until it is collected.
 */
function run(client: pg.PoolClient, config: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(config, (error: Error | null, result) => (error ? reject(error) : resolve(result)));
  });
}
