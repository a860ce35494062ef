import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connectDatabase } from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { insertInBulk } from '../helpers/insert-in-bulk.ts';
import { createScanner, deployedImageItem } from '../helpers/scan-by-hand.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { hasQueryPlan, PreparedPlans } from './explained-plans.ts';

/**
 * Maximum number of rows per plan node. A step reads 1,000 items and their releases, and can scan some
 * additional rows.
 */
const rowsAtMost = 15_000;
const itemsOfJob = 20_000;

const server = await startTestServer();
const { api, id: organizationId } = await server.createOrganization();
const artifact = 'ghcr.io/acme/web';
const gatherJob = await api.call('createGatherJob', {
  body: { name: 'web', source_type: 'oci_registry', artifact_name: artifact, is_active: false },
});
const discoveryJob = await api.call('createDiscoveryJob', {
  body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
});
await sql`DELETE FROM runs WHERE gather_job_id IS NOT NULL`.execute(server.db);
// Create 300 jobs whose releases all have digests, and items of which every fiftieth has a digest of the job under test.
await insertInBulk(server.db, organizationId, async (tx) => {
  await sql`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
    SELECT ${organizationId}, 'job ' || n, 'oci_registry', 'ghcr.io/acme/other-' || n, 'auto'
    FROM generate_series(1, 300) AS n`.execute(tx);
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, is_prerelease, digest)
    SELECT organization_id, id, '1.' || n || '.0', '1.' || n || '.0', lpad(n::text, 6, '0'), false,
      CASE WHEN id = ${gatherJob.id} THEN 'sha256:' || n % 100 ELSE 'sha256:' || id || '-' || n END
    FROM gather_jobs, generate_series(1, 100) AS n WHERE organization_id = ${organizationId}`.execute(tx);
  await sql`
    INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
      version_state, reason, digest, proposal)
    SELECT ${organizationId}, ${discoveryJob.id}, 'kubernetes', 'key-' || n, 'clusters/' || n || '.yaml', 'image', 'web-' || n,
      'digest', 'digest', CASE WHEN n % 50 = 0 THEN 'sha256:' || n / 50 % 100 ELSE 'sha256:unknown-' || n END,
      jsonb_build_object('source_type', 'oci_registry', 'artifact_name', ${artifact}::text)
    FROM generate_series(1, ${sql.lit(itemsOfJob)}) AS n`.execute(tx);
});
await sql`VACUUM ANALYZE`.execute(server.db);

const oneConnection = await connectDatabase({
  connection: server.connection,
  log: createSilentLog(),
  poolSize: 1,
});
afterAll(() => oneConnection.destroy());

const plans = new PreparedPlans(oneConnection);

async function expectIndexes(queries: readonly { text: string; parameters: readonly unknown[] }[]) {
  const own = queries.filter(
    (each) => hasQueryPlan(each) && /discovered_items|digest_fan_outs/.test(each.text),
  );
  for (const each of own) {
    await plans.keep(each);
    for (const { node, table, rows } of (await plans.run(each))!)
      expect(rows, `${node} of ${table} in ${each.text}`).toBeLessThanOrEqual(rowsAtMost);
  }
  return own.length;
}

async function countMatched(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM discovered_items WHERE matched_version IS NOT NULL`.execute(
    server.db,
  );
  return rows[0]!.count;
}

test('items with new digests are found by an index without reading other items', async () => {
  const queries = await server.queriesOf(async () => {
    await sql`
      INSERT INTO digest_fan_outs (organization_id, gather_job_id, for_organization_id, due_at, requested_seq)
      VALUES (${organizationId}, ${gatherJob.id}, ${organizationId}, pacekeeper_now(), 1)`.execute(server.db);
    await expect.poll(countMatched).toBe(itemsOfJob / 50);
  });
  expect(await expectIndexes(queries)).toBeGreaterThan(3);
});

test('a scan with changes reads unmatched items in steps, and an unchanged scan reads none', async () => {
  const scanner = createScanner(api);
  const unchanged = await server.queriesOf(() => scanner.scanUnchanged(discoveryJob.id));
  expect(unchanged.filter(({ text }) => text.includes('matched_version'))).toEqual([]);
  const changed = await server.queriesOf(() => scanner.scan(discoveryJob.id, [deployedImageItem('api')]));
  const matching = changed.filter(({ text }) => /matched_version IS NULL/.test(text));
  // Every fiftieth item is already matched. The last step finds fewer than 1,000 items.
  expect(matching).toHaveLength(Math.floor((itemsOfJob - itemsOfJob / 50) / 1_000) + 1);
  expect(await expectIndexes(matching)).toBe(matching.length);
});

test('listing images without a version reads only the highest releases of a large repository', async () => {
  const owner = await server.createOrganization();
  const job = await owner.api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
  });
  const repository = 'ghcr.io/acme/large';
  const large = await owner.api.call('createGatherJob', {
    body: { name: 'large', source_type: 'oci_registry', artifact_name: repository, is_active: false },
  });
  await insertInBulk(server.db, owner.id, async (tx) => {
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, is_prerelease, released_at)
      SELECT ${owner.id}, ${large.id}, '1.' || n || '.0', '1.' || n || '.0', lpad(n::text, 6, '0'), false,
        CASE WHEN n % 2 = 0 THEN pacekeeper_now() + n * interval '1 second' END
      FROM generate_series(1, 20000) AS n`.execute(tx);
    await sql`
      INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, path, artifact_kind, artifact_name,
        version_state, reason, digest, proposal)
      SELECT ${owner.id}, ${job.id}, 'kubernetes', 'key-' || n, 'clusters/' || n || '.yaml', 'image', 'web-' || n, 'digest',
        'digest', 'sha256:large-' || n, jsonb_build_object('source_type', 'oci_registry', 'artifact_name', ${repository}::text)
      FROM generate_series(1, 200) AS n`.execute(tx);
  });
  await sql`VACUUM ANALYZE releases, discovered_items`.execute(server.db);
  const queries = await server.queriesOf(async () => {
    const query = { discovery_job_id: job.id, limit: 200 };
    const { items } = await owner.api.call('listDiscoveredItems', { query });
    expect(items).toHaveLength(200);
    expect(items.filter(({ newer_since }) => newer_since === null)).toEqual([]);
  });
  expect(await expectIndexes(queries)).toBeGreaterThan(0);
});
