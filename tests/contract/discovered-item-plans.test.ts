import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connectDatabase } from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { isPlanned, KeptPlans } from './explained-plans.ts';

/**
 * Maximum number of rows per plan node. A list reads its page, counts up to 10,001 matches, and can scan some
 * rows that don't match.
 */
const rowsAtMost = 15_000;
/** Maximum number of items per job. */
const itemsOfJob = 50_000;

const server = await startTestServer();
const organization = await server.createOrganization();
const jobIds: number[] = [];
for (const name of ['first', 'second']) {
  const { id } = await organization.api.call('createDiscoveryJob', {
    body: { name, repository_url: 'https://git.example.org/a', is_active: false },
  });
  jobIds.push(id);
  await sql`
    INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
      version, version_state, status, confidence, labels)
    SELECT ${organization.id}, ${id}, CASE WHEN n % 500 = 0 THEN 'argocd' ELSE 'flux' END, 'key-' || n,
      'clusters/' || n % 50 || '/' || n || '.yaml', 'chart', 'chart-' || n % 400, '1.' || n % 7, 'exact',
      CASE WHEN n % 500 = 0 THEN 'gone' WHEN n % 2 = 0 THEN 'accepted' ELSE 'new' END, 'certain',
      jsonb_build_object('environment', (ARRAY['dev', 'test', 'staging', 'prod'])[1 + n % 4])
    FROM generate_series(1, ${sql.lit(itemsOfJob)}) AS n`.execute(server.db);
}
await sql`VACUUM ANALYZE discovered_items`.execute(server.db);
const oneConnection = await connectDatabase({
  connection: server.connection,
  log: createSilentLog(),
  poolSize: 1,
});
afterAll(() => oneConnection.destroy());
const plans = new KeptPlans(oneConnection);

const job = { discovery_job_id: jobIds[1]! };
test.each<object>([
  {},
  { sort: '-place' },
  { sort: 'artifact' },
  { sort: '-first_seen_at' },
  { offset: 5_000 },
  { status: 'new' },
  { status: 'gone' },
  { environment: 'prod' },
  { artifact: 'chart:chart-7' },
  { extractor: 'flux' },
  { extractor: 'argocd' },
  job,
  { ...job, sort: '-first_seen_at' },
  { ...job, status: 'new' },
  { ...job, status: 'gone' },
  { ...job, environment: 'prod' },
  { ...job, artifact: 'chart:chart-7' },
  { ...job, extractor: 'argocd' },
])('listing items uses an index for the query %j', async (query) => {
  const queries = await server.queriesOf(async () => {
    await organization.api.call('listDiscoveredItems', { query });
  });
  const own = queries.filter((each) => isPlanned(each) && /discovered_items/.test(each.text));
  expect(own.length).toBeGreaterThan(0);
  for (const each of own) {
    await plans.keep(each);
    for (const { node, table, rows } of (await plans.run(each))!)
      expect(rows, `${node} of ${table}`).toBeLessThanOrEqual(rowsAtMost);
  }
});
