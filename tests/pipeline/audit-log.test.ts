import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { compareFields } from '../../src/domain/audit/compare-fields.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { editedFields } from '../../src/modules/audit/edited-fields.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await startTestServer();

type Query = Readonly<Record<string, string>>;

/** Returns the actions with the names of their resources, newest first. */
async function logOf({ api }: TestOrganization, query: Query = {}): Promise<string[]> {
  const { items } = await api.call('listAuditLog', { query: query as never });
  return items.map(({ action, resource_name }) => `${action} ${resource_name}`);
}

test('an edit shows the actor, the changed fields, and their old and new values', async () => {
  const organization = await server.createOrganization();
  const { api, owner } = organization;
  const rule = await api.call('createRule', {
    body: { name: 'Ninety days', rule_type: 'days_behind', thresholds: { critical: 90 } },
  });
  const path = { id: rule.id };
  await owner.call('updateRule', { path, body: { name: 'Sixty days', thresholds: { critical: 60 } } });
  await owner.call('updateRule', { path, body: { name: 'Sixty days' } });
  await owner.call('toggleRule', { path });
  await owner.call('deleteRule', { path });

  const { items } = await api.call('listAuditLog', { query: { resource: 'rule' } });
  const shown = items.map(({ action, actor, changes }) => [
    action,
    actor.type,
    Object.fromEntries(changes.map(({ field, from, to }) => [field, [from, to]])),
  ]);
  expect(shown).toEqual([
    [
      'rule.deleted',
      'user',
      expect.objectContaining({ name: ['Sixty days', null], is_active: [false, null] }),
    ],
    ['rule.updated', 'user', { is_active: [true, false] }],
    [
      'rule.updated',
      'user',
      { name: ['Ninety days', 'Sixty days'], thresholds: [{ critical: 90 }, { critical: 60 }] },
    ],
    [
      'rule.created',
      'api_key',
      expect.objectContaining({ name: [null, 'Ninety days'], thresholds: [null, { critical: 90 }] }),
    ],
  ]);
  expect(items[2]!.detail).toEqual({ changed: ['name', 'thresholds'] });
});

test('the entry of a created resource contains its initial fields, even if many are created at the same time', async () => {
  const { api } = await server.createOrganization();
  const rule = { rule_type: 'majors_behind', thresholds: { high: 2 }, description: 'Slow' } as const;
  const scrape = { parser_type: 'manual', labels: { team: 'core', env: 'live' } } as const;
  const gather = { source_type: 'github_releases', version_pattern: '^v', is_active: false } as const;
  const rules = ['Zeta', 'Alpha', 'Midway'].map((name, index) => ({
    ...rule,
    name,
    min_release_age_days: index,
  }));
  const scrape_jobs = ['Zeta', 'Alpha'].map((name) => ({ ...scrape, name, history_limit: name.length }));
  const gather_jobs = ['zeta', 'alpha'].map((name) => ({ ...gather, name, artifact_name: `acme/${name}` }));
  await api.call('createRule', { body: { ...rule, name: 'Single' } });
  await api.call('createScrapeJob', { body: { ...scrape, name: 'Single' } });
  await api.call('createGatherJob', { body: { ...gather, name: 'single', artifact_name: 'acme/single' } });
  const document = { rules, scrape_jobs, gather_jobs };
  const { fingerprint } = await api.call('planConfiguration', { body: document });
  const applied = await api.call('applyConfiguration', { query: { fingerprint }, body: document });
  await expect
    .poll(async () => (await api.call('getConfigurationApply', { path: { id: applied.id } })).status)
    .toBe('succeeded');

  const shown = {
    rule: (await api.call('listRules')).items,
    scrape_job: (await api.call('listScrapeJobs')).items,
    gather_job: (await api.call('listGatherJobs')).items,
  };
  for (const resource of ['rule', 'scrape_job', 'gather_job'] as const) {
    const { items } = await api.call('listAuditLog', { query: { action: `${resource}.created` } });
    const logged = items.map(({ resource_id, resource_name, detail, changes }) => ({
      resource_id,
      resource_name,
      detail,
      changes: Object.fromEntries(
        changes.map(({ field, from, to }) => [
          field,
          {
            from,
            to,
          },
        ]),
      ),
    }));
    const expected = shown[resource]
      .toSorted((a, b) => b.id - a.id)
      .map((each) => ({
        resource_id: each.id,
        resource_name: each.name,
        detail: null,
        changes: compareFields(null, { ...each }, editedFields(resource)),
      }));
    expect(logged).toEqual(expected);
  }
});

test('reported versions and evaluations are not logged as edits', async () => {
  const organization = await server.createOrganization();
  const { scrapeJobId } = await createMonitoredSoftware(server, organization);
  const before = await logOf(organization);
  const path = { id: scrapeJobId };
  for (const version of ['1.0.1', '1.0.2'])
    await organization.api.call('setScrapeJobVersion', { path, body: { version } });
  await organization.api.call('evaluateRules');
  expect(await logOf(organization)).toEqual(before);
});

test('the log can be filtered by time, actor, resource, action, and text', async () => {
  const organization = await server.createOrganization();
  const { api, owner } = organization;
  const body = { rule_type: 'majors_behind', thresholds: { high: 1 } } as const;
  const first = await api.call('createRule', { body: { name: 'first', ...body } });
  await owner.call('createRule', { body: { name: 'second', ...body } });
  await owner.call('createScrapeJob', { body: { name: 'third', parser_type: 'manual' } });
  await owner.call('toggleRule', { path: { id: first.id } });
  const [toggled, third, second, one] = (await api.call('listAuditLog', {}))
    .items as Schemas['AuditLogEntry'][];
  // Space the entries one second apart, so that time filters can distinguish them.
  for (const [index, entry] of [one, second, third, toggled].entries())
    await sql`
      UPDATE audit_log SET created_at = timestamptz '2026-03-01T10:00:00Z' + ${index} * interval '1 second'
      WHERE organization_id = ${organization.id} AND id = ${entry!.id}`.execute(server.db);

  const all = ['rule.updated first', 'scrape_job.created third', 'rule.created second', 'rule.created first'];
  const check = async (query: Query, expected: readonly number[]) =>
    expect(await logOf(organization, query), JSON.stringify(query)).toEqual(
      all.filter((_, index) => expected.includes(index)),
    );
  const untilNow = '2026-04-01T00:00:00Z';
  await check({ until: untilNow }, [0, 1, 2, 3]);
  await check({ since: '2026-03-01T10:00:02Z', until: untilNow }, [0, 1]);
  await check({ since: '2026-03-01T10:00:01Z', until: '2026-03-01T12:00:03+02:00' }, [1, 2]);
  const user = second!.actor;
  await check({ actor: 'user', until: untilNow }, [0, 1, 2]);
  await check({ actor: `user:${user.id}`, until: untilNow }, [0, 1, 2]);
  await check({ actor: user.name.toUpperCase(), until: untilNow }, [0, 1, 2]);
  await check({ actor: `api_key:${one!.actor.id}`, until: untilNow }, [3]);
  await check({ actor: 'user:999999', until: untilNow }, []);
  await check({ actor: 'api_key', until: untilNow }, [3]);
  await check({ resource: 'rule', until: untilNow }, [0, 2, 3]);
  await check({ action: 'rule.created', until: untilNow }, [2, 3]);
  await check({ action: 'rule.created', actor: 'user', until: untilNow }, [2]);
  await check({ q: 'THIRD', until: untilNow }, [1]);
});

test('a secret is shown as changed, but its value is never stored', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  const secret = () => randomBytes(16).toString('hex');
  const secrets = [secret(), `@b${secret().slice(0, 20)}`, secret(), secret(), secret()] as const;
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const channel = await api.call('createNotificationChannel', {
    body: {
      name: 'Operations',
      url: `https://hooks.example.com/${secrets[0]}`,
      preset: 'telegram',
      preset_options: { chat_id: secrets[1] },
      headers: { 'X-Token': secrets[2] },
      signing_secret: signingSecret,
    },
  });
  const path = { id: channel.id };
  await api.call('updateNotificationChannel', {
    path,
    body: { url: `https://hooks.example.com/${secrets[3]}` },
  });
  await api.call('updateNotificationChannel', {
    path,
    body: { headers: { 'X-Token': secrets[4] }, name: 'Ops' },
  });
  await api.call('deleteNotificationChannel', { path });

  const { items } = await api.call('listAuditLog', { query: { resource: 'notification_channel' } });
  const secretChanges = items.map(({ changes }) =>
    Object.fromEntries(
      changes.filter((each) => each.is_secret).map(({ field, from, to }) => [field, [from, to]]),
    ),
  );
  const masked = 'https://hooks.example.com/…';
  expect(secretChanges).toEqual([
    {
      url: [masked, null],
      headers: [['X-Token'], []],
      preset_options: [null, null],
      signing_secret: [null, null],
    },
    { headers: [['X-Token'], ['X-Token']] },
    { url: [masked, masked] },
    {
      url: [null, masked],
      headers: [[], ['X-Token']],
      preset_options: [null, null],
      signing_secret: [null, null],
    },
  ]);
  const { rows } = await sql<{ stored: string }>`
    SELECT l::text AS stored FROM audit_log l WHERE organization_id = ${organization.id}`.execute(server.db);
  for (const { stored } of rows)
    for (const each of [...secrets, signingSecret, signingSecret.slice(6)])
      expect(stored).not.toContain(each);
});
