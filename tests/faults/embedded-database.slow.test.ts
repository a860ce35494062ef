import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiCallError, type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { isLong } from '../helpers/long-tests.ts';
import { programEnvironment, programMain } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  createRandom,
  type FaultServer,
  freePort,
  reportCounts,
  startServerProcess,
  until,
} from './fault-world.ts';
import { childrenOf } from './freeze-processes.ts';

const login = { email: 'admin@localhost', password: 'a password for faults' };

async function serveEmbedded(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<{ server: FaultServer; api: ApiClient }> {
  const server = await startServerProcess({
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_ADMIN_EMAIL: login.email,
    PACEKEEPER_ADMIN_PASSWORD: login.password,
    PACEKEEPER_LOG_LEVEL: 'info',
    ...env,
  });
  const { access_token } = await createApiClient({ baseUrl: server.url }).call('login', { body: login });
  return { server, api: createApiClient({ baseUrl: server.url, token: access_token }) };
}

const statusOf = async (server: FaultServer, name: 'live' | 'ready') =>
  (await fetch(`${server.url}/health/${name}`)).status;

const untilReady = (server: FaultServer) =>
  until('it is ready again', async () => (await statusOf(server, 'ready')) === 200);

interface Writes {
  /** Names of rules whose creation was acknowledged. */
  stored: string[];
  refused: number;
  end(): Promise<void>;
}

/**
 * Starts writers that create rules without a pause. Any response other than success or 503 fails the test.
 */
function keepWriting(api: ApiClient, label: string, writers = 8): Writes {
  let isOver = false;
  const writes: Writes = { stored: [], refused: 0, end };
  const working = Array.from({ length: writers }, async (_, writer) => {
    for (let count = 0; !isOver; count++) {
      const name = `${label} ${writer}.${count}`;
      try {
        await api.call('createRule', {
          body: { name, rule_type: 'majors_behind', thresholds: { moderate: 1 } },
        });
        writes.stored.push(name);
      } catch (error) {
        if (!(error instanceof ApiCallError) || error.status !== 503) throw error;
        expect(error.code).toBe('unavailable');
        writes.refused++;
      }
    }
  });
  // `allSettled` prevents an early failure from becoming an unhandled rejection. `end` throws the failure later.
  const settled = Promise.allSettled(working);
  async function end(): Promise<void> {
    isOver = true;
    await settled;
    await Promise.all(working);
  }
  return writes;
}

async function namesOfRules(api: ApiClient): Promise<Set<string>> {
  const names = new Set<string>();
  for (let offset = 0; ; offset += 200) {
    const { items } = await api.call('listRules', { query: { limit: 200, offset } });
    for (const { name } of items) names.add(name);
    if (items.length < 200) return names;
  }
}

async function checkNothingLost(api: ApiClient, writes: Writes): Promise<void> {
  const names = await namesOfRules(api);
  expect(writes.stored.filter((name) => !names.has(name))).toEqual([]);
}

/** Counts the log lines with level warn or error by message. */
function complaints(server: FaultServer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of server.program.stdout().split('\n')) {
    if (!line.startsWith('{"level":"warn"') && !line.startsWith('{"level":"error"')) continue;
    const { msg } = JSON.parse(line) as { msg: string };
    counts.set(msg, (counts.get(msg) ?? 0) + 1);
  }
  return counts;
}

describe('the embedded PostgreSQL', { timeout: 300_000 }, () => {
  const folder = temporaryFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('restarts after a kill, loses nothing, and keeps the log short', async () => {
    const { server, api } = await serveEmbedded(folder);
    const random = createRandom('embedded PostgreSQL');
    const postmaster = () =>
      Number(readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const ways: (() => void)[] = [
      () => process.kill(postmaster(), 'SIGKILL'),
      // If one of its processes is killed, PostgreSQL closes all connections and restarts on its own.
      () => process.kill(random.pick(childrenOf(postmaster())), 'SIGKILL'),
      () => [postmaster(), ...childrenOf(postmaster())].forEach((pid) => process.kill(pid, 'SIGKILL')),
      () => process.kill(postmaster(), 'SIGINT'),
    ];
    const kills = ways.length * (isLong ? 5 : 1);
    const writes = keepWriting(api, 'kill');
    for (let kill = 0; kill < kills; kill++) {
      await sleep(random.between(200, 900));
      ways[kill % ways.length]!();
      expect(await statusOf(server, 'live')).toBe(200);
      const before = writes.stored.length;
      await until('it writes again', async () => writes.stored.length > before + 20);
      await untilReady(server);
    }
    await writes.end();
    expect(server.program.process.exitCode).toBeNull();
    await checkNothingLost(api, writes);
    expect(writes.refused).toBeGreaterThan(kills);
    const said = complaints(server);
    expect(said.get('embedded PostgreSQL exited unexpectedly; restarting')).toBe((kills / 4) * 3);
    // The log must stay short, regardless of the number of rejected requests.
    const lines = [...said.values()].reduce((sum, count) => sum + count, 0);
    expect(lines, JSON.stringify([...said])).toBeLessThan(kills * 40);
    reportCounts('embedded PostgreSQL killed', {
      kills,
      stored: writes.stored.length,
      rejected: writes.refused,
      'warnings and errors in the log': lines,
    });
    expect(await server.stop()).toBe(0);
  });

  test('restarts when its read-only data directory becomes writable again', async () => {
    const metricsPort = await freePort();
    const { server, api } = await serveEmbedded(folder, { PACEKEEPER_METRICS_PORT: String(metricsPort) });
    const isDatabaseUp = async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      return /^pacekeeper_database_up (\d)$/m.exec(await answer.text())?.[1];
    };
    expect(await isDatabaseUp()).toBe('1');
    const writes = keepWriting(api, 'read-only', 2);
    const dataFolder = path.join(folder, 'postgres');
    const postmaster = Number(readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    chmodSync(dataFolder, 0o500);
    try {
      process.kill(postmaster, 'SIGKILL');
      await until('it does not start', async () =>
        /embedded PostgreSQL failed to start/.test(server.program.stdout()),
      );
      expect(await statusOf(server, 'live')).toBe(200);
      expect(await statusOf(server, 'ready')).toBe(503);
      // The metrics endpoint works without the database.
      expect(await isDatabaseUp()).toBe('0');
    } finally {
      chmodSync(dataFolder, 0o700);
    }
    const { length } = writes.stored;
    await until('it writes again', async () => writes.stored.length > length + 20);
    expect(await isDatabaseUp()).toBe('1');
    await writes.end();
    await checkNothingLost(api, writes);
    expect(await server.stop()).toBe(0);
  });
});

const isRoot = process.getuid?.() === 0;
const mount = (...args: string[]) => isRoot && spawnSync('/bin/mount', args).status === 0;

describe('the disk of the embedded PostgreSQL', () => {
  test('causes 503 responses when it is full, and the service recovers when space is available again', async (context) => {
    const folder = temporaryFolder();
    context.skip(
      !mount('-t', 'tmpfs', '-o', 'size=400m,mode=711', 'tmpfs', folder),
      'no small disk can be mounted here',
    );
    let server: FaultServer | undefined;
    try {
      const started = await serveEmbedded(folder);
      ({ server } = started);
      const { api } = started;
      const filler = path.join(folder, 'filler');
      const writes = keepWriting(api, 'full', 4);
      await until('it writes', async () => writes.stored.length > 50);
      // Fill the rest of the disk.
      spawnSync('/bin/sh', ['-c', `cat /dev/zero > ${filler}`]);
      await until('it refuses to write', async () => writes.refused > 20, 60_000);
      expect(await statusOf(server, 'live')).toBe(200);
      await sleep(2_000);
      expect(server.program.process.exitCode).toBeNull();
      rmSync(filler);
      const stored = writes.stored.length;
      await until('it writes again', async () => writes.stored.length > stored + 50, 60_000);
      await writes.end();
      await checkNothingLost(api, writes);
      await untilReady(server);
      const { length } = server.program.stdout().split('\n');
      expect(length).toBeLessThan(1_000);
      reportCounts('disk full', {
        stored: writes.stored.length,
        rejected: writes.refused,
        'lines in the log': length,
      });
      expect(await server.stop()).toBe(0);
    } finally {
      await server?.stop();
      spawnSync('/bin/umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('a full disk that rejects log lines does not end the service', async () => {
  const folder = temporaryFolder();
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [programMain, 'serve'], {
    env: {
      ...programEnvironment(),
      PORT: String(port),
      PACEKEEPER_DATA_DIR: folder,
      PACEKEEPER_LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', full, full],
  });
  try {
    const isReady = async () =>
      (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.status === 200;
    await until('it is ready', isReady, 60_000);
    // For each request, the server tries to write a log line, which fails.
    for (let count = 0; count < 20; count++) expect(await isReady()).toBe(true);
    expect(child.exitCode).toBeNull();
  } finally {
    closeSync(full);
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await exited;
    rmSync(folder, { recursive: true, force: true });
  }
  expect(child.exitCode).toBe(0);
});
