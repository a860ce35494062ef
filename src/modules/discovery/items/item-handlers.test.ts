import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  type ItemSeed,
  insertItems,
  insertManagedScrapeJob,
} from '../../../../tests/helpers/discovery-fixture.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';

const server = await sharedTestServer();
const { db } = server;

const certManager = {
  artifact_kind: 'chart',
  artifact_name: 'cert-manager',
  artifact_purl: 'pkg:helm/cert-manager?repository_url=charts.jetstack.io',
} as const;

async function createItems(items: readonly ItemSeed[]) {
  const { id: organizationId, api } = await server.createOrganization();
  const job = await api.call('createDiscoveryJob', {
    body: { name: 'a', repository_url: 'https://git.example.org/a' },
  });
  const ids = await insertItems(db, organizationId, job.id, items);
  const list = async (query: object = {}) =>
    (await api.call('listDiscoveredItems', { query })).items.map(({ id }) => id);
  return { organizationId, api, jobId: job.id, ids, list };
}

describe('the list of items', () => {
  test('supports every order and every filter', async () => {
    const { ids, list, jobId, organizationId, api } = await createItems([
      { path: 'b.yaml', labels: { environment: 'prod' } },
      { path: 'a.yaml', status: 'ignored', ...certManager },
      { path: 'c.yaml', extractor: 'flux', name: 'Shop', labels: { environment: 'prod' } },
    ]);
    const [b, a, c] = ids as [number, number, number];
    const other = await api.call('createDiscoveryJob', {
      body: { name: 'b', repository_url: 'https://git.example.org/b' },
    });
    const [d] = await insertItems(db, organizationId, other.id, [{ path: '0.yaml' }]);
    expect(await list()).toEqual([a, b, c, d]);
    expect(await list({ sort: '-place' })).toEqual([d, c, b, a]);
    expect(await list({ sort: 'first_seen_at' })).toEqual([b, a, c, d]);
    expect(await list({ sort: 'artifact' })).toEqual([a, b, c, d]);
    expect(await list({ discovery_job_id: jobId, status: 'new' })).toEqual([b, c]);
    expect(await list({ extractor: 'flux' })).toEqual([c]);
    expect(await list({ environment: 'prod' })).toEqual([b, c]);
    expect(await list({ artifact: certManager.artifact_purl })).toEqual([a]);
    expect(await list({ q: 'shop' })).toEqual([c]);
    expect(await list({ limit: 1, offset: 2 })).toEqual([c]);
  });

  test('can be searched by the displayed names of the items', async () => {
    const artifact = (name: string) => ({ artifact_name: name, artifact_purl: null });
    const { api } = await createItems([
      { path: '1.yaml', ...artifact('ghcr.io/acme/web'), labels: { environment: 'prod', service: 'web' } },
      { path: '2.yaml', ...artifact('redis'), labels: { environment: 'prod', service: 'web' } },
      { path: '3.yaml', ...artifact('https://git.example.org/acme/site.git/'), labels: { service: 'shop' } },
      { path: '4.yaml', ...artifact('ghcr.io/acme/api') },
    ]);
    const { items } = await api.call('listDiscoveredItems', { query: {} });
    const names = items.map(({ name }) => name);
    expect(names).toEqual(['web (prod)', 'web: redis (prod)', 'shop: site', 'api']);
    const found = async (q: string) =>
      (await api.call('listDiscoveredItems', { query: { q } })).items.map(({ name }) => name);
    // Both names contain these words.
    expect(await found('web (prod)')).toEqual(['web (prod)', 'web: redis (prod)']);
    for (const name of names.slice(1)) expect(await found(name)).toEqual([name]);
  });

  test('groups places by artifact and counts them within the filters', async () => {
    const { api } = await createItems([
      { ...certManager, version: '1.2.0', path: '1.yaml' },
      { ...certManager, version: '1.2.0', path: '2.yaml', status: 'accepted' },
      { ...certManager, version: '1.3.0', path: '3.yaml', status: 'gone' },
      {
        artifact_kind: 'tool',
        artifact_name: 'terraform',
        artifact_purl: null,
        proposal: null,
        confidence: 'none',
      },
    ]);
    for (const query of [{ offset: 9 }, { group_by: 'artifact' as const, offset: 9 }]) {
      const { total } = await api.call('listDiscoveredItems', { query: { ...query, offset: 0 } });
      expect(await api.call('listDiscoveredItems', { query })).toMatchObject({
        total,
        total_is_exact: true,
        items: [],
        groups: [],
      });
      expect(total).toBeGreaterThan(1);
    }
    const grouped = await api.call('listDiscoveredItems', { query: { group_by: 'artifact' } });
    expect(grouped).toMatchObject({
      items: [],
      total: 2,
      groups: [
        {
          artifact: { key: certManager.artifact_purl },
          place_count: 3,
          version_count: 2,
          versions: ['1.2.0', '1.3.0'],
          unresolved_count: 0,
          status_counts: {
            new: 1,
            accepted: 1,
            ignored: 0,
            gone: 1,
          },
        },
        {
          artifact: {
            kind: 'tool',
            purl: null,
            key: 'tool:terraform',
          },
          place_count: 1,
          unresolved_count: 1,
          proposal: {
            source_type: null,
            confidence: 'none',
            is_confirmed: false,
          },
        },
      ],
    });
    const fresh = await api.call('listDiscoveredItems', {
      query: { group_by: 'artifact', status: 'new', limit: 1 },
    });
    expect(fresh).toMatchObject({ total: 2, groups: [{ place_count: 1, versions: ['1.2.0'] }] });
  });

  test("shows when an item was last seen, although a scan doesn't update unchanged items", async () => {
    const { api, jobId, ids } = await createItems([{}, { missing_since: '2026-01-02T00:00:00Z' }]);
    await sql`UPDATE discovery_jobs SET last_success_at = pacekeeper_now() + interval '1 hour' WHERE id = ${jobId}`.execute(
      db,
    );
    const [seen, missing] = await Promise.all(
      ids.map((id) => api.call('getDiscoveredItem', { path: { id } })),
    );
    expect(Date.parse(seen!.last_seen_at) - Date.parse(seen!.first_seen_at)).toBeGreaterThan(3_000_000);
    expect(missing!.last_seen_at).toBe(missing!.first_seen_at);
  });

  test('contains the alert configuration of an accepted item', async () => {
    const { api, organizationId, jobId } = await createItems([]);
    const fedId = await insertManagedScrapeJob(db, organizationId, jobId);
    const [id] = await insertItems(db, organizationId, jobId, [{ status: 'accepted', scrape_job_id: fedId }]);
    const rule = await api.call('createRule', {
      body: { name: 'a', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const gather = await api.call('createGatherJob', {
      body: { name: 'a', source_type: 'github_releases', artifact_name: 'a/b' },
    });
    const config = await api.call('createAlertConfig', {
      body: { name: 'a', scrape_job_id: fedId, gather_job_id: gather.id, rule_id: rule.id },
    });
    expect(await api.call('getDiscoveredItem', { path: { id: id! } })).toMatchObject({
      scrape_job_id: fedId,
      alert_config_id: config.id,
    });
  });
});

describe('ignoring items', () => {
  test('returns the outcome for each item, and restoring reverses it', async () => {
    const { api, organizationId, jobId, ids } = await createItems([
      {},
      { status: 'ignored' },
      { status: 'gone' },
    ]);
    const fedId = await insertManagedScrapeJob(db, organizationId, jobId);
    const [accepted] = await insertItems(db, organizationId, jobId, [
      { key: 'accepted', status: 'accepted', scrape_job_id: fedId },
    ]);
    const [first, ignored, gone] = ids as [number, number, number];
    const item_ids = [first, ignored, gone, accepted!, 9_000_000_000_007, first];
    expect(await api.call('ignoreDiscoveredItems', { body: { item_ids, reason: 'Test data' } })).toEqual({
      ignored: [first, gone],
      already_ignored: [ignored],
      accepted: [accepted],
      not_found: [0x82f79cd9007],
    });
    expect(await api.call('getDiscoveredItem', { path: { id: first } })).toMatchObject({
      status: 'ignored',
      ignore_reason: 'Test data',
      revision: 1,
    });
    const [entry] = (await api.call('listAuditLog', { query: { resource: 'discovered_item' } })).items;
    expect(entry).toMatchObject({
      action: 'discovered_item.ignored',
      detail: { item_count: 2, reason: 'Test data' },
    });
    expect(await api.call('restoreDiscoveredItems', { body: { item_ids: [first, accepted!] } })).toEqual({
      restored: [first],
      not_ignored: [accepted],
      not_found: [],
    });
    expect(await api.call('getDiscoveredItem', { path: { id: first } })).toMatchObject({
      status: 'new',
      ignore_reason: null,
    });
  });

  test("keeps the scrape job of an item that is no longer found, so that the item can't get a second job", async () => {
    const { api, organizationId, jobId } = await createItems([]);
    const fedId = await insertManagedScrapeJob(db, organizationId, jobId);
    const [id] = (await insertItems(db, organizationId, jobId, [
      { status: 'gone', scrape_job_id: fedId, missing_since: '2026-01-02T00:00:00Z' },
    ])) as [number];
    expect(await api.call('ignoreDiscoveredItems', { body: { item_ids: [id] } })).toMatchObject({
      ignored: [],
      accepted: [id],
    });
    await api.call('restoreDiscoveredItems', { body: { item_ids: [id] } });
    await api.call('acceptDiscoveredItems', { body: { item_ids: [id], rule_id: null } });
    expect(await api.call('getDiscoveredItem', { path: { id } })).toMatchObject({
      status: 'gone',
      scrape_job_id: fedId,
    });
    expect((await api.call('listScrapeJobs')).items).toHaveLength(1);
  });
});

describe('correcting an item', () => {
  const source = {
    source_type: 'github_releases',
    artifact_name: 'https://github.com/acme/Web.git',
  } as const;

  test('changes only its own proposal', async () => {
    const { api, ids } = await createItems([{}, {}]);
    const [id, otherId] = ids as [number, number];
    const corrected = await api.call('updateDiscoveredItem', {
      path: { id },
      body: { ...source, name: 'Shop' },
    });
    expect(corrected).toMatchObject({
      name: 'Shop',
      proposal: { artifact_name: 'github.com/acme/Web', is_confirmed: true, confidence: 'certain' },
      revision: 2,
    });
    const other = await api.call('getDiscoveredItem', { path: { id: otherId } });
    expect(other.proposal).toMatchObject({ source_type: 'oci_registry', is_confirmed: false });
  });

  test('for the whole artifact applies to every place and to later scans, except where a user chose another source', async () => {
    const seeds = [
      { proposal: null, confidence: 'none' },
      { proposal: null, confidence: 'none' },
    ] as const;
    const { api, organizationId, jobId, ids } = await createItems(seeds);
    const [id, otherId] = ids as [number, number];
    await api.call('updateDiscoveredItem', { path: { id: otherId }, body: { source_type: null } });
    const body = { ...source, apply_to: 'artifact' } as const;
    expect(await api.call('updateDiscoveredItem', { path: { id }, body })).toMatchObject({
      proposal: { artifact_name: 'github.com/acme/Web' },
      revision: 2,
    });
    // A place whose source was chosen individually keeps its choice.
    const other = await api.call('getDiscoveredItem', { path: { id: otherId } });
    expect(other.proposal).toMatchObject({ source_type: null, is_confirmed: true });
    const [later] = await insertItems(db, organizationId, jobId, [{ key: 'later' }]);
    const found = await api.call('getDiscoveredItem', { path: { id: later! } });
    expect(found.proposal).toMatchObject({ artifact_name: 'github.com/acme/Web', is_confirmed: true });
    const job = await api.call('getDiscoveryJob', { path: { id: jobId } });
    expect(job.item_counts).toMatchObject({ new: 3, unresolved: 0 });
  });

  test('overrides labels from files, and can be reversed', async () => {
    const { api, ids, list } = await createItems([{ labels: { environment: 'prod', team: 'a' } }]);
    const path = { id: ids[0]! };
    const labels = { environment: 'staging', owner: 'b' };
    const corrected = await api.call('updateDiscoveredItem', { path, body: { labels } });
    expect(corrected.labels).toEqual({ environment: 'staging', team: 'a', owner: 'b' });
    expect(await list({ environment: 'staging' })).toEqual(ids);
    expect(await api.call('updateDiscoveredItem', { path, body: corrected })).toEqual(corrected);
    expect((await api.call('updateDiscoveredItem', { path, body: { labels: {} } })).labels).toEqual({
      environment: 'prod',
      team: 'a',
    });
  });

  test.each([
    ['a source without an artifact', { source_type: 'git_tags' }, 'artifact_name'],
    ['an artifact without a source', { source_type: null, artifact_name: 'a/b' }, 'source_type'],
    [
      "an artifact name that the source can't read",
      { source_type: 'github_releases', artifact_name: 'a' },
      'artifact_name',
    ],
    [
      'missing options that the source requires',
      { source_type: 'http_json', artifact_name: 'https://a.example.org/b' },
      'source_options.version_path',
    ],
    [
      'more labels than an item can have',
      { labels: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`l${at}`, 'a'])) },
      'labels',
    ],
  ] as const)('rejects %s', async (_, body, field) => {
    const { api, ids } = await createItems([{ labels: { team: 'a' } }]);
    await expect(api.call('updateDiscoveredItem', { path: { id: ids[0]! }, body })).rejects.toMatchObject({
      status: 400,
      errors: [{ field }],
    });
  });
});

describe('a preview', () => {
  test('runs custom patterns and the custom managers of a Renovate configuration', async () => {
    const { api } = await server.createOrganization();
    const custom = {
      name: 'images',
      path: '*.libsonnet',
      pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'",
      templates: { source_type: 'oci_registry' },
    };
    const files = [
      { path: 'a.libsonnet', content: "{ web: 'acme/web:1.2.3' }" },
      { path: 'renovate.json', content: '{ "customManagers": [{ "customType": "jsonata" }] }' },
    ];
    const preview = await api.call('previewDiscovery', { body: { files, custom_extractors: [custom] } });
    expect(preview).toMatchObject({
      items: [{ extractor: 'custom', version: '1.2.3', proposal: { source_type: 'oci_registry' } }],
      pattern_problems: [{ file: 'renovate.json', name: 'customManagers[0]' }],
    });
    const wrong = { ...custom, pattern: '(?P<version>.)(?<!a)' };
    await expect(
      api.call('previewDiscovery', { body: { files, custom_extractors: [custom, wrong] } }),
    ).rejects.toMatchObject({ status: 400, errors: [{ field: 'custom_extractors.1.pattern' }] });
  });

  test("runs the organization's custom patterns, or those that the request gives instead", async () => {
    const { api } = await server.createOrganization();
    const patternFor = (extension: string) => ({
      name: extension,
      path: `*.${extension}`,
      pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'",
    });
    const key = 'discovery.custom_extractors' as const;
    await api.call('putOrgOverride', { path: { key }, body: { value: [patternFor('libsonnet')] } });
    const files = [
      { path: 'a.libsonnet', content: "{ web: 'acme/web:1.0.0' }" },
      { path: 'a.dhall', content: "{ web: 'acme/web:2.0.0' }" },
      { path: 'a.cue', content: "{ web: 'acme/web:3.0.0' }" },
    ];
    const versionsWith = async (patterns: object) => {
      const { items } = await api.call('previewDiscovery', { body: { files, ...patterns } });
      return items.map(({ version }) => version).toSorted();
    };
    const custom_extractors = [patternFor('dhall')];
    expect(await versionsWith({ custom_extractors })).toEqual(['1.0.0', '2.0.0']);
    expect(await versionsWith({ custom_extractors, organization_extractors: [] })).toEqual(['2.0.0']);
    expect(await versionsWith({ organization_extractors: [patternFor('cue')] })).toEqual(['3.0.0']);
    await expect(
      versionsWith({ organization_extractors: [{ ...patternFor('cue'), pattern: 'a(?=b)' }] }),
    ).rejects.toMatchObject({ status: 400, errors: [{ field: 'organization_extractors.0.pattern' }] });
  });

  test("shows the items that a scan would find, with labels, and why an item can't be accepted", async () => {
    const { api } = await server.createOrganization();
    const files = [
      {
        path: 'clusters/eu/prod/compose.yaml',
        content: 'services:\n  web:\n    image: ghcr.io/acme/web:1.2.3\n  db:\n    image: postgres:latest\n',
      },
      { path: 'CODEOWNERS', content: '/clusters/ @acme/platform' },
      { path: 'broken.yaml', content: 'image: [' },
      { path: '.tool-versions', content: 'terraform 1.9.0\n' },
      { path: 'web/package.json', content: '{}' },
      { path: 'Dockerfile', content: 'FROM scratch\n' },
    ];
    const preview = await api.call('previewDiscovery', {
      body: { files, label_rules: [{ pattern: 'clusters/(?P<cluster>[^/]+)/' }] },
    });
    const deployed = preview.items.slice(0, -1);
    expect(preview.items.at(-1)).toMatchObject({
      proposal: { artifact_name: 'github.com/hashicorp/terraform', why: 'catalog entry Terraform' },
    });
    expect(deployed).toMatchObject([
      {
        artifact: { name: 'ghcr.io/acme/web' },
        version: '1.2.3',
        reason: null,
        labels: {
          environment: 'prod',
          service: 'web',
          owner: 'acme/platform',
          cluster: 'eu',
        },
        proposal: {
          source_type: 'oci_registry',
          artifact_name: 'ghcr.io/acme/web',
          confidence: 'certain',
        },
      },
      { artifact: { name: 'postgres' }, reason: 'floating' },
    ]);
    expect(preview.omitted_count).toBe(0);
    expect(preview.silent_files).toEqual([
      { kind: 'npm', reason: 'out_of_scope', count: 1, examples: ['web/package.json'] },
      { kind: 'dockerfile', reason: 'no_version', count: 1, examples: ['Dockerfile'] },
    ]);
  });
});
