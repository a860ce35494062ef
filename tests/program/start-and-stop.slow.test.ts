import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const programs: RunningProgram[] = [];
const folders: string[] = [];

function dataFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

function serve(env: Record<string, string>): RunningProgram {
  const program = runProgram(['serve'], {
    PORT: '0',
    PACEKEEPER_LOG_LEVEL: 'warn',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    ...env,
  });
  programs.push(program);
  return program;
}

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function ready(program: RunningProgram): Promise<string> {
  const [, url] = await program.waitForOutput(/running at (\S+)/);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  return url!;
}

/** Checks that a failed start prints only an error message and exits with code 1. */
async function checkRefusal(program: RunningProgram, pattern: RegExp): Promise<void> {
  expect(await program.exited).toBe(1);
  expect(program.stderr()).toMatch(pattern);
  expect(program.stdout()).toBe('');
}

describe('the program', () => {
  test('starts in an empty directory, prints the first login, and stops cleanly', async () => {
    const program = serve({ PACEKEEPER_DATA_DIR: dataFolder() });
    const url = await ready(program);
    const [, email, password] = await program.waitForOutput(/Log in as (\S+) with password (\S+)/);
    const login = await createApiClient({ baseUrl: url }).call('login', {
      body: { email: email!, password: password! },
    });
    expect(login.organization.name).toBe('Default');
    expect(await program.stop()).toBe(0);
    expect(program.stderr()).toBe('');
  });

  /** These tests share a data directory, because creating a database takes several seconds. */
  describe('with a chosen password', () => {
    const folder = temporaryFolder();
    const login = { email: 'admin@localhost', password: "the operator's own password" };
    const start = () => serve({ PACEKEEPER_DATA_DIR: folder, PACEKEEPER_ADMIN_PASSWORD: login.password });
    const loginTo = async (url: string) => {
      const { access_token } = await createApiClient({ baseUrl: url }).call('login', { body: login });
      return createApiClient({ baseUrl: url, token: access_token });
    };
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("doesn't print a password that the operator chose", async () => {
      const program = start();
      await loginTo(await ready(program));
      expect(await program.stop()).toBe(0);
      expect(program.stdout()).toMatch(/^Log in as admin@localhost /);
      expect(program.stdout() + program.stderr()).not.toContain(login.password);
    });

    test('fails with a clear message if it is already running with the same data directory, and starts after a SIGKILL with every acknowledged row', async () => {
      const first = start();
      const before = await loginTo(await ready(first));
      await checkRefusal(start(), /already running/);

      const body = { name: 'by hand', parser_type: 'manual' } as const;
      const { id } = await before.call('createScrapeJob', { body });
      let acknowledged = 0;
      const writes = (async () => {
        for (;;) {
          const version = `1.${acknowledged + 1}.0`;
          await before.call('setScrapeJobVersion', { path: { id }, body: { version } });
          acknowledged++;
        }
      })().catch(() => undefined);
      while (acknowledged < 25) await new Promise((resolve) => setTimeout(resolve, 5));
      first.process.kill('SIGKILL');
      await writes;

      const after = await loginTo(await ready(start()));
      const versions = await after.call('listScrapeJobVersions', { path: { id }, query: { limit: 200 } });
      // The server can have stored one more version, whose response was lost.
      expect([acknowledged, acknowledged + 1]).toContain(versions.total);
      expect(versions.items.map((version) => version.version)).toContain(`1.${acknowledged}.0`);
    });
  });

  test('prints one clear line if the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await checkRefusal(
      serve({ PACEKEEPER_DATA_DIR: dataFolder(), PORT: String(port) }),
      /^pacekeeper: 127\.0\.0\.1:\d+ is already in use\..*\n$/,
    );
    other.close();
  });

  test('names the setting of the metrics port if that port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await checkRefusal(
      serve({ PACEKEEPER_DATA_DIR: dataFolder(), PORT: '0', PACEKEEPER_METRICS_PORT: String(port) }),
      /^pacekeeper: 127\.0\.0\.1:\d+ is already in use\. Stop the other process or set PACEKEEPER_METRICS_PORT\.\n$/,
    );
    other.close();
  });

  test('prints one clear line if the database is unreachable', async () => {
    const secretKey = randomBytes(32).toString('base64');
    const program = serve({
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
      PACEKEEPER_SECRET_KEY: secretKey,
    });
    await checkRefusal(program, /^pacekeeper: DATABASE_URL: can't connect to 127\.0\.0\.1:1\/none: .*\n$/);
    expect(program.stderr()).not.toContain('secret');
  });

  test('lists all invalid environment variables', async () => {
    const program = serve({
      PORT: 'eighty',
      PACEKEEPER_EGRESS_ALLOW: 'everything',
      DATABASE_URL: 'mysql://x',
    });
    await checkRefusal(program, /PORT: given "eighty"[^]*PACEKEEPER_EGRESS_ALLOW: given "everything"/);
    expect(program.stderr()).toMatch(/DATABASE_URL/);
  });

  test("prints one clear line if the data directory isn't writable", async () => {
    // Root can write everywhere, so a file blocks the path instead.
    const folder = path.join(dataFolder(), 'file', 'data');
    mkdirSync(path.dirname(path.dirname(folder)), { recursive: true });
    writeFileSync(path.dirname(folder), 'no folder');
    await checkRefusal(serve({ PACEKEEPER_DATA_DIR: folder }), /^pacekeeper: .+\n$/);
  });

  test("doesn't start with a secret key that doesn't match the database", async () => {
    const { connection } = await createTestDatabase();
    const DATABASE_URL = databaseUrl(connection);
    const first = serve({ DATABASE_URL, PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64') });
    await ready(first);
    await checkRefusal(
      serve({ DATABASE_URL, PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64') }),
      /^pacekeeper: PACEKEEPER_SECRET_KEY doesn't match this database\..*\n$/,
    );
  });
});
