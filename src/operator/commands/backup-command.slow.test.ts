import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { migrationsBefore } from '../../../tests/helpers/older-migrations.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { type Database, migrateDatabase } from '../../platform/database/index.ts';
import { keyFingerprint } from '../../platform/secrets/index.ts';
import { columnsOf, contentOf, runMaintenanceCommand } from './backup-fixture.ts';
import { createCommandWorld, environmentOf, runAdmin } from './command-fixture.ts';

/** Inserts values that a text format could lose, and sequence gaps that a restore must keep. */
async function fill(db: Database): Promise<void> {
  await sql`INSERT INTO users (email, name, password_hash)
    VALUES ('a@example.org', ${'tab\t, line\nfeed, \\N and "quotes" — 😀'}, 'x'), ('b@example.org', '', 'y')`.execute(
    db,
  );
  await sql`INSERT INTO organizations (name) SELECT 'Organization ' || n FROM generate_series(1, 50) AS n`.execute(
    db,
  );
  await sql`DELETE FROM organizations WHERE id = (SELECT max(id) FROM organizations)`.execute(db);
  await sql`INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, due_at)
    SELECT 2, 'job ' || n, 'github_releases', 'github.com/team/tool', 'auto', 'infinity'
    FROM generate_series(1, 3) AS n`.execute(db);
  await sql`INSERT INTO releases (organization_id, gather_job_id, tag, version, is_prerelease, notes, released_at)
    SELECT 2, id, 'v' || n, n::text, n % 7 = 0, repeat(md5(n::text), 40), timestamptz '2020-01-01 00:00:00.123456Z'
    FROM gather_jobs, generate_series(1, 1500) AS n`.execute(db);
  await sql`INSERT INTO runs (organization_id, kind, gather_job_id, capability, trigger, status)
    SELECT 2, 'gather', id, 'gather:github_releases', 'schedule', 'queued' FROM gather_jobs`.execute(db);
  await sql`INSERT INTO refresh_tokens (token_hash, family_id, user_id, organization_id, expires_at)
    SELECT '\\x00ff0a5c'::bytea, gen_random_uuid(), min(id), 2, 'infinity' FROM users`.execute(db);
}

async function createFilled() {
  const secretKey = randomBytes(32);
  const world = await createCommandWorld(secretKey);
  expect((await world.run('feedback')).code).toBe(0);
  await fill(world.db);
  const file = path.join(temporaryFolder(), 'backup.tar.gz');
  return { ...world, secretKey, file };
}

async function createEmpty(secretKey: Buffer) {
  const database = await createTestDatabase({ schema: 'empty' });
  return { ...database, secretKey, env: environmentOf(database, secretKey) };
}

/** Removes the columns that a restore changes when it ends all logins. */
function dropEndedLogins(columns: Map<string, string[]>): Map<string, string[]> {
  columns.delete('refresh_tokens');
  columns.set(
    'users',
    columns.get('users')!.filter((column) => column !== 'token_version'),
  );
  return columns;
}

const keptColumns = async (db: Database) => dropEndedLogins(await columnsOf(db));

/**
 * Returns the content with the sequences as a restore sets them. A restore skips IDs, so that IDs assigned
 * after the backup aren't reused.
 */
function withIdGap(content: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      name.endsWith('_id_seq') ? String((value === 'null' ? 1 : Number(value)) + 1_000_000) : value,
    ]),
  );
}

const isEmpty = async (db: Database) =>
  (
    await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_class WHERE relnamespace = 'public'::regnamespace`.execute(db)
  ).rows[0]!.count === 0;

describe('backup and restore', async () => {
  const { db, env, secretKey, file } = await createFilled();
  const taken = await runMaintenanceCommand('backup', [file], env);

  test('a restore contains every value and every row, and skips the IDs that could have been assigned after the backup', async () => {
    expect(taken).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/tables with \d+ rows/),
    });
    expect(taken.stderr).toContain("The backup doesn't contain the secret key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(['backup.tar.gz']);

    const target = await createEmpty(secretKey);
    expect(await runMaintenanceCommand('restore', [file], target.env)).toMatchObject({ code: 0, stdout: '' });
    const restored = await contentOf(target.db, await keptColumns(target.db));
    expect(restored).toEqual(withIdGap(await contentOf(db, await keptColumns(db))));
    expect(restored['releases']).toMatch(/^4500 /);
    const foreignKeys = sql<{ definition: string }>`
      SELECT conrelid::regclass || conname || pg_get_constraintdef(oid) || convalidated AS definition
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`;
    expect((await foreignKeys.execute(target.db)).rows).toEqual((await foreignKeys.execute(db)).rows);
    const next = await sql<{
      id: number;
    }>`INSERT INTO organizations (name) VALUES ('next') RETURNING id`.execute(target.db);
    expect(next.rows[0]!.id).toBe(1_000_052);
  });

  test('a backup replaces an existing file only with --replace', async () => {
    const before = readFileSync(file);
    expect(await runMaintenanceCommand('backup', [file], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(await runMaintenanceCommand('backup', [file, '--replace'], env)).toMatchObject({ code: 0 });
    expect(readFileSync(file).equals(before)).toBe(false);
  });

  test('a backup that cannot be written fails with one sentence', async () => {
    const folder = path.join(temporaryFolder(), 'missing');
    expect(await runMaintenanceCommand('backup', [path.join(folder, 'b.tar.gz')], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pacekeeper backup: can't write .* \(ENOENT\)\.\n$/),
    });
  });

  test('a restore does not change a database that is not empty', async () => {
    const target = await createFilled();
    const before = await contentOf(target.db);
    const env = { ...target.env, PACEKEEPER_SECRET_KEY: secretKey.toString('base64') };
    expect(await runMaintenanceCommand('restore', [file], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pacekeeper restore: The database isn't empty .*\n$/),
    });
    expect(await contentOf(target.db)).toEqual(before);
  });

  test('a restore with another secret key is rejected before it changes the database', async () => {
    const target = await createEmpty(randomBytes(32));
    expect(await runMaintenanceCommand('restore', [file], target.env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("PACEKEEPER_SECRET_KEY doesn't match"),
    });
    expect(await isEmpty(target.db)).toBe(true);
  });

  test('a backup of an older schema is restored and migrated', async () => {
    // This backup simulates an older version with fewer migrations.
    const old = await createEmpty(randomBytes(32));
    await migrateDatabase(old.db, migrationsBefore('0015'));
    await sql`INSERT INTO installation (secret_key_fingerprint) VALUES (${keyFingerprint(old.secretKey)})`.execute(
      old.db,
    );
    await fill(old.db);
    const oldFile = path.join(temporaryFolder(), 'backup.tar.gz');
    expect(await runMaintenanceCommand('backup', [oldFile], old.env)).toMatchObject({ code: 0 });
    const target = await createEmpty(old.secretKey);
    expect(await runMaintenanceCommand('restore', [oldFile], target.env)).toMatchObject({ code: 0 });
    // Compare only columns that still exist.
    const now = await columnsOf(target.db);
    const columns = new Map(
      [...(await columnsOf(old.db))].map(([table, names]) => [
        table,
        names.filter((column) => now.get(table)!.includes(column)),
      ]),
    );
    dropEndedLogins(columns);
    const { schema_migrations: _, ...rest } = await contentOf(target.db, columns);
    const { schema_migrations: __, ...before } = withIdGap(await contentOf(old.db, columns));
    expect(rest).toMatchObject(before);
    expect((await contentOf(target.db))['housekeeping_tasks']).toMatch(/^0 /);
  });

  describe('an invalid backup', () => {
    /** Returns the backup with one string replaced by another string of the same length. */
    const tampered = (from: string, to: string) => {
      const tar = gunzipSync(readFileSync(file));
      const at = tar.indexOf(from);
      expect(at).toBeGreaterThan(0);
      tar.write(to, at);
      return gzipSync(tar);
    };
    const headerOnly = async (json: string) => {
      const tar = pack();
      tar.entry({ name: 'backup.json' }, json);
      tar.finalize();
      return gzipSync(await buffer(tar));
    };
    const flipped = (share: number) => {
      const bytes = Buffer.from(readFileSync(file));
      const at = Math.floor(bytes.length * share);
      bytes[at] = bytes[at]! ^ 0x55;
      return bytes;
    };
    const cut = (share: number) => {
      const bytes = readFileSync(file);
      return bytes.subarray(0, Math.floor(bytes.length * share));
    };

    test.each([
      ['empty', () => Buffer.alloc(0), /isn't a Pacekeeper backup|corrupt/],
      ['not a backup', () => Buffer.from('not at all'), /isn't a Pacekeeper backup/],
      ["a tar file whose first entry isn't a header", () => headerOnly('null'), /is corrupt or incomplete/],
      ['an unrelated tar file', () => gzipSync(Buffer.alloc(1024)), /isn't a Pacekeeper backup/],
      ['truncated in the middle', () => cut(0.5), /is corrupt or incomplete/],
      ['truncated near the end', () => cut(0.9995), /is corrupt or incomplete/],
      ['truncated between two tables', () => gzipSync(upTo('tables/runs/')), /is corrupt or incomplete/],
      ['without its manifest', () => gzipSync(upTo('manifest.json')), /is corrupt or incomplete/],
      ['with one byte changed near the start', () => flipped(0.1), /isn't a Pacekeeper backup|corrupt/],
      ['with one byte changed near the end', () => flipped(0.9), /is corrupt or incomplete/],
      [
        'with a changed value',
        () => tampered('Organization 17', 'Organization 18'),
        /rows of "organizations"/,
      ],
      ['with an invalid value', () => tampered('2020-01-01 00', '2020-01-x1 00'), /rows of "releases"/],
      [
        'in a newer format',
        () => tampered('"format": 1', '"format": 2'),
        /uses backup format 2; this version supports up to/,
      ],
      [
        'with a newer schema',
        () => tampered('0015_freshness.sql', '0099_freshness.sql'),
        /newer schema \(unknown: 0099_freshness.sql\)/,
      ],
    ])('(%s) is rejected with one sentence, and nothing is changed', async (_, bytes, sentence) => {
      const broken = path.join(temporaryFolder(), 'broken.tar.gz');
      writeFileSync(broken, await bytes());
      const target = await createEmpty(secretKey);
      const { code, stderr } = await runMaintenanceCommand('restore', [broken], target.env);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(code).toBe(1);
      expect(await isEmpty(target.db)).toBe(true);
    });

    /**
     * Returns the tar with all entries before the first one whose name starts with `name`, and with a valid
     * end.
     */
    const upTo = (name: string) => {
      const tar = gunzipSync(readFileSync(file));
      const at = tar.indexOf(name);
      return Buffer.concat([tar.subarray(0, at), Buffer.alloc(1024)]);
    };
  });
});

test('a backup under load is a consistent snapshot', async () => {
  const { db, env, connectAgain, secretKey, file } = await createFilled();
  const writers = await connectAgain({ poolSize: 4 });
  await sql`INSERT INTO feedback (organization_id, actor_type, actor_name, message)
    SELECT 2, 'user', 'x', repeat('text ', 200) FROM generate_series(1, 20000)`.execute(db);
  let isOver = false;
  let written = 0;
  // Each transaction inserts a row with the same number into both tables, so a consistent snapshot contains either both
  // rows or neither.
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n++) {
      await writers.transaction().execute(async (tx) => {
        await sql`INSERT INTO feedback (organization_id, actor_type, actor_name, message)
          VALUES (2, 'user', 'writer', ${`${writer} ${n}`})`.execute(tx);
        await sql`INSERT INTO audit_log (organization_id, action, resource, actor_type, actor_name, request_id)
          VALUES (2, 'written', 'feedback', 'user', 'writer', ${`${writer} ${n}`})`.execute(tx);
      });
      written++;
    }
  };
  const writing = Promise.all([0, 1, 2, 3].map(write));
  await expect.poll(() => written).toBeGreaterThan(20);
  const before = written;
  const taken = await runMaintenanceCommand('backup', [file], env).finally(() => (isOver = true));
  await writing;
  expect(taken).toMatchObject({ code: 0 });

  const target = await createEmpty(secretKey);
  expect(await runMaintenanceCommand('restore', [file], target.env)).toMatchObject({ code: 0 });
  const pairs = await sql<{ both: number; one: number }>`
    SELECT count(*) FILTER (WHERE f.message = l.request_id) AS both, count(*) FILTER (WHERE f.id IS NULL OR l.id IS NULL) AS one
    FROM (SELECT * FROM feedback WHERE actor_name = 'writer') f
    FULL JOIN (SELECT * FROM audit_log WHERE actor_name = 'writer') l ON f.message = l.request_id`.execute(
    target.db,
  );
  expect(pairs.rows[0]!.one).toBe(0);
  expect(pairs.rows[0]!.both).toBeGreaterThanOrEqual(before);
  expect(written).toBeGreaterThan(pairs.rows[0]!.both);
});

test('a backup of a data directory without a database fails and creates no database', async () => {
  const folder = path.join(temporaryFolder(), 'data');
  expect(await runMaintenanceCommand('backup', ['x.tar.gz'], { PACEKEEPER_DATA_DIR: folder })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no database found'),
  });
  expect(existsSync(folder)).toBe(false);
});

test('a backup of a database without Pacekeeper tables fails', async () => {
  const { env } = await createEmpty(randomBytes(32));
  expect(await runMaintenanceCommand('backup', [path.join(temporaryFolder(), 'b')], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no Pacekeeper tables'),
  });
});

test('a backup fails if the key in the data directory does not match the database, unless it excludes the key', async () => {
  const folder = temporaryFolder();
  const env = { PACEKEEPER_DATA_DIR: folder };
  expect((await runMaintenanceCommand('migrate', [], env)).code).toBe(0);
  writeFileSync(path.join(folder, 'secret-key'), randomBytes(32).toString('base64'));
  const file = path.join(temporaryFolder(), 'backup.tar.gz');
  expect(await runMaintenanceCommand('backup', [file], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/secret-key doesn't match the database\. .*--without-key\.\n$/),
  });
  expect(readdirSync(path.dirname(file))).toEqual([]);
  expect((await runMaintenanceCommand('backup', [file, '--without-key'], env)).code).toBe(0);
  expect((await runMaintenanceCommand('doctor', [], env)).code).toBe(1);
});

test('a missing key in the data directory is reported, and no new key is created', async () => {
  const folder = temporaryFolder();
  const keyFile = path.join(folder, 'secret-key');
  const env = { PACEKEEPER_DATA_DIR: folder };
  expect((await runMaintenanceCommand('migrate', [], env)).code).toBe(0);
  const key = readFileSync(keyFile);
  rmSync(keyFile);
  for (const name of ['migrate', 'feedback'] as const) {
    const refused = await (name === 'migrate' ? runMaintenanceCommand(name, [], env) : runAdmin([name], env));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `The secret key is missing: ${keyFile} doesn't exist. Restore the file from a backup`,
    );
    expect(existsSync(keyFile)).toBe(false);
  }
  writeFileSync(keyFile, key);
  expect((await runAdmin(['feedback'], env)).code).toBe(0);
});
