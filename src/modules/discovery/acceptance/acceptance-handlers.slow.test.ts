import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type ItemSeed, insertItems } from '../../../../tests/helpers/discovery-fixture.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await startTestServer();
const { db } = server;

type Request = Schemas['AcceptDiscoveredItemsRequest'];

interface Found {
  organization: TestOrganization;
  jobId: number;
  ruleId: number;
  ids: number[];
  accept(body: Partial<Request>): Promise<Schemas['AcceptDiscoveredItemsResponse']>;
}

/** Creates an organization with a discovery job, a rule, and items. */
async function found(
  items: readonly ItemSeed[],
  job: Partial<Schemas['CreateDiscoveryJobRequest']> = {},
): Promise<Found> {
  const organization = await server.createOrganization();
  const { api } = organization;
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy', ...job },
  });
  const { id: ruleId } = await api.call('createRule', {
    body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
  });
  const ids = await insertItems(db, organization.id, jobId, items);
  return {
    organization,
    jobId,
    ruleId,
    ids,
    accept: (body) =>
      api.call('acceptDiscoveredItems', {
        body: {
          rule_id: ruleId,
          ...body,
        },
      }),
  };
}

function chart(name: string): ItemSeed {
  return {
    key: `flux:HelmRelease::${name}:chart`,
    path: `apps/${name}.yaml`,
    extractor: 'flux',
    name,
    artifact_kind: 'chart',
    artifact_name: name,
    artifact_purl: `pkg:helm/charts.example.org/${name}`,
    proposal: {
      source_type: 'helm_repository',
      artifact_name: `charts.example.org/stable/${name}`,
      source_options: {},
      version_pattern: null,
      version_scheme: null,
      why: 'the Helm repository of the chart',
    },
  };
}

const imageProposal = {
  source_type: 'oci_registry',
  source_options: {},
  version_pattern: null,
  version_scheme: null,
  why: 'the registry of the image',
};

describe('an acceptance request', () => {
  test('accepts items with an unsupported source only if a user has set another source', async () => {
    const unsupported: ItemSeed = {
      artifact_kind: 'tool',
      proposal: null,
      confidence: 'none' as const,
      reason: 'unsupported_source',
    };
    const { organization, jobId, ids, accept } = await found([
      { ...unsupported, key: 'pnpm', artifact_name: 'pnpm', artifact_purl: null },
      { ...unsupported, key: 'other', artifact_name: 'other', artifact_purl: null },
    ]);
    const [id, otherId] = ids as [number, number];
    const corrected = await organization.api.call('updateDiscoveredItem', {
      path: { id },
      body: { source_type: 'github_releases', artifact_name: 'pnpm/pnpm' },
    });
    expect(corrected.reason).toBeNull();
    const filter = { discovery_job_id: jobId };
    expect(await accept({ filter, dry_run: true })).toMatchObject({
      accepted_count: 1,
      rejected_count: 0,
      remaining_count: 0,
      created: {
        gather_jobs: 1,
        scrape_jobs: 1,
        alert_configs: 1,
      },
    });
    expect(await accept({ item_ids: [id, otherId] })).toMatchObject({ accepted_count: 1, rejected_count: 1 });
  });

  test('creates an alert configuration for each item, with its version and labels', async () => {
    const { organization, jobId, ruleId, ids, accept } = await found([
      { labels: { environment: 'prod', service: 'shop' }, name: 'shop' },
      { labels: { environment: 'staging', service: 'shop' }, name: 'shop', version: '1.3.0' },
    ]);
    const accepted = await accept({ item_ids: ids, labels: { team: 'till' } });
    expect(accepted).toMatchObject({
      dry_run: false,
      accepted_count: 2,
      rejected_count: 0,
      remaining_count: 0,
      created: {
        helm_sync_jobs: 0,
        gather_jobs: 1,
        scrape_jobs: 2,
        alert_configs: 2,
      },
      hosts_without_credential: ['ghcr.io'],
    });
    expect(accepted.items.map(({ name }) => name)).toEqual(['shop: web (prod)', 'shop: web (staging)']);
    const [first] = accepted.items;
    const { api } = organization;
    expect(await api.call('getScrapeJob', { path: { id: first!.scrape_job_id! } })).toMatchObject({
      name: 'shop: web (prod)',
      parser_type: 'discovered',
      latest_version: '1.2.3',
      discovery_job_id: jobId,
      discovery_job_name: 'Deployments',
      repository_url: 'https://git.example.org/acme/deploy',
      target_file: 'clusters/prod/web-0.yaml',
    });
    expect(await api.call('getAlertConfig', { path: { id: first!.alert_config_id! } })).toMatchObject({
      name: 'shop: web (prod)',
      rule_id: ruleId,
      gather_job_id: first!.gather_job!.id,
      labels: {},
      effective_labels: {
        environment: 'prod',
        service: 'shop',
        team: 'till',
      },
    });
    expect(await api.call('getGatherJob', { path: { id: first!.gather_job!.id! } })).toMatchObject({
      name: 'ghcr.io/acme/web',
      source_type: 'oci_registry',
      artifact_name: 'ghcr.io/acme/web',
      cron_expression: '@daily',
      last_run: { trigger: 'created' },
    });
    expect(await api.call('getDiscoveryJob', { path: { id: jobId } })).toMatchObject({
      item_counts: { new: 0, accepted: 2 },
    });
    const log = await api.call('listAuditLog', { query: { limit: 50 } });
    const created = log.items.map(({ action }) => action);
    expect(
      created.filter((action) => /^(?:alert_config|gather_job|scrape_job)\.created$/.test(action)).toSorted(),
    ).toEqual([
      'alert_config.created',
      'alert_config.created',
      'gather_job.created',
      'scrape_job.created',
      'scrape_job.created',
    ]);
  });

  test('changes nothing when it is repeated, and reuses existing jobs', async () => {
    const { organization, ids, accept } = await found([{ name: 'one' }, { name: 'two' }]);
    const first = await accept({ item_ids: [ids[0]!] });
    const again = await accept({ item_ids: ids });
    expect(again).toMatchObject({
      created: { gather_jobs: 0, scrape_jobs: 1, alert_configs: 1 },
      items: [
        { outcome: 'already_accepted', scrape_job_id: first.items[0]!.scrape_job_id },
        { outcome: 'accepted', gather_job: { id: first.items[0]!.gather_job!.id, is_new: false } },
      ],
    });
    expect((await organization.api.call('listScrapeJobs')).total).toBe(2);
  });

  test('adds the missing resources of an item that was accepted without a rule, and only once', async () => {
    const { organization, ruleId, ids, accept } = await found([{ proposal: null, reason: 'no_source' }]);
    const { api } = organization;
    const [first] = (await accept({ item_ids: ids, rule_id: null })).items;
    expect(first).toMatchObject({ outcome: 'accepted', gather_job: null, alert_config_id: null });
    const scrapeJobId = first!.scrape_job_id!;
    expect((await accept({ item_ids: ids, rule_id: null })).items).toMatchObject([
      { outcome: 'already_accepted' },
    ]);
    await api.call('updateScrapeJob', { path: { id: scrapeJobId }, body: { name: 'Till' } });
    await api.call('updateDiscoveredItem', {
      path: { id: ids[0]! },
      body: {
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/web',
        labels: { team: 'own' },
      },
    });
    const created = { helm_sync_jobs: 0, gather_jobs: 1, scrape_jobs: 0, alert_configs: 1 };
    const labels = { team: 'all', tier: 'one' };
    const planned = await accept({ item_ids: ids, labels, dry_run: true });
    expect(planned).toMatchObject({
      accepted_count: 1,
      created,
      items: [
        {
          outcome: 'accepted',
          name: 'Till',
          scrape_job_id: scrapeJobId,
          alert_config_id: null,
          gather_job: {
            id: null,
            name: 'github.com/acme/web',
            is_new: true,
          },
        },
      ],
    });
    expect((await api.call('listAlertConfigs')).total).toBe(0);
    const both = await Promise.all([1, 2].map(() => accept({ item_ids: ids, labels })));
    expect(both.map(({ items }) => items[0]!.outcome).toSorted()).toEqual(['accepted', 'already_accepted']);
    const completed = both.find(({ accepted_count }) => accepted_count === 1)!;
    expect(completed).toMatchObject({ created, items: [{ name: 'Till', scrape_job_id: scrapeJobId }] });
    const configId = completed.items[0]!.alert_config_id!;
    expect(await api.call('getAlertConfig', { path: { id: configId } })).toMatchObject({
      name: 'Till',
      rule_id: ruleId,
      scrape_job_id: scrapeJobId,
      gather_job_id: completed.items[0]!.gather_job!.id,
      labels: {
        team: 'own',
        tier: 'one',
      },
    });
    expect(await api.call('getDiscoveredItem', { path: { id: ids[0]! } })).toMatchObject({
      status: 'accepted',
      scrape_job_id: scrapeJobId,
      alert_config_id: configId,
    });
    expect((await accept({ item_ids: ids })).items).toMatchObject([
      { outcome: 'already_accepted', alert_config_id: configId },
    ]);
    const jobs = await api.call('listGatherJobs', { query: { scope: 'organization' } });
    expect([
      jobs.total,
      (await api.call('listScrapeJobs')).total,
      (await api.call('listAlertConfigs')).total,
    ]).toEqual([1, 1, 1]);
  });

  test('uses one gather job for an artifact whose upstream is chosen after some of its items were accepted', async () => {
    const unknown = { proposal: null, reason: 'no_source', confidence: 'none' as const };
    const { organization, ids, accept } = await found([unknown, unknown, unknown]);
    const { api } = organization;
    await accept({ item_ids: ids.slice(0, 2), rule_id: null });
    await api.call('updateDiscoveredItem', {
      path: { id: ids[2]! },
      body: {
        source_type: 'oci_registry',
        artifact_name: 'ghcr.io/acme/web',
        apply_to: 'artifact',
      },
    });
    const { created, items } = await accept({ item_ids: ids });
    expect(created).toEqual({ helm_sync_jobs: 0, gather_jobs: 1, scrape_jobs: 1, alert_configs: 3 });
    expect(new Set(items.map(({ gather_job }) => gather_job!.id)).size).toBe(1);
    expect(new Set(items.map(({ alert_config_id }) => alert_config_id)).size).toBe(3);
    expect((await api.call('listScrapeJobs')).total).toBe(3);
  });

  test('creates the alert configuration of an item that was accepted without a rule, when the request contains a rule', async () => {
    const { organization, ids, accept } = await found([{}]);
    const [first] = (await accept({ item_ids: ids, rule_id: null })).items;
    expect((await accept({ item_ids: ids, rule_id: null })).items).toMatchObject([
      { outcome: 'already_accepted' },
    ]);
    expect(await accept({ filter: {} })).toMatchObject({ accepted_count: 0 });
    expect(await accept({ item_ids: ids })).toMatchObject({
      created: { gather_jobs: 0, scrape_jobs: 0, alert_configs: 1 },
      items: [{ outcome: 'accepted', gather_job: { id: first!.gather_job!.id, is_new: false } }],
    });
    expect((await organization.api.call('listAlertConfigs')).total).toBe(1);
  });

  test('uses a global gather job, but prefers one of the organization', async () => {
    const body = {
      source_type: 'oci_registry' as const,
      artifact_name: `registry.example.org/${crypto.randomUUID()}`,
    };
    const proposal = { ...body, source_options: {}, version_pattern: null, version_scheme: null };
    const { organization, ids, accept } = await found([{ proposal }, { proposal }]);
    const global = await server.system.call('createGatherJob', { body: { name: 'Global', ...body } });
    const [first] = (await accept({ item_ids: [ids[0]!] })).items;
    expect(first!.gather_job).toEqual({ id: global.id, name: 'Global', is_new: false });
    const own = await organization.api.call('createGatherJob', { body: { name: 'Own', ...body } });
    const [second] = (await accept({ item_ids: [ids[1]!] })).items;
    expect(second!.gather_job).toEqual({ id: own.id, name: 'Own', is_new: false });
  });

  test('creates one helm sync job for three charts of a repository, with the credential of its host', async () => {
    const { organization, accept } = await found(['redis', 'nginx', 'mysql'].map(chart), {
      source_credentials: [{ host: 'charts.example.org', credential_name: 'charts' }],
    });
    const accepted = await accept({ filter: {} });
    expect(accepted).toMatchObject({
      created: { helm_sync_jobs: 1, gather_jobs: 3, scrape_jobs: 3, alert_configs: 3 },
      hosts_without_credential: [],
    });
    const { api } = organization;
    const [sync] = (await api.call('listHelmSyncJobs', { query: { scope: 'organization' } })).items;
    expect(sync).toMatchObject({
      repository_url: 'https://charts.example.org/stable',
      chart_filter: ['mysql', 'nginx', 'redis'],
      credential_name: 'charts',
      cron_expression: '@daily',
      last_run: { trigger: 'created' },
    });
    const jobs = await api.call('listGatherJobs', { query: { scope: 'organization', sort: 'name' } });
    expect(jobs.items).toMatchObject(
      ['mysql', 'nginx', 'redis'].map((name) => ({
        name: `charts.example.org/stable/${name}`,
        helm_sync_job_id: sync!.id,
        artifact_name: `charts.example.org/stable/${name}`,
        cron_expression: null,
      })),
    );
  });

  test('keeps the scheme of a Helm repository, both in a new job and in an existing one', async () => {
    const plain = (name: string) => {
      const item = chart(name);
      return { ...item, proposal: { ...item.proposal, scheme: 'http' } };
    };
    const { organization, ids, accept } = await found(['redis', 'nginx', 'mysql', 'etcd'].map(plain));
    await accept({ item_ids: ids.slice(0, 3) });
    const { api } = organization;
    const [sync] = (await api.call('listHelmSyncJobs', { query: { scope: 'organization' } })).items;
    expect(sync).toMatchObject({ repository_url: 'http://charts.example.org/stable' });
    await api.call('updateHelmSyncJob', { path: { id: sync!.id }, body: { chart_filter: [] } });
    expect((await accept({ item_ids: ids.slice(3) })).created).toMatchObject({ helm_sync_jobs: 0 });
    const jobs = await api.call('listGatherJobs', { query: { scope: 'organization', sort: 'name' } });
    expect(jobs.items.map(({ helm_sync_job_id }) => helm_sync_job_id)).toEqual(Array(4).fill(sync!.id));
  });

  test('includes only accepted charts in the filter of a helm sync job', async () => {
    const { organization, accept } = await found([
      ...['redis', 'nginx', 'mysql'].map(chart),
      { ...chart('broken'), version: 'x'.repeat(300) },
    ]);
    expect(await accept({ filter: {} })).toMatchObject({ accepted_count: 3, rejected_count: 1 });
    const syncs = await organization.api.call('listHelmSyncJobs', { query: { scope: 'organization' } });
    expect(syncs.items).toMatchObject([{ chart_filter: ['mysql', 'nginx', 'redis'] }]);
  });

  test('uses the credential of a discovery job only for the sources of its items', async () => {
    const { organization, ids, accept } = await found([{}], {
      source_credentials: [{ host: 'ghcr.io', credential_name: 'ours' }],
    });
    const { api } = organization;
    const { id: otherId } = await api.call('createDiscoveryJob', {
      body: { name: 'Other', repository_url: 'https://git.example.org/acme/other' },
    });
    const [foreign] = await insertItems(db, organization.id, otherId, [
      { artifact_purl: 'pkg:oci/x', proposal: { ...imageProposal, artifact_name: 'ghcr.io/other/x' } },
    ]);
    const accepted = await accept({ item_ids: [...ids, foreign!] });
    expect(accepted.hosts_without_credential).toEqual(['ghcr.io']);
    const jobs = await api.call('listGatherJobs', { query: { scope: 'organization' } });
    expect(jobs.items.map((job) => [job.artifact_name, job.credential_name]).toSorted()).toEqual([
      ['ghcr.io/acme/web', 'ours'],
      ['ghcr.io/other/x', null],
    ]);
  });

  test('prefers the choices of users to the values from the file', async () => {
    const { organization, ids, accept } = await found([
      { artifact_purl: 'pkg:oci/a' },
      { artifact_purl: 'pkg:oci/b' },
      {},
    ]);
    await sql`
      INSERT INTO artifact_corrections (organization_id, artifact_key, source_type, artifact_name, actor_type, actor_name)
      VALUES (${organization.id}, 'pkg:oci/a', 'github_releases', 'github.com/acme/web', 'user', 'A'),
        (${organization.id}, 'pkg:oci/b', NULL, NULL, 'user', 'A')`.execute(db);
    await sql`
      UPDATE discovered_items SET set_source = '{"source_type": "git_tags", "artifact_name": "git.example.org/acme/web", "source_options": {}}',
        set_name = 'Till', set_labels = '{"team": "own"}'
      WHERE organization_id = ${organization.id} AND id = ${ids[2]!}`.execute(db);
    const { items } = await accept({ item_ids: ids, labels: { team: 'all' } });
    expect(items).toMatchObject([
      { gather_job: { name: 'github.com/acme/web' } },
      { gather_job: null, alert_config_id: null },
      { name: 'Till', gather_job: { name: 'git.example.org/acme/web' } },
    ]);
    const config = await organization.api.call('getAlertConfig', {
      path: { id: items[2]!.alert_config_id! },
    });
    expect(config.effective_labels).toEqual({ team: 'own' });
  });

  test('returns a message for each item that it rejects, and accepts the others', async () => {
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`label${index}`, 'x']));
    const { ids, accept } = await found([
      { status: 'ignored' },
      { reason: 'templated', version: null, version_state: 'templated' },
      { proposal: { ...chart('a').proposal, source_type: 'github_releases', artifact_name: 'nonsense' } },
      { labels },
      {},
    ]);
    const accepted = await accept({ item_ids: ids, labels: { team: 'till' } });
    expect(accepted).toMatchObject({
      accepted_count: 1,
      rejected_count: 4,
      created: {
        gather_jobs: 1,
        scrape_jobs: 1,
        alert_configs: 1,
      },
      items: [
        {
          outcome: 'rejected',
          message: 'The item is ignored. Restore it first.',
        },
        {
          outcome: 'rejected',
          message: 'The version or the name comes from a template, a variable, or a placeholder.',
        },
        {
          outcome: 'rejected',
          message: expect.stringContaining('github.com/owner/repo'),
        },
        {
          outcome: 'rejected',
          message: 'The item would have 21 labels; at most 20 are allowed.',
        },
        { outcome: 'accepted' },
      ],
    });
  });

  test('returns the same message for items of another organization as for items that never existed', async () => {
    const { ids, accept } = await found([{}]);
    const other = await found([{}]);
    const accepted = await accept({ item_ids: [other.ids[0]!, ids[0]!, 4_000_000_000] });
    expect(accepted.items).toMatchObject([
      { item_id: ids[0], outcome: 'accepted' },
      { item_id: other.ids[0], outcome: 'rejected', message: 'The item was not found.' },
      { item_id: 4_000_000_000, outcome: 'rejected', message: 'The item was not found.' },
    ]);
    const { api } = other.organization;
    expect(await api.call('getDiscoveredItem', { path: { id: other.ids[0]! } })).toMatchObject({
      status: 'new',
    });
  });

  test('rejects a version that no job can store, and accepts the others', async () => {
    const { organization, ids, accept } = await found([
      { version: '1.0\u202e' },
      { version: 'x'.repeat(300) },
      {},
    ]);
    const { items } = await accept({ item_ids: ids });
    expect(items.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'accepted']);
    expect(items[0]!.message).toMatch(/^The version can't be stored: /);
    expect((await organization.api.call('listScrapeJobs')).total).toBe(1);
  });

  test('creates no alert configuration without a rule', async () => {
    const { organization, accept } = await found([{}]);
    const { items } = await accept({ filter: {}, rule_id: null });
    expect(items).toMatchObject([
      { outcome: 'accepted', gather_job: { is_new: true }, alert_config_id: null },
    ]);
    expect((await organization.api.call('listAlertConfigs')).total).toBe(0);
  });

  test('returns the same result in a dry run, and creates nothing', async () => {
    const { organization, jobId, accept } = await found([...['redis', 'nginx', 'mysql'].map(chart), {}]);
    const planned = await accept({ filter: { discovery_job_id: jobId }, dry_run: true });
    const { api } = organization;
    expect((await api.call('listGatherJobs', { query: { scope: 'organization' } })).total).toBe(0);
    expect((await api.call('getDiscoveryJob', { path: { id: jobId } })).item_counts.new).toBe(4);
    const accepted = await accept({ filter: { discovery_job_id: jobId } });
    expect(accepted.created).toEqual(planned.created);
    expect(accepted.items.map(({ name }) => name)).toEqual(planned.items.map(({ name }) => name));
    expect(planned.items[0]).toMatchObject({ scrape_job_id: null, gather_job: { id: null, is_new: true } });
  });

  test('is rejected and changes nothing if its rule is unknown or it contains no items', async () => {
    const { organization, ids, accept } = await found([{}]);
    const other = await found([{}]);
    await expect(accept({ item_ids: ids, rule_id: other.ruleId })).rejects.toMatchObject({ status: 400 });
    await expect(accept({ item_ids: ids, rule_id: other.ruleId, dry_run: true })).rejects.toMatchObject({
      status: 400,
      body: { errors: [{ field: 'rule_id' }] },
    });
    await expect(accept({})).rejects.toMatchObject({ status: 400 });
    await expect(accept({ item_ids: ids, filter: {} })).rejects.toMatchObject({ status: 400 });
    expect((await organization.api.call('listScrapeJobs')).total).toBe(0);
  });

  test('shares one new gather job with simultaneous requests for the same artifact', async () => {
    const { organization, ids, accept } = await found(
      Array.from({ length: 8 }, (_, index) => ({ name: `web-${index}` })),
    );
    await Promise.all(ids.map((id) => accept({ item_ids: [id] })));
    const jobs = await organization.api.call('listGatherJobs', { query: { scope: 'organization' } });
    expect(jobs.total).toBe(1);
    expect((await organization.api.call('listAlertConfigs')).total).toBe(8);
  });

  test("can continue after a thousand items that can't be accepted", async () => {
    const crowded = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`label-${index}`, 'x']));
    const { ids, accept } = await found(
      Array.from({ length: 1_001 }, (_, index) => ({
        name: `web-${index}`,
        ...(index < 1_000 && { labels: crowded }),
      })),
    );
    const labels = { team: 'shop' };
    const first = await accept({ filter: {}, labels });
    expect([first.accepted_count, first.rejected_count, first.remaining_count]).toEqual([0, 1_000, 1]);
    const rest = await accept({ filter: { after_id: first.items.at(-1)!.item_id }, labels });
    expect(rest.items.map(({ item_id, outcome }) => [item_id, outcome])).toEqual([[ids.at(-1), 'accepted']]);
    expect(rest.remaining_count).toBe(0);
  });

  test('continues with the next items of a filter after those of the last request, and spreads the first runs over time', async () => {
    const { organization, accept } = await found(
      Array.from({ length: 1_100 }, (_, index) => ({
        key: `k${index}`,
        path: `apps/${index}.yaml`,
        artifact_name: `ghcr.io/acme/a${index}`,
        artifact_purl: null,
        proposal: {
          source_type: 'oci_registry',
          artifact_name: `ghcr.io/acme/a${index}`,
          source_options: {},
          version_pattern: null,
          version_scheme: null,
        },
      })),
    );
    const first = await accept({ filter: {} });
    expect([first.accepted_count, first.remaining_count]).toEqual([1_000, 100]);
    const second = await accept({ filter: {} });
    expect([second.accepted_count, second.remaining_count]).toEqual([100, 0]);
    const { rows } = await sql<{ now: number; later: number }>`
      SELECT count(*) FILTER (WHERE runs.due_at = runs.created_at) AS now,
        count(*) FILTER (
          WHERE runs.due_at BETWEEN runs.created_at + interval '1 second' AND runs.created_at + interval '1000 seconds'
        ) AS later
      FROM runs
      WHERE organization_id = ${organization.id} AND kind = 'gather' AND trigger = 'created'`.execute(db);
    // The first job of each request starts immediately.
    expect(rows).toEqual([{ now: 2, later: 1_098 }]);
  });
});
