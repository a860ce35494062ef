import { type KyselyPlugin, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from '../../../tests/helpers/database.ts';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { readMetrics, type Sample } from '../../../tests/helpers/read-metrics.ts';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { insertAlerts } from '../../server/server-fixture.ts';
import { createSystemKey } from '../accounts/index.ts';
import type { SettingKey } from '../settings/index.ts';
import { createFleetMetrics } from './fleet-metrics.ts';

const server = await startTestServer();
const { db } = server;
const { key: systemKey } = await createSystemKey(db, { name: 'metrics', role: 'viewer' });

const set = (organization: TestOrganization, key: SettingKey, value: unknown) =>
  organization.owner.call('putOrgOverride', { path: { key }, body: { value } });

const textOf = (parts: readonly Buffer[]) => Buffer.concat(parts).toString();

async function optedIn(name: string, labels: readonly string[] = []): Promise<TestOrganization> {
  const organization = await server.createOrganization(name);
  await set(organization, 'metrics.alert_configs', true);
  await set(organization, 'metrics.labels', labels);
  return organization;
}

async function scrape(): Promise<ReturnType<typeof readMetrics>> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': systemKey } });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return readMetrics(text);
}

/** Returns the samples of a metric that belong to the organization. */
async function samplesOf({ id }: { id: number }, metric: string): Promise<Sample[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT id FROM alert_configs WHERE organization_id = ${id}`.execute(db);
  const ids = new Set(rows.map((row) => String(row.id)));
  const { samples } = (await scrape()).get(metric)!;
  return samples.filter(({ labels }) => ids.has(labels['alert_config_id']!));
}

describe('the metrics of alert configurations', () => {
  test('contain the deployed version, the latest releases, and the lag between them', async () => {
    const acme = await optedIn('Acme', ['team']);
    const { configId } = await createMonitoredSoftware(server, acme, {
      labels: { team: 'payments', tier: 'gold' },
    });
    await acme.api.call('evaluateRules');
    const identity = {
      organization: 'Acme',
      alert_config_id: String(configId),
      alert_config: 'web',
      rule_type: 'majors_behind',
      label_team: 'payments',
    };
    expect(await samplesOf(acme, 'pacekeeper_alert_config_behind')).toEqual([
      { name: 'pacekeeper_alert_config_behind', labels: identity, value: 2 },
    ]);
    const versions = { deployed: '1.0.0', latest: '3.0.0', latest_stable: '3.0.0' };
    expect(await samplesOf(acme, 'pacekeeper_alert_config_info')).toEqual([
      {
        name: 'pacekeeper_alert_config_info',
        labels: { ...identity, ...versions, state: 'alerting', severity: 'high' },
        value: 1,
      },
    ]);
  });

  test('count days up to the time of the scrape, and omit unknown values', async () => {
    const acme = await optedIn('Acme');
    await createMonitoredSoftware(server, acme, {
      rule: { rule_type: 'days_behind', thresholds: { moderate: 30 }, days_basis: 'deployed_release' },
    });
    await createMonitoredSoftware(server, acme, { deployed: null });
    await acme.api.call('evaluateRules');
    const behind = async () =>
      (await samplesOf(acme, 'pacekeeper_alert_config_behind')).map(({ value }) => value);
    expect(await behind()).toEqual([60]);
    await setClockOffset(db, '10 days');
    expect(await behind()).toEqual([70]);
    await setClockOffset(db, '0');
    expect(await samplesOf(acme, 'pacekeeper_alert_config_info')).toHaveLength(2);
  });

  test('exclude an organization that did not opt in or has opted out', async () => {
    const [acme, other] = [await optedIn('Acme'), await server.createOrganization('Secretive')];
    await createMonitoredSoftware(server, acme);
    await createMonitoredSoftware(server, other);
    expect(await samplesOf(other, 'pacekeeper_alert_config_info')).toEqual([]);
    expect(JSON.stringify([...(await scrape())])).not.toContain('Secretive');
    expect(await samplesOf(acme, 'pacekeeper_alert_config_info')).toHaveLength(1);
    await set(acme, 'metrics.alert_configs', false);
    expect(await samplesOf(acme, 'pacekeeper_alert_config_info')).toEqual([]);
  });

  test('follow the installation setting if an organization has none', async () => {
    const [silent, unwilling] = [await server.createOrganization(), await server.createOrganization()];
    await createMonitoredSoftware(server, silent, { labels: { team: 'a' } });
    await createMonitoredSoftware(server, unwilling);
    await set(unwilling, 'metrics.alert_configs', false);
    const store = (key: SettingKey, value: unknown) =>
      sql`INSERT INTO settings (organization_id, key, value) VALUES (1, ${key}, ${JSON.stringify(value)}::jsonb)`.execute(
        db,
      );
    await store('metrics.alert_configs', true);
    await store('metrics.labels', ['team']);
    try {
      expect(await samplesOf(unwilling, 'pacekeeper_alert_config_info')).toEqual([]);
      expect(await samplesOf(silent, 'pacekeeper_alert_config_info')).toMatchObject([
        { labels: { label_team: 'a' } },
      ]);
    } finally {
      await sql`DELETE FROM settings WHERE organization_id = 1`.execute(db);
    }
  });

  test.each([
    'a"} 1\npacekeeper_open{what="alerts"} 99',
    String.raw`back\slash \n \" "`,
    'line\nfeed\r\n\t# HELP x y',
    '} 1',
    '{a="b",c="d"}',
    'עברית \u202E 日本語 🦑',
  ])('escape names so that Prometheus reads them unchanged: %j', async (name) => {
    const acme = await optedIn(name, ['team']);
    const { configId, scrapeJobId } = await createMonitoredSoftware(server, acme, { labels: { team: name } });
    await acme.api.call('updateAlertConfig', { path: { id: configId }, body: { name } });
    // Versions can't contain control characters.
    const version = name.replaceAll(/\s+/g, ' ').replaceAll('\u202E', '');
    await acme.api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } });
    await acme.api.call('evaluateRules');
    const config = await acme.api.call('getAlertConfig', { path: { id: configId } });
    expect(config.deployed_version).toBe(version);
    expect(await samplesOf(acme, 'pacekeeper_alert_config_info')).toMatchObject([
      { labels: { organization: name, alert_config: config.name, label_team: name, deployed: version } },
    ]);
  });

  test('give each label a unique name that Prometheus allows', async () => {
    const keys = ['app.kubernetes.io/name', 'a-b', 'a.b', 'a_b_2', 'a/b'];
    const acme = await optedIn('Acme', keys);
    await createMonitoredSoftware(server, acme, {
      labels: Object.fromEntries(keys.map((key) => [key, key])),
    });
    expect(await samplesOf(acme, 'pacekeeper_alert_config_info')).toMatchObject([
      {
        labels: {
          label_app_kubernetes_io_name: 'app.kubernetes.io/name',
          label_a_b: 'a-b',
          label_a_b_2: 'a.b',
          label_a_b_2_2: 'a_b_2',
          label_a_b_3: 'a/b',
        },
      },
    ]);
  });

  test.each([[['a b']], [['1a']], [['__name__']], [['a', 'a']], [['a', 'b', 'c', 'd', 'e', 'f']], ['team']])(
    'reject %j as label keys',
    async (value) => {
      await expect(set(await server.createOrganization(), 'metrics.labels', value)).rejects.toMatchObject({
        status: 400,
      });
    },
  );

  test('include the oldest configurations up to a limit, and report the number of omitted ones', async () => {
    await sql`DELETE FROM settings`.execute(db);
    const acme = await optedIn('Acme');
    await insertAlerts(db, acme.id, { count: 12, name: 'service' });
    const fleet = createFleetMetrics(db, { limit: 9, atOnce: 4 });
    const families = readMetrics(textOf(await fleet.read()));
    expect(
      families.get('pacekeeper_alert_config_info')!.samples.map(({ labels }) => labels['alert_config']),
    ).toEqual(Array.from({ length: 9 }, (_, index) => `service ${index + 1}`));
    expect(families.get('pacekeeper_alert_configs_left_out')!.samples[0]!.value).toBe(3);
    const all = await scrape();
    expect(all.get('pacekeeper_alert_configs_left_out')!.samples[0]!.value).toBe(0);
  });

  test('take two statements, whose plans read only organizations that opted in', async () => {
    const acme = await optedIn('Acme');
    await createMonitoredSoftware(server, acme);
    const queries = await server.queriesOf(scrape);
    const own = queries.filter(({ text }) => text.includes('alert_configs c'));
    expect(own).toHaveLength(2);
    await sql`ANALYZE`.execute(db);
    await insertAlerts(db, (await server.createOrganization()).id, { count: 3_000 });
    await sql`ANALYZE`.execute(db);
    for (const { text, parameters } of own) {
      // The executed statement with its parameter values inlined, because `EXPLAIN` can't take parameters.
      const withValues = text.replaceAll(/\$(\d+)/g, (_, place: string) => {
        const value = parameters[Number(place) - 1];
        if (Array.isArray(value)) return `'{${value.join(',')}}'`;
        return typeof value === 'number' ? String(value) : `'${String(value)}'`;
      });
      const { rows } = await sql<{
        'QUERY PLAN': object[];
      }>`${sql.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${withValues}`)}`.execute(db);
      const read = scansOf(rows[0]!['QUERY PLAN']).filter(({ table }) => table === 'alert_configs');
      expect(read.length).toBeGreaterThan(0);
      expect(Math.max(...read.map(({ rows }) => rows))).toBeLessThan(100);
    }
  });

  test('equal the metrics of a full read, although only changed batches are read', async () => {
    await sql`DELETE FROM settings`.execute(db);
    const acme = await optedIn('Acme', ['team']);
    await insertAlerts(db, acme.id, { count: 11, name: 'service' });
    const other = await optedIn('Other');
    const { configId, scrapeJobId, ruleId } = await createMonitoredSoftware(server, other, {
      rule: { rule_type: 'days_behind', thresholds: { moderate: 30 }, days_basis: 'deployed_release' },
    });
    await other.api.call('evaluateRules');
    const options = { limit: 12, atOnce: 4 };
    let batchesRead = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => 'organization_name' in row)) batchesRead++;
        return result;
      },
    };
    const fleet = createFleetMetrics(db.withPlugin(counting), options);
    await fleet.read();
    const path = { id: configId };
    const changes: [batches: number, change: () => Promise<unknown>][] = [
      [0, async () => undefined],
      // The new alert includes a new rule, which changes data that all configurations of the organization
      // share.
      [3, () => insertAlerts(db, acme.id, { count: 1, name: 'beyond the limit' })],
      [1, () => other.api.call('updateAlertConfig', { path, body: { name: 'renamed' } })],
      [1, () => other.api.call('updateAlertConfig', { path, body: { labels: { team: 'a' } } })],
      [1, () => set(other, 'metrics.labels', ['team'])],
      [1, () => sql`UPDATE organizations SET name = 'New' WHERE id = ${other.id}`.execute(db)],
      [
        1,
        async () => {
          await other.api.call('setScrapeJobVersion', {
            path: { id: scrapeJobId },
            body: { version: '2.0.0' },
          });
          await other.api.call('evaluateRules');
        },
      ],
      [1, () => setClockOffset(db, '10 days')],
      [1, () => setClockOffset(db, '0')],
      [
        1,
        async () => {
          await other.api.call('updateRule', {
            path: { id: ruleId },
            body: { rule_type: 'majors_behind', thresholds: { high: 1 } },
          });
          await other.api.call('evaluateRules');
        },
      ],
      [3, () => sql`UPDATE organizations SET name = 'Both'`.execute(db)],
      [1, () => set(other, 'metrics.alert_configs', false)],
      [1, () => set(other, 'metrics.alert_configs', true)],
      [3, () => sql`DELETE FROM alert_configs WHERE name = 'service 1'`.execute(db)],
    ];
    for (const [batches, change] of changes) {
      await change();
      batchesRead = 0;
      const text = textOf(await fleet.read());
      expect(text, String(change)).toBe(textOf(await createFleetMetrics(db, options).read()));
      expect(batchesRead, String(change)).toBe(batches);
    }
  });
});

test('the metrics of alert configurations are empty while the database is unavailable', async () => {
  const { db: away } = await createTestDatabase();
  const fleet = createFleetMetrics(away);
  expect(textOf(await fleet.read())).toContain('pacekeeper_alert_configs_left_out 0');
  await away.destroy();
  expect(textOf(await fleet.read())).toBe('');
});

/** Returns every table scan of a plan with the number of rows that it read. */
function scansOf(plan: unknown): { table: string; rows: number }[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const node = plan as Record<string, unknown>;
  const own =
    typeof node['Relation Name'] === 'string'
      ? [
          {
            table: node['Relation Name'],
            rows:
              (Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)) *
              Number(node['Actual Loops']),
          },
        ]
      : [];
  return [...own, ...Object.values(node).flatMap(scansOf)];
}
