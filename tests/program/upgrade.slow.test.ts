import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { createApiClient } from '../../src/client/api-client.ts';
import { migrateDatabase } from '../../src/platform/database/index.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const { db, connection } = await createTestDatabase();

/** Returns a directory with the migrations of a next version: all migrations of this version, and the given ones. */
function nextVersion(added: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  cpSync('migrations', folder, { recursive: true });
  for (const [name, text] of Object.entries(added)) writeFileSync(path.join(folder, name), text);
  return folder;
}

function serve() {
  return runProgram(['serve'], {
    PORT: '0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: Buffer.alloc(32, 'upgrade').toString('base64'),
    PACEKEEPER_DATA_DIR: temporaryFolder(),
    PACEKEEPER_EMBEDDED_AGENT: 'false',
    PACEKEEPER_LOG_LEVEL: 'warn',
  });
}

test('servers of this version keep serving during and after migrations of the next version, until a migration requires that version', async () => {
  const compatible = {
    '0900_notes.sql': `-- Served by: ${packageJson.version} and later
      ALTER TABLE rules ADD COLUMN note text NOT NULL DEFAULT 'none';
      UPDATE rules SET note = 'migrated';
      SELECT pg_sleep(2);`,
  };
  const server = serve();
  const [, url] = await server.waitForOutput(/running at (\S+)/);
  const [, email, password] = await server.waitForOutput(/Log in as (\S+) with password (\S+)/);
  const login = { body: { email: email!, password: password! } };
  const client = createApiClient({ baseUrl: url! });
  const { access_token } = await client.call('login', login);
  const api = createApiClient({ baseUrl: url!, token: access_token });
  const addRule = (name: string) =>
    api.call('createRule', { body: { name, rule_type: 'majors_behind', thresholds: { high: 1 } } });
  await addRule('Before');

  const migrating = migrateDatabase(db, nextVersion(compatible));
  let isMigrating = true;
  void migrating.finally(() => (isMigrating = false)).catch(() => undefined);
  let duringCount = 0;
  while (isMigrating) {
    await addRule(`During ${duringCount++}`);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  }
  expect(await migrating).toEqual(Object.keys(compatible));
  expect(duringCount).toBeGreaterThan(0);
  await addRule('After');

  // Another server of this version starts with the newer schema.
  const another = serve();
  const [, anotherUrl] = await another.waitForOutput(/running at (\S+)/);
  await createApiClient({ baseUrl: anotherUrl! }).call('login', login);
  expect(await another.stop()).toBe(0);
  const { rows } = await sql<{ name: string; note: string }>`
    SELECT name, note FROM rules WHERE organization_id <> 1 AND name IN ('Before', 'After') ORDER BY id`.execute(
    db,
  );
  expect(rows).toEqual([
    { name: 'Before', note: 'migrated' },
    { name: 'After', note: 'none' },
  ]);

  const incompatible = { '0901_no_notes.sql': '-- Served by: 99.0.0 and later\n' };
  await migrateDatabase(db, nextVersion({ ...compatible, ...incompatible }));
  expect(await server.stop()).toBe(0);
  const refused = serve();
  expect(await refused.exited).toBe(1);
  expect(refused.stderr()).toMatch(
    `The database schema requires Pacekeeper 99.0.0 or later, and this is ${packageJson.version}. Use a newer version.`,
  );
  expect(refused.stdout()).toBe('');
});
