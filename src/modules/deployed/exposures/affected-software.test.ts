import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';

const server = await startTestServer();
let acme: TestOrganization;

const packageKey = 'Go/example.org/web';

/** Stores records about versions from 1.1.0 (inclusive) to the given version (exclusive). */
async function storeRecords(
  records: readonly { id: string; aliases: string[]; fixed: string; published: string | null }[],
): Promise<void> {
  for (const { id, aliases, fixed, published } of records) {
    const affected = [
      {
        ecosystem: 'Go',
        name: 'example.org/web',
        versions: [],
        ranges: [
          [
            { kind: 'introduced', version: '1.1.0' },
            { kind: 'fixed', version: fixed },
          ],
        ],
      },
    ];
    await sql`
      INSERT INTO vulnerabilities (package_key, id, aliases, is_withdrawn, severity, summary, affected, fingerprint, published_at)
      VALUES (${packageKey}, ${id}, ${aliases}::text[], false, 'high', 'About it', ${JSON.stringify(affected)}::jsonb, '',
        ${published})`.execute(server.db);
  }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const published = daysAgo(9);

beforeAll(async () => {
  await sql`
    INSERT INTO vulnerability_packages (key, purls, catalog_keys, fingerprint, record_count, as_of)
    VALUES (${packageKey}, '{}', '{}', '', 3, pacekeeper_now())`.execute(server.db);
  await storeRecords([
    { id: 'GO-2026-1', aliases: ['CVE-2026-1'], fixed: '1.3.0', published: daysAgo(8) },
    { id: 'GHSA-aaaa', aliases: ['CVE-2026-1'], fixed: '1.3.0', published },
    { id: 'GO-2026-2', aliases: [], fixed: '1.2.0', published: null },
  ]);
});

beforeEach(async () => {
  acme = await server.createOrganization();
});

/** Creates software that had each version for 5 days. The last version is the current one. */
async function createSoftware(
  versions: readonly string[],
): Promise<{ gatherJobId: number; configId: number }> {
  const { gatherJobId, scrapeJobId, configId } = await createMonitoredSoftware(server, acme, {
    releases: ['1.0.0', '1.1.0', '1.2.0', '1.3.0'],
    deployed: null,
  });
  await sql`UPDATE gather_jobs SET vulnerability_packages = ARRAY[${packageKey}::text] WHERE id = ${gatherJobId}`.execute(
    server.db,
  );
  for (const version of versions) {
    await sql`
      UPDATE exposures SET first_seen_at = first_seen_at - interval '5 days', ended_at = ended_at - interval '5 days'
      WHERE organization_id = ${acme.id}`.execute(server.db);
    await acme.api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } });
  }
  return { gatherJobId, configId };
}

test('the exposures to a vulnerability are those of affected versions after its first record was published', async () => {
  await createSoftware(['1.1.0', '1.2.0', '1.2.5', '1.0.0']);
  for (const vulnerability_id of ['CVE-2026-1', 'GO-2026-1', 'GHSA-aaaa']) {
    const { items, known_since } = await acme.api.call('listExposures', { query: { vulnerability_id } });
    expect(known_since).toBe(published);
    expect(items.map(({ version }) => version)).toEqual(['1.2.5', '1.2.0']);
    // Exposures are counted only from the publication on.
    expect(items.map(({ known_seconds }) => Math.round(known_seconds / 86_400))).toEqual([5, 4]);
  }
});

test('the exposures to a vulnerability without a publication time are not limited to a period', async () => {
  const { gatherJobId } = await createSoftware(['1.1.0', '1.2.0', '1.1.5']);
  const { items, known_since } = await acme.api.call('listExposures', {
    query: { vulnerability_id: 'GO-2026-2', gather_job_id: gatherJobId },
  });
  expect(known_since).toBeNull();
  expect(items.map(({ version }) => version)).toEqual(['1.1.5', '1.1.0']);
});

test('software of other packages and organizations is not exposed', async () => {
  await createSoftware(['1.1.0']);
  acme = await server.createOrganization();
  const { gatherJobId } = await createSoftware(['1.2.0']);
  await sql`UPDATE gather_jobs SET vulnerability_packages = '{}' WHERE id = ${gatherJobId}`.execute(
    server.db,
  );
  const { items } = await acme.api.call('listExposures', { query: { vulnerability_id: 'CVE-2026-1' } });
  expect(items).toEqual([]);
});

test('a vulnerability without a record is rejected, because an empty list would state that nothing was affected', async () => {
  await expect(
    acme.api.call('listExposures', { query: { vulnerability_id: 'CVE-2026-9' } }),
  ).rejects.toMatchObject({ status: 400, errors: [{ field: 'vulnerability_id' }] });
});

test('other version filters are rejected together with a vulnerability', async () => {
  await expect(
    acme.api.call('listExposures', { query: { vulnerability_id: 'CVE-2026-1', version: '1.0.0' } }),
  ).rejects.toMatchObject({ status: 400, errors: [{ field: 'version' }] });
});

test('a known vulnerability of an alert configuration contains the time of its first publication', async () => {
  const { configId } = await createSoftware(['1.1.0']);
  const rule = await acme.api.call('createRule', {
    body: { name: 'Vulnerabilities', rule_type: 'known_vulnerabilities', thresholds: { high: 1 } },
  });
  await acme.api.call('updateAlertConfig', { path: { id: configId }, body: { rule_id: rule.id } });
  await expect
    .poll(async () => {
      const { items } = await acme.api.call('listAlertConfigVulnerabilities', { path: { id: configId } });
      return items.map(({ id, published_at }) => [id, published_at]);
    })
    .toEqual([
      ['CVE-2026-1', published],
      ['GO-2026-2', null],
    ]);
});
