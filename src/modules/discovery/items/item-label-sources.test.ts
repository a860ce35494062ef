import { expect, test } from 'vitest';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';

const server = await sharedTestServer();

test('the sources of labels are stored by a scan, change with corrections, and are part of an acceptance and its dry run', async () => {
  const { api } = await server.createOrganization();
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
  });
  const scanner = createScanner(api);
  const labels = { environment: 'prod', service: 'web' };
  await scanner.scan(jobId, [
    { ...deployedImageItem('web', { labels }), label_sources: { environment: 'path', service: 'name' } },
    deployedImageItem('api', { labels }),
  ]);
  const { items } = await api.call('listDiscoveredItems');
  const sources = Object.fromEntries(items.map((item) => [item.place.name, item.label_sources]));
  expect(sources).toEqual({ web: { environment: 'path', service: 'name' }, api: {} });

  const { id } = items.find((item) => item.place.name === 'web')!;
  const corrected = await api.call('updateDiscoveredItem', {
    path: { id },
    body: { labels: { environment: 'staging', service: 'web' } },
  });
  expect(corrected.label_sources).toEqual({ environment: 'set', service: 'name' });
  const accept = (dry_run: boolean) =>
    api.call('acceptDiscoveredItems', {
      body: { item_ids: [id], rule_id: null, labels: { team: 'shop' }, dry_run },
    });
  for (const dryRun of [true, false])
    expect((await accept(dryRun)).items).toMatchObject([
      {
        labels: { environment: 'staging', service: 'web', team: 'shop' },
        label_sources: { environment: 'set', service: 'name', team: 'set' },
      },
    ]);
  expect((await accept(false)).items).toMatchObject([{ labels: null, label_sources: null }]);
});
