import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import {
  ensureMigrated,
  listPendingMigrations,
  lockMigrations,
  MigrationError,
  migrateDatabase,
  migrateWithin,
} from './migrate.ts';

const folders: string[] = [];

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-migrations-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const header = '-- Served by: 0.1.0 and later\n';

const two = {
  '0001_animals.sql': `${header}CREATE TABLE animals (name text); INSERT INTO animals VALUES ('cat');`,
  '0002_legs.sql': `${header}ALTER TABLE animals ADD COLUMN legs int DEFAULT 4;`,
};

test('migrations are applied once, in the order of their names', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const folder = folderWith({ ...two, 'README.md': 'not SQL', 'schema.sql': 'not a migration' });
  expect(await listPendingMigrations(db, folder)).toEqual(Object.keys(two));
  expect(await migrateDatabase(db, folder)).toEqual(Object.keys(two));
  expect(await migrateDatabase(db, folder)).toEqual([]);
  expect(await listPendingMigrations(db, folder)).toEqual([]);
  expect((await sql`SELECT * FROM animals`.execute(db)).rows).toEqual([{ name: 'cat', legs: 4 }]);
});

test('a migration added later is applied without repeating earlier ones', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, folderWith(two));
  const more = folderWith({ ...two, '0003_more.sql': `${header}INSERT INTO animals VALUES ('ant', 6);` });
  expect(await listPendingMigrations(db, more)).toEqual(['0003_more.sql']);
  expect(await migrateDatabase(db, more)).toEqual(['0003_more.sql']);
});

test('migrations within a transaction are only the named ones, or all if no names are given', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const folder = folderWith(two);
  await db.transaction().execute(async (tx) => {
    await lockMigrations(tx);
    await migrateWithin(tx, new Set(['0001_animals.sql']), folder);
    expect(await listPendingMigrations(tx, folder)).toEqual(['0002_legs.sql']);
    await migrateWithin(tx, undefined, folder);
    expect(await listPendingMigrations(tx, folder)).toEqual([]);
  });
});

test('a failed migration is rolled back, and the migrations before it are kept', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const broken = folderWith({
    ...two,
    '0003_broken.sql': `${header}CREATE TABLE half (id int); SELECT nonsense;`,
  });
  const migrating = migrateDatabase(db, broken);
  await expect(migrating).rejects.toThrow(MigrationError);
  await expect(migrating).rejects.toThrow(/0003_broken\.sql failed.*nonsense/);
  expect((await sql`SELECT to_regclass('half') AS half`.execute(db)).rows).toEqual([{ half: null }]);
  expect(await listPendingMigrations(db, broken)).toEqual(['0003_broken.sql']);
});

test('a migration that changed after it was applied is rejected', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, folderWith(two));
  const changed = folderWith({
    ...two,
    '0001_animals.sql': `${header}CREATE TABLE animals (name text NOT NULL);`,
  });
  await expect(migrateDatabase(db, changed)).rejects.toThrow(
    /0001_animals\.sql differs from the one applied/,
  );
});

test('a migration that requires a newer version is rejected, and a newer migration that this version can serve is accepted', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const older = folderWith({ '0001_animals.sql': two['0001_animals.sql'] });
  await migrateDatabase(db, folderWith(two));
  expect(await migrateDatabase(db, older)).toEqual([]);
  expect(await listPendingMigrations(db, older)).toEqual([]);
  await ensureMigrated(db, older);

  const next = '-- Served by: 0.10.0 and later\nALTER TABLE animals DROP COLUMN name;';
  await migrateDatabase(db, folderWith({ ...two, '0003_names.sql': next }));
  const sentence =
    `The database schema requires Pacekeeper 0.10.0 or later, and this is ${packageJson.version}. ` +
    'Use a newer version.';
  for (const folder of [older, folderWith(two)]) {
    await expect(migrateDatabase(db, folder)).rejects.toThrow(sentence);
    await expect(ensureMigrated(db, folder)).rejects.toThrow(sentence);
  }
});

test('a missing migration is rejected if a newer version has already applied a later one', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, folderWith({ ...two, '0004_later.sql': header }));
  const missing = folderWith({ ...two, '0003_missing.sql': header });
  await expect(migrateDatabase(db, missing)).rejects.toThrow(
    /0003_missing\.sql is older than 0004_later\.sql/,
  );
});

test('a migration that does not state the oldest version that can serve it is rejected', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const unstated = folderWith({ '0001_animals.sql': 'CREATE TABLE animals (name text);' });
  await expect(migrateDatabase(db, unstated)).rejects.toThrow(
    "0001_animals.sql doesn't start with the oldest version that can serve it: '-- Served by: 1.2.3 and later'",
  );
});

test('a migration inserted before an applied one is rejected', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, folderWith(two));
  const inserted = folderWith({ ...two, '0001_zoo.sql': `${header}CREATE TABLE zoo ();` });
  await expect(migrateDatabase(db, inserted)).rejects.toThrow(/0001_zoo\.sql is older than 0002_legs\.sql/);
});

test('each migration is applied by only one of several servers that start at the same time', async () => {
  const { db, connectAgain } = await createTestDatabase({ schema: 'empty' });
  const slow = folderWith({
    '0001_slow.sql': `${header}SELECT pg_sleep(0.1); CREATE TABLE slow (id int);`,
    '0002_next.sql': `${header}SELECT pg_sleep(0.1); ALTER TABLE slow ADD COLUMN next int;`,
  });
  const servers = [db, await connectAgain(), await connectAgain()];
  const applied = await Promise.all(servers.map((server) => migrateDatabase(server, slow)));
  expect(applied.flat().toSorted()).toEqual(['0001_slow.sql', '0002_next.sql']);
});

test('a migration retries after its lock timeout until the table is free', async () => {
  const { db, connectAgain } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, folderWith(two));
  const more = folderWith({ ...two, '0003_tails.sql': `${header}ALTER TABLE animals ADD COLUMN tails int;` });
  const server = await connectAgain();
  let migrating: Promise<string[]> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`SELECT * FROM animals`.execute(tx);
    migrating = migrateDatabase(server, more, { lockTimeoutMs: 50 });
    await sql`SELECT pg_sleep(0.4)`.execute(tx);
  });
  expect(await migrating).toEqual(['0003_tails.sql']);
});

test('a test database has no pending migrations', async () => {
  const { db } = await createTestDatabase();
  expect(await listPendingMigrations(db)).toEqual([]);
});
