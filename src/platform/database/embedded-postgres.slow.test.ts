import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { fastestTemporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { createSilentLog } from '../log.ts';
import {
  type EmbeddedPostgres,
  findRunningEmbeddedPostgres,
  type PostgresAddress,
  startEmbeddedPostgres,
  stopAbandonedPostgres,
} from './embedded-postgres.ts';
import { choosePostgresAccount } from './postgres-account.ts';
import { readPostmasterPid } from './postmaster-pid.ts';
import { isPostgresOf } from './process-identity.ts';

const isRoot = process.getuid?.() === 0;
const log = createSilentLog();

async function query(connection: PostgresAddress, text: string): Promise<unknown> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

const folders: string[] = [];

/** Creates a temporary directory. By default, every user can access it. */
function makeFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(fastestTemporaryFolder, 'pacekeeper-embedded-'));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Unprivileged user for the program when the tests run as root. It's only used if it can run Node from this directory.
 */
const ordinaryUser = isRoot ? choosePostgresAccount('/nowhere') : undefined;
const canRunAsOrdinaryUser =
  ordinaryUser !== undefined &&
  spawnSync(process.execPath, ['-e', `require('fs').readFileSync(${JSON.stringify(import.meta.filename)})`], {
    uid: ordinaryUser.uid,
    gid: ordinaryUser.gid,
    cwd: '/',
  }).status === 0;

const owners: { owner: string; user: { uid: number; gid: number } | undefined; isSkipped: boolean }[] = [
  { owner: isRoot ? 'as root' : 'as a regular user', user: undefined, isSkipped: false },
  ...(isRoot ? [{ owner: 'as a regular user', user: ordinaryUser, isSkipped: !canRunAsOrdinaryUser }] : []),
];

/**
 * Program that runs the database of a directory as the server does. On any termination signal, other work
 * ends before the database stops.
 */
const program = `
  import pg from 'pg';
  const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))});
  const { createSilentLog } = await import(${JSON.stringify(join(import.meta.dirname, '../log.ts'))});
  const say = (word, rest) => process.stdout.write(JSON.stringify({ word, ...rest }) + '\\n');
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR, log: createSilentLog() });
    const end = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const client = new pg.Client(postgres.connection);
      await client.connect();
      const { rows } = await client.query('SELECT 1 AS one');
      await client.end();
      await postgres.stop();
      say('stopped', { lastAnswer: rows[0].one });
      process.exit(0);
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    process.on('SIGUSR2', () => process.exit(3));
    say('ready', { connection: postgres.connection });
    setInterval(() => {}, 1000);
  } catch (error) {
    say('failed', { problem: error.problem, message: error.message });
    process.exit(1);
  }
`;

interface Said {
  word: 'ready' | 'stopped' | 'failed';
  connection: PostgresAddress;
  lastAnswer: number;
  message: string;
  problem: string;
}

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function run(dataDir: string, user?: { uid: number; gid: number }) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
    cwd: import.meta.dirname,
    env: { ...process.env, DATA_DIR: dataDir, NODE_NO_WARNINGS: '1' },
    // Use a separate process group, so that a signal can be sent to all its processes, as a terminal does.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    pid: child.pid ?? 0,
    exited,
    next: async () => JSON.parse(String((await lines.next()).value)) as Said,
  };
}

function postmasterOf(dataDir: string): number {
  return readPostmasterPid(join(dataDir, 'postgres'))?.pid ?? 0;
}

describe.each(owners)('embedded PostgreSQL running $owner', ({ user, isSkipped }) => {
  // All tests share one directory and run in order. Each test depends on the state that the previous one
  // left.
  const dataDir = makeFolder();
  if (user) chownSync(dataDir, user.uid, user.gid);

  test.skipIf(isSkipped)(
    'the first start creates a database that is reachable only through a private socket',
    async () => {
      const server = run(dataDir, user);
      const { connection } = await server.next();
      expect(await query(connection, 'CREATE TABLE kept (id int)')).toBeUndefined();
      expect(await query(connection, 'SHOW listen_addresses')).toBe('');
      expect(await query(connection, 'SHOW fsync')).toBe('on');
      expect(await query(connection, 'SHOW synchronous_commit')).toBe('on');
      expect(await query(connection, 'SHOW server_version')).toMatch(/^18\./);
      expect(
        await query(
          connection,
          'SELECT datcollate || datlocale FROM pg_database WHERE datname = current_database()',
        ),
      ).toBe('CC.UTF-8');
      expect(statSync(connection.host).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
      expect(statSync(connection.host).uid).toBe(statSync(join(dataDir, 'postgres')).uid);
      process.kill(server.pid, 'SIGTERM');
      expect((await server.next()).word).toBe('stopped');
      expect(await server.exited).toEqual([0, null]);
      expect(existsSync(join(dataDir, 'serve.lock'))).toBe(false);
      expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    },
  );

  test.skipIf(isSkipped)('Ctrl-C stops the program first and the database last', async () => {
    const server = run(dataDir, user);
    const { connection } = await server.next();
    expect(await query(connection, "SELECT to_regclass('kept')::text")).toBe('kept');
    process.kill(-server.pid, 'SIGINT');
    expect(await server.next()).toMatchObject({ word: 'stopped', lastAnswer: 1 });
    expect(await server.exited).toEqual([0, null]);
  });

  test.skipIf(isSkipped)(
    'a second program on the same directory fails with already_running and does not disturb the first program',
    async () => {
      const server = run(dataDir, user);
      const { connection } = await server.next();
      const second = run(dataDir, user);
      const { problem, message } = await second.next();
      expect(problem).toBe('already_running');
      expect(message).toContain(`already running with the data directory ${dataDir} (process ${server.pid})`);
      expect(await second.exited).toEqual([1, null]);
      expect(await query(connection, 'SELECT 1')).toBe(1);
      expect(findRunningEmbeddedPostgres(dataDir)).toEqual(connection);
      process.kill(server.pid, 'SIGTERM');
      await server.exited;
      expect(findRunningEmbeddedPostgres(dataDir)).toBeUndefined();
    },
  );

  test.skipIf(isSkipped)(
    'the orphaned database of a killed program is stopped and restarted with all its data',
    async () => {
      const killed = run(dataDir, user);
      const { connection } = await killed.next();
      await query(connection, 'CREATE TABLE acknowledged (id int)');
      const orphan = postmasterOf(dataDir);
      process.kill(killed.pid, 'SIGKILL');
      await killed.exited;
      expect(isPostgresOf(orphan, join(dataDir, 'postgres'))).toBe(true);

      const server = run(dataDir, user);
      const said = await server.next();
      expect(said.word).toBe('ready');
      expect(isPostgresOf(orphan, join(dataDir, 'postgres'))).toBe(false);
      expect(postmasterOf(dataDir)).not.toBe(orphan);
      expect(await query(said.connection, "SELECT to_regclass('acknowledged')::text")).toBe('acknowledged');
      process.kill(server.pid, 'SIGTERM');
      await server.exited;
    },
  );

  test.skipIf(isSkipped)('a program that exits without cleanup stops the database too', async () => {
    const server = run(dataDir, user);
    await server.next();
    const postmaster = postmasterOf(dataDir);
    process.kill(server.pid, 'SIGUSR2');
    expect(await server.exited).toEqual([3, null]);
    await expect.poll(() => isPostgresOf(postmaster, join(dataDir, 'postgres'))).toBe(false);
  });

  test.skipIf(isSkipped)('a database that crashes is restarted and keeps all committed data', async () => {
    const server = run(dataDir, user);
    const { connection } = await server.next();
    await query(connection, 'CREATE TABLE before_the_crash (id int)');
    const first = postmasterOf(dataDir);
    process.kill(first, 'SIGKILL');
    await vi.waitFor(
      async () =>
        expect(await query(connection, "SELECT to_regclass('before_the_crash')::text")).toBe(
          'before_the_crash',
        ),
      { timeout: 60_000, interval: 50 },
    );
    expect(postmasterOf(dataDir)).not.toBe(first);
    process.kill(server.pid, 'SIGTERM');
    expect(await server.exited).toEqual([0, null]);
  });

  test.skipIf(isSkipped)(
    'a directory that is not writable fails with an error that suggests a fix',
    async () => {
      const notAFolder = join(makeFolder(), 'file');
      writeFileSync(notAFolder, '');
      const closed = join(makeFolder(), 'data');
      // Root can write to any directory, so the test for root uses a file instead.
      const [folder, pattern] =
        user || !isRoot
          ? ([closed, /Can't write to the data directory .*set PACEKEEPER_DATA_DIR/] as const)
          : ([notAFolder, /isn't a directory\. Set PACEKEEPER_DATA_DIR/] as const);
      if (!isRoot) chmodSync(join(closed, '..'), 0o555);
      const server = run(folder, user);
      const said = await server.next();
      expect(said).toMatchObject({ word: 'failed', problem: 'folder_not_usable' });
      expect(said.message).toMatch(pattern);
      expect(await server.exited).toEqual([1, null]);
    },
  );
});

describe('a data directory', () => {
  /**
   * Data directory that is created once and then copied, because creating one takes a second. Its missing
   * parent directories are created, too.
   */
  const made = join(makeFolder(), 'not', 'yet', 'there');
  const running: EmbeddedPostgres[] = [];

  beforeAll(async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: made, log, forTests: { fsync: false } });
    await postgres.stop();
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  });

  function copyOfMade(to = makeFolder()): string {
    cpSync(made, to, { recursive: true });
    const { uid, gid } = statSync(join(made, 'postgres'));
    if (isRoot) spawnSync('chown', ['-R', `${uid}:${gid}`, join(to, 'postgres')]);
    chmodSync(join(to, 'postgres'), 0o700);
    return to;
  }

  async function start(dataDir: string): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, log, forTests: { fsync: false } });
    running.push(postgres);
    return postgres;
  }

  test.each([0o2770, 0o775])(
    'can be started after a restored volume changed its permissions to %o',
    async (mode) => {
      const dataDir = copyOfMade();
      chmodSync(join(dataDir, 'postgres'), mode);
      await start(dataDir);
      expect(statSync(join(dataDir, 'postgres')).mode & 0o7777).toBe(0o700);
    },
  );

  test('can be started despite a stale PID file that names a process other than PostgreSQL', async () => {
    const dataDir = copyOfMade();
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${dataDir}/postgres\n1\n5432\n${dataDir}/run\n\n1 1\nready   \n`,
    );
    const { connection } = await start(dataDir);
    expect(await query(connection, 'SELECT 1')).toBe(1);
  });

  test('cannot be started while PostgreSQL in another container uses it', async () => {
    const [served, dataDir] = [copyOfMade(), copyOfMade()];
    const { connection } = await start(served);
    // Another container leaves a PID that doesn't exist here and a socket that accepts connections.
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `4194304\n${dataDir}/postgres\n1\n5432\n${connection.host}\n\n1 1\nready   \n`,
    );
    await expect(start(dataDir)).rejects.toMatchObject({
      problem: 'already_running',
      message: expect.stringContaining('Another container or machine is using') as string,
    });
    expect(existsSync(join(dataDir, 'serve.lock'))).toBe(false);
  });

  test('can be started after an interrupted first start', async () => {
    const dataDir = makeFolder();
    cpSync(made, dataDir, { recursive: true });
    rmSync(join(dataDir, 'postgres', 'PG_VERSION'));
    spawnSync('mv', [join(dataDir, 'postgres'), join(dataDir, 'postgres.initializing')]);
    const { connection } = await start(dataDir);
    expect(await query(connection, 'SELECT 1')).toBe(1);
    expect(existsSync(join(dataDir, 'postgres.initializing'))).toBe(false);
  });

  test('rejects data of another major version with upgrade instructions', async () => {
    const dataDir = copyOfMade();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start(dataDir)).rejects.toMatchObject({
      problem: 'other_major_version',
      message: expect.stringMatching(
        /PostgreSQL 17, but this Pacekeeper includes PostgreSQL 18.*backup.*restore/,
      ) as string,
    });
  });

  test('uses a socket outside of it if its path is too long, and removes that socket on stop', async () => {
    const dataDir = copyOfMade(join(makeFolder(), 'long'.repeat(25)));
    const postgres = await start(dataDir);
    const { connection } = postgres;
    expect(connection.host.startsWith(dataDir)).toBe(false);
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    expect(findRunningEmbeddedPostgres(dataDir)).toEqual(connection);
    expect(await query(connection, 'SELECT 1')).toBe(1);
    await postgres.stop();
    expect(existsSync(connection.host)).toBe(false);
  });

  test('rotates the database log when it grows too large', async () => {
    const dataDir = copyOfMade();
    writeFileSync(join(dataDir, 'postgres.log'), 'x'.repeat(6_000_000));
    await start(dataDir);
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(6_000_000);
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
  });

  test('can be started and stopped repeatedly in one process, and concurrent stops are safe', async () => {
    const dataDir = copyOfMade();
    for (let round = 0; round < 2; round++) {
      const postgres = await start(dataDir);
      await expect(start(dataDir)).rejects.toMatchObject({ problem: 'already_running' });
      await Promise.all([postgres.stop(), postgres.stop()]);
    }
  });

  test('is not considered abandoned while its owner is running', async () => {
    const dataDir = copyOfMade();
    const { connection } = await start(dataDir);
    expect(await stopAbandonedPostgres(dataDir)).toBe(false);
    expect(await query(connection, 'SELECT 1')).toBe(1);
  });

  test.skipIf(!isRoot)(
    'is rejected if the PostgreSQL user cannot access it, with the name of the inaccessible directory',
    async () => {
      const closed = makeFolder(0o700);
      await expect(start(join(closed, 'data'))).rejects.toMatchObject({
        problem: 'folder_not_usable',
        message: expect.stringMatching(
          new RegExp(`can't access ${closed}\\. Put PACEKEEPER_DATA_DIR elsewhere`),
        ) as string,
      });
    },
  );

  test.skipIf(isRoot)('is rejected if another user owns it', () => {
    expect(() => choosePostgresAccount('/root')).toThrow(/is owned by user 0/);
  });

  test.runIf(process.platform === 'linux')(
    'is rejected with a suggested fix if it cannot be created',
    async () => {
      for (const path of ['/proc/pacekeeper', '/proc/pacekeeper/data'])
        await expect(start(path)).rejects.toMatchObject({
          problem: 'folder_not_usable',
          message: `Can't create the data directory ${path} (ENOENT). Set PACEKEEPER_DATA_DIR to a directory that can be created.`,
        });
    },
  );

  test('is rejected with a suggested fix if its path or a parent is a file', async () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')])
      await expect(start(path)).rejects.toMatchObject({
        problem: 'folder_not_usable',
        message: `${path} isn't a directory. Set PACEKEEPER_DATA_DIR to a directory.`,
      });
  });

  test('is rejected with a suggested fix if its disk is already full before the start', async (context) => {
    const dataDir = makeFolder();
    const isMounted =
      isRoot &&
      spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=4k,mode=755', 'tmpfs', dataDir]).status === 0;
    context.skip(!isMounted, 'no small disk can be mounted here');
    try {
      writeFileSync(join(dataDir, 'other'), Buffer.alloc(4_096));
      await expect(start(dataDir)).rejects.toMatchObject({
        problem: 'disk_full',
        message: `The disk that holds ${dataDir} is full. Free up space.`,
      });
      expect(existsSync(join(dataDir, 'serve.lock'))).toBe(false);
    } finally {
      spawnSync('/bin/umount', [dataDir]);
    }
  });

  test('is rejected with a suggested fix if its disk fills up during the start', async (context) => {
    const dataDir = makeFolder();
    const isMounted =
      isRoot &&
      spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', dataDir]).status === 0;
    context.skip(!isMounted, 'no small disk can be mounted here');
    try {
      await expect(start(dataDir)).rejects.toMatchObject({
        problem: 'disk_full',
        message: expect.stringContaining(`The disk that holds ${dataDir} is full. Free up space`) as string,
      });
      expect(existsSync(join(dataDir, 'serve.lock'))).toBe(false);
    } finally {
      spawnSync('/bin/umount', [dataDir]);
    }
  });
});
