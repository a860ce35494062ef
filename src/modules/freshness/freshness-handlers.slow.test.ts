import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { insertManagedScrapeJob } from '../../../tests/helpers/discovery-fixture.ts';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { readMetrics } from '../../../tests/helpers/read-metrics.ts';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { dayMs } from '../../domain/rules/stored-lag.ts';
import type { operations } from '../../generated/client-api.ts';
import { transaction } from '../../platform/database/index.ts';
import { insertAlerts } from '../../server/server-fixture.ts';
import { freshnessMetricsText } from './freshness-metrics-text.ts';
import { triggerFreshness } from './measuring/freshness-due.ts';
import { sendMonthlyReport } from './report/send-monthly-report.ts';
import { reportTargets } from './targets/report-targets.ts';

const server = await sharedTestServer();
const { db } = server;

/** Triggers a measurement and returns its result. */
async function measured({ id, api }: TestOrganization) {
  await transaction(db, (tx) => triggerFreshness(tx, id));
  return vi.waitFor(
    async () => {
      const freshness = await api.call('getFreshness');
      expect(freshness).toMatchObject({ is_complete: true, measured_at: expect.any(String) });
      return freshness;
    },
    { timeout: 60_000, interval: 50 },
  );
}

type ThingsQuery = NonNullable<operations['listFreshnessThings']['parameters']['query']>;

const exposure = { name: 'Soon', metric: 'exposure_days', limit: 40 } as const;

describe('freshness', () => {
  test('counts each pair once, regardless of its rules, and measures how far it is behind', async () => {
    const acme = await server.createOrganization();
    const { scrapeJobId, gatherJobId } = await createMonitoredSoftware(server, acme, {
      labels: { team: 'payments' },
    });
    const { id: rule_id } = await acme.api.call('createRule', {
      body: { name: 'Days', rule_type: 'days_behind', thresholds: { high: 1 } },
    });
    await acme.api.call('createAlertConfig', {
      body: { name: 'again', scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id },
    });
    await createMonitoredSoftware(server, acme, { deployed: 'main' });
    const { now, points, known_from, to } = await measured(acme);
    const libyears = 60 / 365.25;
    expect(now).toEqual({
      date: to,
      things: 2,
      known: 1,
      unknown: 1,
      estimated: 0,
      targeted: 0,
      within_target: 0,
      sum: libyears,
      median: libyears,
      p90: libyears,
    });
    expect(points).toEqual([now]);
    expect(known_from).toBe(to);
    const { items } = await acme.api.call('listFreshnessThings');
    expect(items).toMatchObject([
      {
        alert_config: { name: 'web' },
        deployed_version: '1.0.0',
        latest_version: '3.0.0',
        libyears,
        exposure_days: 30,
        majors: 2,
        minors: 2,
        releases: 2,
        is_within_target: null,
      },
      { deployed_version: 'main', latest_version: null, libyears: null, exposure_days: null },
    ]);
  });

  test('lists the measured pairs across pages, sorted by any metric in either direction, with unknown values last', async () => {
    const acme = await server.createOrganization();
    const { gatherJobId } = await insertAlerts(db, acme.id, { count: 9 });
    // Every third pair is up to date, and every fourth pair can't be compared.
    await sql`
      INSERT INTO freshness_things (organization_id, alert_config_id, fingerprint, deployed_version, libyears, exposed_since,
        majors, minors, releases, is_known, is_estimate, is_within_target)
      SELECT organization_id, id, '', '1', value, pacekeeper_now() - days * interval '1 day', value, value, value,
        n % 4 > 0, false, n % 2 = 0
      FROM (
        SELECT *, CASE WHEN n % 4 = 0 THEN NULL WHEN n % 3 = 0 THEN 0 ELSE 10 - n END AS value,
          CASE WHEN n % 3 > 0 AND n % 4 > 0 THEN 10 - n END AS days
        FROM (SELECT organization_id, id, row_number() OVER (ORDER BY id) AS n FROM alert_configs
          WHERE gather_organization_id = ${acme.id} AND gather_job_id = ${gatherJobId}) AS numbered
      ) AS things`.execute(db);
    const listed = async (query: ThingsQuery) => {
      const items = [];
      for (let offset = 0; offset < 12; offset += 3) {
        const page = await acme.api.call('listFreshnessThings', {
          query: { ...query, limit: 3, offset },
        });
        expect(page.total).toBe(query.q === undefined ? (query.is_within_target ? 4 : 9) : 1);
        items.push(...page.items);
      }
      return items.map(({ alert_config }) => Number(alert_config.name.replace('payments ', '')));
    };
    const rising = [3, 6, 9, 7, 5, 2, 1, 4, 8];
    const falling = [1, 2, 5, 7, 9, 6, 3, 8, 4];
    for (const sort of ['libyears', 'majors', 'minors', 'releases'] as const) {
      expect(await listed({ sort }), sort).toEqual(rising);
      expect(await listed({ sort: `-${sort}` }), `-${sort}`).toEqual(falling);
    }
    expect(await listed({ sort: 'exposure_days' })).toEqual([9, 6, 3, 7, 5, 2, 1, 8, 4]);
    expect(await listed({ sort: '-exposure_days' })).toEqual([1, 2, 5, 7, 3, 6, 9, 4, 8]);
    expect(await listed({ sort: 'name' })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await listed({ sort: '-name' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await listed({ is_within_target: true })).toEqual([2, 6, 8, 4]);
    expect(await listed({ q: 'MENTS 7', sort: 'name' })).toEqual([7]);
  });

  test('has a complete history after the first measurement, in total and for each value of a configured label, even if the label setting changes', async () => {
    const acme = await server.createOrganization();
    const { scrapeJobId } = await createMonitoredSoftware(server, acme, {
      labels: { team: 'payments', tier: 'gold' },
    });
    await sql`UPDATE versions SET created_at = created_at - interval '45 days' WHERE scrape_job_id = ${scrapeJobId}`.execute(
      db,
    );
    const { points, label_keys } = await measured(acme);
    expect(label_keys).toEqual(['team']);
    expect(points).toHaveLength(46);
    // The second release was published 30 days ago, and the third one today.
    expect(points[0]!.sum).toBe(0);
    expect(points[20]!.sum).toBeCloseTo(30 / 365.25, 10);
    expect(points.at(-1)!.sum).toBeCloseTo(60 / 365.25, 10);
    const ofTeam = await acme.api.call('getFreshness', { query: { label: 'team=payments' } });
    expect(ofTeam.points).toEqual(points);
    const { groups } = await acme.api.call('getFreshness', { query: { group_by: 'team', metric: 'majors' } });
    expect(groups).toMatchObject([{ value: 'payments', now: { sum: 2 }, before: null }]);
    // Compare the groups on two given days.
    const [since, until] = [points[20]!.date, points.at(-2)!.date];
    const between = await acme.api.call('getFreshness', { query: { group_by: 'team', since, until } });
    expect(between.groups).toEqual([{ value: 'payments', now: points.at(-2), before: points[20] }]);
    await acme.owner.call('putOrgOverride', { path: { key: 'freshness.labels' }, body: { value: ['tier'] } });
    await measured(acme);
    const ofTier = await acme.api.call('getFreshness', { query: { label: 'tier=gold' } });
    expect(ofTier.points).toEqual(points);
    await expect(acme.api.call('getFreshness', { query: { group_by: 'team' } })).rejects.toMatchObject({
      status: 400,
    });
    const { rows } = await sql`
      SELECT FROM freshness_points WHERE organization_id = ${acme.id} AND group_key = 'team'`.execute(db);
    expect(rows).toEqual([]);
  });

  test('is grouped by the current labels of the scrape jobs, even for past days', async () => {
    const acme = await server.createOrganization();
    const { scrapeJobId } = await createMonitoredSoftware(server, acme);
    const own = await createMonitoredSoftware(server, acme, { labels: { team: 'own' } });
    await sql`UPDATE versions SET created_at = created_at - interval '3 days' WHERE organization_id = ${acme.id}`.execute(
      db,
    );
    const relabel = async (id: number, labels: Record<string, string>) =>
      acme.api.call('updateScrapeJob', { path: { id }, body: { labels } });
    const pointsOf = async (label: string) =>
      (await acme.api.call('getFreshness', { query: { label } })).points;
    await relabel(scrapeJobId, { team: 'payments' });
    await relabel(own.scrapeJobId, { team: 'payments' });
    const { id } = await acme.api.call('createFreshnessTarget', {
      body: { ...exposure, label_matchers: [{ label: 'team', operator: '=', value: 'search' }] },
    });
    expect((await measured(acme)).points).toHaveLength(4);
    expect(await pointsOf('team=payments')).toMatchObject(Array(4).fill({ things: 1 }));
    expect(await pointsOf('team=own')).toHaveLength(4);
    const named = await acme.api.call('listFreshnessThings', { query: { label: 'team=payments' } });
    expect(named.items).toMatchObject([{ labels: { team: 'payments' } }]);

    await relabel(scrapeJobId, { team: 'search' });
    await measured(acme);
    expect(await pointsOf('team=search')).toMatchObject(Array(4).fill({ things: 1 }));
    expect(await pointsOf('team=payments')).toEqual([]);
    const { points } = await acme.api.call('getFreshness', { query: { target_id: id } });
    expect(points).toMatchObject(Array(4).fill({ things: 1, targeted: 1 }));

    const filledAt = async () => {
      const { rows } = await sql<{ filled_at: Date }>`
        SELECT filled_at FROM freshness_states WHERE organization_id = ${acme.id}`.execute(db);
      return rows[0]!.filled_at;
    };
    const before = await filledAt();
    await relabel(scrapeJobId, { team: 'search', tier: 'gold' });
    await measured(acme);
    expect(await filledAt()).toEqual(before);
  });

  test("excludes comparisons between environments, because their source isn't upstream", async () => {
    const acme = await server.createOrganization();
    const { ruleId: rule_id } = await createMonitoredSoftware(server, acme);
    for (const environment of ['staging', 'production']) {
      const labels = { service: 'web', environment };
      const body = { name: environment, parser_type: 'manual', labels } as const;
      const { id } = await acme.api.call('createScrapeJob', { body });
      await acme.api.call('setScrapeJobVersion', { path: { id }, body: { version: '1.0.0' } });
    }
    const { items } = await acme.api.call('compareEnvironments', {
      body: { environment: 'production', compare_with: 'staging', rule_id },
    });
    expect(items).toMatchObject([{ is_new: true }]);
    expect((await measured(acme)).now).toMatchObject({ things: 1 });
    expect(await acme.api.call('listFreshnessThings')).toMatchObject({ total: 1 });
  });

  test.each([
    { since: '2026-03-02', until: '2026-03-01' },
    { since: '2020-01-01', until: '2026-03-01' },
    { until: '0001-01-01' },
    { since: '0000-01-01' },
    { label: 'tier=gold' },
    { target_id: 999_999 },
  ])('rejects %j', async (query) => {
    const acme = await server.createOrganization();
    await expect(acme.api.call('getFreshness', { query })).rejects.toMatchObject({ status: 400 });
  });

  test('excludes deleted configurations and measures changed ones', async () => {
    const acme = await server.createOrganization();
    const { scrapeJobId } = await createMonitoredSoftware(server, acme);
    const other = await createMonitoredSoftware(server, acme);
    expect((await measured(acme)).now).toMatchObject({ things: 2 });
    await acme.api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '3.0.0' } });
    await acme.api.call('deleteAlertConfig', { path: { id: other.configId } });
    expect((await measured(acme)).now).toMatchObject({ things: 1, sum: 0 });
  });
});

test("software that discovery no longer finds isn't measured until it is found again", async () => {
  const acme = await server.createOrganization();
  const { gatherJobId, ruleId } = await createMonitoredSoftware(server, acme);
  const { id: discoveryJobId } = await acme.api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy', is_active: false },
  });
  const id = await insertManagedScrapeJob(db, acme.id, discoveryJobId, '2.0.0');
  await sql`
    INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
    VALUES (${acme.id}, ${id}, '2.0.0', '2.0.0', 'none', 'agent', true)`.execute(db);
  await acme.api.call('createAlertConfig', {
    body: { name: 'found', scrape_job_id: id, gather_job_id: gatherJobId, rule_id: ruleId },
  });
  const names = async () => {
    expect((await measured(acme)).is_complete).toBe(true);
    return (await acme.api.call('listFreshnessThings', { query: { sort: 'name' } })).items.map(
      ({ alert_config }) => alert_config.name,
    );
  };
  expect(await names()).toEqual(['found', 'web']);
  await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: false } });
  expect(await names()).toEqual(['web']);
  expect((await measured(acme)).now).toMatchObject({ things: 1 });
  await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: true } });
  expect(await names()).toEqual(['found', 'web']);
});

describe('a target', () => {
  test('contains the share of pairs within it, the number of pairs outside it, and a forecast', async () => {
    const acme = await server.createOrganization();
    await createMonitoredSoftware(server, acme, { labels: { team: 'payments' } });
    await createMonitoredSoftware(server, acme, { deployed: '3.0.0', labels: { team: 'payments' } });
    await createMonitoredSoftware(server, acme, {
      releases: ['1.0.0', '2.0.0', '3.0.0', '4.0.0'],
      labels: { team: 'x' },
    });
    const { id } = await acme.api.call('createFreshnessTarget', {
      body: {
        ...exposure,
        label_matchers: [{ label: 'team', operator: '=', value: 'payments' }],
      },
    });
    await measured(acme);
    const target = await acme.api.call('getFreshnessTarget', { path: { id } });
    expect(target).toMatchObject({
      now_percent: 100,
      known: 2,
      unknown: 0,
      out_of_target: 0,
      forecast_30d: 1,
      met_since: expect.any(String),
    });
    const { points } = await acme.api.call('getFreshness', { query: { target_id: id } });
    expect(points).toMatchObject([{ things: 2, targeted: 2, within_target: 2 }]);
    await acme.api.call('updateFreshnessTarget', { path: { id }, body: { goal_percent: 50 } });
    await measured(acme);
    expect(await acme.api.call('getFreshnessTarget', { path: { id } })).toMatchObject({ known: 2 });
    await acme.api.call('updateFreshnessTarget', { path: { id }, body: { limit: 20, label_matchers: [] } });
    await measured(acme);
    expect(await acme.api.call('getFreshnessTarget', { path: { id } })).toMatchObject({
      now_percent: 33.3,
      known: 3,
      out_of_target: 2,
      forecast_30d: 0,
      met_since: null,
    });
    const out = await acme.api.call('listFreshnessThings', { query: { is_within_target: false } });
    expect(out.total).toBe(2);
    await acme.api.call('deleteFreshnessTarget', { path: { id } });
    await measured(acme);
    expect((await acme.api.call('getFreshness')).now).toMatchObject({ targeted: 0 });
  });

  test('requires a whole number of days', async () => {
    const acme = await server.createOrganization();
    await expect(
      acme.api.call('createFreshnessTarget', { body: { ...exposure, limit: 1.5 } }),
    ).rejects.toMatchObject({ status: 400 });
    await acme.api.call('createFreshnessTarget', { body: { ...exposure, metric: 'libyears', limit: 1.5 } });
  });

  test("can't be created if fifty targets already exist", async () => {
    const acme = await server.createOrganization();
    await sql`
      INSERT INTO freshness_targets (organization_id, name, metric, max_value, goal_percent)
      SELECT ${acme.id}, 'x', 'majors', 1, 100 FROM generate_series(1, 50)`.execute(db);
    await expect(acme.api.call('createFreshnessTarget', { body: exposure })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('is reported once when it is missed for a day, and once when it is met again', async () => {
    const acme = await server.createOrganization();
    const { id } = await acme.api.call('createFreshnessTarget', { body: exposure });
    // Creating the target also triggers a measurement for today. Wait until it ends, so that it can't
    // interfere with the reports below.
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          UPDATE freshness_states SET due_at = 'infinity'
          WHERE organization_id = ${acme.id} AND requested_seq = processed_seq AND lease_token IS NULL RETURNING processed_seq`.execute(
          db,
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 60_000, interval: 50 },
    );
    const report = (day: number, isMet: boolean) =>
      transaction(db, (tx) =>
        reportTargets(
          tx,
          acme.id,
          [{ id, known: 3, unknown: 0, outOfTarget: isMet ? 0 : 1, forecast30d: 0, isMet }],
          Date.now() + day * dayMs,
        ),
      );
    for (const [day, isMet] of [
      [0, true],
      [1, false],
      [1.5, true],
      [2, false],
      [3, false],
      [3.1, false],
      [4, true],
      [5, true],
    ] as const) {
      await report(day, isMet);
    }
    const { rows } = await sql<{ event_type: string; data: { target: object } }>`
      SELECT event_type, data FROM audit_entries WHERE organization_id = ${acme.id} AND event_type LIKE 'target.%'
      ORDER BY id`.execute(db);
    expect(rows.map(({ event_type }) => event_type)).toEqual(['target.missed', 'target.met']);
    expect(rows[0]!.data.target).toEqual({
      id,
      name: 'Soon',
      metric: 'exposure_days',
      limit: 40,
      goal_percent: 100,
      now_percent: 66.6,
      out_of_target: 1,
    });
  });
});

test('a missed target is still reported after a rename, but not after a change to its limit or goal', async () => {
  const acme = await server.createOrganization();
  await createMonitoredSoftware(server, acme);
  const missedReports = async (change: { name?: string; limit?: number; goal_percent?: number }) => {
    const { id } = await acme.api.call('createFreshnessTarget', { body: { ...exposure, limit: 2 } });
    const path = { id };
    await measured(acme);
    expect(await acme.api.call('getFreshnessTarget', { path })).toMatchObject({ out_of_target: 1 });
    await sql`
      UPDATE freshness_targets SET reported = 'met', differs_since = pacekeeper_now() - interval '25 hours'
      WHERE id = ${id}`.execute(db);
    // The body contains every field, as the form sends it.
    const { name, limit, goal_percent, metric, label_matchers, is_active } = await acme.api.call(
      'getFreshnessTarget',
      { path },
    );
    const body = { name, limit, goal_percent, metric, label_matchers, is_active, ...change };
    await acme.api.call('updateFreshnessTarget', { path, body });
    // Unchanged freshness is aggregated only once an hour, so the last measurement must be older.
    await sql`UPDATE freshness_states SET measured_at = measured_at - interval '2 hours'
      WHERE organization_id = ${acme.id}`.execute(db);
    await measured(acme);
    const { rows } = await sql`
      SELECT FROM audit_entries WHERE organization_id = ${acme.id} AND event_type = 'target.missed'
        AND (data -> 'target' ->> 'id')::bigint = ${id}`.execute(db);
    return rows.length;
  };
  expect(await missedReports({ name: 'Sooner' })).toBe(1);
  expect(await missedReports({ limit: 1 })).toBe(0);
  expect(await missedReports({ goal_percent: 90 })).toBe(0);
});

describe('the monthly report', () => {
  const thisMonth = () => `${new Date().toISOString().slice(0, 7)}-01`;

  async function measuredSince(days: number) {
    const acme = await server.createOrganization();
    await createMonitoredSoftware(server, acme, { labels: { team: 'payments' } });
    await acme.api.call('createFreshnessTarget', { body: { ...exposure, limit: 1 } });
    // The releases must be older, too: no version is behind before the first release.
    await sql`
      UPDATE versions SET created_at = created_at - ${days} * interval '1 day'
      WHERE organization_id = ${acme.id}`.execute(db);
    await sql`
      UPDATE releases SET released_at = released_at - ${days} * interval '1 day'
      WHERE organization_id = ${acme.id}`.execute(db);
    await measured(acme);
    return acme;
  }

  async function reportsOf({ id }: TestOrganization) {
    const { rows } = await sql<{ data: { report: object } }>`
      SELECT data FROM audit_entries WHERE organization_id = ${id} AND event_type = 'freshness.report'`.execute(
      db,
    );
    return rows.map(({ data }) => data.report);
  }

  async function monthBegins({ id }: TestOrganization): Promise<void> {
    await sql`
      UPDATE freshness_states SET reported_month = ${thisMonth()}::date - interval '1 month'
      WHERE organization_id = ${id}`.execute(db);
  }

  const enable = (acme: TestOrganization) =>
    acme.owner.call('putOrgOverride', { path: { key: 'freshness.monthly_report' }, body: { value: true } });

  test('is sent once a month, even if several servers measure at the same time', async () => {
    const acme = await measuredSince(100);
    await enable(acme);
    expect(await reportsOf(acme)).toEqual([]);
    await monthBegins(acme);
    await Promise.all(
      [0, 0, 0].map(() => transaction(db, (tx) => sendMonthlyReport(tx, acme.id, Date.now()))),
    );
    await measured(acme);
    const reports = await reportsOf(acme);
    expect(reports).toEqual([
      {
        month: new Date(Date.parse(thisMonth()) - dayMs).toISOString().slice(0, 7),
        things: 1,
        libyears: expect.any(Number),
        libyears_before: expect.any(Number),
        within_percent: expect.any(Number),
        within_percent_before: expect.any(Number),
        targets_met: expect.any(Number),
        target_count: 1,
        furthest_behind: 'web: 1.0.0 → 3.0.0, 0.16 libyears',
      },
    ]);
    await monthBegins(acme);
    await measured(acme);
    expect(await reportsOf(acme)).toHaveLength(2);
    // A measurement that started last month ends only now.
    const lastMonthMs = Date.parse(thisMonth()) - dayMs;
    await transaction(db, (tx) => sendMonthlyReport(tx, acme.id, lastMonthMs));
    await measured(acme);
    expect(await reportsOf(acme)).toHaveLength(2);
  });

  test("isn't sent while it is disabled, for a month in which it was disabled, or for a month without data", async () => {
    const acme = await measuredSince(100);
    await monthBegins(acme);
    await measured(acme);
    await enable(acme);
    await measured(acme);
    expect(await reportsOf(acme)).toEqual([]);
    const young = await measuredSince(0);
    await enable(young);
    await sql`DELETE FROM freshness_points WHERE organization_id = ${young.id} AND day < ${thisMonth()}::date`.execute(
      db,
    );
    await monthBegins(young);
    await measured(young);
    expect(await reportsOf(young)).toEqual([]);
  });
});

test('metrics contain the freshness of organizations that opted in, regardless of their names', async () => {
  const acme = await server.createOrganization('Acme "} 1\n\\');
  await createMonitoredSoftware(server, acme);
  await measured(acme);
  expect(await freshnessMetricsText(db)).not.toContain('Acme');
  await acme.owner.call('putOrgOverride', { path: { key: 'metrics.alert_configs' }, body: { value: true } });
  const families = readMetrics(await freshnessMetricsText(db));
  const { samples } = families.get('pacekeeper_freshness_majors')!;
  expect(samples).toMatchObject([{ labels: { organization: 'Acme "} 1\n\\' }, value: 2 }]);
  expect(families.get('pacekeeper_freshness_things')!.samples).toMatchObject([{ value: 1 }]);
});

test('labels can contain any text, and patterns with nested quantifiers are evaluated quickly', async () => {
  const acme = await server.createOrganization();
  const team = `<img src=x onerror=alert(1)>"'; DROP TABLE x; --`;
  await createMonitoredSoftware(server, acme, { labels: { team } });
  await acme.api.call('createFreshnessTarget', {
    body: { ...exposure, label_matchers: [{ label: 'team', operator: '=~', value: '(a+)+$|.*' }] },
  });
  await measured(acme);
  const { groups } = await acme.api.call('getFreshness', { query: { group_by: 'team' } });
  expect(groups).toMatchObject([{ value: team }]);
  const { points } = await acme.api.call('getFreshness', { query: { label: `team=${team}` } });
  expect(points).toHaveLength(1);
});
