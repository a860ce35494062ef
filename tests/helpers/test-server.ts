import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { createLoginTokens, createSystemKey } from '../../src/modules/accounts/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database, OnStatement, PostgresAddress } from '../../src/platform/database/index.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import { type RunningServer, type StartOptions, startServer } from '../../src/server/start-server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { databaseUrl } from './database-url.ts';
import { atEndOfFile } from './end-of-file.ts';
import { insertOrganizationWithOwner } from './insert-organization.ts';
import { countStart } from './run/count-starts.ts';
import { sharedSandbox } from './shared-sandbox.ts';
import { createAgentDataFolder } from './temporary-folder.ts';

export interface TestServer {
  url: string;
  db: Database;
  connection: PostgresAddress;
  server: RunningServer;
  /** API client without credentials. */
  anonymous: ApiClient;
  /** API client with an admin system key. Resources that it creates are global. */
  system: ApiClient;
  /**
   * Returns the SQL of every statement that the server runs during `work`, including its background loops.
   */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** Returns the same statements as `statementsOf`, with their parameter values. */
  queriesOf(work: () => Promise<unknown>): Promise<TestQuery[]>;
  /** Creates a separate organization for a test. */
  createOrganization(name?: string): Promise<TestOrganization>;
}

export interface TestQuery {
  text: string;
  parameters: readonly unknown[];
}

export interface TestOrganization {
  id: number;
  email: string;
  password: string;
  /** API client that is logged in as the owner of the organization. */
  owner: ApiClient;
  /** API client with an admin key of the organization. */
  api: ApiClient;
  apiKey: string;
}

/** Secret key of all test servers in this process. */
export const testSecretKey = randomBytes(32);

/**
 * Starts a server in this process on its own database. Responses that the contract doesn't describe become errors. The
 * server stops at the end of the file. Files that only need organizations use `sharedTestServer`, which is faster.
 */
export async function startTestServer(
  env: Record<string, string> = {},
  log?: Log,
  options: Pick<StartOptions, 'shutdownTimeoutMs'> = {},
): Promise<TestServer> {
  const started = await startServerOnDatabase(env, await createTestDatabase({ poolSize: 4 }), log, options);
  atEndOfFile(() => started.server.stop());
  return started;
}

/**
 * Parts of a server that test files can share. Recording statements isn't possible, because statements of other
 * organizations would be included.
 */
export type SharedTestServer = Omit<TestServer, 'statementsOf' | 'queriesOf' | 'server'>;

let shared: Promise<SharedTestServer> | undefined;

/**
 * Returns the server that all test files of this worker share. Each file creates its own organizations, so
 * sharing the server also tests that organizations are isolated from each other. A file fails at its end if
 * it changes data that all organizations use: the clock, settings and reference data of the installation, or
 * organization 1. Such a file must use `startTestServer`.
 */
export async function sharedTestServer(): Promise<SharedTestServer> {
  shared ??= createTestDatabase({ poolSize: 4, isShared: true }).then((database) =>
    startServerOnDatabase({}, database),
  );
  const server = await shared;
  const before = await readSharedState(server.db);
  atEndOfFile(async () => {
    const after = await readSharedState(server.db);
    const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
    if (changed.length > 0) {
      throw new Error(
        `This file changed what all files on the shared server use (${changed.join(', ')}). Call startTestServer() instead of sharedTestServer().`,
      );
    }
  });
  return server;
}

/** Fingerprints of everything that organizations share. */
export async function readSharedState(db: Database): Promise<Record<string, string>> {
  const tables = [
    'settings',
    'gather_jobs',
    'releases',
    'lifecycle_products',
    'vulnerabilities',
    'known_exploited_vulnerabilities',
    'epss_scores',
  ] as const;
  const fingerprints = tables.map(
    (table) =>
      sql`${sql.lit(table)}, (SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), ''))
        FROM ${sql.table(table)} AS t WHERE organization_id = 1)`,
  );
  const { rows } = await sql<{ state: Record<string, string> }>`
    SELECT jsonb_build_object('clock', pg_get_functiondef('pacekeeper_now()'::regprocedure),
      ${sql.join(fingerprints)}) AS state`.execute(db);
  return rows[0]!.state;
}

async function startServerOnDatabase(
  env: Record<string, string>,
  { db, connection }: TestDatabase,
  log: Log = createLog({ level: 'error', format: null }),
  options: Pick<StartOptions, 'shutdownTimeoutMs'> = {},
): Promise<TestServer> {
  countStart('servers');
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: testSecretKey.toString('base64'),
    PACEKEEPER_DATA_DIR: createAgentDataFolder(),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_REFERENCE_DATA: 'off',
    PACEKEEPER_ADMIN_PASSWORD: 'a password for tests',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  });
  let queries: TestQuery[] | undefined;
  const onStatement: OnStatement = (text, _durationMs, parameters) =>
    void queries?.push({ text, parameters });
  const queriesOf = async (work: () => Promise<unknown>) => {
    const own: TestQuery[] = (queries = []);
    await work().finally(() => (queries = undefined));
    return own;
  };
  const server = await startServer(config, log, {
    validateResponses: true,
    poolSize: 8,
    onStatement,
    createSandbox: sharedSandbox,
    ...options,
  });

  const anonymous = createApiClient({ baseUrl: server.url });
  const { key: systemKey } = await createSystemKey(db, { name: 'tests', role: 'admin' });
  const loginTokens = createLoginTokens({ current: config.secretKey! });
  let count = 0;
  return {
    url: server.url,
    db,
    connection,
    server,
    anonymous,
    system: createApiClient({ baseUrl: server.url, apiKey: systemKey }),
    queriesOf,
    statementsOf: async (work) => (await queriesOf(work)).map(({ text }) => text),
    async createOrganization(name = `Organization ${++count}`) {
      const { id, email, password, token } = await insertOrganizationWithOwner(db, loginTokens, name);
      const owner = createApiClient({ baseUrl: server.url, token });
      const { key } = await owner.call('createAPIKey', { body: { name: 'tests', role: 'admin' } });
      return {
        id,
        email,
        password,
        owner,
        api: createApiClient({ baseUrl: server.url, apiKey: key }),
        apiKey: key,
      };
    },
  };
}
