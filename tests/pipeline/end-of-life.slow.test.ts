import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { LifecycleProduct } from '../../src/domain/support/read-lifecycles.ts';
import { loadLifecycles } from '../../src/modules/reference/load-lifecycles.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { setClockOffset } from '../helpers/database.ts';
import { readRealProducts } from '../helpers/lifecycle-files.ts';
import { lifecycleProduct } from '../helpers/reference-fixture.ts';
import { hasTestData } from '../helpers/test-data.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;
const clock = createClock(server);
const day = 24 * 60;

const dayIn = (days: number) => clock.daysAgo(-days).slice(0, 10);
const rule = { rule_type: 'end_of_life', thresholds: { moderate: 180, high: 60, critical: 0 } } as const;

/**
 * Loads lifecycle data as of the current time. The tests share the data, so a load changes many results of
 * other tests and is confirmed by default.
 */
const load = (products: readonly LifecycleProduct[], isConfirmed = true) =>
  loadLifecycles(db, { asOfMs: Date.parse(clock.inMinutes(0)), products, isConfirmed });

async function createSupported(
  given: { version?: string; gather?: object; config?: object; rule?: object } = {},
) {
  const world = await createPipelineWorld(server, inbox);
  const gatherJobId = await world.createGatherJob([{ tag: '14.2', at: clock.daysAgo(400) }], {
    lifecycle_product: 'postgresql',
    ...given.gather,
  });
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule({ ...rule, ...given.rule });
  const configId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId }, given.config);
  await world.setVersion(scrapeJobId, given.version ?? '14.2');
  await world.settled();
  const path = { id: configId };
  return {
    ...world,
    gatherJobId,
    scrapeJobId,
    ruleId,
    configId,
    path,
    read: () => world.api.call('getAlertConfig', { path }),
    explain: async () => (await world.api.call('getAlertConfigExplanation', { path })).explanation!,
  };
}

const postgresql = (end14: string | boolean = dayIn(100)) =>
  lifecycleProduct('postgresql', { '14': end14, '18': '2090-11-14' });

beforeEach(async () => {
  await load([postgresql()]);
});

describe('the end of life', () => {
  test('opens an alert in advance, escalates it as time passes, and resolves it after an upgrade', async () => {
    const world = await createSupported();
    expect(await world.openAlert()).toMatchObject({
      severity: 'moderate',
      reason: 'end_of_life',
      behind_by: null,
      days_left: 101,
      ends_at: `${dayIn(101)}T00:00:00.000Z`,
    });
    const { lifecycle } = await world.explain();
    expect(lifecycle).toMatchObject({ product: 'postgresql', line: '14', ends_on: dayIn(100) });
    expect(lifecycle!.fetched_at).not.toBeNull();
    expect((await world.read()).next_evaluation_at).toBe(`${dayIn(41)}T00:00:00.000Z`);

    await load([postgresql()]);
    await clock.pass(20 * day);
    await load([postgresql(dayIn(80))]);
    await clock.pass(25 * day);
    await until('the alert is high', async () => (await world.openAlert())?.severity === 'high');
    await load([postgresql(dayIn(55))]);
    await clock.pass(29 * day);
    await load([postgresql(dayIn(26))]);
    await clock.pass(28 * day);
    await until('the alert is critical', async () => (await world.openAlert())?.severity === 'critical');
    expect((await world.openAlert())!.days_left).toBeLessThanOrEqual(-1);
    await world.setVersion(world.scrapeJobId, '18.1');
    await world.settled();
    expect(await world.openAlert()).toBeUndefined();
    expect(world.heardTypes()).toEqual([
      'alert.created',
      'alert.escalated',
      'alert.escalated',
      'alert.resolved',
    ]);
    expect(world.receivedEvents()[0]!.body.data.alert).toMatchObject({
      days_left: 101,
      latest_version: '18',
    });
  });

  test('is that of the application in a chart, and unknown if the release has no application version', async () => {
    const world = await createSupported({ gather: { lifecycle_product: 'postgresql' } });
    await sql`
      UPDATE gather_jobs SET source_type = 'helm_repository', artifact_name = 'charts.example.org/postgresql',
        releases_revision = releases_revision + 1
      WHERE id = ${world.gatherJobId}`.execute(db);
    await world.setVersion(world.scrapeJobId, '14.2');
    await world.settled();
    // Missing data doesn't resolve an open alert.
    expect(await world.read()).toMatchObject({
      state: 'no_data',
      state_reason: 'no_lifecycle',
      severity: null,
    });
    await sql`UPDATE releases SET app_version = '18.0' WHERE gather_job_id = ${world.gatherJobId}`.execute(
      db,
    );
    await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${world.gatherJobId}`.execute(
      db,
    );
    await world.setVersion(world.scrapeJobId, '14.2');
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'ok', days_left: expect.any(Number) });
    expect((await world.explain()).lifecycle).toMatchObject({ version: '18.0', line: '18' });
  });

  test('is unknown until a product is set, and an override can extend it with paid support', async () => {
    const world = await createSupported({ gather: { lifecycle_product: null } });
    expect(await world.read()).toMatchObject({ state: 'no_data', state_reason: 'no_lifecycle' });
    const { api } = world;
    await api.call('updateGatherJob', {
      path: { id: world.gatherJobId },
      body: { lifecycle_product: 'postgresql' },
    });
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'alerting', severity: 'moderate' });
    const override = { ends_on: dayIn(1_000), note: 'Contract 4711' };
    await api.call('updateAlertConfig', { path: world.path, body: { lifecycle_override: override } });
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'ok', days_left: 1_001, lifecycle_override: override });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);
    await api.call('updateAlertConfig', { path: world.path, body: { lifecycle_override: null } });
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'alerting', lifecycle_override: null });
    await expect(
      api.call('updateAlertConfig', {
        path: world.path,
        body: { lifecycle_override: { ends_on: '2028-02-30' } },
      }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('is re-evaluated only for configurations whose product data has changed', async () => {
    const other = lifecycleProduct('valkey', { '8': dayIn(100) });
    await load([postgresql(), other]);
    const changed = await createSupported();
    const same = await createSupported({ gather: { lifecycle_product: 'valkey' }, version: '8.1' });
    const wantedOf = async ({ configId }: { configId: number }) =>
      (
        await sql<{
          requested_seq: number;
        }>`SELECT requested_seq FROM alert_configs WHERE id = ${configId}`.execute(db)
      ).rows[0]!.requested_seq;
    const before = [await wantedOf(changed), await wantedOf(same)];
    await load([postgresql(dayIn(200)), other]);
    await changed.settled();
    expect([await wantedOf(changed), await wantedOf(same)]).toEqual([before[0]! + 1, before[1]]);
    expect(await changed.read()).toMatchObject({ state: 'ok', days_left: 201 });
    await load([other]);
    await changed.settled();
    expect(await changed.read()).toMatchObject({ state: 'no_data', state_reason: 'no_lifecycle' });
  });

  test('can be set to never, and thresholds can be years before or after the end of life', async () => {
    const world = await createSupported();
    const ends_on = '9999-12-31';
    await world.api.call('updateAlertConfig', {
      path: world.path,
      body: { lifecycle_override: { ends_on } },
    });
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'ok', ends_at: '9999-12-31T23:59:59.999Z' });
    expect((await world.explain()).lifecycle).toMatchObject({ ends_on, is_paid: true });
    const later = await createSupported({ version: '18.1', rule: { thresholds: { critical: -3_650 } } });
    await load([lifecycleProduct('postgresql', { '14': '0000-01-01', '18': ends_on })]);
    await later.settled();
    expect(await later.read()).toMatchObject({ state: 'ok', next_evaluation_at: null });
    await world.api.call('updateAlertConfig', { path: world.path, body: { lifecycle_override: null } });
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'no_data', state_reason: 'no_support_date' });
  });

  test('comes from the newest data even for a configuration created during the load', async () => {
    const world = await createSupported();
    const { scrapeJobId, gatherJobId, ruleId } = world;
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = transaction(db, async (tx) => {
      await sql`SELECT FROM alert_configs WHERE id = ${world.configId} FOR UPDATE`.execute(tx);
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    const loading = load([postgresql(dayIn(10))]);
    await until('the load waits', async () => {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%requested_seq + 1%'`.execute(
        db,
      );
      return rows.length > 0;
    });
    const id = await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
    await world.settled();
    const read = () => world.api.call('getAlertConfig', { path: { id } });
    expect(await read()).toMatchObject({ severity: 'moderate' });
    held.resolve();
    await Promise.all([holding, loading]);
    await world.settled();
    expect(await read()).toMatchObject({ severity: 'high' });
  });

  test('changes many results of an organization only after an operator confirms the new data', async () => {
    const world = await createSupported();
    const { scrapeJobId, gatherJobId, ruleId } = world;
    for (let count = 1; count < 25; count++) await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
    await world.settled();
    const severities = async () => (await world.api.call('getAlertSummary')).by_severity;
    expect(await severities()).toMatchObject({ moderate: 25, critical: 0 });
    expect(await load([postgresql(true)], false)).toEqual({
      outcome: 'unconfirmed',
      changes: [{ organizationId: world.organizationId, changed: 25, total: 25 }],
    });
    await world.api.call('evaluateRules');
    expect(await severities()).toMatchObject({ moderate: 25, critical: 0 });
    // New dates that change no result need no confirmation.
    expect(await load([postgresql(dayIn(110))], false)).toMatchObject({ outcome: 'loaded' });
    expect(await load([postgresql(true)])).toMatchObject({ outcome: 'loaded' });
    await world.settled();
    expect(await severities()).toMatchObject({ moderate: 0, critical: 25 });
  });

  test('needs no confirmation for data that changes nothing, even if the deployed string is not a version', async () => {
    for (const [tags, version, chart] of [
      [['14.2', '14'], '14', null],
      [['v7.7.0', 'v7.6.0'], '7.7.0', '14.2'],
    ] as const) {
      const world = await createSupported({ version });
      const { scrapeJobId, gatherJobId, ruleId } = world;
      await sql`DELETE FROM releases WHERE gather_job_id = ${gatherJobId}`.execute(db);
      await sql`
        INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease, app_version)
        SELECT ${world.organizationId}, ${gatherJobId}, tag, tag, pacekeeper_now() - interval '400 days', false, ${chart}::text
        FROM unnest(${[...tags]}::text[]) AS tag`.execute(db);
      await sql`
        UPDATE gather_jobs SET source_type = ${chart === null ? 'oci_registry' : 'helm_repository'},
          artifact_name = 'registry.example.org/postgresql', releases_revision = releases_revision + 1
        WHERE id = ${gatherJobId}`.execute(db);
      for (let count = 1; count < 25; count++) await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
      await world.setVersion(scrapeJobId, version);
      await world.settled();
      expect(await world.read()).toMatchObject({ severity: 'moderate' });
      const same = [postgresql(), lifecycleProduct('other', { '1': false })];
      expect(await load(same, false)).toMatchObject({ outcome: 'loaded' });
      expect(await load([postgresql(dayIn(99))], false)).toMatchObject({ outcome: 'loaded' });
      const { items } = await world.api.call('getSupport', {
        query: { scrape_job_ids: String(scrapeJobId) },
      });
      expect(items).toMatchObject([{ deployed_version: version, line: '14' }]);
    }
  });

  test('needs no confirmation for products that had no data', async () => {
    const world = await createSupported();
    const { scrapeJobId, gatherJobId, ruleId } = world;
    for (let count = 1; count < 25; count++) await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
    await load([lifecycleProduct('other', { '1': true })]);
    await world.settled();
    expect(await world.read()).toMatchObject({ state: 'no_data' });
    expect(await load([postgresql(true)], false)).toMatchObject({ outcome: 'loaded' });
    await world.settled();
    expect(await world.read()).toMatchObject({ severity: 'critical' });
  });

  test('appears in the forecast, its calendar, and simulations', async () => {
    const world = await createSupported();
    const { items } = await world.api.call('getForecast', { query: { days: 120 } });
    expect(items).toMatchObject([
      {
        severity: 'high',
        current_severity: 'moderate',
        at: `${dayIn(41)}T00:00:00.000Z`,
        latest_version: '18',
      },
      { severity: 'critical', at: `${dayIn(101)}T00:00:00.000Z` },
    ]);
    const { url } = await world.api.call('getForecastCalendar', { query: { days: 120 } });
    const calendar = await (await fetch(url)).text();
    expect(calendar.match(/^SUMMARY:.*$/gm)).toEqual([
      expect.stringContaining('nginx: 60 days of support left (high)'),
      expect.stringContaining('nginx: support has ended (critical)'),
    ]);
    await sql`
      UPDATE versions SET created_at = created_at - interval '100 days'
      WHERE organization_id = ${world.organizationId}`.execute(db);
    const simulated = { ...rule, thresholds: { high: 150, critical: 110 } };
    const result = await world.api.call('simulateRule', {
      body: { rule: simulated, alert_config_ids: [world.configId], days: 90 },
    });
    expect(result).toMatchObject({ evaluated: 1, totals: { alerts: 1, escalations: 1, open_at_end: 1 } });
  });

  test('opens and resolves no alerts during a year without new data, then catches up when data arrives', async () => {
    const world = await createSupported();
    const safe = await createSupported({ version: '18.1' });
    await load([postgresql(dayIn(300))]);
    await world.settled();
    expect(await world.openAlert()).toBeUndefined();
    const events = world.heardTypes();
    for (let month = 0; month < 12; month++) {
      await clock.pass(31 * day);
      await world.api.call('evaluateRules');
      await safe.api.call('evaluateRules');
    }
    await world.settled();
    expect(world.heardTypes()).toEqual(events);
    expect(await world.read()).toMatchObject({ state: 'ok', severity: null, days_left: expect.any(Number) });
    expect(await safe.read()).toMatchObject({ state: 'ok' });
    expect((await world.api.call('listReferenceSources', {})).items).toContainEqual(
      expect.objectContaining({ name: 'end_of_life', is_old: true }),
    );
    // The end-of-life date is the same, but the data is from today.
    await load([postgresql(clock.daysAgo(72).slice(0, 10))]);
    await world.settled();
    expect(await world.openAlert()).toMatchObject({ severity: 'critical' });
  });
});

describe('an end-of-life rule', () => {
  test('has descending thresholds and a support phase', async () => {
    const { api } = await server.createOrganization();
    const create = (fields: object) =>
      api.call('createRule', { body: { name: 'Supported', ...rule, ...fields } });
    expect(await create({})).toMatchObject({ support_phase: 'end_of_life', days_basis: null });
    const { id } = await create({
      support_phase: 'active_support',
      thresholds: { high: 10, critical: -3_650 },
    });
    for (const [fields, field] of [
      [{ thresholds: { moderate: 60, high: 180 } }, 'thresholds.high'],
      [{ thresholds: { moderate: 3_651 } }, 'thresholds.moderate'],
      [{ days_basis: 'deployed_release' }, 'days_basis'],
      [{ rule_type: 'majors_behind', thresholds: { high: 0 } }, 'thresholds.high'],
      [
        { rule_type: 'majors_behind', thresholds: { high: 1 }, support_phase: 'end_of_life' },
        'support_phase',
      ],
    ] as const)
      await expect(create(fields)).rejects.toMatchObject({ status: 400, errors: [{ field }] });
    const update = (body: object) => api.call('updateRule', { path: { id }, body });
    expect(await update({ name: 'Other' })).toMatchObject({ support_phase: 'active_support' });
    await expect(update({ rule_type: 'days_behind' })).rejects.toMatchObject({ status: 400 });
    const days = { rule_type: 'days_behind', thresholds: { high: 30 } };
    expect(await update(days)).toMatchObject({ support_phase: null });
  });

  test.skipIf(!hasTestData)(
    'finds the same severity as a reference implementation for real release lines on five days',
    async () => {
      const all = readRealProducts();
      const real = all.filter((_, index) => index % 23 === 0);
      const days = ['2015-06-30', '2020-02-29', '2024-12-31', '2026-11-12', '2030-01-01'];
      await loadLifecycles(db, {
        isConfirmed: true,
        asOfMs: Date.parse(clock.inMinutes(0)),
        products: real.map(({ product, releases }) => ({
          name: product,
          label: product,
          purls: [],
          lines: releases.map(({ releaseCycle, eol }) => ({
            name: releaseCycle,
            isLts: false,
            releasedOn: null,
            latest: null,
            ends: {
              active_support: null,
              end_of_life: eol ?? null,
              extended_support: null,
            },
          })),
        })),
      });
      const world = await createPipelineWorld(server, inbox);
      const ruleId = await world.createRule(rule);
      const lines = await Promise.all(
        real.map(async ({ product, releases }) => {
          const artifact_name = `github.com/acme/${product}`;
          const job = await world.api.call('createGatherJob', {
            body: {
              name: product,
              source_type: 'github_releases',
              artifact_name,
              lifecycle_product: product,
              is_active: false,
            },
          });
          const some = releases.filter((_, index) => index % Math.ceil(releases.length / 8) === 0);
          return Promise.all(
            some.map(async ({ releaseCycle, eol }) => {
              const scrapeJobId = await world.createManualJob();
              await world.setVersion(scrapeJobId, releaseCycle);
              const id = await world.createConfig({ scrapeJobId, gatherJobId: job.id, ruleId });
              return { id, product, releaseCycle, eol: eol ?? null };
            }),
          );
        }),
      ).then((each) => each.flat());
      const differences: string[] = [];
      const { rows } = await sql<{ at: Date }>`SELECT pacekeeper_now() AS at`.execute(db);
      for (const at of days) {
        const offsetMs = Date.parse(`${at}T00:00:00Z`) - rows[0]!.at.getTime();
        const base = Date.parse(clock.inMinutes(0)) - Date.now();
        await setClockOffset(db, `${Math.round(base + offsetMs)} milliseconds`);
        // The lifecycle data must be as current as the simulated day.
        await sql`UPDATE reference_sources SET as_of = ${`${at}T00:00:00Z`}::timestamptz
          WHERE name = 'end_of_life'`.execute(db);
        await world.api.call('evaluateRules');
        const { rows: found } = await sql<{ id: number; severity: string | null }>`
        SELECT id, severity FROM alert_configs WHERE organization_id = ${world.organizationId}`.execute(db);
        const severities = new Map(found.map((row) => [row.id, row.severity]));
        for (const { id, product, releaseCycle, eol } of lines) {
          const expected = referenceSeverity(eol, at);
          if (severities.get(id) !== expected)
            differences.push(`${product} ${releaseCycle} ${at}: ${severities.get(id)}, not ${expected}`);
        }
      }
      console.log(`release lines through the database: ${lines.length}, differences: ${differences.length}`);
      expect(lines.length).toBeGreaterThan(100);
      expect(differences).toEqual([]);
    },
  );
});

/** Returns the expected severity. The count of calendar days left includes the last day of support. */
function referenceSeverity(eol: string | boolean | null, at: string): string | null {
  if (typeof eol === 'boolean') return eol ? 'critical' : null;
  if (eol === null) return null;
  const left = (Date.parse(eol) - Date.parse(at)) / 86_400_000 + 1;
  if (left > 180) return null;
  return left > 60 ? 'moderate' : left > 0 ? 'high' : 'critical';
}
