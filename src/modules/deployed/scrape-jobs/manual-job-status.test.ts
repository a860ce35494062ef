import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';

const server = await sharedTestServer();

test('a manual job with a version has the status completed, even if it was a discovered job before', async () => {
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
