import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import {
  findUnreconciled,
  storeDerivedValues,
} from '../../src/modules/discovery/acceptance/acceptance-queries.ts';
import { connectDatabase, transaction } from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { insertInBulk } from '../helpers/insert-in-bulk.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { hasQueryPlan, PreparedPlans } from './explained-plans.ts';

/**
 * Maximum number of rows per plan node. A list reads its page, counts up to 10,001 matches, and can scan some
 * rows that don't match.
 */
const rowsAtMost = 15_000;
/** Number of items per job. Almost half of them are accepted. */
const itemsOfJob = 24_000;

const server = await startTestServer();
const organization = await server.createOrganization();
const jobIds: number[] = [];
for (const name of ['first', 'second']) {
  const { id } = await organization.api.call('createDiscoveryJob', {
    body: { name, repository_url: 'https://git.example.org/a', is_active: false },
  });
  jobIds.push(id);
  await insertInBulk(server.db, organization.id, (tx) =>
    sql`
    INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
      version, version_state, status, confidence, labels)
    SELECT ${organization.id}, ${id}, CASE WHEN n % 500 = 0 THEN 'argocd' ELSE 'flux' END, 'key-' || n,
      'clusters/' || n % 50 || '/' || n || '.yaml', 'chart', 'chart-' || n % 400, '1.' || n % 7, 'exact',
      CASE WHEN n % 500 = 0 THEN 'gone' WHEN n % 2 = 0 THEN 'accepted' ELSE 'new' END, 'certain',
      jsonb_build_object('environment', (ARRAY['dev', 'test', 'staging', 'prod'])[1 + n % 4])
    FROM generate_series(1, ${sql.lit(itemsOfJob)}) AS n`.execute(tx),
  );
}
await sql`VACUUM ANALYZE discovered_items`.execute(server.db);
const oneConnection = await connectDatabase({
  connection: server.connection,
  log: createSilentLog(),
  poolSize: 1,
});
afterAll(() => oneConnection.destroy());
const plans = new PreparedPlans(oneConnection);

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
  const own = queries.filter((each) => hasQueryPlan(each) && /discovered_items/.test(each.text));
  expect(own.length).toBeGreaterThan(0);
  for (const each of own) {
    await plans.keep(each);
    for (const { node, table, rows } of (await plans.run(each))!)
      expect(rows, `${node} of ${table}`).toBeLessThanOrEqual(rowsAtMost);
  }
});

test('comparing 10,000 accepted items with their resources is one statement that reads each row once', async () => {
  const { api, id: organizationId } = organization;
  const jobId = jobIds[0]!;
  const rule = await api.call('createRule', {
    body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
  });
  const gatherJob = await api.call('createGatherJob', {
    body: { name: 'web', source_type: 'oci_registry', artifact_name: 'ghcr.io/acme/web' },
  });
  await insertInBulk(server.db, organizationId, async (tx) => {
    await sql`
      INSERT INTO scrape_jobs (organization_id, name, parser_type, discovery_job_id, target_file)
      SELECT ${organizationId}, 'web-' || n, 'discovered', ${jobId}, n::text FROM generate_series(1, 10000) AS n`.execute(
      tx,
    );
    await sql`
      UPDATE discovered_items AS item SET scrape_job_id = fed.id, proposal = ${JSON.stringify({
        source_type: 'oci_registry',
        artifact_name: 'ghcr.io/acme/web',
        source_options: {},
      })}::jsonb, rule_id = ${rule.id}
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM discovered_items
        WHERE discovery_job_id = ${jobId} AND status = 'accepted') AS numbered,
        (SELECT id, row_number() OVER (ORDER BY id) AS n FROM scrape_jobs WHERE discovery_job_id = ${jobId}) AS fed
      WHERE item.id = numbered.id AND fed.n = numbered.n`.execute(tx);
    await sql`
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id)
      SELECT organization_id, name, id, organization_id, ${gatherJob.id}, ${rule.id} FROM scrape_jobs
      WHERE organization_id = ${organizationId}`.execute(tx);
  });
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM discovered_items WHERE scrape_job_id IS NOT NULL AND discovery_job_id = ${jobId}`.execute(
    server.db,
  );
  expect(rows).toHaveLength(10_000);
  const find = () => transaction(server.db, (tx) => findUnreconciled(tx, organizationId, { jobId }));
  expect(await find()).toHaveLength(1_001);
  await transaction(server.db, (tx) =>
    storeDerivedValues(
      tx,
      organizationId,
      rows.map(({ id }) => ({ id, derived: null, alert_config_id: null, problem: null })),
    ),
  );
  await sql`VACUUM ANALYZE discovered_items, scrape_jobs, alert_configs`.execute(server.db);
  expect(await find()).toEqual([]);
  const queries = await server.queriesOf(async () => {
    await api.call('updateDiscoveryJob', { path: { id: jobId }, body: { name: 'renamed' } });
  });
  const [query, ...others] = queries.filter((each) => hasQueryPlan(each) && /derived_from/.test(each.text));
  expect(others).toEqual([]);
  await plans.keep(query!);
  // The plan reads each accepted item of the job, and then filters those without a scrape job.
  for (const { node, table, rows: count } of (await plans.run(query!))!)
    expect(count, `${node} of ${table}`).toBeLessThanOrEqual(itemsOfJob / 2);
});
