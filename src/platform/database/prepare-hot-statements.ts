import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { withResponseTimeout } from './response-timeout.ts';
import { hasSqlState } from './transaction.ts';

/**
 * Number of runs of a statement on a connection before the statement is prepared. Statements that run only
 * once or twice aren't worth preparing.
 */
const hotAfter = 4;
/**
 * Maximum number of prepared statements per connection. The most recently used are kept. PostgreSQL stores a
 * plan of about 200 kB for each.
 */
const maxPrepared = 150;
/** Maximum number of statements whose runs are counted. Above this limit, all counts are reset. */
const maxCounted = 600;
/**
 * Maximum length of prepared statements. Longer statements contain lists of values, whose length always
 * varies.
 */
export const maxPreparedLength = 16_000;

/**
 * Matches statements that read data. Among statements without values, only these are worth preparing. The
 * others begin or end transactions, or listen, so PostgreSQL doesn't plan them.
 */
const isRead = /^\s*(?:SELECT|WITH)\b/iu;

export interface HotStatementOptions {
  /**
   * True if the database is behind a pooler that assigns a connection to each transaction. In that case, statements
   * aren't prepared.
   */
  isPooled: boolean;
  /** Time without a response to a statement after which its connection is closed. 0 for no timeout. */
  silentAfterMs: number;
  /**
   * Called before a connection is taken from the pool. Resolves when the connection can be taken, with a
   * function that is called when the connection is released.
   */
  beginUse?(): Promise<() => void>;
  /** Called when no connection can be opened, and when a connection turns out to be read-only. */
  onConnectFailure?(): void;
}

/**
 * Wraps a pool so that PostgreSQL parses and plans frequent statements only once per connection. Planning a
 * join of six tables takes longer than running it.
 */
export function prepareHotStatements(pool: pg.Pool, options: HotStatementOptions): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const endUses = new WeakMap<pg.PoolClient, () => void>();
  const onRelease = (client: pg.PoolClient) => {
    endUses.get(client)?.();
    endUses.delete(client);
  };
  return {
    async connect() {
      const endUse = await options.beginUse?.();
      const client = await pool.connect().catch((error: unknown) => {
        endUse?.();
        options.onConnectFailure?.();
        throw error;
      });
      if (endUse) endUses.set(client, endUse);
      let preparing = clients.get(client);
      if (!preparing) {
        preparing = preparingClient(client, options, onRelease);
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
  { isPooled, silentAfterMs, onConnectFailure }: HotStatementOptions,
  onRelease: (client: pg.PoolClient) => void,
): PostgresPoolClient {
  /** Names of prepared statements by their text, in order of last use. */
  const names = new Map<string, string>();
  let prepared = 0;
  /** Name of a prepared statement that must be deallocated. */
  let statementToDeallocate: string | undefined;
  const runs = new Map<string, number>();
  /** True after a failover, if the connection leads to a server that no longer accepts writes. */
  let isReadOnly = false;

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
    statementToDeallocate = name;
  }

  return Object.assign(Object.create(client) as PostgresPoolClient, {
    query(text: string, values: readonly unknown[] = []) {
      const isPlanned = values.length > 0 || isRead.test(text);
      const name = isPlanned && !isPooled ? nameOf(text) : undefined;
      return withResponseTimeout(client, silentAfterMs, async () => {
        const toDrop = statementToDeallocate;
        statementToDeallocate = undefined;
        // Deallocating a statement that doesn't exist would fail the transaction of the current statement.
        if (toDrop !== undefined && forgetParsed(client, toDrop)) {
          // DEALLOCATE fails in a transaction that has already failed. The statement then stays until the
          // connection closes.
          await client.query(`DEALLOCATE ${toDrop}`).catch(() => undefined);
        }
        return run(
          client,
          name === undefined ? { text, values: [...values] } : { name, text, values: [...values] },
          (error) => {
            if (!hasSqlState(error, '25006')) return;
            isReadOnly = true;
            onConnectFailure?.();
          },
        );
      });
    },
    release: (destroy?: boolean) => {
      client.release(destroy || isReadOnly);
      onRelease(client);
    },
  });
}

/**
 * Removes the text of a statement from the driver, which would otherwise keep it until the connection closes.
 * The types of the driver don't declare where it stores these strings.
 *
 * @returns True if PostgreSQL has the statement. A statement that ran only in failed transactions was never
 * parsed.
 */
function forgetParsed(client: pg.PoolClient, name: string): boolean {
  const { parsedStatements } = client.connection as ParsingConnection;
  if (!(name in parsedStatements)) return false;
  delete parsedStatements[name];
  return true;
}

type ParsingConnection = pg.Connection & { parsedStatements: Record<string, string> };

/**
 * Runs a query with a callback instead of a promise. Objects that the driver's promise refers to survive
 * young-generation garbage collections. With a promise, the rows of every statement would therefore be copied
 * twice, and fill the old generation until it is collected.
 */
function run(
  client: pg.PoolClient,
  config: pg.QueryConfig,
  onError: (error: Error) => void,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(config, (error: Error | null, result) => {
      if (!error) return resolve(result);
      onError(error);
      reject(error);
    });
  });
}
