import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { findRunningEmbeddedPostgres, type PostgresAddress } from '../../src/platform/database/index.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const programs: RunningProgram[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function dataFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return path.join(folder, 'data');
}

async function serve(dataDir: string): Promise<{ program: RunningProgram; connection: PostgresAddress }> {
  const program = runProgram(['serve'], {
    PORT: '0',
    PACEKEEPER_DATA_DIR: dataDir,
    PACEKEEPER_EMBEDDED_AGENT: 'false',
  });
  programs.push(program);
  await program.waitForOutput(/running at (\S+)/);
  return { program, connection: findRunningEmbeddedPostgres(dataDir)! };
}

async function connect(connection: Omit<PostgresAddress, 'password'> & { password?: string }) {
  const client = new pg.Client(connection);
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

const passwordFile = (dataDir: string) => path.join(dataDir, 'postgres/pacekeeper-password');
const rulesFile = (dataDir: string) => path.join(dataDir, 'postgres/pg_hba.conf');

describe('the embedded database', () => {
  test('rejects connections from a client that can access only its socket', async () => {
    const { connection } = await serve(dataFolder());
    await checkClosed(connection);
    expect(await connect(connection)).toBe(1);
  });

  test('keeps its password across restarts and never exposes it in a process list', async () => {
    const dataDir = dataFolder();
    const first = await serve(dataDir);
    const { password } = first.connection;
    expect(password.length).toBeGreaterThan(40);
    const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
    expect(stdout).not.toContain(password);
    await first.program.stop();
    expect(first.program.stdout() + first.program.stderr()).not.toContain(password);
    expect(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password);
    expect((await serve(dataDir)).connection.password).toBe(password);
  });

  test('requires a new password after the next start if its password file was deleted and its access rules were replaced', async () => {
    const dataDir = dataFolder();
    const first = await serve(dataDir);
    // This kills only the server. Its database continues to run.
    first.program.process.kill('SIGKILL');
    await first.program.exited;
    rmSync(passwordFile(dataDir));
    writeFileSync(rulesFile(dataDir), 'local all all trust\nhost all all 127.0.0.1/32 reject\n');
    const { connection } = await serve(dataDir);
    await checkClosed(connection);
    expect(connection.password).not.toBe(first.connection.password);
    expect(await connect(connection)).toBe(1);
  });

  test('accepts commands while the server runs and after it stops', async () => {
    const dataDir = dataFolder();
    const { program } = await serve(dataDir);
    const run = async (...args: string[]) => {
      const command = runProgram(args, { PACEKEEPER_DATA_DIR: dataDir });
      programs.push(command);
      const code = await command.exited;
      return { code, output: command.stdout() + command.stderr() };
    };
    const commands = async () => {
      const file = path.join(path.dirname(dataDir), 'backup.tar.gz');
      expect(await run('backup', file, '--replace')).toMatchObject({ code: 0 });
      expect(await run('admin', 'create-system-key', 'K')).toMatchObject({ code: 0 });
      expect((await run('doctor')).output).toMatch(/^ok +database/m);
    };
    await commands();
    await program.stop();
    await commands();
  });

  test('starts with the rules of this version, whatever the rules file contains', async () => {
    const dataDir = dataFolder();
    await (await serve(dataDir)).program.stop();
    writeFileSync(rulesFile(dataDir), 'local all all trust\n');
    await checkClosed((await serve(dataDir)).connection);
  });
});

test('other users can’t read any files of a server', async () => {
  const dataDir = dataFolder();
  const { program } = await serve(dataDir);
  const backup = path.join(path.dirname(dataDir), 'backup.tar.gz');
  const command = runProgram(['backup', backup], { PACEKEEPER_DATA_DIR: dataDir });
  programs.push(command);
  expect(await command.exited, command.stderr()).toBe(0);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  const open: string[] = [];
  const look = (file: string) => {
    const stat = lstatSync(file);
    const name = path.relative(dataDir, file);
    // The database user needs only the execute permission on the directories of root.
    if (stat.isDirectory()) {
      if ((stat.mode & 0o066) !== 0) open.push(name);
      if ((stat.mode & 0o011) !== 0) for (const inner of readdirSync(file)) look(path.join(file, inner));
    } else if ((stat.mode & 0o077) !== 0) open.push(name);
  };
  look(dataDir);
  // The lock file shows which process uses the directory, so other users can read it too.
  expect(open).toEqual(['serve.lock']);
  const files = ['secret-key', 'postgres/pacekeeper-password', 'postgres.log'];
  for (const file of files) expect(statSync(path.join(dataDir, file)).mode & 0o777, file).toBe(0o600);
  for (const folder of ['postgres', 'run'])
    expect(statSync(path.join(dataDir, folder)).mode & 0o777).toBe(0o700);
  await program.stop();
});
