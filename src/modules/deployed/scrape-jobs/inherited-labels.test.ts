import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';

const server = await sharedTestServer();

test('a configuration inherits the labels of its scrape job, except for keys that it sets itself', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  const { scrapeJobId, configId } = await createMonitoredSoftware(server, organization, {
    labels: { team: 'payments' },
  });
  await api.call('evaluateRules');
  const labels = { environment: 'production', team: 'platform' };
  await api.call('updateScrapeJob', { path: { id: scrapeJobId }, body: { labels } });
  const config = await api.call('getAlertConfig', { path: { id: configId } });
  const effective = { environment: 'production', team: 'payments' };
  expect(config).toMatchObject({
    labels: { team: 'payments' },
    effective_labels: effective,
    // Inheriting labels isn't an edit of the configuration.
    revision: 1,
  });

  const found = async (label: string) =>
    (await api.call('listAlertConfigs', { query: { label } })).items.map(({ id }) => id);
  expect(await found('environment=production')).toEqual([configId]);
  expect(await found('team=platform')).toEqual([]);
  const alerts = await api.call('listAlerts', { query: { label: 'environment=production' } });
  expect(alerts.items.map((alert) => alert.labels)).toEqual([effective]);

  const channel = await api.call('createNotificationChannel', {
    body: { name: 'production', url: 'https://hooks.example.org/in' },
  });
  const rule = await api.call('createNotificationRule', {
    body: {
      name: 'Production',
      label_matchers: [{ label: 'environment', operator: '=', value: 'production' }],
      channel_ids: [channel.id],
    },
  });
  const simulated = await api.call('simulateNotificationRule', {
    path: { id: rule.id },
    body: { severity: 'high', event_type: 'alert.created', alert_config_id: configId },
  });
  expect(simulated.matched).toBe(true);

  await api.call('updateAlertConfig', { path: { id: configId }, body: { labels: {} } });
  expect((await api.call('listAlerts', {})).items.map((alert) => alert.labels)).toEqual([labels]);
});

test('a configuration that is created during a change of its job labels inherits the new labels', async () => {
  const organization = await server.createOrganization();
  const { scrapeJobId, configId } = await createMonitoredSoftware(server, organization);
  const labelsOf = async () => {
    const { items } = await organization.api.call('listAlertConfigs', {});
    return items.map(({ effective_labels }) => effective_labels);
  };
  const copyConfig = sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
    SELECT organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal + 1
    FROM alert_configs WHERE id = ${configId}`;
  const relabel = sql`UPDATE scrape_jobs SET labels = '{"a": "2"}' WHERE id = ${scrapeJobId}`;
  let added: Promise<unknown> | undefined;
  await server.db.transaction().execute(async (tx) => {
    await relabel.execute(tx);
    added = copyConfig.execute(server.db);
    const waits = () =>
      sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(server.db);
    await expect.poll(async () => (await waits()).rows[0]!.count).toBeGreaterThan(0);
  });
  await added;
  expect(await labelsOf()).toEqual([{ a: '2' }, { a: '2' }]);
});
