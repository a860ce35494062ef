import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { countLockWaits } from '../../../../tests/helpers/lock-waits.ts';
import { createMonitoredSoftware } from '../../../../tests/helpers/monitored.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import { ruleTypeIds, ruleTypes } from '../../../domain/rules/rule-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await startTestServer();
const days = {
  name: 'Ninety days',
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 60, critical: 90 },
} as const;

describe('rules', () => {
  test('are created with the defaults of their type, read, partially updated, listed, and deleted', async () => {
    const { api } = await server.createOrganization();
    const rule = await api.call('createRule', { body: { ...days, name: '  Ninety days ' } });
    expect(rule).toMatchObject({
      name: 'Ninety days',
      description: '',
      thresholds: days.thresholds,
      stable_only: true,
      days_basis: 'first_newer_release',
      min_release_age_days: 0,
      is_active: true,
      alert_config_count: 0,
    });
    const path = { id: rule.id };
    expect(await api.call('getRule', { path })).toEqual(rule);
    const changed = await api.call('updateRule', { path, body: { thresholds: { critical: 10 } } });
    expect(changed).toMatchObject({
      name: 'Ninety days',
      thresholds: { critical: 10 },
      days_basis: 'first_newer_release',
    });
    expect((await api.call('toggleRule', { path })).is_active).toBe(false);
    expect(
      (await api.call('listRules', { query: { is_active: false } })).items.map((item) => item.id),
    ).toEqual([rule.id]);
    expect(await api.call('listRulesDropdown')).toEqual([
      { id: rule.id, name: 'Ninety days', rule_type: 'days_behind', is_active: false },
    ]);
    await api.call('deleteRule', { path });
    await expect(api.call('getRule', { path })).rejects.toMatchObject({ status: 404 });
  });

  test.each<[string, Partial<Schemas['CreateMonitoringRuleRequest']>, string]>([
    ['no threshold', { thresholds: {} }, 'thresholds'],
    ["thresholds that don't ascend", { thresholds: { moderate: 30, high: 30 } }, 'thresholds.high'],
    [
      'a critical threshold below the moderate one',
      { thresholds: { moderate: 30, critical: 20 } },
      'thresholds.critical',
    ],
    ['a threshold of 0', { thresholds: { high: 0 } }, 'thresholds.high'],
    [
      'a basis in days for major versions',
      { rule_type: 'majors_behind', days_basis: 'deployed_release' },
      'days_basis',
    ],
    [
      'a deadline for known exploited vulnerabilities for major versions',
      { rule_type: 'majors_behind', known_exploited_days: 7 },
      'known_exploited_days',
    ],
    [
      'a minimum EPSS score for the number of vulnerabilities',
      { rule_type: 'known_vulnerabilities', min_epss: 0.1 },
      'min_epss',
    ],
    ['a minimum EPSS score above 1', { rule_type: 'vulnerability_age', min_epss: 1.5 }, 'min_epss'],
    ['a name that contains only spaces', { name: '   ' }, 'name'],
  ])('creating a rule with %s fails with an error that names the field', async (_what, change, field) => {
    const { api } = await server.createOrganization();
    await expect(api.call('createRule', { body: { ...days, ...change } })).rejects.toMatchObject({
      status: 400,
      errors: [expect.objectContaining({ field })],
    });
  });

  test('a rule keeps its deadline for known exploited vulnerabilities until null or another type removes it', async () => {
    const { api } = await server.createOrganization();
    const exploits = { known_exploited_days: 7, min_epss: 0.35 };
    const rule = await api.call('createRule', {
      body: { ...days, rule_type: 'vulnerability_age', ...exploits },
    });
    expect(rule).toMatchObject(exploits);
    const path = { id: rule.id };
    const update = (body: Schemas['UpdateMonitoringRuleRequest']) => api.call('updateRule', { path, body });
    expect(await update({ thresholds: { high: 9 } })).toMatchObject(exploits);
    expect(await update({ min_epss: null })).toMatchObject({ known_exploited_days: 7, min_epss: null });
    await expect(update({ rule_type: 'majors_behind', known_exploited_days: 3 })).rejects.toMatchObject({
      status: 400,
    });
    expect(await update({ rule_type: 'majors_behind' })).toMatchObject({ known_exploited_days: null });
  });

  test.each(ruleTypeIds)('the database accepts rules of type %s', async (rule_type) => {
    const { api } = await server.createOrganization();
    const { min } = ruleTypes[rule_type].thresholds;
    const body = { name: rule_type, rule_type, thresholds: { critical: min } };
    expect(await api.call('createRule', { body })).toMatchObject(body);
  });

  test('a list contains only the rules of its organization, newest first unless sorted otherwise', async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    await other.api.call('createRule', { body: days });
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) ids.push((await own.api.call('createRule', { body: days })).id);
    const page = await own.api.call('listRules', { query: { limit: 2 } });
    expect(page).toMatchObject({ total: 3, total_is_exact: true, limit: 2, offset: 0 });
    expect(page.items.map((rule) => rule.id)).toEqual([ids[2], ids[1]]);
    expect(
      (await own.api.call('listRules', { query: { sort: 'created_at' } })).items.map((rule) => rule.id),
    ).toEqual(ids);
  });

  test('are stored together with their audit log entries in one statement', async () => {
    const { api } = await server.createOrganization();
    const statements = await server.statementsOf(() => api.call('createRule', { body: days }));
    expect(statements.filter((text) => /"rules"|audit_log/.test(text))).toHaveLength(1);
  });

  test('the audit log lists only the fields that changed', async () => {
    const { api } = await server.createOrganization();
    const { id } = await api.call('createRule', { body: days });
    await api.call('updateRule', {
      path: { id },
      body: { name: 'Other', stable_only: true, min_release_age_days: 7 },
    });
    const [entry] = (await api.call('listAuditLog', { query: { resource: 'rule' } })).items;
    expect(entry).toMatchObject({
      action: 'rule.updated',
      resource_id: id,
      detail: { changed: ['name', 'min_release_age_days'] },
    });
  });
});

describe('deleting a rule', () => {
  test('deletes its configurations and alerts, and keeps the jobs', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const monitored = await createMonitoredSoftware(server, organization);
    expect(await api.call('evaluateRules')).toMatchObject({ failed: 0 });
    expect((await api.call('getAlertSummary')).open).toBe(1);
    await api.call('deleteRule', { path: { id: monitored.ruleId } });
    expect(await api.call('getAlertSummary')).toMatchObject({ open: 0, resolved: 0 });
    await expect(api.call('getAlertConfig', { path: { id: monitored.configId } })).rejects.toMatchObject({
      status: 404,
    });
    expect((await api.call('getScrapeJob', { path: { id: monitored.scrapeJobId } })).latest_version).toBe(
      '1.0.0',
    );
  });

  test('waits for an evaluation that is opening an alert for the rule, and deletes that alert too', async () => {
    const organization = await server.createOrganization();
    const { api, id: organizationId } = organization;
    const { ruleId, configId } = await createMonitoredSoftware(server, organization, { deployed: null });
    let deleting: Promise<void> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`SELECT 1 FROM alert_configs WHERE organization_id = ${organizationId} AND id = ${configId} FOR UPDATE`.execute(
        tx,
      );
      deleting = api.call('deleteRule', { path: { id: ruleId } });
      deleting.catch(() => undefined);
      await expect.poll(() => countLockWaits(server.db)).toBe(1);
      await sql`
        WITH alert AS (
          INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version, artifact_name)
          VALUES (${organizationId}, ${configId}, ${ruleId}, 'majors_behind', 'high', 'behind', '1.0.0', 'x') RETURNING id
        )
        INSERT INTO audit_entries (organization_id, alert_id, action, actor_type, actor_name)
        SELECT ${organizationId}, id, 'created', 'system', 'Pacekeeper' FROM alert`.execute(tx);
    });
    await deleting;
    expect(await api.call('getAlertSummary')).toMatchObject({ open: 0 });
  });

  test('either deletes a configuration that is created at the same time, or makes its creation fail with status 400', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { scrapeJobId, gatherJobId } = await createMonitoredSoftware(server, organization);
    for (let round = 0; round < 8; round++) {
      const { id: ruleId } = await api.call('createRule', { body: days });
      const link = { name: 'late', scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: ruleId };
      const [linked, deleted] = await Promise.allSettled([
        api.call('createAlertConfig', { body: link }),
        api.call('deleteRule', { path: { id: ruleId } }),
      ]);
      expect(deleted.status).toBe('fulfilled');
      if (linked.status === 'rejected') expect(linked.reason).toMatchObject({ status: 400 });
    }
    expect((await api.call('listAlertConfigs', { query: { q: 'late' } })).total).toBe(0);
  });
});
