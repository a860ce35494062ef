import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { findRunningEmbeddedPostgres, type PostgresAddress } from '../../src/platform/database/index.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/**
 * Data directory that all tests share, because creating a database takes seconds. The tests run in order, and
 * each continues with the server that the previous test left.
 */
const folder = temporaryFolder();
const dataDir = path.join(folder, 'data');
const backup = path.join(folder, 'backup.tar.gz');

const programs: RunningProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  rmSync(folder, { recursive: true, force: true });
});

let program: RunningProgram;
let connection: PostgresAddress;
async function serve(): Promise<void> {
  program = runProgram(['serve'], {
    PORT: '0',
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_EMBEDDED_AGENT: 'false',
  });
  programs.push(program);
  await program.waitForOutput(/running at (\S+)/);
  connection = findRunningEmbeddedPostgres(dataDir)!;
}

async function connect(address: Omit<PostgresAddress, 'password'> & { password?: string }) {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ users: number }>('SELECT count(*)::integer AS users FROM users');
    return rows[0]!.users;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Connects like an attacker with access to nothing but the socket directory. */
async function checkClosed({ host, port, user, database }: PostgresAddress): Promise<void> {
  const reached = { host, port, user, database };
  await expect(connect(reached)).rejects.toThrow(/password/);
  await expect(connect({ ...reached, password: 'pacekeeper' })).rejects.toThrow(
    /password authentication failed/,
  );
  await expect(connect({ ...reached, user: 'postgres', password: '' })).rejects.toThrow();
  await expect(connect({ ...reached, database: 'postgres' })).rejects.toThrow(/password/);
}

const passwordFile = path.join(dataDir, 'postgres/pacekeeper-password');
const rulesFile = path.join(dataDir, 'postgres/pg_hba.conf');

async function run(...args: string[]) {
  const command = runProgram(args, { PACEKEEPER_DATA_DIR: dataDir });
  programs.push(command);
  const code = await command.exited;
  return { code, output: command.stdout() + command.stderr() };
}

async function expectCommands(): Promise<void> {
  expect(await run('backup', backup, '--replace')).toMatchObject({ code: 0 });
  expect(await run('admin', 'create-system-key', 'K')).toMatchObject({ code: 0 });
  expect((await run('doctor')).output).toMatch(/^ok +database/m);
}

describe('the embedded database', () => {
  test('rejects connections from a client that can access only its socket', async () => {
    await serve();
    await checkClosed(connection);
    expect(await connect(connection)).toBe(1);
  });

  test('accepts commands while the server runs', expectCommands);

  test('has no files that other users can read', () => {
    const open: string[] = [];
    const look = (file: string) => {
      const stat = lstatSync(file);
      const name = path.relative(dataDir, file);
      // Directories that root owns may have the execute permission for others, because the database user
      // needs it.
      if (stat.isDirectory()) {
        if ((stat.mode & 0o066) !== 0) open.push(name);
        if ((stat.mode & 0o011) !== 0) for (const inner of readdirSync(file)) look(path.join(file, inner));
      } else if ((stat.mode & 0o077) !== 0) open.push(name);
    };
    look(dataDir);
    // The lock file shows which process uses the directory, so other users can read it too.
    expect(open).toEqual(['serve.lock']);
    const files = ['secret-key', 'postgres/pacekeeper-password', 'postgres.log'];
    for (const file of [...files.map((name) => path.join(dataDir, name)), backup])
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    for (const name of ['postgres', 'run'])
      expect(statSync(path.join(dataDir, name)).mode & 0o777).toBe(0o700);
  });

  test('accepts commands after the server stops', async () => {
    await program.stop();
    await expectCommands();
  });

  test('keeps its password across restarts and never exposes it in a process list', async () => {
    const { password } = connection;
    expect(password.length).toBeGreaterThan(40);
    await serve();
    expect(connection.password).toBe(password);
    const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
    expect(stdout).not.toContain(password);
    await program.stop();
    for (const each of programs) expect(each.stdout() + each.stderr()).not.toContain(password);
    expect(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password);
  });

  test('starts with the access rules of this version, regardless of the content of the rules file', async () => {
    writeFileSync(rulesFile, 'local all all trust\n');
    await serve();
    await checkClosed(connection);
  });

  test('requires a new password after the next start if its password file was deleted and its access rules were replaced', async () => {
    const { password } = connection;
    // This kills only the server. Its database continues to run.
    program.process.kill('SIGKILL');
    await program.exited;
    rmSync(passwordFile);
    writeFileSync(rulesFile, 'local all all trust\nhost all all 127.0.0.1/32 reject\n');
    await serve();
    await checkClosed(connection);
    expect(connection.password).not.toBe(password);
    expect(await connect(connection)).toBe(1);
  });
});
