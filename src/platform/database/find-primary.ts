import pg from 'pg';
import type { Log } from '../log.ts';
import type { PostgresAddress } from './embedded-postgres.ts';
import { driverConfig, type PostgresHost, type PostgresUrl, parsePostgresUrl } from './postgres-url.ts';

/** Finds which server of a connection string accepts writes, and remembers it for all connections. */
export interface PrimarySearch {
  /** Returns the driver settings for the server that the last search found. */
  config(): pg.ClientConfig;
  /**
   * Tries all servers, beginning with the one that the last search found. If all are read-only, selects the first one
   * that responds. Rejects with the last error if none can be reached.
   */
  find(): Promise<void>;
  /** Searches in the background. At most one search runs at a time. */
  start(log: Log): void;
}

/** Timeout for one server, so that a silent one doesn't hold up the search for long. */
const connectTimeoutMs = 5_000;

const searches = new Map<string, PrimarySearch>();

/** Returns the search of a connection string, which all connections of this process share. */
export function primarySearchOf(connection: string | PostgresAddress): PrimarySearch {
  if (typeof connection !== 'string')
    return { config: () => ({ ...connection }), find: async () => undefined, start: () => undefined };
  let search = searches.get(connection);
  if (!search) {
    search = createSearch(parsePostgresUrl(connection));
    searches.set(connection, search);
  }
  return search;
}

/** Returns `host:port/database`, without user and password. */
export function describeHosts(connection: string): string {
  try {
    const { hosts, database } = parsePostgresUrl(connection);
    return `${hosts.map(nameOf).join(',')}/${database}`;
  } catch {
    return 'an invalid URL';
  }
}

function nameOf({ host, port }: PostgresHost): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function createSearch(url: PostgresUrl): PrimarySearch {
  let [current] = url.hosts;
  /** True if the current server has no TLS, which `sslmode=prefer` accepts. */
  let isPlain = false;
  let running: Promise<void> | undefined;

  const configOf = (host: PostgresHost, plain: boolean): pg.ClientConfig => ({
    ...driverConfig(url, host),
    ...(plain && { ssl: false }),
  });

  async function search(): Promise<void> {
    // With a single server and a fixed TLS mode, a search isn't necessary.
    if (url.hosts.length === 1 && !mayBePlain(url)) return;
    const order = [current, ...url.hosts.filter((host) => host !== current)];
    let responding: { host: PostgresHost; plain: boolean } | undefined;
    let failure: unknown;
    for (const host of order) {
      try {
        const { plain, isWritable } = await probe(host);
        responding ??= { host, plain };
        if (!isWritable) continue;
        [current, isPlain] = [host, plain];
        return;
      } catch (error) {
        failure = error;
      }
    }
    if (responding === undefined) throw failure;
    [current, isPlain] = [responding.host, responding.plain];
  }

  async function probe(host: PostgresHost): Promise<{ plain: boolean; isWritable: boolean }> {
    try {
      return { plain: false, isWritable: await isWritable(configOf(host, false)) };
    } catch (error) {
      const hasNoTls = error instanceof Error && /does not support SSL/i.test(error.message);
      if (!hasNoTls || !mayBePlain(url)) throw error;
      return { plain: true, isWritable: await isWritable(configOf(host, true)) };
    }
  }

  const find = () => {
    running ??= search().finally(() => (running = undefined));
    return running;
  };
  return {
    config: () => configOf(current, isPlain),
    find,
    start(log) {
      if (url.hosts.length === 1) return;
      const before = current;
      void find().then(
        () => {
          if (current !== before)
            log.warn({ host: nameOf(current) }, 'another database server accepts writes now');
        },
        (error: unknown) => log.debug({ err: error }, 'no database server responds'),
      );
    },
  };
}

function mayBePlain({ sslMode }: PostgresUrl): boolean {
  return sslMode === 'prefer' || sslMode === 'allow';
}

async function isWritable(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    return rows[0]?.transaction_read_only !== 'on';
  } finally {
    await client.end().catch(() => undefined);
  }
}
