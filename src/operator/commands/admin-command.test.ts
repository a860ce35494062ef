import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { migrationsBefore } from '../../../tests/helpers/older-migrations.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { listPendingMigrations, migrateDatabase } from '../../platform/database/index.ts';
import { parseApiKey } from '../../platform/secrets/index.ts';
import { createCommandWorld, environmentOf, runAdmin } from './command-fixture.ts';
import { runMigrateCommand } from './migrate-command.ts';

const { db, env, run } = await createCommandWorld();

const names = [
  'create-organization',
  'create-user',
  'reset-password',
  'create-system-key',
  'set-setting',
  'feedback',
  'rotate-secret-key',
  'load-reference',
];

describe('help', () => {
  test('lists every command', async () => {
    for (const argv of [[], ['--help'], ['-h'], ['help']]) {
      const { code, stdout } = await runAdmin(argv, {});
      expect(code).toBe(0);
      for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  test.for(names)('for %s is available without a database', async (name) => {
    const { code, stdout, stderr } = await runAdmin([name, '--help'], { DATABASE_URL: 'nonsense' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: pacekeeper admin ${name}`));
  });
});

describe('an invalid command line', () => {
  test.for<[string[], RegExp]>([
    [['make-coffee'], /unknown command "make-coffee"/],
    [['create-organization'], /NAME is required/],
    [['create-organization', 'Shop'], /--owner-email is required/],
    [['create-organization', 'Shop', 'more', '--owner-email', 'a@b.c'], /unexpected argument "more"/],
    [['create-organization', 'Shop', '--owner', 'a@b.c'], /Unknown option '--owner'/],
    [['create-user', 'a@b.c', '--organization', 'two'], /--organization must be an organization ID/],
    [
      ['create-user', 'a@b.c', '--organization', '2', '--role', 'king'],
      /--role must be one of: viewer, member, admin, owner/,
    ],
    [['create-system-key', 'x', '--role', 'king'], /--role must be one of/],
    [['set-setting', 'task.max_attempts', 'three'], /"three" isn't valid JSON/],
    [['feedback', '--limit', '0'], /--limit must be a whole number/],
  ])('%j prints one line and exits with code 2', async ([argv, message]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('a command that fails', () => {
  test('creates nothing in a data directory without a database', async () => {
    const folder = temporaryFolder();
    const dataDir = path.join(folder, 'wrong');
    for (const argv of [
      ['reset-password', 'ana@example.com'],
      ['feedback'],
      ['seed-catalog'],
      ['rotate-secret-key'],
    ]) {
      const { code, stdout, stderr } = await runAdmin(argv, { PACEKEEPER_DATA_DIR: dataDir });
      expect({ code, stdout }, argv.join(' ')).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`no database found in ${dataDir}`);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test.for<[string[], RegExp]>([
    [['create-user', 'a@b.c', '--organization', '999'], /Organization 999 not found/],
    [['create-user', 'no address', '--organization', '1'], /The Global organization can't have members/],
    [['reset-password', 'nobody@b.c'], /User nobody@b.c not found/],
    [
      ['create-organization', 'Shop', '--owner-email', 'a@b.c', '--owner-password', 'short'],
      /must have 8 to 1,000 characters/,
    ],
    [['set-setting', 'no.such', '1'], /Unknown setting no.such/],
    [['set-setting', 'task.max_attempts', '0'], /value: must be at least 1/],
  ])('%j prints one line and exits with code 1', async ([argv, message]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('reports an invalid configuration', async () => {
    const { code, stderr } = await runAdmin(['feedback'], { DATABASE_URL: 'postgres://localhost/x' });
    expect(code).toBe(1);
    expect(stderr).toContain('PACEKEEPER_SECRET_KEY: not set');
  });

  test('does not apply missing migrations', async () => {
    const old = await createTestDatabase({ schema: 'empty' });
    await migrateDatabase(old.db, migrationsBefore('0015'));
    const oldEnv = environmentOf(old, randomBytes(32));
    const pending = await listPendingMigrations(old.db);
    const { code, stdout, stderr } = await runAdmin(
      ['create-organization', 'A', '--owner-email', 'a@b.example'],
      oldEnv,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `pacekeeper admin create-organization: The database schema is older than this version of Pacekeeper (1 migration ` +
        "pending). Run 'pacekeeper migrate' or start the server, then retry.\n",
    );
    expect(await listPendingMigrations(old.db)).toEqual(pending);
    expect(await runMigrateCommand([], oldEnv, { stdout: () => undefined, stderr: () => undefined })).toBe(0);
    expect((await runAdmin(['feedback'], oldEnv)).code).toBe(0);
  });

  test('reports a wrong secret key', async () => {
    await run('feedback');
    const other = Buffer.alloc(32, 'another key').toString('base64');
    const { code, stderr } = await runAdmin(['feedback'], { ...env, PACEKEEPER_SECRET_KEY: other });
    expect(code).toBe(1);
    expect(stderr).toContain("doesn't match this database");
  });
});

describe('the operator', () => {
  test('creates an organization, a member, and a new password', async () => {
    const made = await run('create-organization', 'Shop', '--owner-email', 'Olga@shop.example');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(
      /^Organization \d+ created\. Owner: olga@shop\.example\.\nPassword: \S{24}\n$/,
    );
    const id = /\d+/.exec(made.stdout)![0];
    const member = await run(
      'create-user',
      'pat@shop.example',
      '--organization',
      id,
      '--role',
      'viewer',
      '--password',
      'correct horse',
    );
    expect(member.stdout).toBe(`pat@shop.example added to organization ${id} as viewer.\n`);
    const reset = await run('reset-password', 'pat@shop.example');
    expect(reset.stdout).toMatch(/All sessions ended\.\nPassword: \S{24}\n$/);
    const { rows } = await sql<{
      role: string;
    }>`SELECT role FROM memberships WHERE organization_id = ${Number(id)} ORDER BY id`.execute(db);
    expect(rows.map((row) => row.role)).toEqual(['owner', 'viewer']);
  });

  test('receives only the system key on standard output', async () => {
    const { code, stdout } = await run('create-system-key', 'the agent', '--role', 'agent');
    expect(code).toBe(0);
    const key = parseApiKey(stdout.trimEnd());
    expect(stdout).toBe(`${stdout.trimEnd()}\n`);
    const { rows } =
      await sql`SELECT organization_id, role, name FROM api_keys WHERE id = ${Number(key!.id)}`.execute(db);
    expect(rows).toEqual([{ organization_id: 1, role: 'agent', name: 'the agent' }]);
  });

  test('sets a global value and resets it to its default', async () => {
    expect(await run('set-setting', 'delivery.retry_schedule_seconds', '[1, 2, 3]')).toEqual({
      code: 0,
      stdout: 'delivery.retry_schedule_seconds set to [1,2,3].\n',
      stderr: '',
    });
    const read = async () =>
      (await sql`SELECT value FROM settings WHERE organization_id = 1`.execute(db)).rows;
    expect(await read()).toEqual([{ value: [1, 2, 3] }]);
    expect((await run('set-setting', 'delivery.retry_schedule_seconds', 'default')).code).toBe(0);
    expect(await read()).toEqual([]);
  });

  test('reads feedback, newest first', async () => {
    await sql`
      INSERT INTO feedback (organization_id, actor_type, actor_name, message, created_at)
      VALUES (1, 'user', 'Dana', 'older', pacekeeper_now() - interval '1 day'), (1, 'user', 'Dana', E'two\nlines', pacekeeper_now())`.execute(
      db,
    );
    const { stdout } = await run('feedback', '--limit', '2');
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toEqual(['two\nlines', 'older']);
  });

  test('can run the migrate command if the schema is already up to date', async () => {
    let stdout = '';
    const code = await runMigrateCommand([], env, {
      stdout: (text) => void (stdout += text),
      stderr: () => undefined,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The schema is up to date.\n' });
  });
});
