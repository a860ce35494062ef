import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { migrationsBefore } from '../../../../tests/helpers/older-migrations.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import { migrateDatabase } from '../../../platform/database/index.ts';

const server = await sharedTestServer();

test('a manual job is listed as completed when it has a version, even if it was a discovered job before', async () => {
  const { id: organizationId, api } = await server.createOrganization();
  const create = (name: string) => api.call('createScrapeJob', { body: { name, parser_type: 'manual' } });
  const [set, unset] = [await create('set'), await create('unset')];
  const found = async (status: 'pending' | 'completed' | 'failed') => {
    const { items, total } = await api.call('listScrapeJobs', { query: { status, sort: 'created_at' } });
    expect(total).toBe(items.length);
    for (const item of items) expect(item.status).toBe(status);
    return items.map((item) => item.id);
  };
  expect(await found('pending')).toEqual([set.id, unset.id]);
  for (const version of ['1.0', '1.1'])
    await api.call('setScrapeJobVersion', { path: { id: set.id }, body: { version } });
  expect(await found('completed')).toEqual([set.id]);

  const { id: discoveryJobId } = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      kind: 'git_repository',
      repository_url: 'https://git.example.org/deploy',
      ref: 'main',
    },
  });
  const { rows } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, discovery_job_id, repository_url, ref, target_file, latest_version)
    VALUES (${organizationId}, 'found', 'discovered', ${discoveryJobId}, 'https://git.example.org/deploy', 'main', 'a.yaml', '1.0')
    RETURNING id`.execute(server.db);
  expect(await found('pending')).toEqual([unset.id, rows[0]!.id]);
  await api.call('deleteDiscoveryJob', { path: { id: discoveryJobId }, query: { keep: true } });
  expect(await found('completed')).toEqual([set.id, rows[0]!.id]);
  expect(await found('pending')).toEqual([unset.id]);
  expect(await found('failed')).toEqual([]);
});

test('the migration completes existing manual jobs that have a version', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, migrationsBefore('0130'));
  const { rows: organizations } = await sql<{ id: number }>`
    INSERT INTO organizations (name) VALUES ('Shop') RETURNING id`.execute(db);
  await sql`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url, latest_version, latest_version_at)
    SELECT ${organizations[0]!.id}, name, parser_type, url, version, pacekeeper_now() FROM (VALUES
      ('set', 'manual', NULL, '1.0'), ('unset', 'manual', NULL, NULL), ('read', 'yq', 'https://git.example.org/x', '1.0')
    ) AS jobs (name, parser_type, url, version)`.execute(db);
  await migrateDatabase(db);
  const { rows } = await sql`SELECT name, last_outcome FROM scrape_jobs ORDER BY id`.execute(db);
  expect(rows).toEqual([
    { name: 'set', last_outcome: 'succeeded' },
    { name: 'unset', last_outcome: 'none' },
    { name: 'read', last_outcome: 'none' },
  ]);
});
