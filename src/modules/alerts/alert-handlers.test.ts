import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { createMonitoredSoftware, type MonitoredOptions } from '../../../tests/helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { insertAlerts } from '../../server/server-fixture.ts';

const server = await startTestServer();

interface Raised {
  organization: TestOrganization;
  api: TestOrganization['api'];
  id: number;
  configId: number;
  scrapeJobId: number;
}

async function raise(options: MonitoredOptions = {}, organization?: TestOrganization): Promise<Raised> {
  const own = organization ?? (await server.createOrganization());
  const monitored = await createMonitoredSoftware(server, own, options);
  await own.api.call('evaluateRules');
  const config = await own.api.call('getAlertConfig', { path: { id: monitored.configId } });
  return { organization: own, api: own.api, id: config.active_alert_id!, ...monitored };
}

function setVersion({ api, scrapeJobId }: Raised, version: string) {
  return api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } });
}

/** Sets the clock two hours ahead until the end of the test. */
async function passTwoHours(): Promise<void> {
  await setClockOffset(server.db, '2 hours');
  onTestFinished(() => setClockOffset(server.db, '0 seconds'));
}

async function trailOf({ api, id }: Raised): Promise<string[]> {
  return (await api.call('listAlertActions', { path: { id }, query: {} })).items.map((entry) => entry.action);
}

describe('an alert', () => {
  test('is acknowledged once, shows who acknowledged it, and can be unacknowledged', async () => {
    const raised = await raise();
    const { api, id } = raised;
    const first = await api.call('acknowledgeAlert', { path: { id } });
    expect(first).toMatchObject({
      status: 'acknowledged',
      acknowledged_by: { type: 'api_key', name: 'tests' },
    });
    expect(await api.call('acknowledgeAlert', { path: { id } })).toEqual(first);
    expect(await api.call('unacknowledgeAlert', { path: { id } })).toMatchObject({
      status: 'unacknowledged',
      acknowledged_at: null,
      acknowledged_by: null,
    });
    expect((await trailOf(raised)).filter((action) => action !== 'notification_skipped')).toEqual([
      'unacknowledged',
      'acknowledged',
      'created',
    ]);
  });

  test('is acknowledged only once by many simultaneous requests', async () => {
    const raised = await raise();
    const { api, id } = raised;
    await Promise.all(Array.from({ length: 10 }, () => api.call('acknowledgeAlert', { path: { id } })));
    expect((await trailOf(raised)).filter((action) => action === 'acknowledged')).toHaveLength(1);
  });

  test('contains its configuration, rule, and jobs when it is read by ID', async () => {
    const { api, id, configId, scrapeJobId } = await raise();
    expect(await api.call('getAlert', { path: { id } })).toMatchObject({
      id,
      alert_config: { id: configId },
      rule: { name: 'Majors', thresholds: { high: 2 } },
      scrape_job: { id: scrapeJobId, parser_type: 'manual' },
      gather_job: { artifact_name: 'github.com/acme/web' },
      reason: 'behind',
      behind_by: 2,
    });
  });

  test('stays resolved after a manual resolution until the version changes or the severity increases', async () => {
    const raised = await raise({ releases: ['1.0.0', '2.0.0', '3.0.0', '4.0.0'], deployed: '2.0.0' });
    const { api, id, configId } = raised;
    await api.call('resolveAlert', { path: { id } });
    await api.call('resolveAlert', { path: { id } });
    expect(await api.call('getAlert', { path: { id } })).toMatchObject({
      status: 'resolved',
      resolution: 'manual',
    });
    await expect(api.call('acknowledgeAlert', { path: { id } })).rejects.toMatchObject({ status: 409 });
    await api.call('evaluateRules');
    expect(await api.call('getAlertConfig', { path: { id: configId } })).toMatchObject({
      state: 'alerting',
      state_reason: 'resolved_by_hand',
      active_alert_id: null,
    });
    await setVersion(raised, '1.0.0');
    await expect
      .poll(async () => (await api.call('listAlerts', {})).items)
      .toMatchObject([{ severity: 'critical' }]);
  });

  test('keeps its acknowledgment when the deployed version increases, and loses it when the version decreases', async () => {
    const raised = await raise({ releases: ['1.0.0', '1.1.0', '2.0.0', '3.0.0'], deployed: '1.0.0' });
    const { api, id } = raised;
    const alert = () => api.call('getAlert', { path: { id } });
    await api.call('acknowledgeAlert', { path: { id } });
    await setVersion(raised, '1.1.0');
    await expect.poll(async () => (await alert()).discovered_version).toBe('1.1.0');
    expect((await alert()).status).toBe('acknowledged');
    await setVersion(raised, '1.0.0');
    await expect.poll(async () => (await alert()).status).toBe('unacknowledged');
    expect(await trailOf(raised)).toContain('unacknowledged');
  });

  test('can be snoozed until a time, and unsnoozed', async () => {
    const { api, id, configId } = await raise();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await api.call('snoozeAlert', { path: { id }, body: { until } })).toMatchObject({
      snoozed_until: until,
      snoozed_until_version_changes: false,
    });
    const config = () => api.call('getAlertConfig', { path: { id: configId } });
    await expect.poll(async () => (await config()).state_reason).toBe('snoozed');
    expect((await config()).next_evaluation_at).toBe(until);
    expect(await api.call('unsnoozeAlert', { path: { id } })).toMatchObject({ snoozed_until: null });
    await expect.poll(async () => (await config()).state_reason).toBeNull();
  });

  test('is listed as snoozed until a version change, until its snooze expires', async () => {
    const { api, id } = await raise();
    const told = async () =>
      (await api.call('listAlerts', {})).items.map((item) => item.snoozed_until_version_changes);
    expect(await told()).toEqual([false]);
    const body = { until_version_changes: true };
    expect(await api.call('snoozeAlert', { path: { id }, body })).toMatchObject({
      snoozed_until: null,
      snoozed_until_version_changes: true,
    });
    expect(await told()).toEqual([true]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await api.call('snoozeAlert', { path: { id }, body: { ...body, until } });
    expect(await told()).toEqual([true]);
    await passTwoHours();
    expect(await told()).toEqual([false]);
  });

  test.each([
    ['until a time in the past', { until: '2020-01-01T00:00:00Z' }],
    ['without an end', { until_version_changes: false }],
  ])("can't be snoozed %s", async (_what, body) => {
    const { api, id } = await raise();
    await expect(api.call('snoozeAlert', { path: { id }, body })).rejects.toMatchObject({ status: 400 });
  });

  test('updates the state of its configuration when the snooze expires', async () => {
    const { api, id, configId } = await raise();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await api.call('snoozeAlert', { path: { id }, body: { until } });
    const config = () => api.call('getAlertConfig', { path: { id: configId } });
    await expect.poll(async () => (await config()).state_reason).toBe('snoozed');
    await passTwoHours();
    await expect.poll(async () => (await config()).state_reason).toBeNull();
  });
});

describe('lists of alerts', () => {
  test('contain open alerts by severity, status, and label, and resolved alerts separately', async () => {
    const organization = await server.createOrganization();
    const high = await raise({ labels: { team: 'a' } }, organization);
    const critical = await raise(
      { releases: ['1.0.0', '2.0.0', '3.0.0', '4.0.0'], labels: { team: 'b' } },
      organization,
    );
    const moderate = await raise({ deployed: '2.0.0' }, organization);
    const { api } = organization;
    const ids = async (query: object) =>
      (await api.call('listAlerts', { query })).items.map((alert) => alert.id);
    expect(await ids({})).toEqual([moderate.id, critical.id, high.id]);
    expect(await ids({ severity: 'critical' })).toEqual([critical.id]);
    expect(await ids({ label: 'team=a' })).toEqual([high.id]);
    expect(await ids({ sort: '-severity' })).toEqual([critical.id, high.id, moderate.id]);
    expect(await ids({ sort: '-behind_by' })).toEqual([critical.id, high.id, moderate.id]);
    expect(await ids({ scrape_job_id: high.scrapeJobId })).toEqual([high.id]);
    await api.call('acknowledgeAlert', { path: { id: high.id } });
    expect(await ids({ unacknowledged_only: true })).toEqual([moderate.id, critical.id]);
    await api.call('resolveAlert', { path: { id: critical.id } });
    await api.call('resolveAlert', { path: { id: moderate.id } });
    expect(await ids({})).toEqual([high.id]);
    const resolved = await api.call('listResolvedAlerts', {});
    expect(resolved.items.map((alert) => alert.id)).toEqual([moderate.id, critical.id]);
    const byLabel = async (label: string) => {
      const query = { label };
      const [open, past] = [
        await api.call('listAlerts', { query }),
        await api.call('listResolvedAlerts', { query }),
      ];
      return [open, past].map(({ items, total }) => [items.map(({ id }) => id), total]);
    };
    expect(await byLabel('team=a')).toEqual([
      [[high.id], 1],
      [[], 0],
    ]);
    expect(await byLabel('team=b')).toEqual([
      [[], 0],
      [[critical.id], 1],
    ]);
    expect(await api.call('getAlertSummary')).toEqual({
      open: 1,
      unacknowledged: 0,
      acknowledged: 1,
      resolved: 2,
      by_severity: { moderate: 0, high: 1, critical: 0 },
      unacknowledged_by_severity: { moderate: 0, high: 0, critical: 0 },
    });
  });

  test('support bulk acknowledgment, which returns each ID in exactly one result list', async () => {
    const organization = await server.createOrganization();
    const [first, second, third] = [
      await raise({}, organization),
      await raise({}, organization),
      await raise({}, organization),
    ];
    const foreign = await raise();
    await organization.api.call('acknowledgeAlert', { path: { id: second.id } });
    await organization.api.call('resolveAlert', { path: { id: third.id } });
    const alert_ids = [first.id, second.id, first.id, third.id, foreign.id, 999_999_999];
    expect(await organization.api.call('bulkAcknowledgeAlerts', { body: { alert_ids } })).toEqual({
      acknowledged: [first.id],
      already_acknowledged: [second.id],
      not_found: [third.id, foreign.id, 999_999_999],
    });
    expect((await foreign.api.call('getAlert', { path: { id: foreign.id } })).status).toBe('unacknowledged');
  });

  test('read a page with one statement, regardless of its length', async () => {
    const { organization, configId } = await raise();
    await sql`
      INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version,
        artifact_name, resolved_at, resolution)
      SELECT organization_id, ${configId}, rule_id, rule_type, severity, reason, discovered_version, artifact_name,
        pacekeeper_now(), 'manual'
      FROM alerts, generate_series(1, 60) WHERE organization_id = ${organization.id}`.execute(server.db);
    const count = async (limit: number) => {
      const statements = await server.statementsOf(() =>
        organization.api.call('listResolvedAlerts', { query: { limit } }),
      );
      return statements.filter((text) => text.includes('"alerts"')).length;
    };
    expect([await count(1), await count(60)]).toEqual([1, 1]);
  });

  test('look up the name of the configuration as often for several words as for one', async () => {
    const { api, id } = await raise();
    const [alert] = (await api.call('listAlerts')).items;
    const lookUps = async (q: string) => {
      const statements = await server.statementsOf(async () => {
        expect((await api.call('listAlerts', { query: { q } })).items.map((found) => found.id)).toEqual([id]);
      });
      return statements.join().match(/"alert_configs" AS referred/g)!.length;
    };
    const name = alert!.alert_config_name;
    const letters = [...new Set(name.toLowerCase().replaceAll(' ', ''))].slice(0, 10);
    const counts = [await lookUps(name), await lookUps(letters.join(' '))];
    expect(counts[1]).toBe(counts[0]);
  });

  test('are sorted by lag within each unit, including across pages', async () => {
    const { id: organizationId, api } = await server.createOrganization();
    const lags = [
      ['days', 3],
      ['majors', 3],
      ['days', 3.5],
      ['minors', 40],
      ['days', 400],
      ['days', null],
      ['majors', 1],
      ['days', 0],
      ['majors', null],
      ['minors', 2],
    ] as const;
    const { alertIds } = await insertAlerts(server.db, organizationId, { count: lags.length });
    for (const [index, [unit, lag]] of lags.entries())
      await sql`
        UPDATE alerts SET rule_type = ${`${unit}_behind`}, behind_by = ${unit === 'days' ? null : lag},
          behind_since = ${unit === 'days' && lag !== null ? sql`pacekeeper_now() - ${lag} * interval '1 day'` : null}
        WHERE id = ${alertIds[index]}`.execute(server.db);
    const behindBy = async (sort: 'behind_by' | '-behind_by', query: object) =>
      (await api.call('listAlerts', { query: { sort, ...query } })).items.map((alert) => alert.behind_by);
    const [days, majors, minors] = [
      [0, 3, 3, 400, null],
      [1, 3, null],
      [2, 40],
    ];
    const ascending = [...days, ...majors, ...minors];
    expect(await behindBy('behind_by', {})).toEqual(ascending);
    expect(await behindBy('-behind_by', {})).toEqual(
      [days, majors, minors].flatMap((unit) => unit.toReversed()),
    );
    const pages = [];
    for (let offset = 0; offset < lags.length; offset += 3)
      pages.push(...(await behindBy('behind_by', { limit: 3, offset })));
    expect(pages).toEqual(ascending);
    expect((await api.call('listAlerts', { query: { sort: 'behind_by', limit: 1 } })).total).toBe(
      lags.length,
    );
    expect(await behindBy('behind_by', { severity: 'critical' })).toEqual([]);
  });

  test('sort end-of-life alerts by end date, and treat the longest overdue alert as the furthest behind', async () => {
    const { id: organizationId, api } = await server.createOrganization();
    const daysLeft = [30, -400, null, 3, -2];
    const { alertIds } = await insertAlerts(server.db, organizationId, { count: daysLeft.length + 1 });
    for (const [index, days] of daysLeft.entries())
      await sql`
        UPDATE alerts SET rule_type = 'end_of_life', reason = 'end_of_life', behind_by = NULL, behind_since = NULL,
          ends_at = pacekeeper_now() + ${days}::integer * interval '1 day'
        WHERE id = ${alertIds[index]}`.execute(server.db);
    const [a, b, c, d, e, other] = alertIds;
    const sorted = async (query: object) =>
      (await api.call('listAlerts', { query })).items.map(({ id }) => id);
    expect(await sorted({ sort: '-behind_by' })).toEqual([other, c, b, e, d, a]);
    expect(await sorted({ sort: 'behind_by' })).toEqual([other, a, d, e, b, c]);
    expect(await sorted({ sort: '-behind_by', limit: 2, offset: 2 })).toEqual([b, e]);
  });

  test('are sorted by severity, then by the time when the threshold was crossed', async () => {
    const { id: organizationId, api } = await server.createOrganization();
    const { alertIds } = await insertAlerts(server.db, organizationId, { count: 6 });
    const [a, b, c, d, e, f] = alertIds;
    for (const [id, severity, hours] of [
      [a, 'moderate', 900],
      [b, 'critical', 1],
      [c, 'high', 5],
      [d, 'critical', 800],
      [e, 'high', 400],
      [f, 'critical', 1],
    ])
      await sql`
        UPDATE alerts SET severity = ${severity}, crossed_at = pacekeeper_now() - ${hours} * interval '1 hour'
        WHERE id = ${id}`.execute(server.db);
    await sql`UPDATE alerts SET crossed_at = (SELECT crossed_at FROM alerts WHERE id = ${b}) WHERE id = ${f}`.execute(
      server.db,
    );
    const ids = async (query: object) =>
      (await api.call('listAlerts', { query })).items.map((alert) => alert.id);
    const worst = [d, b, f, e, c, a];
    expect(await ids({ sort: 'worst' })).toEqual(worst);
    expect(await ids({ sort: '-worst' })).toEqual(worst.toReversed());
    expect(await ids({ sort: 'worst', severity: 'high' })).toEqual([e, c]);
    expect(await ids({ sort: 'worst', limit: 2, offset: 1 })).toEqual([b, f]);
  });
});
