import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { createOrganization, createSystemKey } from '../../src/modules/accounts/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database, OnStatement, PostgresAddress } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { createTestDatabase } from './database.ts';
import { databaseUrl } from './database-url.ts';
import { atEndOfFile } from './end-of-file.ts';

export interface TestServer {
  url: string;
  db: Database;
  connection: PostgresAddress;
  server: RunningServer;
  /** Without credentials. */
  anonymous: ApiClient;
  /** With a system key of role admin: what it makes is global. */
  system: ApiClient;
  /** The SQL of every statement that the server runs during `work`, its loops included. */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** The same with the values of their parameters. */
  queriesOf(work: () => Promise<unknown>): Promise<TestQuery[]>;
  /** Makes an organization of its own for a test. */
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
  /** As its owner, logged in. */
  owner: ApiClient;
  /** With a key of role admin. */
  api: ApiClient;
  apiKey: string;
}

/** Of all test servers of this process. */
export const testSecretKey = randomBytes(32);

/**
 * A whole server in this process on a database of its own; answers that the contract does not describe become errors.
 * Stopped when the file has ended.
 */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const { db, connection } = await createTestDatabase({ poolSize: 4 });
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: testSecretKey.toString('base64'),
    PACEKEEPER_DATA_DIR: path.join(tmpdir(), `pacekeeper-test-${randomBytes(6).toString('hex')}`),
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_ADMIN_PASSWORD: 'a password for tests',
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  });
  const log = createLog({ level: 'error', format: null });
  let queries: TestQuery[] | undefined;
  const onStatement: OnStatement = (text, _durationMs, parameters) =>
    void queries?.push({ text, parameters });
  const queriesOf = async (work: () => Promise<unknown>) => {
    const own: TestQuery[] = (queries = []);
    await work().finally(() => (queries = undefined));
    return own;
  };
  const server = await startServer(config, log, { validateResponses: true, poolSize: 8, onStatement });
  atEndOfFile(() => server.stop());

  const anonymous = createApiClient({ baseUrl: server.url });
  const { key: systemKey } = await createSystemKey(db, { name: 'tests', role: 'admin' });
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
      const email = `owner-${randomBytes(4).toString('hex')}@example.org`;
      const password = `password ${randomBytes(8).toString('hex')}`;
      const { organizationId } = await createOrganization(db, { name, owner: { email, password } });
      const login = await anonymous.call('login', { body: { email, password } });
      const owner = createApiClient({ baseUrl: server.url, token: login.access_token });
      const { key } = await owner.call('createAPIKey', { body: { name: 'tests', role: 'admin' } });
      return {
        id: organizationId,
        email,
        password,
        owner,
        api: createApiClient({ baseUrl: server.url, apiKey: key }),
        apiKey: key,
      };
    },
  };
}
