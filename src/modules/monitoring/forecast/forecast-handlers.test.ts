import { afterAll, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo } from '../../../../tests/pipeline/pipeline-world.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { connectDatabase } from '../../../platform/database/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { createReleaseCache } from '../evaluation/release-cache.ts';
import { findCrossings } from './run-forecast.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;

const dayMs = 86_400_000;
const releases = [
  { tag: '1.0.0', at: daysAgo(400) },
  { tag: '2.0.0', at: daysAgo(20) },
  { tag: '3.0.0', at: daysAgo(5) },
];
const thresholds = { moderate: 10, high: 30, critical: 100 };

/**
 * Creates a configuration with 1.0.0 deployed. Its days behind are moderate now, high in 10 days, and
 * critical in 80 days.
 */
async function createLagging() {
  const world = await createPipelineWorld(server, inbox);
  const made = await world.createWatched({
    releases,
    rule: { rule_type: 'days_behind', thresholds, days_basis: 'first_newer_release' },
    config: { labels: { team: 'platform' } },
  });
  await world.setVersion(made.scrapeJobId, '1.0.0');
  await world.settled();
  const forecast = (
    query: {
      days?: number;
      label?: string;
      rule_id?: number;
      severity?: 'high';
      limit?: number;
      offset?: number;
    } = {},
  ) => world.api.call('getForecast', { query });
  return { ...world, ...made, forecast };
}

function daysAhead({ from }: Schemas['Forecast'], at: string): number {
  return Math.round((Date.parse(at) - Date.parse(from)) / dayMs);
}

describe('the forecast', () => {
  test('lists the severity increases caused by time alone, soonest first', async () => {
    const { forecast, configId, ruleId } = await createLagging();
    const soon = await forecast();
    expect(soon).toMatchObject({
      things: 1,
      by_severity: { moderate: 0, high: 1, critical: 0 },
      is_complete: true,
      items: [
        {
          severity: 'high',
          current_severity: 'moderate',
          alert_config: { id: configId, name: 'nginx' },
          rule: { id: ruleId, name: 'Not too old' },
          deployed_version: '1.0.0',
          latest_version: '3.0.0',
        },
      ],
      total: 1,
    });
    expect(daysAhead(soon, soon.items[0]!.at)).toBe(10);
    expect(daysAhead(soon, soon.to)).toBe(30);
    expect(soon.by_day).toHaveLength(31);
    expect(soon.by_day.filter(({ high }) => high === 1).map(({ date }) => date)).toEqual([
      soon.items[0]!.at.slice(0, 10),
    ]);
    const year = await forecast({ days: 365 });
    expect(year).toMatchObject({
      things: 1,
      total: 2,
      items: [{ severity: 'high' }, { severity: 'critical', current_severity: 'moderate' }],
    });
    expect(daysAhead(year, year.items[1]!.at)).toBe(80);
    expect((await forecast({ days: 365, limit: 1, offset: 1 })).items).toEqual([year.items[1]]);
    expect((await forecast({ days: 5 })).items).toEqual([]);
  });

  test('counts the configurations without data, which it cannot include', async () => {
    const { forecast, ruleId, createRule, createConfig, scrapeJobId, gatherJobId, settled } =
      await createLagging();
    expect(await forecast()).toMatchObject({ things: 1, no_data: 0 });
    const support = await createRule({ rule_type: 'end_of_life', thresholds: { high: 30 } });
    await createConfig({ scrapeJobId, gatherJobId, ruleId: support }, { labels: { team: 'shop' } });
    await settled();
    expect(await forecast()).toMatchObject({ things: 1, no_data: 1 });
    expect(await forecast({ rule_id: ruleId })).toMatchObject({ things: 1, no_data: 0 });
    expect(await forecast({ label: 'team=shop' })).toMatchObject({ things: 0, no_data: 1 });
  });

  test('filters by label, rule, and severity', async () => {
    const { forecast, ruleId } = await createLagging();
    expect((await forecast({ label: 'team=platform', rule_id: ruleId, severity: 'high' })).total).toBe(1);
    expect((await forecast({ label: 'team=payments' })).total).toBe(0);
    expect((await forecast({ rule_id: ruleId + 1 })).total).toBe(0);
    expect((await forecast({ days: 365, severity: 'high' })).total).toBe(1);
  });

  test('includes releases that reach their minimum age, and excludes disabled and upgraded configurations and other organizations', async () => {
    const {
      forecast,
      api,
      configId,
      scrapeJobId,
      gatherJobId,
      setVersion,
      settled,
      createConfig,
      createRule,
    } = await createLagging();
    const ruleId = await createRule({ thresholds: { high: 2 }, min_release_age_days: 14 });
    await createConfig({ scrapeJobId, gatherJobId, ruleId }, { name: 'with grace' });
    await settled();
    const { items } = await forecast({ rule_id: ruleId });
    expect(items).toMatchObject([{ severity: 'high', current_severity: null, latest_version: '3.0.0' }]);
    await api.call('toggleAlertConfig', { path: { id: configId } });
    await settled();
    expect((await forecast()).total).toBe(1);
    await setVersion(scrapeJobId, '3.0.0');
    await settled();
    expect(await forecast({ days: 365 })).toMatchObject({ total: 0, things: 0 });
    const other = await createLagging();
    expect(await forecast({ days: 365 })).toMatchObject({ total: 0 });
    expect(await forecast({ rule_id: other.ruleId })).toMatchObject({ total: 0 });
  });

  test('predicts the time of each severity increase to the millisecond', async () => {
    const { forecast, api, settled } = await createLagging();
    const { items, from } = await forecast({ days: 365 });
    for (const { at, severity } of items) {
      const offsetMs = Date.parse(at) - Date.parse(from);
      await setClockOffset(db, `${offsetMs} milliseconds`);
      await api.call('evaluateRules');
      await settled();
      const [alert] = (await api.call('listAlerts')).items;
      expect(alert).toMatchObject({ severity, crossed_at: at });
    }
    await setClockOffset(db, '0');
  });

  test('reads the configurations in one statement, uses cached releases, and stops at its time limit', async () => {
    const { organizationId } = await createLagging();
    const request = { organizationId, days: 365, severity: null, filters: { ruleId: null, label: null } };
    const signal = new AbortController().signal;
    const cache = createReleaseCache();
    expect((await findCrossings(db, cache, request, signal)).isComplete).toBe(true);
    const statements: string[] = [];
    const watched = await connectDatabase({
      connection: server.connection,
      log: createSilentLog(),
      poolSize: 1,
      onStatement: (text) => void statements.push(text),
    });
    await findCrossings(watched, cache, request, signal);
    await watched.destroy();
    // One statement reads the time, and one reads the configurations.
    expect(
      statements.filter((text) => /FROM alert_configs|pacekeeper_now\(\) AS now|releases/.test(text)),
    ).toHaveLength(2);
    expect(await findCrossings(db, cache, request, signal, 0)).toMatchObject({
      crossings: [],
      isComplete: false,
    });
  });
});
