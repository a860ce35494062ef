import { expect, test } from 'vitest';
import { type ItemSeed, insertItems } from '../../../../tests/helpers/discovery-fixture.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { acceptAutomatically } from './accept-automatically.ts';

const server = await sharedTestServer();
const { db } = server;

function image(host: string, name: string, change: ItemSeed = {}): ItemSeed {
  const proposal = { source_type: 'oci_registry', artifact_name: `${host}/${name}`, source_options: {} };
  return {
    key: `k:${host}/${name}`,
    path: `${name}.yaml`,
    name,
    artifact_name: `${host}/${name}`,
    artifact_purl: null,
    proposal: {
      ...proposal,
      version_pattern: null,
      version_scheme: null,
    },
    ...change,
  };
}

async function acceptNew(
  items: readonly ItemSeed[],
  job: Partial<Schemas['CreateDiscoveryJobRequest']>,
  existing: readonly string[] = [],
) {
  const organization = await server.createOrganization();
  const { api, id: organizationId } = organization;
  for (const artifact_name of existing)
    await api.call('createGatherJob', {
      body: { name: artifact_name, source_type: 'oci_registry', artifact_name },
    });
  const rule = await api.call('createRule', {
    body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
  });
  const { id } = await api.call('createDiscoveryJob', {
    body: { name: 'Git', repository_url: 'https://git.example.org/a', default_rule_id: rule.id, ...job },
  });
  await insertItems(db, organizationId, id, items);
  const count = await transaction(db, (tx) => acceptAutomatically(tx, organizationId, id));
  const { items: jobs } = await api.call('listScrapeJobs', { query: { sort: 'name' } });
  return { api, count, names: jobs.map(({ name }) => name) };
}

test('a job with manual acceptance accepts nothing automatically', async () => {
  expect((await acceptNew([image('ghcr.io', 'acme/web')], { accept: 'ask' })).count).toBe(0);
});

test('items that Renovate ignores are never accepted automatically', async () => {
  const renovate_ignore = 'renovate.json: ignoreDeps contains acme/web';
  const items = [image('ghcr.io', 'acme/web', { renovate_ignore }), image('ghcr.io', 'acme/api')];
  expect((await acceptNew(items, { accept: 'all' })).names).toEqual(['api']);
  expect((await acceptNew(items, { accept: 'known' }, ['ghcr.io/acme/other'])).names).toEqual(['api']);
});

test('items are considered known if their upstream is certain and on a host that the organization uses or has a credential for', async () => {
  const { api, count, names } = await acceptNew(
    [
      image('ghcr.io', 'acme/web'),
      image('ghcr.io', 'acme/likely', { confidence: 'likely' }),
      image('private.example.org', 'acme/listed'),
      image('hostile.example.com', 'acme/other'),
      image('ghcr.io', 'acme/ignored', { status: 'ignored' }),
    ],
    { accept: 'known', source_credentials: [{ host: 'private.example.org', credential_name: 'registry' }] },
    ['ghcr.io/acme/else'],
  );
  expect([count, names]).toEqual([2, ['listed', 'web']]);
  expect((await api.call('listAlertConfigs')).items).toMatchObject([{ name: 'listed' }, { name: 'web' }]);
  const { items: log } = await api.call('listAuditLog', { query: { limit: 50 } });
  const created = log.find(({ action }) => action === 'alert_config.created');
  expect(created).toMatchObject({ actor: { type: 'system', name: 'Pacekeeper' }, request_id: null });
});

test('one scan accepts at most 50 known items', async () => {
  const items = Array.from({ length: 60 }, (_, index) => image('ghcr.io', `acme/web-${index}`));
  expect((await acceptNew(items, { accept: 'known' }, ['ghcr.io/acme/else'])).count).toBe(50);
});

test("a known item is accepted even after thousands of unknown items and after items that can't be accepted", async () => {
  const unknown = Array.from({ length: 2_100 }, (_, index) =>
    image('hostile.example.com', `acme/web-${index}`),
  );
  const broken = Array.from({ length: 60 }, (_, index) =>
    image('ghcr.io', `acme/broken-${index}`, { version: 'x'.repeat(300) }),
  );
  const items = [...unknown, ...broken, image('ghcr.io', 'acme/web')];
  const { count, names } = await acceptNew(items, { accept: 'known' }, ['ghcr.io/acme/else']);
  expect([count, names]).toEqual([1, ['web']]);
});

test("more than a thousand items that can't be accepted don't block the items after them", async () => {
  const broken = Array.from({ length: 2_050 }, (_, index) =>
    image('ghcr.io', `acme/broken-${index}`, { version: 'x'.repeat(300) }),
  );
  const { count, names } = await acceptNew([...broken, image('ghcr.io', 'acme/web')], { accept: 'all' });
  expect([count, names]).toEqual([1, ['web']]);
});

test("a host whose name only resembles a known host isn't known", async () => {
  const hosts = ['ghcr.io.example.com', 'ghcr.io@example.com', 'example.com#ghcr.io', 'xghcr.io'];
  const items = hosts.map((host, index) => image(host, `acme/web-${index}`));
  expect((await acceptNew(items, { accept: 'known' }, ['ghcr.io/acme/else'])).count).toBe(0);
});

test('a job that accepts all also accepts services of the organization', async () => {
  const own = image('ghcr.io', 'acme/own', { reason: 'no_source', proposal: null, confidence: 'none' });
  const { names } = await acceptNew([own, image('hostile.example.com', 'acme/other')], { accept: 'all' });
  expect(names).toEqual(['other', 'own']);
});
