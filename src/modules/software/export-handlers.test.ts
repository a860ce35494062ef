import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { bomErrors, vexErrors } from '../../../tests/helpers/document-schemas.ts';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';

const server = await sharedTestServer();
let acme: TestOrganization;

beforeEach(async () => {
  acme = await server.createOrganization();
});

async function exportBom(query: { label?: string } = {}) {
  const document = await acme.api.call('exportSoftwareBom', { query });
  expect(await bomErrors(document)).toBeNull();
  return document;
}

async function exportVex(query: { label?: string } = {}) {
  const document = await acme.api.call('exportIgnoredVulnerabilities', { query });
  if (document.statements.length > 0) expect(vexErrors(document)).toEqual([]);
  return document;
}

const propertiesOf = ({ properties = [] }: Schemas['SoftwareBomComponent']) =>
  Object.fromEntries(properties.map(({ name, value }) => [name.replace('pacekeeper:', ''), value]));

describe('the CycloneDX document', () => {
  test('lists a reported deployment with its package URL, place, and owner', async () => {
    await acme.api.call('reportDeployment', {
      body: {
        service: 'checkout',
        environment: 'production',
        version: '1.14.2',
        artifact: 'ghcr.io/acme/checkout',
        labels: { owner: 'payments' },
        time: '2026-01-02T03:04:05.000Z',
      },
    });
    const { metadata, components, compositions } = await exportBom();
    expect(metadata).toMatchObject({
      lifecycles: [{ phase: 'operations' }],
      component: { type: 'platform', name: expect.any(String) },
    });
    expect(compositions).toEqual([{ aggregate: 'unknown', assemblies: ['organization'] }]);
    expect(components).toMatchObject([
      {
        name: 'checkout',
        version: '1.14.2',
        purl: 'pkg:oci/checkout?repository_url=ghcr.io%2Facme%2Fcheckout&tag=1.14.2',
      },
    ]);
    expect(propertiesOf(components[0]!)).toMatchObject({
      scrape_job: 'checkout (production)',
      service: 'checkout',
      environment: 'production',
      owner: 'payments',
      last_seen_at: '2026-01-02T03:04:05.000Z',
      version_status: 'reported',
    });
  });

  test('takes the package URL from the upstream source if nothing else names the artifact', async () => {
    await createMonitoredSoftware(server, acme);
    const { components } = await exportBom();
    expect(components).toMatchObject([{ group: 'acme', name: 'web', purl: 'pkg:github/acme/web@1.0.0' }]);
  });

  test('marks a version that is no longer read as the last known one since the start of the gap', async () => {
    const { scrapeJobId } = await createMonitoredSoftware(server, acme);
    await sql`
      UPDATE scrape_jobs SET gap_since = '2026-01-02T00:00:00Z', gap_reason = 'read_failed'
      WHERE organization_id = ${acme.id} AND id = ${scrapeJobId}`.execute(server.db);
    const [component] = (await exportBom()).components;
    expect(component).toMatchObject({ version: '1.0.0' });
    expect(propertiesOf(component!)).toMatchObject({
      version_status: 'last_known',
      last_seen_at: '2026-01-02T00:00:00.000Z',
      last_known_since: '2026-01-02T00:00:00.000Z',
      last_known_reason: 'read_failed',
    });
  });

  test('lists software without a version as unknown, without an invented version', async () => {
    await acme.api.call('createScrapeJob', { body: { name: 'new', parser_type: 'manual' } });
    const [component] = (await exportBom()).components;
    expect(component).not.toHaveProperty('version');
    expect(component).not.toHaveProperty('purl');
    expect(propertiesOf(component!)).toEqual({ scrape_job: 'new', version_status: 'unknown' });
  });

  test('contains only software with the label, and nothing of other organizations', async () => {
    const body = { service: 'checkout', environment: 'production', version: '1' };
    await acme.api.call('reportDeployment', { body: { ...body, labels: { team: 'payments' } } });
    await acme.api.call('reportDeployment', { body: { ...body, environment: 'staging' } });
    expect((await exportBom()).components).toHaveLength(2);
    expect((await exportBom({ label: 'team=payments' })).components).toHaveLength(1);
    const other = await server.createOrganization();
    expect((await other.api.call('exportSoftwareBom')).components).toEqual([]);
  });

  test('is rejected instead of cut off if there are more than 10,000 scrape jobs', async () => {
    await sql`
      INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT ${acme.id}, 'job ' || place, 'manual' FROM generate_series(1, 10001) AS place`.execute(
      server.db,
    );
    await expect(acme.api.call('exportSoftwareBom')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('label: must select at most 10,000 deployed versions'),
    });
    await sql`DELETE FROM scrape_jobs WHERE organization_id = ${acme.id} AND name = 'job 1'`.execute(
      server.db,
    );
    expect((await acme.api.call('exportSoftwareBom')).components).toHaveLength(10_000);
  });
});

describe('the export of ignored vulnerabilities as OpenVEX', () => {
  async function ignore(ignored_vulnerabilities: Schemas['IgnoreVulnerability'][], configId?: number) {
    const id = configId ?? (await createMonitoredSoftware(server, acme)).configId;
    await acme.api.call('updateAlertConfig', { path: { id }, body: { ignored_vulnerabilities } });
    return id;
  }

  test('has one statement for each vulnerability that is ignored now, about the deployed version', async () => {
    await ignore([
      { id: 'CVE-2026-1', reason: 'vulnerable_code_not_in_execute_path', note: 'Module off' },
      { id: 'CVE-2026-2', note: 'TICKET-7' },
      { id: 'CVE-2026-3', until: '2020-01-01T00:00:00Z' },
    ]);
    const { author, statements } = await exportVex();
    expect(author).not.toBe('');
    const products = [{ '@id': 'pkg:github/acme/web@1.0.0' }];
    expect(statements).toMatchObject([
      {
        vulnerability: { name: 'CVE-2026-1' },
        products,
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        impact_statement: 'Module off',
      },
      { vulnerability: { name: 'CVE-2026-2' }, products, status: 'under_investigation' },
    ]);
  });

  test('keeps the time and the author of an entry until its values change', async () => {
    const id = await ignore([{ id: 'CVE-2026-1' }]);
    const [first] = (await exportVex()).statements;
    await ignore([{ id: 'CVE-2026-1' }, { id: 'CVE-2026-2' }], id);
    const [same, added] = (await exportVex()).statements;
    expect(same).toEqual(first);
    expect(Date.parse(added!.timestamp)).toBeGreaterThan(Date.parse(first!.timestamp));
    await ignore([{ id: 'CVE-2026-1', reason: 'fixed' }], id);
    const [changed] = (await exportVex()).statements;
    expect(Date.parse(changed!.timestamp)).toBeGreaterThan(Date.parse(added!.timestamp));
    expect(changed!.status_notes).toMatch(/^Ignored by .+\.$/);
  });

  test('is based on entries that do not change the revision of the alert configuration if they are sent again', async () => {
    const id = await ignore([{ id: 'CVE-2026-1', reason: 'risk_accepted', note: 'Small' }]);
    const config = await acme.api.call('getAlertConfig', { path: { id } });
    expect(config.ignored_vulnerabilities).toEqual([
      { id: 'CVE-2026-1', until: null, reason: 'risk_accepted', note: 'Small' },
    ]);
    await ignore(config.ignored_vulnerabilities, id);
    expect(await acme.api.call('getAlertConfig', { path: { id } })).toMatchObject({
      revision: config.revision,
    });
  });

  test('is empty if nothing is ignored, and contains nothing of other organizations', async () => {
    await ignore([{ id: 'CVE-2026-1' }]);
    const other = await server.createOrganization();
    const { statements } = await other.api.call('exportIgnoredVulnerabilities');
    expect(statements).toEqual([]);
    expect((await exportVex({ label: 'team=none' })).statements).toEqual([]);
  });
});
