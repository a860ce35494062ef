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
import { appendCounts } from './reported-counts.ts';

/** Seed of the random numbers in the fault tests. Override it with `PACEKEEPER_TEST_SEED=7`. */
const seed = Number(process.env['PACEKEEPER_TEST_SEED'] ?? 20_261_121);

export interface Random {
  /** Returns an integer from `min` (inclusive) to `max` (exclusive). */
  between(min: number, max: number): number;
  pick<T>(values: readonly T[]): T;
}

/**
 * Returns a random number generator that repeats the same sequence in every run. Each name has a different
 * sequence.
 */
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

/** A server that runs in a separate process. */
export interface FaultServer {
  url: string;
  program: RunningProgram;
  /** Sends SIGKILL and waits for the process to exit. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /**
   * Sends SIGTERM.
   * @returns The exit code.
   */
  stop(): Promise<number | null>;
}

/** Starts a program that is killed at the end of the test file if it is still running. */
export function startProgram(...args: Parameters<typeof runProgram>): RunningProgram {
  const program = runProgram(...args);
  atEndOfFile(() => {
    program.process.kill('SIGCONT');
    program.process.kill('SIGKILL');
    return program.exited;
  });
  return program;
}

/** Environment variables that all servers of the fault tests have in common. */
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

/** Returns the environment variables of servers that share a database. */
export function sharedDatabaseEnvironment(connection: PostgresAddress): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: path.join(tmpdir(), `pacekeeper-fault-${randomBytes(6).toString('hex')}`),
  };
}

/**
 * Creates an organization and an API key with the admin role, which is valid on every server of this
 * database.
 */
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

/** Returns a currently free port, for a server that must restart on the same port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Creates an object that advances the clock of all servers on a database, so that leases and pauses expire.
 */
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
    'release_moves',
    'notification_channels',
    'housekeeping_tasks',
    'runs',
    'gather_jobs',
  ];
  await sql`SELECT pg_notify('pacekeeper_wake', ${topics.join('\n')})`.execute(db);
}

/** Calls `ask` until it returns a value. Throws an error on timeout. */
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

/** Reports counts of a run on the console and in the file named by `PACEKEEPER_COUNTS_FILE`. */
export function reportCounts(what: string, counts: Record<string, number>): void {
  appendCounts(expect.getState().testPath ?? '', what, counts);
  const text = Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
  console.log(`${what}: ${text}`);
}
