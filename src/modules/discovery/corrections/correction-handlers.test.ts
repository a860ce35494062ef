import { describe, expect, test } from 'vitest';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await sharedTestServer();

const shop = 'pkg:oci/shop?repository_url=ghcr.io%2Facme%2Fshop';
const chosen = { source_type: 'github_releases', artifact_name: 'github.com/acme/shop' } as const;

function image(name: string, confidence: 'certain' | 'likely' = 'certain') {
  return {
    ...deployedImageItem(name),
    artifact: { kind: 'image' as const, name: 'ghcr.io/acme/shop', purl: shop },
    proposal: {
      source_type: 'oci_registry' as const,
      artifact_name: 'ghcr.io/acme/shop',
      source_options: {},
      version_pattern: null,
      version_scheme: null,
      confidence,
      why: 'the registry of the image',
    },
  };
}

async function start(job: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
  const organization = await server.createOrganization();
  const { api } = organization;
  const rule = await api.call('createRule', {
    body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
  });
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'https://git.example.org/acme/deploy',
      accept: 'all',
      default_rule_id: rule.id,
      ...job,
    },
  });
  const scanner = createScanner(api);
  return {
    ...organization,
    jobId,
    scan: (items: Parameters<typeof scanner.scan>[1]) => scanner.scan(jobId, items),
    correct: (body: Partial<Schemas['CreateArtifactCorrectionRequest']> = {}) =>
      api.call('createArtifactCorrection', { body: { artifact: shop, ...chosen, ...body } }),
    async item(name = 'a') {
      const { items } = await api.call('listDiscoveredItems', {});
      return items.find(({ place }) => place.name === name)!;
    },
    sources: async () =>
      (await api.call('listAlertConfigs', {})).items.map(({ gather_job, is_active }) => [
        gather_job.name,
        is_active,
      ]),
  };
}

describe('a correction of an artifact', () => {
  test('applies to items that a later scan finds first', async () => {
    const world = await start();
    await world.correct({ artifact: 'pkg:oci/shop?repository_url=GHCR.io/acme/shop' });
    await world.scan([image('a'), image('b')]);
    for (const name of ['a', 'b'])
      expect(await world.item(name)).toMatchObject({
        proposal: { ...chosen, is_confirmed: true, confidence: 'certain' },
        edited_fields: [],
      });
    expect(await world.sources()).toEqual([
      ['github.com/acme/shop', true],
      ['github.com/acme/shop', true],
    ]);
  });

  test('updates the upstream of existing items and their monitors when it is created, changed, or deleted', async () => {
    const world = await start();
    await world.scan([image('a')]);
    expect(await world.sources()).toEqual([['ghcr.io/acme/shop', true]]);
    const { id } = await world.correct();
    expect(await world.sources()).toEqual([['github.com/acme/shop', true]]);
    await world.api.call('updateArtifactCorrection', {
      path: { id },
      body: { artifact_name: 'https://github.com/acme/Store.git' },
    });
    expect(await world.sources()).toEqual([['github.com/acme/Store', true]]);
    expect(
      await world.api.call('updateArtifactCorrection', { path: { id }, body: { source_type: null } }),
    ).toMatchObject({ source_type: null, artifact_name: null, source_options: {}, revision: 3 });
    expect(await world.item()).toMatchObject({ proposal: { source_type: null, is_confirmed: true } });
    expect(await world.sources()).toMatchObject([[expect.any(String), false]]);
    await world.api.call('deleteArtifactCorrection', { path: { id } });
    expect(await world.sources()).toEqual([['ghcr.io/acme/shop', true]]);
    expect((await world.item()).proposal).toMatchObject({ is_confirmed: false });
  });

  test.each(['certain', 'likely'] as const)(
    'restores the confidence "%s" of a proposal when it is deleted',
    async (confidence) => {
      const world = await start({ accept: 'ask' });
      await world.scan([image('a', confidence)]);
      const { id } = await world.correct();
      expect((await world.item()).proposal).toMatchObject({ confidence: 'certain', is_confirmed: true });
      await world.scan([image('a', confidence), image('b', confidence)]);
      await world.api.call('deleteArtifactCorrection', { path: { id } });
      for (const name of ['a', 'b'])
        expect((await world.item(name)).proposal).toMatchObject({ confidence, is_confirmed: false });
    },
  );

  test('leaves an artifact without a known upstream unresolved when it is deleted', async () => {
    const world = await start({ accept: 'ask' });
    const own = {
      ...image('a'),
      artifact: { kind: 'image' as const, name: 'registry.local/shop', purl: null },
    };
    await world.scan([{ ...own, proposal: null, reason: 'no_source' as const }]);
    const unresolved = async () =>
      (await world.api.call('getDiscoveryJob', { path: { id: world.jobId } })).item_counts.unresolved;
    expect(await unresolved()).toBe(1);
    const { id } = await world.correct({
      artifact: 'image:registry.local/shop',
      source_type: null,
      artifact_name: null,
    });
    expect(await unresolved()).toBe(0);
    await world.api.call('deleteArtifactCorrection', { path: { id } });
    expect(await unresolved()).toBe(1);
  });

  test("doesn't change the upstream that someone chose for a single item", async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([image('a'), image('b')]);
    const { id } = await world.item();
    await world.api.call('updateDiscoveredItem', { path: { id }, body: { source_type: null } });
    const correction = await world.correct();
    expect(await world.item()).toMatchObject({ proposal: { source_type: null }, edited_fields: ['source'] });
    expect(await world.item('b')).toMatchObject({ proposal: chosen });
    await world.api.call('deleteArtifactCorrection', { path: { id: correction.id } });
    expect(await world.item()).toMatchObject({ proposal: { source_type: null, is_confirmed: true } });
  });

  test('is the same resource as the correction of an item for its whole artifact', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([image('a')]);
    const { id } = await world.item();
    const correctItem = (artifact_name: string) =>
      world.api.call('updateDiscoveredItem', {
        path: { id },
        body: { source_type: 'github_releases', artifact_name, apply_to: 'artifact' },
      });
    await correctItem('github.com/acme/shop');
    const { items } = await world.api.call('listArtifactCorrections', {});
    expect(items).toMatchObject([
      { artifact: shop, ...chosen, source_options: {}, updated_by: { type: 'api_key' }, revision: 1 },
    ]);
    await correctItem('github.com/acme/store');
    expect((await world.api.call('listArtifactCorrections', {})).items).toMatchObject([
      { id: items[0]!.id, artifact_name: 'github.com/acme/store', revision: 2 },
    ]);
    const log = await world.api.call('listAuditLog', { query: { resource: 'artifact_correction' } });
    expect(log.items).toMatchObject([
      { action: 'artifact_correction.updated', resource_name: shop, resource_id: items[0]!.id },
      { action: 'artifact_correction.created', resource_name: shop, resource_id: items[0]!.id },
    ]);
  });

  test('exists once for each artifact', async () => {
    const world = await start();
    await world.correct();
    await expect(world.correct({ artifact_name: 'github.com/acme/other' })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message: expect.stringContaining(`${shop} already has a correction. Change that correction.`),
    });
  });

  test.each([
    [{ artifact: 'ghcr.io/acme/shop' }, 'artifact'],
    [{ artifact_name: null }, 'artifact_name'],
    [{ artifact_name: 'shop' }, 'artifact_name'],
    [{ source_type: null }, 'source_type'],
    [{ source_options: { version_path: 'version' } }, 'source_options.version_path'],
  ] as const)('is rejected with the name of the invalid field: %o', async (body, field) => {
    const world = await start();
    await expect(
      world.correct(body as Partial<Schemas['CreateArtifactCorrectionRequest']>),
    ).rejects.toMatchObject({
      status: 400,
      errors: [{ field }],
    });
  });

  test('can be found by its artifact and its upstream, and belongs to one organization', async () => {
    const [world, other] = [await start(), await start()];
    await world.correct();
    await world.correct({ artifact: 'tool:terraform', artifact_name: 'github.com/hashicorp/terraform' });
    const { id } = await other.correct({ artifact_name: 'github.com/other/shop' });
    const found = async (query: object) =>
      (await world.api.call('listArtifactCorrections', { query })).items.map(({ artifact }) => artifact);
    expect(await found({ sort: 'artifact' })).toEqual([shop, 'tool:terraform']);
    expect(await found({ q: 'HashiCorp' })).toEqual(['tool:terraform']);
    expect(await found({ q: 'pkg:oci' })).toEqual([shop]);
    for (const operation of ['getArtifactCorrection', 'deleteArtifactCorrection'] as const)
      await expect(world.api.call(operation, { path: { id } })).rejects.toMatchObject({ status: 404 });
    await other.scan([image('a')]);
    await world.scan([image('a')]);
    expect((await world.item()).proposal).toMatchObject(chosen);
    expect((await other.item()).proposal).toMatchObject({ artifact_name: 'github.com/other/shop' });
  });
});
