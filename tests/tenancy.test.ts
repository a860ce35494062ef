import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from './helpers/database.ts';

const { db } = await createTestDatabase();

/** Tables that belong to the installation, or to a person who can be in several organizations. */
const withoutOrganization = [
  'device_logins',
  'housekeeping_tasks',
  'installation',
  'limited_sessions',
  'login_links',
  'organizations',
  'password_resets',
  'refresh_tokens',
  'schema_migrations',
  'servers',
  'used_identity_tokens',
  'used_sign_on_states',
  'recovery_codes',
  'second_factors',
  'user_identities',
  'users',
];

interface Key {
  table_name: string;
  constraint_name: string;
  kind: 'p' | 'f';
  columns: string[];
  referenced_table: string | null;
  referenced_columns: string[] | null;
}

const { rows: keys } = await sql<Key>`
  SELECT c.conrelid::regclass::text AS table_name, c.conname AS constraint_name, c.contype AS kind,
    (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns,
    nullif(c.confrelid, 0)::regclass::text AS referenced_table,
    (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.confkey) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number) AS referenced_columns
  FROM pg_constraint c
  WHERE c.contype IN ('p', 'f') AND c.connamespace = 'public'::regnamespace`.execute(db);

const isTenanted = (table: string) => !withoutOrganization.includes(table);

test('every primary key starts with the organization', () => {
  const primary = keys.filter((key) => key.kind === 'p');
  expect(primary.length).toBeGreaterThan(25);
  expect(primary.filter((key) => isTenanted(key.table_name) && key.columns[0] !== 'organization_id')).toEqual(
    [],
  );
});

test('no foreign key of a table with organization data can refer to another organization', () => {
  const wrong = keys.filter(
    (key) =>
      key.kind === 'f' &&
      isTenanted(key.table_name) &&
      isTenanted(key.referenced_table!) &&
      // Exception: the gather job of a configuration can also be global. A check constraint ensures that it otherwise
      // belongs to the same organization.
      !(key.table_name === 'alert_configs' && key.columns[0] === 'gather_organization_id') &&
      !(key.columns[0] === 'organization_id' && key.referenced_columns![0] === 'organization_id'),
  );
  expect(wrong).toEqual([]);
});

test('a configuration can’t use a gather job of another organization', async () => {
  await sql`INSERT INTO organizations (id, name) VALUES (10, 'a'), (11, 'b')`.execute(db);
  const { rows: jobs } = await sql<{ id: number }>`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
    VALUES (11, 'theirs', 'github_releases', 'github.com/a/b', 'auto') RETURNING id`.execute(db);
  const { rows: scrapes } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type) VALUES (10, 'ours', 'manual') RETURNING id`.execute(
    db,
  );
  const { rows: rules } = await sql<{ id: number }>`
    INSERT INTO rules (organization_id, name, rule_type, threshold_high) VALUES (10, 'ours', 'majors_behind', 1) RETURNING id`.execute(
    db,
  );
  const insert = (gatherOrganizationId: number) =>
    sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id)
    VALUES (10, 'x', ${scrapes[0]!.id}, ${gatherOrganizationId}, ${jobs[0]!.id}, ${rules[0]!.id})`.execute(
      db,
    );
  await expect(insert(11)).rejects.toThrow(/check constraint/);
  await expect(insert(10)).rejects.toThrow(/foreign key/);
});
