import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createMonitored } from '../../../../tests/helpers/monitored.ts';
import { migrationsBefore } from '../../../../tests/helpers/older-migrations.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import { migrateDatabase } from '../../../platform/database/index.ts';

const server = await sharedTestServer();

test('a configuration inherits the labels of its scrape job, except for keys that it sets itself', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  const { scrapeJobId, configId } = await createMonitored(server, organization, {
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
    // The configuration itself wasn't edited.
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
  const { scrapeJobId, configId } = await createMonitored(server, organization);
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

test("the migration doesn't change the alert labels of a configuration whose scrape job has no labels", async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  await migrateDatabase(db, migrationsBefore('0055'));
  await sql`INSERT INTO organizations (name) VALUES ('Acme')`.execute(db);
  await sql`
    WITH organization AS (
      SELECT id FROM organizations WHERE name = 'Acme'
    ), scrape AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, labels)
      SELECT id, name, 'manual', labels::jsonb FROM organization, (VALUES
        ('plain', '{}'), ('labeled', '{"environment": "prod", "team": "found"}')) AS job (name, labels)
      RETURNING organization_id, id, name
    ), gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, version_reading)
      SELECT id, 'web', 'github_releases', 'github.com/acme/web', 'auto', 1 FROM organization RETURNING id
    ), rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_high)
      SELECT id, 'Majors', 'majors_behind', 1 FROM organization RETURNING id
    )
    INSERT INTO alert_configs
      (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels)
    SELECT scrape.organization_id, scrape.name, scrape.id, scrape.organization_id, gather.id, rule.id, '{"team": "own"}'
    FROM scrape, gather, rule`.execute(db);
  await sql`
    INSERT INTO alerts (organization_id, alert_config_id, rule_id, severity, reason, discovered_version, artifact_name,
      rule_type, labels, crossed_at)
    SELECT organization_id, id, rule_id, 'high', 'behind', '1.0', 'web', 'majors_behind',
      labels || '{"left": "alone"}', pacekeeper_now()
    FROM alert_configs WHERE name = 'plain'`.execute(db);

  await migrateDatabase(db);

  const { rows } = await sql<{ name: string; effective_labels: unknown; alert_labels: unknown }>`
    SELECT c.name, c.effective_labels, a.labels AS alert_labels
    FROM alert_configs c LEFT JOIN alerts a ON a.alert_config_id = c.id ORDER BY c.name`.execute(db);
  expect(rows).toEqual([
    { name: 'labeled', effective_labels: { environment: 'prod', team: 'own' }, alert_labels: null },
    { name: 'plain', effective_labels: { team: 'own' }, alert_labels: { team: 'own', left: 'alone' } },
  ]);
});
