import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertItems, insertManagedScrapeJob } from '../../../../tests/helpers/discovery-fixture.ts';
import { createScanner } from '../../../../tests/helpers/scan-by-hand.ts';
import { sharedTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await sharedTestServer();
const { db } = server;

const body = { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy/' };

function create({ api }: TestOrganization, change: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
  return api.call('createDiscoveryJob', { body: { ...body, ...change } });
}

async function setHeld(jobId: number): Promise<void> {
  await sql`
    UPDATE discovery_jobs SET gone_held_at = pacekeeper_now(), gone_held_count = 7, validators = '{"commit": "a"}'
    WHERE id = ${jobId}`.execute(db);
  await sql`UPDATE runs SET status = 'succeeded' WHERE discovery_job_id = ${jobId}`.execute(db);
}

async function stored(jobId: number) {
  return db.selectFrom('discovery_jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
}

test("scans of repositories use the organization's custom patterns after those of the job", async () => {
  const { api } = await server.createOrganization();
  const patternOf = (name: string) => ({
    name,
    path: '*.dhall',
    pattern: '(?P<artifact>a):(?P<version>b)',
    templates: {},
  });
  const key = 'discovery.custom_extractors' as const;
  const put = (value: unknown) => api.call('putOrgOverride', { path: { key }, body: { value } });
  await put([patternOf('shared')]);
  const scanner = createScanner(api);
  const patternsOf = async (body: Schemas['CreateDiscoveryJobRequest']) => {
    const { id } = await api.call('createDiscoveryJob', { body });
    return (await scanner.claim(id)).spec.custom_extractors;
  };
  const repository_url = 'https://git.example.org/acme/deploy';
  const own = patternOf('own');
  expect(await patternsOf({ name: 'a', repository_url, custom_extractors: [own] })).toEqual([
    own,
    patternOf('shared'),
  ]);
  expect(await patternsOf({ name: 'b', repository_url })).toEqual([patternOf('shared')]);
  const cluster = { kind: 'kubernetes_cluster', cluster_name: 'prod', credential_name: 'cluster' } as const;
  expect(await patternsOf({ name: 'c', ...cluster })).toEqual([]);

  const { name: _, ...nameless } = own;
  for (const [value, field] of [
    [[{ ...own, pattern: 'a(?=b)' }], 'value.0.pattern'],
    [[own, own], 'value.1.name'],
    [[{ ...own, templates: { color: 'red' } }], 'value.0.templates.color'],
    [[{ ...own, path: '!a' }], 'value.0.path'],
    [[nameless], 'value.0'],
    [Array.from({ length: 21 }, (__, index) => patternOf(`${index}`)), 'value'],
  ] as const)
    await expect(put(value)).rejects.toMatchObject({ status: 400, errors: [{ field }] });
});

describe('discovery jobs', () => {
  test('are created with their defaults and run immediately', async () => {
    const organization = await server.createOrganization();
    const job = await create(organization);
    expect(job).toMatchObject({
      kind: 'git_repository',
      repository_url: 'https://git.example.org/acme/deploy',
      ref: 'HEAD',
      include: [],
      exclude: [],
      extractors: [],
      label_rules: [],
      accept: 'ask',
      default_rule_id: null,
      source_credentials: [],
      status: 'pending',
      waiting_for: 'agent',
      last_run: { status: 'queued', trigger: 'created' },
      item_counts: { new: 0, accepted: 0, ignored: 0, gone: 0, replaced: 0, unresolved: 0 },
      gone_held: null,
    });
    const { api } = organization;
    expect((await api.call('listDiscoveryJobs', { query: { status: 'pending' } })).items).toEqual([job]);
    expect((await api.call('listDiscoveryJobRuns', { path: { id: job.id } })).total).toBe(1);
  });

  test('read the default branch if they have no ref', async () => {
    const organization = await server.createOrganization();
    const job = await create(organization, { ref: null });
    expect(job.ref).toBe('HEAD');
    const path = { id: job.id };
    const { api } = organization;
    await api.call('updateDiscoveryJob', { path, body: { ref: 'main' } });
    expect(await api.call('updateDiscoveryJob', { path, body: { ref: null } })).toMatchObject({
      ref: 'HEAD',
    });
  });

  test.each<[string, Partial<Schemas['CreateDiscoveryJobRequest']>, string]>([
    ["a URL that Git isn't allowed to read", { repository_url: 'file:///etc' }, 'repository_url'],
    ['a URL with a password', { repository_url: 'https://a:b@git.example.org/a' }, 'repository_url'],
    ['a ref that is an option', { ref: '--upload-pack=x' }, 'ref'],
    ['a negated path pattern', { exclude: ['a/', '!b/'] }, 'exclude.1'],
    ['a path pattern without a name', { include: ['/'] }, 'include.0'],
    ["a label rule that doesn't compile", { label_rules: [{ pattern: '(' }] }, 'label_rules.0.pattern'],
    [
      'label rules that are too expensive',
      { label_rules: [{ pattern: '(?P<a>a)' }, { pattern: '(?:(?:[ab]{1,9}){1,9}){1,9}c' }] },
      'label_rules.1.pattern',
    ],
    [
      'a label rule without a label',
      { label_rules: [{ pattern: 'clusters/([^/]+)/' }] },
      'label_rules.0.pattern',
    ],
    [
      "a capture group that can't be a label",
      { label_rules: [{ pattern: '(?P<_a>b)' }] },
      'label_rules.0.pattern',
    ],
    [
      'a credential for an invalid host',
      { source_credentials: [{ host: 'https://ghcr.io/a', credential_name: 'a' }] },
      'source_credentials.0.host',
    ],
    [
      'two credentials for one host',
      {
        source_credentials: [
          { host: 'ghcr.io', credential_name: 'a' },
          { host: 'GHCR.io', credential_name: 'b' },
        ],
      },
      'source_credentials.1.host',
    ],
    [
      'a custom pattern that RE2 rejects',
      { custom_extractors: [{ name: 'a', path: 'a', pattern: '(?P<artifact>a)(?=b)(?P<version>c)' }] },
      'custom_extractors.0.pattern',
    ],
    [
      'two custom patterns with one name',
      {
        custom_extractors: ['a', 'b'].map((file) => ({
          name: 'same',
          path: file,
          pattern: '(?P<artifact>a)(?P<version>b)',
        })),
      },
      'custom_extractors.1.name',
    ],
    [
      'a template for an unknown field',
      {
        custom_extractors: [
          { name: 'a', path: 'a', pattern: '(?P<artifact>a)(?P<version>b)', templates: { color: 'red' } },
        ],
      },
      'custom_extractors.0.templates.color',
    ],
    [
      'custom patterns of a cluster',
      {
        kind: 'kubernetes_cluster',
        repository_url: null,
        cluster_name: 'a',
        credential_name: 'a',
        custom_extractors: [{ name: 'a', path: 'a', pattern: '(?P<artifact>a)(?P<version>b)' }],
      },
      'custom_extractors',
    ],
    ["a rule that doesn't exist", { default_rule_id: 9_000_000_000_007 }, 'default_rule_id'],
    ['an invalid schedule', { cron_expression: 'often' }, 'cron_expression'],
  ])('are rejected with %s', async (_, change, field) => {
    const organization = await server.createOrganization();
    await expect(create(organization, change)).rejects.toMatchObject({ status: 400, errors: [{ field }] });
  });

  test('read everything again and are allowed to find fewer items only after a change to the files that they should read', async () => {
    const organization = await server.createOrganization();
    const { id } = await create(organization);
    await setHeld(id);
    const update = (change: object) =>
      organization.api.call('updateDiscoveryJob', { path: { id }, body: change });
    await update({
      name: 'Other',
      accept: 'known',
      source_credentials: [{ host: 'ghcr.io', credential_name: 'a' }],
    });
    expect(await stored(id)).toMatchObject({ validators: { commit: 'a' }, is_loss_expected: false });
    const changed = await update({ exclude: ['sandbox/'] });
    expect(changed).toMatchObject({ gone_held: null, last_run: { status: 'queued', trigger: 'changed' } });
    expect(await stored(id)).toMatchObject({ validators: null, is_loss_expected: true });
  });

  test('run again after a user confirms that items are no longer found', async () => {
    const organization = await server.createOrganization();
    const { id } = await create(organization);
    await setHeld(id);
    const { api } = organization;
    expect((await api.call('getDiscoveryJob', { path: { id } })).gone_held).toMatchObject({ count: 7 });
    const confirmed = await api.call('confirmGoneItems', { path: { id } });
    expect(confirmed).toMatchObject({ gone_held: null, last_run: { status: 'queued', trigger: 'changed' } });
    expect(await stored(id)).toMatchObject({ validators: null, is_loss_expected: true });
    const [entry] = (await api.call('listAuditLog', { query: { resource: 'discovery_job' } })).items;
    expect(entry).toMatchObject({ action: 'discovery_job.updated', detail: { confirmed_gone_count: 7 } });
    // A repeated confirmation changes nothing.
    expect(await api.call('confirmGoneItems', { path: { id } })).toEqual(confirmed);
  });

  test('count their items by status after every kind of change', async () => {
    const organization = await server.createOrganization();
    const { id } = await create(organization);
    const other = await create(organization);
    const ids = await insertItems(db, organization.id, id, [
      {},
      {},
      { proposal: null, confidence: 'none' },
      { status: 'ignored' },
    ]);
    await insertItems(db, organization.id, other.id, [{ status: 'gone' }]);
    const counts = async () => (await organization.api.call('getDiscoveryJob', { path: { id } })).item_counts;
    expect(await counts()).toEqual({ new: 3, accepted: 0, ignored: 1, gone: 0, replaced: 0, unresolved: 1 });
    await sql`UPDATE discovered_items SET status = 'gone' WHERE id = ANY(${ids.slice(0, 2)}::bigint[])`.execute(
      db,
    );
    await sql`UPDATE discovered_items SET confidence = 'likely' WHERE id = ${ids[2]}`.execute(db);
    expect(await counts()).toEqual({ new: 1, accepted: 0, ignored: 1, gone: 2, replaced: 0, unresolved: 0 });
    const listed = await organization.api.call('listDiscoveryJobs');
    expect(listed.items.map(({ item_counts }) => item_counts.gone)).toEqual([1, 2]);
  });

  test('lose their default rule when the rule is deleted', async () => {
    const organization = await server.createOrganization();
    const rule = await organization.api.call('createRule', {
      body: { name: 'a', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const { id } = await create(organization, { default_rule_id: rule.id });
    await organization.api.call('deleteRule', { path: { id: rule.id } });
    const job = await organization.api.call('getDiscoveryJob', { path: { id } });
    expect(job).toMatchObject({ default_rule_id: null, revision: 2 });
  });
});

describe('a discovery job that feeds scrape jobs', () => {
  async function createFeeding() {
    const organization = await server.createOrganization();
    const { id } = await create(organization);
    const fedId = await insertManagedScrapeJob(db, organization.id, id);
    const [itemId] = await insertItems(db, organization.id, id, [
      { status: 'accepted', scrape_job_id: fedId },
    ]);
    const other = await create(organization);
    const [duplicateId] = await insertItems(db, organization.id, other.id, [
      { status: 'ignored', duplicate_of_id: itemId! },
    ]);
    return { organization, id, fedId, duplicateId: duplicateId! };
  }

  test("can't be deleted without `cascade` or `keep`", async () => {
    const { organization, id, fedId } = await createFeeding();
    const remove = (query: object) => organization.api.call('deleteDiscoveryJob', { path: { id }, query });
    await expect(remove({})).rejects.toMatchObject({
      status: 409,
      code: 'in_use',
      body: { scrape_job_ids: [fedId], scrape_job_count: 1 },
    });
    await expect(remove({ cascade: true, keep: true })).rejects.toMatchObject({ status: 400 });
  });

  test('converts its scrape jobs to manual jobs with their last version if they are kept', async () => {
    const { organization, id, fedId, duplicateId } = await createFeeding();
    await organization.api.call('deleteDiscoveryJob', { path: { id }, query: { keep: true } });
    const kept = await organization.api.call('getScrapeJob', { path: { id: fedId } });
    expect(kept).toMatchObject({
      parser_type: 'manual',
      repository_url: null,
      latest_version: '1.2.3',
      revision: 2,
    });
    await organization.api.call('setScrapeJobVersion', { path: { id: fedId }, body: { version: '1.2.4' } });
    const { rows } =
      await sql`SELECT status, duplicate_of_id FROM discovered_items WHERE id = ${duplicateId}`.execute(db);
    expect(rows).toEqual([{ status: 'new', duplicate_of_id: null }]);
  });

  test('opens no alerts about removed software if its scrape jobs are kept', async () => {
    const { organization, id, fedId } = await createFeeding();
    const { api, id: organizationId } = organization;
    const goneId = await insertManagedScrapeJob(db, organizationId, id);
    await insertItems(db, organizationId, id, [
      { key: 'gone', status: 'gone', scrape_job_id: goneId, missing_since: '2026-01-02T00:00:00Z' },
    ]);
    await sql`UPDATE scrape_jobs SET is_active = false WHERE id = ${goneId}`.execute(db);
    const rule = await api.call('createRule', {
      body: { name: 'a', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const gather = await api.call('createGatherJob', {
      body: { name: 'a', source_type: 'github_releases', artifact_name: 'a/b', is_active: false },
    });
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
      VALUES (${organizationId}, ${gather.id}, '2.0.0', '2.0.0', '2026-01-01T00:00:00Z', false)`.execute(db);
    const create = (scrape_job_id: number) =>
      api.call('createAlertConfig', {
        body: { name: `${scrape_job_id}`, scrape_job_id, gather_job_id: gather.id, rule_id: rule.id },
      });
    const [kept, gone] = [await create(fedId), await create(goneId)];
    const states = async () => {
      const [one, other] = await Promise.all(
        [kept, gone].map(({ id }) => api.call('getAlertConfig', { path: { id } })),
      );
      return [one?.state, other?.state];
    };
    await expect.poll(states).toEqual(['alerting', 'inactive']);
    const [evaluatedAt] = await lastEvaluations();
    await api.call('deleteDiscoveryJob', { path: { id }, query: { keep: true } });
    await expect.poll(async () => (await lastEvaluations()).every((at) => at > evaluatedAt!)).toBe(true);
    expect(await states()).toEqual(['alerting', 'inactive']);
    const { items } = await api.call('listAlerts', {});
    expect(items.map(({ alert_config_id }) => alert_config_id)).toEqual([kept.id]);
    const { items: log } = await api.call('listAuditLog', { query: { resource: 'alert_config', limit: 1 } });
    expect(log).toMatchObject([{ action: 'alert_config.updated', resource_id: gone.id }]);

    async function lastEvaluations() {
      const { rows } = await sql<{ at: Date }>`
        SELECT last_evaluated_at AS at FROM alert_configs WHERE organization_id = ${organizationId}
        ORDER BY id`.execute(db);
      return rows.map(({ at }) => at);
    }
  });

  test('is deleted together with its scrape jobs and their configurations if `cascade` is set', async () => {
    const { organization, id, fedId } = await createFeeding();
    const { api } = organization;
    const rule = await api.call('createRule', {
      body: { name: 'a', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const gather = await api.call('createGatherJob', {
      body: { name: 'a', source_type: 'github_releases', artifact_name: 'a/b' },
    });
    const config = await api.call('createAlertConfig', {
      body: { name: 'a', scrape_job_id: fedId, gather_job_id: gather.id, rule_id: rule.id },
    });
    await api.call('deleteDiscoveryJob', { path: { id }, query: { cascade: true } });
    await expect(api.call('getScrapeJob', { path: { id: fedId } })).rejects.toMatchObject({ status: 404 });
    await expect(api.call('getAlertConfig', { path: { id: config.id } })).rejects.toMatchObject({
      status: 404,
    });
    const { rows } = await sql`SELECT id FROM discovered_items WHERE discovery_job_id = ${id}`.execute(db);
    expect(rows).toEqual([]);
  });
});

describe('a scrape job that a discovery job feeds', () => {
  async function createFed() {
    const organization = await server.createOrganization();
    const { id: discoveryJobId } = await create(organization);
    const id = await insertManagedScrapeJob(db, organization.id, discoveryJobId);
    const [itemId] = await insertItems(db, organization.id, discoveryJobId, [
      { status: 'accepted', scrape_job_id: id },
    ]);
    await sql`UPDATE runs SET status = 'succeeded' WHERE discovery_job_id = ${discoveryJobId}`.execute(db);
    return { api: organization.api, discoveryJobId, path: { id }, itemId: itemId! };
  }

  test('accepts changes only to its name, history limit, labels, and active state', async () => {
    const { api, path } = await createFed();
    const job = await api.call('getScrapeJob', { path });
    const values = { name: 'Shop', history_limit: 7, labels: { team: 'shop' }, is_active: false };
    const changed = await api.call('updateScrapeJob', { path, body: { ...job, ...values } });
    expect(changed).toMatchObject({ ...values, parser_type: 'discovered', last_run: null });
    for (const [field, value] of Object.entries({
      parser_type: 'manual',
      target_file: 'other.yaml',
      version_transform: 'strip_v_lower',
      ref: 'main',
      credential_name: 'a',
      cron_expression: '@daily',
    }))
      await expect(api.call('updateScrapeJob', { path, body: { [field]: value } })).rejects.toMatchObject({
        status: 400,
        errors: [{ field }],
      });
  });

  test('is run by its discovery job, and rejects versions that are set manually', async () => {
    const { api, path, discoveryJobId } = await createFed();
    expect((await api.call('runScrapeJob', { path })).last_run).toBeNull();
    const job = await api.call('getDiscoveryJob', { path: { id: discoveryJobId } });
    expect(job.last_run).toMatchObject({ status: 'queued', trigger: 'manual' });
    await expect(api.call('setScrapeJobVersion', { path, body: { version: '2.0.0' } })).rejects.toMatchObject(
      { status: 409 },
    );
  });

  test('marks its item as ignored when it is deleted', async () => {
    const { api, path, itemId } = await createFed();
    await api.call('deleteScrapeJob', { path });
    expect(await api.call('getDiscoveredItem', { path: { id: itemId } })).toMatchObject({
      status: 'ignored',
      scrape_job_id: null,
    });
  });
});
