import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ApiCallError, type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { createPeople, type Person, trustedProxyEnvironment } from '../security/people.ts';

type Configuration = Schemas['ConfigurationDocument'];
type Team = { owner: ApiClient; keyId: number; person: Person };
type Parameters = { prune?: boolean; update_secrets?: boolean };

const server = await startTestServer(trustedProxyEnvironment);
const people = createPeople(server);
let organization: TestOrganization;
let api: ApiClient;

beforeEach(async () => {
  organization = await server.createOrganization();
  api = organization.api;
});

const plan = (body: Configuration, query: Parameters = {}, by = api) =>
  by.call('planConfiguration', { query, body });

async function start(body: Configuration, query: Parameters = {}, by = api) {
  const { fingerprint } = await plan(body, query, by);
  return by.call('applyConfiguration', { query: { ...query, fingerprint }, body });
}

async function finished({ id }: { id: number }): Promise<Schemas['ConfigurationApply']> {
  for (;;) {
    const apply = await api.call('getConfigurationApply', { path: { id } });
    if (apply.status !== 'in_progress') return apply;
  }
}

async function applied(body: Configuration, query: Parameters = {}, by = api) {
  const apply = await finished(await start(body, query, by));
  expect(apply).toMatchObject({ status: 'succeeded', error: null });
  return apply;
}

async function rejection(work: Promise<unknown>): Promise<ApiCallError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiCallError)) throw new Error(`expected an error of the API, not ${String(error)}`);
  return error;
}

async function names() {
  const lists = await Promise.all([
    api.call('listRules'),
    api.call('listGatherJobs', { query: { scope: 'organization' } }),
    api.call('listHelmSyncJobs', { query: { scope: 'organization' } }),
    api.call('listDiscoveryJobs'),
    api.call('listScrapeJobs'),
    api.call('listAlertConfigs'),
    api.call('listNotificationChannels'),
    api.call('listNotificationRules'),
    api.call('listFreshnessTargets'),
  ]);
  return lists.flatMap(({ items }) => items.map(({ name }) => name)).sort();
}

const webhook = 'https://hooks.example.org/services/secret';

/** Returns a configuration with one resource of each kind. The resources refer to each other by name. */
function shop(name: string, version?: string): Configuration {
  return {
    rules: [{ name, rule_type: 'majors_behind', thresholds: { high: 1 } }],
    helm_sync_jobs: [{ name, repository_url: 'https://charts.example.org' }],
    discovery_jobs: [{ name, repository_url: 'https://git.example.org/deploy', default_rule: name }],
    gather_jobs: [
      {
        name,
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/shop',
        cron_expression: '@daily',
      },
    ],
    scrape_jobs: [
      { name, parser_type: 'manual', version_transform: 'strip_v_lower', ...(version && { version }) },
    ],
    notification_channels: [{ name, url: webhook, headers: { 'X-Key': 'a key' } }],
    alert_configs: [{ name, rule: name, gather_job: name, scrape_job: name }],
    notification_rules: [{ name, rules: [name], alert_configs: [name], channels: [name] }],
    freshness_targets: [{ name, metric: 'libyears', limit: 1.5 }],
  };
}

describe('a plan', () => {
  test('lists the changes without secrets and changes nothing', async () => {
    const { steps, unchanged } = await plan(shop('Shop'));
    expect(steps.map(({ action, section, index, id }) => [action, section, index, id])).toEqual(
      [
        'rules',
        'helm_sync_jobs',
        'discovery_jobs',
        // Scrape jobs come before the resources that refer to them.
        'scrape_jobs',
        'gather_jobs',
        'notification_channels',
        'alert_configs',
        'notification_rules',
        'freshness_targets',
      ].map((section) => ['create', section, 0, null]),
    );
    expect(unchanged).toBe(0);
    expect(steps.find(({ section }) => section === 'notification_channels')?.changes).toEqual([
      { field: 'url', before: null, after: 'https://hooks.example.org/…' },
      { field: 'headers', before: null, after: ['X-Key'] },
    ]);
    expect(JSON.stringify(steps)).not.toMatch(/a key|services\/secret/);
    expect(await names()).toEqual([]);
  });

  test.each<[string, Configuration, string]>([
    ['an unknown field', { rules: [{ name: 'A', rule_typ: 'x' }] }, 'rules.0.rule_typ'],
    [
      'a reference to a missing channel',
      { notification_rules: [{ name: 'A', channels: ['B'] }] },
      'notification_rules.0.channels.0',
    ],
    [
      'an incomplete artifact name',
      { gather_jobs: [{ name: 'A', source_type: 'github_releases', artifact_name: 'a' }] },
      'gather_jobs.0.artifact_name',
    ],
    [
      'a fractional limit of a freshness target',
      { freshness_targets: [{ name: 'A', metric: 'majors', limit: 1.5 }] },
      'freshness_targets.0.limit',
    ],
    [
      'a blank name',
      { rules: [{ name: ' ', rule_type: 'majors_behind', thresholds: { high: 1 } }] },
      'rules.0.name',
    ],
    ['a transform that leaves no version', shop('A', 'v'), 'scrape_jobs.0.version'],
    [
      'a control character',
      { scrape_jobs: [{ name: 'A', parser_type: 'manual', version: '1.0\u0007' }] },
      'scrape_jobs.0.version',
    ],
    ['an invalid setting', { settings: { 'gather.max_releases': -1 } }, 'settings.gather.max_releases'],
    ['an invalid template', { templates: { resolved: '{{ nothing.here' } }, 'templates.resolved'],
    [
      "a URL that isn't allowed",
      { notification_channels: [{ name: 'A', url: 'http://10.0.0.1/' }] },
      'notification_channels.0.url',
    ],
  ])('is rejected with the invalid field: %s', async (_, body, field) => {
    const error = await rejection(plan(body));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.errors.map((each) => each.field)).toContain(field);
  });

  test('lists at most 100 problems', async () => {
    const rules = Array.from({ length: 150 }, (_, index) => ({ name: `R${index}` }));
    expect((await rejection(plan({ rules }))).errors).toHaveLength(100);
  });
});

describe('an apply', () => {
  test('has the same effects as single requests: rows, first runs, evaluations, and the audit log', async () => {
    const apply = await applied(shop('Shop', '1.2.3'));
    expect(apply).toMatchObject({ steps_total: 9, steps_done: 9, created_count: 9, updated_count: 0 });
    expect(await names()).toEqual(Array(9).fill('Shop'));
    const [gatherJob] = (await api.call('listGatherJobs', { query: { scope: 'organization' } })).items;
    expect(gatherJob).toMatchObject({ revision: 1, last_run: { status: 'queued', trigger: 'created' } });
    expect(gatherJob!.next_run_at).not.toBeNull();
    const [sync] = (await api.call('listHelmSyncJobs', { query: { scope: 'organization' } })).items;
    expect(sync).toMatchObject({ last_run: { status: 'queued', trigger: 'created' } });
    const [scrapeJob] = (await api.call('listScrapeJobs')).items;
    expect(scrapeJob).toMatchObject({ latest_version: '1.2.3', status: 'completed' });
    await expect
      .poll(async () => (await api.call('listAlertConfigs')).items[0]?.last_evaluated_at)
      .not.toBeNull();
    const log = await api.call('listAuditLog', { query: { limit: 50 } });
    // The actor is the API key of the apply.
    const created = log.items.filter(({ actor }) => actor.type === 'api_key').map(({ action }) => action);
    expect(created.sort()).toEqual([
      'alert_config.created',
      'discovery_job.created',
      'freshness_target.created',
      'gather_job.created',
      'helm_sync_job.created',
      'notification_channel.created',
      'notification_rule.created',
      'rule.created',
      'scrape_job.created',
    ]);
    expect(JSON.stringify(log)).not.toMatch(/a key|services\/secret/);
    expect((await plan(shop('Shop', '1.2.3'))).steps).toEqual([]);
  });

  test('updates and deletes resources like single requests, with revisions', async () => {
    await applied(shop('Shop'));
    const { notification_rules: _, ...rest } = shop('Shop');
    const changed: Configuration = {
      ...rest,
      rules: [{ name: 'Shop', rule_type: 'minors_behind', thresholds: { high: 3 } }],
      gather_jobs: [{ ...rest.gather_jobs![0], max_releases: 7 }],
      notification_rules: [],
    };
    const apply = await applied(changed, { prune: true });
    expect(apply).toMatchObject({ created_count: 0, updated_count: 2, deleted_count: 1 });
    const [rule] = (await api.call('listRules')).items;
    expect(rule).toMatchObject({ rule_type: 'minors_behind', thresholds: { high: 3 }, revision: 2 });
    const [job] = (await api.call('listGatherJobs', { query: { scope: 'organization' } })).items;
    expect(job).toMatchObject({ max_releases: 7, revision: 2, last_run: { trigger: 'changed' } });
    expect((await api.call('listNotificationRules')).items).toEqual([]);
    const { items } = await api.call('listAuditLog', { query: { limit: 3 } });
    expect(items.map(({ action }) => action).sort()).toEqual([
      'gather_job.updated',
      'notification_rule.deleted',
      'rule.updated',
    ]);
  });

  test('can replace all freshness targets of an organization at the limit, but cannot exceed the limit', async () => {
    const targets = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `${prefix} ${index}`,
        metric: 'exposure_days',
        limit: 90,
        label_matchers: [
          {
            label: 'team',
            operator: '=',
            value: 'payments',
          },
        ],
      }));
    await applied({ freshness_targets: targets('A', 50) });
    const replaced = await applied({ freshness_targets: targets('B', 50) }, { prune: true });
    expect(replaced).toMatchObject({ created_count: 50, updated_count: 0, deleted_count: 50 });
    const kept = [{ ...targets('B', 1)[0]!, goal_percent: 80 }, ...targets('B', 50).slice(1)];
    expect(await applied({ freshness_targets: kept }, { prune: true })).toMatchObject({ updated_count: 1 });
    expect(await rejection(plan({ freshness_targets: targets('C', 10) }))).toMatchObject({
      status: 400,
      errors: [
        {
          field: 'freshness_targets',
          message:
            'the organization would have 60 freshness targets. It can have at most 50 (limits.freshness_targets).',
        },
      ],
    });
    expect(await rejection(plan({ freshness_targets: targets('D', 60) }, { prune: true }))).toMatchObject({
      errors: [{ field: 'freshness_targets' }],
    });
  });

  test('that fails at its last step changes nothing', async () => {
    const before = await api.call('listAuditLog', { query: { limit: 1 } });
    // Settings are applied last, and this setting fails for an owner without two-factor authentication.
    const last = { settings: { 'login.require_two_factor': true } };
    const apply = await finished(await start({ ...shop('Shop'), ...last }, {}, organization.owner));
    expect(apply).toMatchObject({
      status: 'failed',
      steps_done: 0,
      error: { code: 'conflict', section: 'settings', index: null },
    });
    expect(await names()).toEqual([]);
    expect(await api.call('listAuditLog', { query: { limit: 1 } })).toEqual(before);
    // The failed apply doesn't block the next one.
    await applied(shop('Shop', '1.0.0'));
  });

  test('with an outdated plan is rejected, but one with a completed plan succeeds', async () => {
    const body = shop('Shop');
    const { fingerprint } = await plan(body);
    await api.call('createRule', {
      body: { name: 'Shop', rule_type: 'majors_behind', thresholds: { high: 2 } },
    });
    const query = { fingerprint };
    expect(await rejection(api.call('applyConfiguration', { query, body }))).toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    expect(await names()).toEqual(['Shop']);
    await applied(body);
    // A client sends the request a second time if it loses the response.
    const again = await api.call('applyConfiguration', { query, body });
    expect(again).toMatchObject({ status: 'succeeded', steps_total: 0 });
  });

  test('with a plan for another URL is rejected', async () => {
    const read = (url: string): Configuration => ({
      scrape_jobs: [
        {
          name: 'Read',
          source: 'http',
          url,
          parser_type: 'jq',
          parse_expression: '.version',
          is_active: false,
        },
      ],
    });
    const { fingerprint } = await plan(read('https://example.org/a.json'));
    const body = read('https://example.org/b.json');
    expect(await rejection(api.call('applyConfiguration', { query: { fingerprint }, body }))).toMatchObject({
      status: 412,
    });
  });

  test('changes nothing if a resource is modified while it runs', async () => {
    await applied(shop('Shop'));
    const body: Configuration = {
      rules: [
        { name: 'Shop', rule_type: 'majors_behind', thresholds: { high: 5 } },
        { name: 'New', rule_type: 'majors_behind', thresholds: { high: 5 } },
      ],
    };
    const [rule] = (await api.call('listRules')).items;
    // Change the row while the apply waits for its lock.
    const holder = await server.db.startTransaction().execute();
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    const started = await start(body);
    await sql`UPDATE rules SET description = 'changed' WHERE organization_id = ${organization.id}`.execute(
      holder,
    );
    await holder.commit().execute();
    expect(await finished(started)).toMatchObject({
      status: 'failed',
      error: { code: 'precondition_failed', section: 'rules', index: 0 },
    });
    expect((await api.call('listRules')).items).toMatchObject([
      { id: rule!.id, thresholds: { high: 1 }, description: 'changed' },
    ]);
  });

  test('changes nothing if a setting is modified while it runs', async () => {
    await applied({ ...shop('Shop'), settings: { 'gather.max_releases': 60 } });
    const body: Configuration = {
      rules: [{ name: 'Shop', rule_type: 'majors_behind', thresholds: { high: 5 } }],
      settings: { 'gather.max_releases': 77 },
    };
    // Lock a row, so that the apply waits for it after computing its plan.
    const holder = await server.db.startTransaction().execute();
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    const started = await start(body);
    const path = { key: 'gather.max_releases' };
    await organization.owner.call('putOrgOverride', { path, body: { value: 88 } });
    await holder.rollback().execute();
    expect(await finished(started)).toMatchObject({
      status: 'failed',
      error: { code: 'precondition_failed', section: 'settings' },
    });
    expect((await api.call('listRules')).items).toMatchObject([{ thresholds: { high: 1 } }]);
    await applied(body);
    await applied({ ...shop('Shop'), settings: {} }, { prune: true });
  });

  test('runs once for two concurrent requests with the same plan', async () => {
    await applied(shop('Shop'));
    const body: Configuration = {
      rules: [{ name: 'Shop', rule_type: 'majors_behind', thresholds: { high: 2 } }],
    };
    const { fingerprint } = await plan(body);
    const send = async (by = api, query: Parameters = {}) =>
      by.call('applyConfiguration', { query: { ...query, fingerprint }, body });
    // Lock the row that the apply updates, so that the apply waits.
    const holder = await server.db.startTransaction().execute();
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    // One of the requests starts the apply. The client must retry the other one, as after a lost response.
    const [one, two] = await Promise.allSettled([send(), send()]);
    const [first] = [one, two].filter((each) => each.status === 'fulfilled').map(({ value }) => value);
    for (const each of [one, two])
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ status: 409, code: 'conflict', retryAfterSeconds: 1 });
    expect(await send()).toMatchObject({ id: first!.id, status: 'in_progress', fingerprint });
    // Other users, and requests with secrets, which the fingerprint doesn't cover, receive only the ID of the
    // apply.
    for (const other of [() => send(organization.owner), () => send(api, { update_secrets: true })])
      expect(await rejection(other())).toMatchObject({
        status: 409,
        body: { configuration_apply_id: first!.id },
      });
    await holder.rollback().execute();
    expect(await finished(first!)).toMatchObject({ status: 'succeeded' });
    expect((await api.call('listRules')).items).toMatchObject([{ thresholds: { high: 2 } }]);
  });

  test('is the only one that can run in its organization', async () => {
    const holder = await server.db.startTransaction().execute();
    await applied(shop('Shop'));
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    const first = await start({
      rules: [{ name: 'Shop', rule_type: 'majors_behind', thresholds: { high: 2 } }],
    });
    const error = await rejection(
      start({ rules: [{ name: 'Other', rule_type: 'majors_behind', thresholds: { high: 2 } }] }),
    );
    expect(error).toMatchObject({
      status: 409,
      code: 'conflict',
      body: { configuration_apply_id: first.id },
      message: `Another configuration is being applied (apply ${first.id}). Wait until it has finished.`,
    });
    const other = await server.createOrganization();
    expect((await start(shop('Theirs'), {}, other.api)).id).not.toBe(first.id);
    await holder.rollback().execute();
    expect(await finished(first)).toMatchObject({ status: 'succeeded' });
  });

  test.each<[string, 'key' | 'person', (team: Team) => Promise<unknown>]>([
    [
      'a key that is revoked',
      'key',
      ({ owner, keyId }) => owner.call('deactivateAPIKey', { path: { id: keyId } }),
    ],
    [
      'a key that is disabled',
      'key',
      ({ owner, keyId }) => owner.call('toggleAPIKey', { path: { id: keyId } }),
    ],
    [
      'a person who is removed',
      'person',
      ({ owner, person }) => owner.call('deleteMember', { path: { id: person.memberId } }),
    ],
    [
      'a person whose password is reset',
      'person',
      async ({ owner, person }) => {
        const token = await people.resetToken(owner, person.memberId);
        expect(await people.useResetToken(token, 'another password')).toBe(204);
      },
    ],
    [
      'a person who is demoted',
      'person',
      ({ owner, person }) =>
        owner.call('updateMember', { path: { id: person.memberId }, body: { role: 'member' } }),
    ],
  ])('by %s while it runs changes nothing', async (_, by, endAccess) => {
    await applied(shop('Shop'));
    const { owner } = organization;
    const { key, api_key } = await owner.call('createAPIKey', { body: { name: 'stolen', role: 'admin' } });
    const person = await people.join(owner, 'admin');
    const applier = by === 'key' ? createApiClient({ baseUrl: server.url, apiKey: key }) : person.api;
    // Lock the row that the apply updates, so that the apply waits.
    const holder = await server.db.startTransaction().execute();
    await sql`SELECT 1 FROM rules WHERE organization_id = ${organization.id} FOR UPDATE`.execute(holder);
    const changed: Configuration = {
      settings: { 'gather.max_releases': 77 },
      rules: [{ name: 'Shop', rule_type: 'majors_behind', thresholds: { high: 5 } }],
    };
    const started = await start(changed, {}, applier);
    await endAccess({ owner, keyId: api_key.id, person });
    await holder.rollback().execute();
    expect(await finished(started)).toMatchObject({ status: 'failed', error: { code: 'forbidden' } });
    expect((await api.call('listRules')).items).toMatchObject([{ thresholds: { high: 1 } }]);
    await applied(changed);
  });

  test("fails if its server stops, and doesn't block the next one", async () => {
    const { fingerprint } = await plan(shop('Shop'));
    const { rows } = await sql<{ id: number }>`
      INSERT INTO configuration_applies (organization_id, status, fingerprint, steps_total, created_count, updated_count,
        deleted_count, actor_type, actor_name, lease_until)
      VALUES (${organization.id}, 'in_progress', ${fingerprint}, 7, 7, 0, 0, 'system', 'Pacekeeper',
        pacekeeper_now() - interval '1 second')
      RETURNING id`.execute(server.db);
    expect(await finished(rows[0]!)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    await applied(shop('Shop'));
  });

  test('is retried after a deadlock in one of its steps', async () => {
    await sql`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION lose_first_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'lost to others' USING ERRCODE = '40P01'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER lost BEFORE INSERT ON rules FOR EACH STATEMENT EXECUTE FUNCTION lose_first_attempt();`.execute(
      server.db,
    );
    try {
      await applied(shop('Shop'));
    } finally {
      await sql`DROP FUNCTION lose_first_attempt CASCADE; DROP SEQUENCE attempts`.execute(server.db);
    }
  });

  test('keeps its lease while it is retried', async () => {
    await sql`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION lose_first_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_WHEN = 'AFTER' THEN
          IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'lost to others' USING ERRCODE = '40001'; END IF;
        ELSIF (SELECT is_called FROM attempts) THEN
          PERFORM pg_sleep(3);
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER slow BEFORE INSERT ON rules FOR EACH STATEMENT EXECUTE FUNCTION lose_first_attempt();
      CREATE CONSTRAINT TRIGGER lost AFTER INSERT ON rules DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION lose_first_attempt();`.execute(server.db);
    try {
      const { id } = await start(shop('Shop'));
      const leaseOf = async () => {
        const { rows } = await sql<{ lease_until: Date | null; attempts: boolean }>`
          SELECT lease_until, (SELECT is_called FROM attempts) AS attempts FROM configuration_applies
          WHERE organization_id = ${organization.id} AND id = ${id}`.execute(server.db);
        return rows[0]!;
      };
      await expect.poll(async () => (await leaseOf()).attempts).toBe(true);
      const { lease_until: before } = await leaseOf();
      await expect
        .poll(async () => Number((await leaseOf()).lease_until) - Number(before))
        .toBeGreaterThan(500);
      expect(await finished({ id })).toMatchObject({ status: 'succeeded' });
    } finally {
      await sql`DROP FUNCTION lose_first_attempt CASCADE; DROP SEQUENCE attempts`.execute(server.db);
    }
  });

  test('requires the admin role for settings and templates, and the member role for all other resources', async () => {
    const { key } = await organization.owner.call('createAPIKey', {
      body: { name: 'member', role: 'member' },
    });
    const member = createApiClient({ baseUrl: server.url, apiKey: key });
    const body = { ...shop('Shop'), settings: { 'gather.max_releases': 77 } };
    expect(await rejection(start(body, {}, member))).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await names()).toEqual([]);
    await applied(body);
    // Settings that don't change require no permission.
    await applied(
      { ...shop('Shop'), ...body, scrape_jobs: [{ name: 'More', parser_type: 'manual' }] },
      {},
      member,
    );
  });

  test('has no access to the resources of other organizations', async () => {
    const other = await server.createOrganization();
    await finished(await start(shop('Theirs')));
    const borrowing: Configuration = {
      notification_rules: [{ name: 'Ours', channels: ['Theirs'] }],
    };
    const error = await rejection(plan(borrowing, {}, other.api));
    expect(error.errors).toEqual([
      {
        field: 'notification_rules.0.channels.0',
        message: 'no notification channel named "Theirs" in the file or on the server.',
      },
    ]);
    const { steps } = await plan({ rules: [] }, { prune: true }, other.api);
    expect(steps).toEqual([]);
  });
});
