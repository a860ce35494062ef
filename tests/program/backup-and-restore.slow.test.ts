import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { contentOf } from '../../src/operator/commands/backup-fixture.ts';
import {
  connectDatabase,
  type Database,
  findRunningEmbeddedPostgres,
} from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { openEmbedded } from '../../src/server/open-installation.ts';

import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { isLong } from '../helpers/long-tests.ts';
import { programMain, type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

const admin = { email: 'admin@localhost', password: 'a password for tests' };
const folders: string[] = [];
const servers = new Set<RunningProgram>();

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

async function serve(env: Record<string, string>) {
  const program = runProgram(['serve'], {
    PORT: '0',
    PACEKEEPER_LOG_LEVEL: 'warn',
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_ADMIN_PASSWORD: admin.password,
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
    ...env,
  });
  servers.add(program);
  const [, url] = await program.waitForOutput(/running at (\S+)/, 60_000);
  return { program, url: url! };
}

async function run(args: string[], env: Record<string, string>) {
  const program = runProgram(args, env);
  const code = await program.exited;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

async function logIn(url: string): Promise<ApiClient> {
  const { access_token } = await createApiClient({ baseUrl: url }).call('login', { body: admin });
  return createApiClient({ baseUrl: url, token: access_token });
}

/** Checks that the password, API key, and channel from before the backup still work. */
async function checkRestored(url: string, inbox: WebhookInbox): Promise<void> {
  const api = await logIn(url);
  const jobs = await createApiClient({ baseUrl: url, apiKey }).call('listScrapeJobs', {});
  expect(jobs.items.map(({ name }) => name)).toEqual(['by hand']);
  const heard = inbox.requests.length;
  await api.call('testNotificationChannel', { path: { id: channelId } });
  await expect.poll(() => inbox.requests.length).toBeGreaterThan(heard);
  expect(inbox.requests.at(-1)!.headers['x-team']).toBe('secret of the header');
}

/** Connects to an embedded database, whether or not its server is running. */
async function withEmbedded<T>(work: (db: Database) => Promise<T>, dataDir = source): Promise<T> {
  const log = createSilentLog();
  const embedded = await openEmbedded({ dataDir }, log, { mayJoin: true });
  const db = await connectDatabase({ connection: embedded.connection, log, poolSize: 1 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
    await embedded.stop();
  }
}

const source = newFolder();
const backups = mkdtempSync(path.join(tmpdir(), 'pacekeeper-backups-'));
folders.push(backups);
const file = path.join(backups, 'backup.tar.gz');
let inbox: WebhookInbox;
let server: Awaited<ReturnType<typeof serve>>;
let apiKey: string;
let channelId: number;

beforeAll(async () => {
  inbox = await createWebhookInbox();
  server = await serve({ PACEKEEPER_DATA_DIR: source });
  const api = await logIn(server.url);
  ({ key: apiKey } = await api.call('createAPIKey', { body: { name: 'pipeline', role: 'member' } }));
  await api.call('createScrapeJob', { body: { name: 'by hand', parser_type: 'manual' } });
  const channel = await api.call('createNotificationChannel', {
    body: { name: 'Team', url: inbox.url, headers: { 'x-team': 'secret of the header' } },
  });
  channelId = channel.id;
});

afterAll(async () => {
  await Promise.all([...servers].map((program) => program.stop()));
  await inbox.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('a backup of the embedded database', () => {
  test('can be created while the server runs and restored to another data directory', async () => {
    const taken = await run(['backup', file], { PACEKEEPER_DATA_DIR: source });
    expect(taken).toMatchObject({ code: 0, stdout: '' });
    expect(taken.stderr).toContain('The backup contains the secret key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(backups)).toEqual(['backup.tar.gz']);

    const target = path.join(newFolder(), 'data');
    expect(await run(['restore', file], { PACEKEEPER_DATA_DIR: target })).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(target, 'secret-key'), 'utf8')).toBe(
      readFileSync(path.join(source, 'secret-key'), 'utf8'),
    );
    expect(statSync(path.join(target, 'secret-key')).mode & 0o777).toBe(0o600);
    const restored = await serve({ PACEKEEPER_DATA_DIR: target });
    expect(restored.program.stdout()).not.toContain('Log in as');
    await checkRestored(restored.url, inbox);

    // Restoring over existing data is rejected, whether or not the server is running.
    const again = () => run(['restore', file], { PACEKEEPER_DATA_DIR: target });
    expect(await again()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Pacekeeper is running with/),
    });
    await checkRestored(restored.url, inbox);
    expect(await restored.program.stop()).toBe(0);
    const before = await withEmbedded(contentOf, target);
    expect(await again()).toMatchObject({ code: 1, stderr: expect.stringMatching(/isn't empty/) });
    expect(await withEmbedded(contentOf, target)).toEqual(before);
  });

  test('without the secret key restores nothing unless the key is provided', async () => {
    const withoutKey = path.join(newFolder(), 'without-key.tar.gz');
    const taken = await run(['backup', withoutKey, '--without-key'], { PACEKEEPER_DATA_DIR: source });
    expect(taken).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("The backup doesn't contain the secret key"),
    });
    const key = readFileSync(path.join(source, 'secret-key'), 'utf8').trim();
    expect(gunzipSync(readFileSync(withoutKey)).includes(key)).toBe(false);
    expect(gunzipSync(readFileSync(file)).includes(key)).toBe(true);

    const target = newFolder();
    const refused = await run(['restore', withoutKey], { PACEKEEPER_DATA_DIR: target });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/doesn't include the secret key/),
    });
    expect(readdirSync(target)).toEqual([]);
    const env = { PACEKEEPER_DATA_DIR: target, PACEKEEPER_SECRET_KEY: key };
    expect(await run(['restore', withoutKey], env)).toMatchObject({ code: 0 });
    expect(existsSync(path.join(target, 'secret-key'))).toBe(false);
  });

  // Only the long form runs the tests below that start several more programs. In the short form, the unit
  // tests of the commands cover the same code.
  test.runIf(isLong)('can be piped from one installation to another', async () => {
    const target = newFolder();
    const script =
      'PACEKEEPER_DATA_DIR="$0" "$2" "$3" backup - | PACEKEEPER_DATA_DIR="$1" "$2" "$3" restore -';
    const args = ['-c', script, source, target, process.execPath, programMain];
    const { stderr } = await promisify(execFile)('/bin/sh', args);
    expect(stderr).toMatch(/restored to \S+\. Start the server\./);
    const restored = await serve({ PACEKEEPER_DATA_DIR: target });
    await checkRestored(restored.url, inbox);
    await restored.program.stop();
  });

  test('that is corrupt leaves the data directory unchanged', async () => {
    const folder = newFolder();
    const broken = path.join(newFolder(), 'broken.tar.gz');
    const whole = readFileSync(file);
    writeFileSync(broken, whole.subarray(0, whole.length - 200));
    writeFileSync(path.join(folder, 'notes'), 'of somebody else');
    for (const dataDir of [folder, path.join(folder, 'new')]) {
      expect(await run(['restore', broken], { PACEKEEPER_DATA_DIR: dataDir })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^pacekeeper restore: .* is corrupt or incomplete.*\n$/),
      });
      expect(readdirSync(folder)).toEqual(['notes']);
    }
  });

  describe('that is interrupted', () => {
    beforeAll(async () => {
      // The backup must take long enough to be interrupted, so this data compresses poorly.
      await withEmbedded(
        async (db) =>
          void (await sql`
            INSERT INTO feedback (organization_id, actor_type, actor_name, message)
            SELECT 2, 'user', 'x', (SELECT string_agg(md5(n || '-' || m), '') FROM generate_series(1, 100) AS m)
            FROM generate_series(1, 8000) AS n`.execute(db)),
      );
    });

    const inTheMiddle = async (folder: string) => {
      const program = runProgram(['backup', path.join(folder, 'backup.tar.gz')], {
        PACEKEEPER_DATA_DIR: source,
      });
      const isWriting = () =>
        readdirSync(folder).some((name) => statSync(path.join(folder, name)).size > 100_000);
      await expect.poll(isWriting, { interval: 5 }).toBe(true);
      return program;
    };

    test.runIf(isLong)('by SIGKILL leaves only a partial file, which a restore rejects', async () => {
      const folder = newFolder();
      const program = await inTheMiddle(folder);
      program.process.kill('SIGKILL');
      expect(await program.exited).toBeNull();
      const [partial, ...others] = readdirSync(folder);
      expect(others).toEqual([]);
      expect(partial).toMatch(/^\.backup\.tar\.gz\..*\.partial$/);
      const dataDir = path.join(newFolder(), 'data');
      const refused = await run(['restore', path.join(folder, partial!)], { PACEKEEPER_DATA_DIR: dataDir });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/incomplete/) });
      expect(existsSync(dataDir)).toBe(false);
    });

    test('by SIGTERM leaves no files', async () => {
      const folder = newFolder();
      const program = await inTheMiddle(folder);
      program.process.kill('SIGTERM');
      expect(await program.exited).toBe(1);
      expect(program.stderr()).toMatch(/^pacekeeper backup: interrupted.*\n$/);
      expect(readdirSync(folder)).toEqual([]);
    });

    test.runIf(isLong)('during a restore can be restored by another attempt', async () => {
      const whole = path.join(newFolder(), 'backup.tar.gz');
      expect(await run(['backup', whole], { PACEKEEPER_DATA_DIR: source })).toMatchObject({ code: 0 });
      const dataDir = newFolder();
      const killed = runProgram(['restore', whole], { PACEKEEPER_DATA_DIR: dataDir });
      await expect.poll(() => findRunningEmbeddedPostgres(dataDir), { interval: 5 }).toBeDefined();
      killed.process.kill('SIGKILL');
      expect(await killed.exited).toBeNull();
      expect(await run(['restore', whole], { PACEKEEPER_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
      const restored = await serve({ PACEKEEPER_DATA_DIR: dataDir });
      await checkRestored(restored.url, inbox);
      await restored.program.stop();
    });
  });
});

describe('migrate-data', async () => {
  const { db, connection } = await createTestDatabase({ schema: 'empty' });
  const env = { PACEKEEPER_DATA_DIR: source, DATABASE_URL: databaseUrl(connection) };

  test('fails while the server is running', async () => {
    const refused = await run(['migrate-data'], env);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/Stop it first/) });
  });

  test('copies all data, and a server continues with the new database', async () => {
    expect(await server.program.stop()).toBe(0);
    const before = await withEmbedded(contentOf);
    const moved = await run(['migrate-data'], env);
    expect(moved).toMatchObject({ code: 0, stdout: '' });
    const keyFile = path.join(source, 'secret-key');
    const key = readFileSync(keyFile, 'utf8').trim();
    expect(moved.stderr).toContain(`Set PACEKEEPER_SECRET_KEY to the contents of ${keyFile}`);
    expect(moved.stderr).not.toContain(key);
    expect(await contentOf(db)).toEqual(before);
    expect(await withEmbedded(contentOf)).toEqual(before);

    expect(await run(['migrate-data'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/isn't empty/),
    });
    const there = await serve({ ...env, PACEKEEPER_SECRET_KEY: key, PACEKEEPER_DATA_DIR: newFolder() });
    await checkRestored(there.url, inbox);
    expect(await there.program.stop()).toBe(0);
  });

  test('reports a missing variable or embedded database', async () => {
    expect(await run(['migrate-data'], { PACEKEEPER_DATA_DIR: source })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/DATABASE_URL isn't set/),
    });
    expect(await run(['migrate-data'], { ...env, PACEKEEPER_DATA_DIR: newFolder() })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no embedded database/),
    });
  });
});
