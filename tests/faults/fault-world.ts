import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { createOrganization } from '../../src/modules/accounts/index.ts';
import type { Database, PostgresAddress } from '../../src/platform/database/index.ts';
import { setClockOffset } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { tellCounts } from './reported-counts.ts';

/** Of all that is random here. Another one: `PACEKEEPER_TEST_SEED=7`. */
const seed = Number(process.env['PACEKEEPER_TEST_SEED'] ?? 20_261_121);

export interface Random {
  /** At least `min`, less than `max`. */
  between(min: number, max: number): number;
  pick<T>(values: readonly T[]): T;
}

/** The same numbers in every run; each name has its own. */
export function createRandom(name: string): Random {
  let state = seed % 2_147_483_647;
  for (const char of name) state = (state * 31 + char.charCodeAt(0)) % 2_147_483_647;
  state = Math.max(1, state);
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return {
    between: (min, max) => Math.floor(min + next() * (max - min)),
    pick: (values) => values[Math.floor(next() * values.length)]!,
  };
}

/** A server as a process of its own. */
export interface FaultServer {
  url: string;
  program: RunningProgram;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a program that ends with the test file at the latest. */
export function startProgram(...args: Parameters<typeof runProgram>): RunningProgram {
  const program = runProgram(...args);
  atEndOfFile(() => {
    program.process.kill('SIGCONT');
    program.process.kill('SIGKILL');
    return program.exited;
  });
  return program;
}

/** What every server of these tests is given. */
const commonEnv = {
  PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
  PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
  PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
  PACEKEEPER_EMBEDDED_AGENT: 'false',
  PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0',
  PACEKEEPER_LOG_LEVEL: 'error',
};

export async function startServerProcess(env: Record<string, string>): Promise<FaultServer> {
  const program = startProgram(['serve'], { PORT: '0', ...commonEnv, ...env });
  const [, url] = await program.waitForOutput(/running at (\S+)/);
  return {
    url: url!,
    program,
    async kill() {
      program.process.kill('SIGKILL');
      await program.exited;
    },
    freeze: () => void program.process.kill('SIGSTOP'),
    thaw: () => void program.process.kill('SIGCONT'),
    stop: () => program.stop(),
  };
}

/** The variables of servers that share a database. */
export function sharedDatabase(connection: PostgresAddress): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: path.join(tmpdir(), `pacekeeper-fault-${randomBytes(6).toString('hex')}`),
  };
}

/** An organization with a key of role admin, which any server on this database takes. */
export async function createKey(
  db: Database,
  server: Pick<FaultServer, 'url'>,
): Promise<{ organizationId: number; apiKey: string }> {
  const owner = {
    email: `owner-${randomBytes(4).toString('hex')}@example.org`,
    password: 'a password for faults',
  };
  const { organizationId } = await createOrganization(db, { name: 'Faults', owner });
  const { access_token } = await createApiClient({ baseUrl: server.url }).call('login', { body: owner });
  const person = createApiClient({ baseUrl: server.url, token: access_token });
  const { key } = await person.call('createAPIKey', { body: { name: 'faults', role: 'admin' } });
  return { organizationId, apiKey: key };
}

export function clientOf(server: Pick<FaultServer, 'url'>, apiKey: string): ApiClient {
  return createApiClient({ baseUrl: server.url, apiKey });
}

/** A port that was free a moment ago, for what has to come back at the same place. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Lets time pass for all servers of a database: leases run out, pauses end. */
export function createSharedClock(db: Database) {
  let offsetMs = 0;
  return {
    async pass(seconds: number): Promise<void> {
      offsetMs += seconds * 1_000;
      await setClockOffset(db, `${offsetMs} milliseconds`);
      await wakeAll(db);
    },
  };
}

export async function wakeAll(db: Database): Promise<void> {
  const topics = [
    'alert_configs',
    'release_fan_outs',
    'digest_fan_outs',
    'notification_channels',
    'housekeeping_tasks',
    'runs',
    'gather_jobs',
  ];
  await sql`SELECT pg_notify('pacekeeper_wake', ${topics.join('\n')})`.execute(db);
}

/** Asks until the answer is there. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(25)) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
  }
}

/** What the report of a run says: on the screen, and in the file that `PACEKEEPER_COUNTS_FILE` names. */
export function tell(what: string, counts: Record<string, number>): void {
  tellCounts(expect.getState().testPath ?? '', what, counts);
  const text = Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
  console.log(`${what}: ${text}`);
}
