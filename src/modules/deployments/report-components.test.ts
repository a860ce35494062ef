import { beforeEach, describe, expect, test } from 'vitest';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';

const server = await sharedTestServer();
let acme: TestOrganization;

beforeEach(async () => {
  acme = await server.createOrganization();
});

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core';

function cycloneDx(...components: object[]): string {
  return JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components });
}

const library = (purl: string) => ({ type: 'library', name: purl.split('/').at(-1)!.split('@')[0], purl });

const report = (
  document: string,
  components: Schemas['SelectedBomComponent'][],
  more: Partial<Schemas['ReportDeploymentRequest']> = {},
) =>
  acme.api.call('reportDeployment', {
    body: {
      service: 'checkout',
      environment: 'production',
      version: '1.14.2',
      ...more,
      sbom: { document, components },
    },
  });

const ledger = async () => (await acme.api.call('listDeployments')).items;

describe('a report with a bill of materials', () => {
  test('also records the version of each selected component, in its own scrape job', async () => {
    const document = cycloneDx(library(`${log4j}@2.20.0`), library('pkg:npm/lodash@4.17.21'));
    const { deployment, components } = await report(document, [{ purl: log4j }, { name: 'lodash' }], {
      commit: '9fceb02',
      labels: { team: 'payments' },
      url: 'https://ci.example.org/1',
    });
    expect(deployment).toMatchObject({ version: '1.14.2', commit: '9fceb02' });
    expect(components).toMatchObject([
      {
        name: 'org.apache.logging.log4j/log4j-core',
        status: 'recorded',
        message: null,
        version: '2.20.0',
        choice: null,
        deployment: {
          service: 'checkout',
          environment: 'production',
          artifact: log4j,
          commit: null,
          url: 'https://ci.example.org/1',
          labels: { team: 'payments', component: 'org.apache.logging.log4j/log4j-core' },
        },
        alert_config: null,
        not_compared: { code: expect.any(String) },
      },
      { name: 'lodash', status: 'recorded', version: '4.17.21', deployment: { artifact: 'pkg:npm/lodash' } },
    ]);
    const { items } = await acme.api.call('listScrapeJobs', { query: { sort: 'created_at' } });
    expect(items.map(({ name, latest_version }) => [name, latest_version])).toEqual([
      ['checkout (production)', '1.14.2'],
      ['checkout: org.apache.logging.log4j/log4j-core (production)', '2.20.0'],
      ['checkout: lodash (production)', '4.17.21'],
    ]);
  });

  test('lists a component that is not in the document, or has no version there, and records the others', async () => {
    const document = cycloneDx(library('pkg:npm/lodash@4.17.21'), library('pkg:npm/react'));
    const { components } = await report(document, [
      { purl: log4j },
      { purl: 'pkg:npm/react' },
      { purl: 'pkg:npm/lodash' },
    ]);
    expect(components.map(({ status, deployment }) => [status, deployment?.version ?? null])).toEqual([
      ['not_found', null],
      ['no_version', null],
      ['recorded', '4.17.21'],
    ]);
    expect(components[0]!.message).toContain("doesn't contain this component");
  });

  test('records the lowest of several versions of a component, and lists the others', async () => {
    const document = cycloneDx(
      ...['4.17.21', '3.10.1'].map((version) => library(`pkg:npm/lodash@${version}`)),
    );
    const [lodash] = (await report(document, [{ purl: 'pkg:npm/lodash' }])).components;
    expect(lodash).toMatchObject({ version: '3.10.1', choice: 'lowest', other_versions: ['4.17.21'] });
  });

  test('is idempotent for the components, too', async () => {
    const document = cycloneDx(library('pkg:npm/lodash@4.17.21'));
    await report(document, [{ purl: 'pkg:npm/lodash' }]);
    const again = await report(document, [{ purl: 'pkg:npm/lodash' }]);
    expect(again).toMatchObject({ is_repeat: true, components: [{ status: 'recorded', is_repeat: true }] });
    expect(await ledger()).toHaveLength(2);
  });

  test('compares a component with the gather job of its package URL', async () => {
    const { id: ruleId } = await acme.api.call('createRule', {
      body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
    });
    await acme.api.call('putOrgOverride', { path: { key: 'default_rule_id' }, body: { value: ruleId } });
    const { id } = await acme.api.call('createGatherJob', {
      body: { name: 'web', source_type: 'github_releases', artifact_name: 'github.com/acme/web' },
    });
    const document = cycloneDx(library('pkg:github/acme/web@1.0.0'));
    const [web] = (await report(document, [{ purl: 'pkg:github/acme/web' }])).components;
    expect(web).toMatchObject({ alert_config: { id: expect.any(Number) }, not_compared: null });
    const { items } = await acme.api.call('listAlertConfigs');
    expect(items).toMatchObject([
      { gather_job_id: id, scrape_job: { name: 'checkout: acme/web (production)' } },
    ]);
  });

  test('reads SPDX documents that are too large for the main thread of the server', async () => {
    const packages = Array.from({ length: 10_000 }, (_, index) => ({
      name: `package-${index}`,
      versionInfo: `1.0.${index}`,
    }));
    const document = JSON.stringify({ spdxVersion: 'SPDX-2.3', packages });
    expect(document.length).toBeGreaterThan(300_000);
    const { components } = await report(document, [{ name: 'package-9999' }]);
    expect(components).toMatchObject([{ status: 'recorded', version: '1.0.9999' }]);
  });
});

describe('a rejected report', () => {
  const valid = cycloneDx(library('pkg:npm/lodash@4.17.21'));

  test.each([
    ['a document that is not JSON', '<bom/>', [{ name: 'a' }], 'sbom.document', "isn't valid JSON"],
    ['another document', '{}', [{ name: 'a' }], 'sbom.document', 'is neither a CycloneDX document'],
    ['no selection', valid, [], 'sbom.components', 'at least 1'],
    ['an empty selection', valid, [{}], 'sbom.components.0', 'must have either purl or name'],
    [
      'a name and a package URL',
      valid,
      [{ name: 'a', purl: log4j }],
      'sbom.components.0',
      'either purl or name',
    ],
    ['a package URL with a version', valid, [{ purl: `${log4j}@1` }], 'sbom.components.0.purl', 'a version'],
    [
      'a group with a package URL',
      valid,
      [{ purl: log4j, group: 'a' }],
      'sbom.components.0.group',
      'combined',
    ],
    [
      'the same name twice',
      valid,
      [{ name: 'a', group: 'b' }, { purl: 'pkg:npm/b/a' }],
      'sbom.components.1',
      'has the same name as another component: b/a',
    ],
    [
      'a name that is too long for a label',
      valid,
      [{ name: 'a'.repeat(150), group: 'b'.repeat(150) }],
      'sbom.components.0',
      'more than 200 characters',
    ],
  ])('stores nothing: %s', async (_what, document, components, field, message) => {
    await expect(report(document, components)).rejects.toMatchObject({
      status: 400,
      errors: [{ field, message: expect.stringContaining(message) }],
    });
    expect(await ledger()).toEqual([]);
  });

  test('stores nothing: the label component among its own labels', async () => {
    const rejected = report(valid, [{ purl: 'pkg:npm/lodash' }], { labels: { component: 'cart' } });
    await expect(rejected).rejects.toMatchObject({ status: 400, errors: [{ field: 'labels' }] });
    expect(await ledger()).toEqual([]);
  });
});

test('a component that several scrape jobs track does not prevent the report and the other components', async () => {
  for (const name of ['one', 'two'])
    await acme.api.call('createScrapeJob', {
      body: {
        name,
        parser_type: 'manual',
        labels: { service: 'checkout', environment: 'production', component: 'lodash' },
      },
    });
  const document = cycloneDx(library('pkg:npm/lodash@4.17.21'), library(`${log4j}@2.20.0`));
  const { components } = await report(document, [{ purl: 'pkg:npm/lodash' }, { purl: log4j }]);
  expect(components).toMatchObject([
    { status: 'failed', message: expect.stringContaining('Several manual scrape jobs'), deployment: null },
    { status: 'recorded', version: '2.20.0' },
  ]);
});
