import { expect, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { lifecycleProduct } from '../../../tests/helpers/reference-fixture.ts';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';
import { loadLifecycles } from './load-lifecycles.ts';

const server = await startTestServer({
  PACEKEEPER_END_OF_LIFE_URL: 'https://127.0.0.1/products',
  PACEKEEPER_OSV_URL: 'https://127.0.0.1/osv',
});
const { db } = server;
const { api } = await server.createOrganization();

test('products can be found by name and package URL, and contain the end of support of each release line', async () => {
  const nothing = await api.call('listReferenceSources', {});
  expect(nothing.items).toMatchObject([
    { name: 'end_of_life', as_of: null, is_old: false, product_count: 0 },
    { name: 'epss', label: 'EPSS', as_of: null, is_old: false, product_count: 0 },
    { name: 'known_exploited', label: 'CISA KEV', as_of: null, is_old: false, product_count: 0 },
    { name: 'vulnerabilities', label: 'OSV', as_of: null, is_old: false, product_count: 0 },
  ]);
  expect(await api.call('listLifecycleProducts', {})).toMatchObject({ items: [], total: 0 });

  const asOfMs = Date.now();
  const products = [
    lifecycleProduct('valkey', { '9': false, '8': true, '7': null }),
    lifecycleProduct('postgresql', { '18': '2099-11-14', '12': '2024-11-21' }, [
      'pkg:github/postgres/postgres',
    ]),
  ];
  expect(await loadLifecycles(db, { asOfMs, products })).toMatchObject({
    outcome: 'loaded',
    changed: 2,
  });
  const { items } = await api.call('listLifecycleProducts', {});
  expect(items.map(({ name }) => name)).toEqual(['postgresql', 'valkey']);
  const byPurl = { purl: 'pkg:github/Postgres/postgres@18.1' };
  expect((await api.call('listLifecycleProducts', { query: byPurl })).items).toEqual([
    {
      name: 'postgresql',
      label: 'POSTGRESQL',
      release_line_count: 2,
      // The catalog adds the package URLs of the official image and of other images.
      purls: expect.arrayContaining([
        'pkg:github/postgres/postgres',
        'pkg:oci/postgres?repository_url=docker.io%2Flibrary%2Fpostgres',
      ]),
      url: 'https://endoflife.date/postgresql',
    },
  ]);
  expect((await api.call('listLifecycleProducts', { query: { q: 'VAL' } })).total).toBe(1);
  await expect(api.call('listLifecycleProducts', { query: { purl: 'postgres' } })).rejects.toMatchObject({
    status: 400,
  });

  const lines = async (name: string) =>
    (await api.call('getLifecycleProduct', { path: { name } })).releases.map(
      ({ name: line, end_of_life }) => [line, end_of_life.ends_on, end_of_life.has_ended],
    );
  expect(await lines('valkey')).toEqual([
    ['9', null, false],
    ['8', null, true],
    ['7', null, null],
  ]);
  expect(await lines('postgresql')).toEqual([
    ['18', '2099-11-14', false],
    ['12', '2024-11-21', true],
  ]);
  await expect(api.call('getLifecycleProduct', { path: { name: 'redis' } })).rejects.toMatchObject({
    status: 404,
  });

  const [source] = (await api.call('listReferenceSources', {})).items;
  expect(source).toMatchObject({ as_of: new Date(asOfMs).toISOString(), is_old: false, product_count: 2 });
  await setClockOffset(db, '31 days');
  expect((await api.call('listReferenceSources', {})).items[0]).toMatchObject({ is_old: true });
  await setClockOffset(db, '0');
});

test('PACEKEEPER_REFERENCE_DATA=off takes precedence over the URLs', async () => {
  const { items } = await api.call('listReferenceSources', {});
  expect(items.map(({ name, is_fetched }) => [name, is_fetched])).toEqual([
    ['end_of_life', false],
    ['epss', false],
    ['known_exploited', false],
    ['vulnerabilities', false],
  ]);
});

test('reference data is fetched by default', async () => {
  const usual = await startTestServer({ PACEKEEPER_REFERENCE_DATA: 'on' });
  const { api: another } = await usual.createOrganization();
  const { items } = await another.call('listReferenceSources', {});
  expect(items.map(({ name, is_fetched }) => [name, is_fetched])).toEqual([
    ['end_of_life', true],
    ['epss', true],
    ['known_exploited', true],
    ['vulnerabilities', true],
  ]);
});

test('a product is not found by the package URL of an image whose tags are versions of other software', async () => {
  const ofBase = derivePurls({ source_type: 'oci_registry', artifact_name: 'docker.io/discourse/base' });
  const discourse = lifecycleProduct('discourse', { '3.5': false }, [...ofBase, 'pkg:npm/discourse']);
  await loadLifecycles(db, {
    asOfMs: Date.now() + 60_000,
    products: [discourse],
    isConfirmed: true,
  });
  const names = async (purl: string) =>
    (await api.call('listLifecycleProducts', { query: { purl } })).items.map(({ name }) => name);
  for (const purl of ofBase) expect(await names(purl)).toEqual([]);
  expect(await names('pkg:npm/discourse')).toEqual(['discourse']);
});
