import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertManagedScrapeJob } from '../../../../tests/helpers/discovery-fixture.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, until } from '../../../../tests/pipeline/pipeline-world.ts';
import { ApiCallError } from '../../../client/api-call-error.ts';
import { describeGaps, describeSimulation } from '../../../domain/replay/simulation-text.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { createReleaseCache } from '../evaluation/release-cache.ts';
import { readVersionChanges } from './read-version-changes.ts';
import { runSimulation } from './run-simulation.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();

const dayMs = 86_400_000;
const releases = [
  { tag: '1.0.0', at: daysAgo(400) },
  { tag: '2.0.0', at: daysAgo(90) },
  { tag: '3.0.0', at: daysAgo(30) },
];
const thresholds = { moderate: 1, high: 2 };

/** Creates a history in which 1.0.0 was deployed 100 days ago and 3.0.0 was deployed 10 days ago. */
async function createPast() {
  const world = await createPipelineWorld(server, inbox);
  const labels = { team: 'platform' };
  const made = await world.createWatched({
    releases,
    rule: { thresholds: { moderate: 1 } },
    config: { labels },
  });
  await world.setVersion(made.scrapeJobId, '1.0.0');
  await world.setVersion(made.scrapeJobId, '3.0.0');
  await world.settled();
  await sql`
    UPDATE versions SET created_at = pacekeeper_now() - CASE version WHEN '1.0.0' THEN 100 ELSE 10 END * interval '1 day'
    WHERE organization_id = ${world.organizationId}`.execute(server.db);
  const simulate = (body: Schemas['SimulateRuleRequest']) => world.api.call('simulateRule', { body });
  return { ...world, ...made, simulate };
}

function daysBefore(result: Schemas['SimulationResult'], time: string | null | undefined): number | null {
  return time == null ? null : Math.round((Date.parse(result.to) - Date.parse(time)) / dayMs);
}

async function failure(call: Promise<unknown>): Promise<ApiCallError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiCallError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}

describe('a simulation of a rule', () => {
  let past: Awaited<ReturnType<typeof createPast>>;
  beforeAll(async () => {
    past = await createPast();
  });

  test('replays releases and deployed versions, and compares the result with the stored rule', async () => {
    const result = await past.simulate({
      rule: { rule_type: 'majors_behind', thresholds },
      rule_id: past.ruleId,
    });
    expect(result).toMatchObject({
      basis: 'stored_dates',
      configs: 1,
      evaluated: 1,
      left_out: [],
      partly_known: 1,
      totals: { alerts: 1, escalations: 1, things: 1, open_at_start: 0, open_at_end: 0 },
      by_severity: { moderate: 0, high: 1, critical: 0 },
      messages: [{ channel_id: past.channelId, name: 'Operations', count: 3 }],
      compared_with: {
        rule_id: past.ruleId,
        alert_config_id: null,
        totals: { alerts: 1, escalations: 0, things: 1, open_at_start: 0, open_at_end: 0 },
      },
      total: 1,
      is_complete: true,
    });
    expect(daysBefore(result, result.from)).toBe(180);
    expect(daysBefore(result, result.known_from)).toBe(100);
    const [item] = result.items;
    expect(item).toMatchObject({
      alert_config: { id: past.configId, name: 'nginx' },
      is_open_at_start: false,
      severity: 'moderate',
      escalations: [{ severity: 'high' }],
      discovered_version: '1.0.0',
      latest_version: '3.0.0',
    });
    expect(daysBefore(result, item?.opened_at)).toBe(90);
    expect(daysBefore(result, item?.escalations[0]?.at)).toBe(30);
    expect(daysBefore(result, item?.resolved_at)).toBe(10);
    expect(result.by_day).toHaveLength(181);
    const sumOf = (name: 'opened' | 'escalated' | 'resolved' | 'open') =>
      result.by_day.reduce((sum, day) => sum + day[name], 0);
    expect([sumOf('opened'), sumOf('escalated'), sumOf('resolved')]).toEqual([1, 1, 1]);
    expect(sumOf('open')).toBe(80);
  });

  test('counts alerts that were already open at the start separately, and reports only later events', async () => {
    const result = await past.simulate({ rule: { rule_type: 'majors_behind', thresholds }, days: 60 });
    expect(result).toMatchObject({
      totals: { alerts: 0, escalations: 1, things: 0, open_at_start: 1, open_at_end: 0 },
      by_severity: { moderate: 0, high: 0, critical: 0 },
      messages: [{ count: 2 }],
      compared_with: null,
      partly_known: 0,
      items: [{ is_open_at_start: true }],
    });
    expect(result.items[0]?.opened_at).toBe(result.from);
    expect(result.by_day[0]?.open).toBe(1);
  });

  test('excludes configurations without reference data, and reports their number and the reason', async () => {
    for (const rule of [
      { rule_type: 'end_of_life', thresholds: { high: 30 } },
      { rule_type: 'known_vulnerabilities', thresholds: { high: 1 } },
    ] as const) {
      const result = await past.simulate({ rule, rule_id: past.ruleId });
      expect(result).toMatchObject({
        configs: 1,
        evaluated: 0,
        left_out: [{ reason: 'no_data', count: 1 }],
        totals: { alerts: 0 },
      });
      const noun = { one: 'monitor', many: 'monitors' };
      expect([describeSimulation(result, 180, noun), ...describeGaps(result, noun)]).toEqual([
        'No monitor can be simulated.',
        '1 monitor excluded: the data for this rule is missing.',
      ]);
    }
  });

  test('uses the stored values if only the ID of the rule is given, and stores nothing', async () => {
    const before = await past.api.call('listAuditLog', { query: { limit: 5 } });
    const result = await past.simulate({ rule_id: past.ruleId });
    expect(result).toMatchObject({ totals: { alerts: 1, escalations: 0 }, compared_with: null });
    expect(await past.api.call('listAuditLog', { query: { limit: 5 } })).toEqual(before);
    expect((await past.api.call('listAlerts')).items).toEqual([]);
  });

  test('selects configurations by ID or label, and reports the excluded ones with a reason', async () => {
    const { api, gatherJobId, ruleId, configId } = past;
    const ofPart = { gatherJobId, ruleId };
    const twin = await past.createConfig({ ...ofPart, scrapeJobId: past.scrapeJobId }, { name: 'twin' });
    const unknown = await past.createManualJob({ name: 'never set' });
    const withoutHistory = await past.createConfig({ ...ofPart, scrapeJobId: unknown });
    const inactive = await past.createConfig(
      { ...ofPart, scrapeJobId: past.scrapeJobId },
      { is_active: false, candidate_pattern: '^[0-9]' },
    );
    const rule = { rule_type: 'majors_behind', thresholds } as const;
    const ids = [configId, twin, withoutHistory, inactive, 700_000_123];
    const byId = await past.simulate({ rule, alert_config_ids: ids });
    expect(byId).toMatchObject({ configs: 4, evaluated: 1, totals: { alerts: 1 } });
    expect(byId.left_out.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
      { reason: 'duplicate', count: 1 },
      { reason: 'inactive', count: 1 },
      { reason: 'no_history', count: 1 },
      { reason: 'not_found', count: 1 },
    ]);
    const byLabel = (value: string) =>
      past.simulate({ rule, label_matchers: [{ label: 'team', operator: '=~', value }] });
    expect(await byLabel('plat.*')).toMatchObject({ configs: 1, evaluated: 1 });
    expect(await byLabel('other')).toMatchObject({
      configs: 0,
      evaluated: 0,
      known_from: null,
      is_complete: true,
    });
    // Without a selection, every configuration of the rule is simulated, and each opens an alert.
    expect(await past.simulate({ rule_id: ruleId })).toMatchObject({ evaluated: 2, totals: { alerts: 2 } });
    for (const id of [twin, withoutHistory, inactive]) await api.call('deleteAlertConfig', { path: { id } });
  });

  test('excludes software that is no longer deployed, and groups configurations by the risks that they accept', async () => {
    const { api, organizationId, gatherJobId, ruleId, scrapeJobId, configId } = past;
    const { id: discoveryJobId } = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy', is_active: false },
    });
    const fedJobId = await insertManagedScrapeJob(server.db, organizationId, discoveryJobId, '1.0.0');
    const gone = await past.createConfig({ gatherJobId, ruleId, scrapeJobId: fedJobId });
    await api.call('updateScrapeJob', { path: { id: fedJobId }, body: { is_active: false } });
    const paid = await past.createConfig(
      { gatherJobId, ruleId, scrapeJobId },
      { name: 'paid', lifecycle_override: { ends_on: '2090-01-01' } },
    );
    const ignoring = await past.createConfig(
      { gatherJobId, ruleId, scrapeJobId },
      { name: 'ignoring', ignored_vulnerabilities: [{ id: 'CVE-2024-1', note: 'not reachable' }] },
    );
    const rule = { rule_type: 'majors_behind', thresholds } as const;
    const alert_config_ids = [configId, gone, paid, ignoring];
    expect(await past.simulate({ rule, alert_config_ids })).toMatchObject({
      evaluated: 3,
      left_out: [{ reason: 'inactive', count: 1 }],
    });
    for (const id of [gone, paid, ignoring]) await api.call('deleteAlertConfig', { path: { id } });
  });

  test('reports invalid values by their path in the request', async () => {
    const wrong = await failure(
      past.simulate({ rule: { rule_type: 'majors_behind', thresholds: { moderate: 3, high: 2 } } }),
    );
    expect(wrong).toMatchObject({ status: 400, errors: [{ field: 'rule.thresholds.high' }] });
    expect(await failure(past.simulate({ days: 30 }))).toMatchObject({
      status: 400,
      errors: [{ field: 'rule' }],
    });
    expect(await failure(past.simulate({ rule_id: 700_000_123 }))).toMatchObject({
      status: 400,
      errors: [{ field: 'rule_id' }],
    });
  });

  test('excludes configurations that exceed its time limit, and stops when it is canceled', async () => {
    const rule = {
      id: null,
      compared: {
        ...({ type: 'majors_behind', thresholds, stableOnly: true, daysBasis: null } as const),
        minReleaseAgeDays: 0,
      },
    };
    const of = { kind: 'configs', selection: { kind: 'all' } } as const;
    const request = { organizationId: past.organizationId, days: 180, rule, of, before: null };
    const run = (signal: AbortSignal, longestMs?: number) =>
      runSimulation(server.db, createReleaseCache(), request, signal, longestMs);
    const open = new AbortController().signal;
    expect(await run(open)).toMatchObject({ evaluated: 1, is_complete: true });
    expect(await run(open, 0)).toMatchObject({
      configs: 1,
      evaluated: 0,
      left_out: [{ reason: 'limit', count: 1 }],
      is_complete: false,
    });
    await expect(run(AbortSignal.abort())).rejects.toThrow('aborted');
  });

  test('cancels an earlier simulation of the same caller, and rejects one of another caller while it runs', async () => {
    const body = { rule_id: past.ruleId };
    const { first, other, second } = await transaction(server.db, async (tx) => {
      // The lock keeps every simulation running until this transaction ends.
      await sql`LOCK TABLE versions IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const first = failure(past.simulate(body));
      await until('the first one reads versions', async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%times_ms%'`.execute(
          server.db,
        );
        return rows.length > 0;
      });
      const other = await failure(past.owner.call('simulateRule', { body }));
      const second = past.simulate(body);
      return { first: await first, other, second };
    });
    expect(first).toMatchObject({ status: 429, detail: 'A newer simulation canceled this one.' });
    expect(other).toMatchObject({
      status: 429,
      detail: 'Another simulation of the organization is running.',
    });
    expect(await second).toMatchObject({ evaluated: 1 });
    expect(await past.owner.call('simulateRule', { body })).toMatchObject({ evaluated: 1 });
  });

  test('uses only one database connection, even if its caller replaces it repeatedly', async () => {
    const body = { rule_id: past.ruleId };
    const readingVersions = async () => {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%times_ms%'`.execute(
        server.db,
      );
      return rows.length;
    };
    const { replaced, last } = await transaction(server.db, async (tx) => {
      await sql`LOCK TABLE versions IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const first = failure(past.simulate(body));
      await until('the first one reads versions', async () => (await readingVersions()) === 1);
      const second = failure(past.simulate(body));
      await first;
      const third = failure(past.simulate(body));
      await second;
      const last = past.simulate(body);
      const replaced = await Promise.all([first, second, third]);
      // This is long enough for a second statement to reach the lock.
      await sleep(300);
      expect(await readingVersions()).toBe(1);
      return { replaced, last };
    });
    expect(replaced.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(await last).toMatchObject({ evaluated: 1 });
  });
});

describe('a simulation of notification rules', () => {
  test('routes the events of all rules, with and without a notification rule', async () => {
    const { api, channelId, ruleId, scrapeJobId } = await createPast();
    const other = await createPast();
    const simulate = (body: Schemas['SimulateNotificationRulesRequest'] = {}) =>
      api.call('simulateNotificationRules', { body });
    const now = [{ channel_id: channelId, name: 'Operations', count: 2 }];
    expect(await simulate()).toMatchObject({
      configs: 1,
      evaluated: 1,
      events: 2,
      matched: null,
      messages: now,
      compared_with: null,
      is_complete: true,
    });
    const silent = { event_types: ['alert.acknowledged' as const], channel_ids: [channelId] };
    expect(await simulate({ notification_rule: silent })).toMatchObject({ matched: 0, messages: now });
    const pager = await api.call('createNotificationChannel', {
      body: { name: 'Pager', url: inbox.url.toString(), digest_minutes: 60 },
    });
    const opened = { event_types: ['alert.created' as const], rule_ids: [ruleId], channel_ids: [pager.id] };
    const split = await simulate({ notification_rule: opened });
    expect(split).toMatchObject({ matched: 1, compared_with: { messages: now } });
    expect(split.messages.map(({ name, count }) => [name, count])).toEqual([
      ['Operations', 1],
      ['Pager', 1],
    ]);
    const toOwner = { event_types: opened.event_types, route_to_owner: true };
    expect(await simulate({ notification_rule: toOwner })).toMatchObject({ matched: 1, messages: now });
    await api.call('updateScrapeJob', { path: { id: scrapeJobId }, body: { labels: { owner: 'acme/ops' } } });
    await api.call('updateNotificationChannel', { path: { id: pager.id }, body: { owners: ['@acme/ops'] } });
    expect((await simulate({ notification_rule: toOwner })).messages).toEqual(split.messages);
    const stored = await api.call('createNotificationRule', { body: { name: 'To the pager', ...opened } });
    const id = { notification_rule_id: stored.id };
    expect((await simulate()).messages).toEqual(split.messages);
    expect(await simulate({ ...id, notification_rule: { is_active: false } })).toMatchObject({
      matched: 0,
      messages: now,
      compared_with: { messages: split.messages },
    });
    expect(await failure(simulate(id))).toMatchObject({
      status: 400,
      errors: [{ field: 'notification_rule' }],
    });
    const theirs = await other.api.call('createNotificationRule', { body: { name: 'Theirs' } });
    for (const [body, field] of [
      [{ notification_rule_id: theirs.id, notification_rule: {} }, 'notification_rule_id'],
      [{ notification_rule: { channel_ids: [other.channelId] } }, 'notification_rule.channel_ids'],
      [{ notification_rule: { rule_ids: [other.ruleId] } }, 'notification_rule.rule_ids'],
    ] as const)
      expect(await failure(simulate(body as Schemas['SimulateNotificationRulesRequest']))).toMatchObject({
        status: 400,
        errors: [{ field }],
      });
  });
});

describe('the version history that a simulation reads', () => {
  test('is read once for each scrape job, is limited in total, and keeps the newest versions of a job that has too many', async () => {
    const { api, organizationId, scrapeJobId, createManualJob, createConfig, ...parts } = await createPast();
    const second = await createManualJob({ name: 'second' });
    await parts.setVersion(second, '1.0.0');
    for (const scrape of [scrapeJobId, second])
      await createConfig({ ...parts, scrapeJobId: scrape, ruleId: await parts.createRule() });
    const read = (most?: number) =>
      readVersionChanges(
        server.db,
        organizationId,
        [scrapeJobId, second, scrapeJobId],
        Date.now() - 180 * dayMs,
        new TimeSlices(),
        most,
      );
    const all = await read();
    expect([...all].map(([id, changes]) => [id, changes.map(({ version }) => version)])).toEqual([
      [scrapeJobId, ['1.0.0', '3.0.0']],
      [second, ['1.0.0']],
    ]);
    expect([...(await read(2)).keys()]).toEqual([scrapeJobId]);
    await sql`
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change, created_at)
      SELECT ${organizationId}, ${second}, n::text, n::text, 'none', 'manual', true, pacekeeper_now() - (4000 - n) * interval '1 minute'
      FROM generate_series(1, 2500) n`.execute(server.db);
    const newest = (await read()).get(second)!;
    expect([newest.length, newest[0]?.version, newest.at(-1)?.version]).toEqual([2_000, '501', '2500']);
    expect(
      await api.call('simulateRule', { body: { rule: { rule_type: 'majors_behind', thresholds } } }),
    ).toMatchObject({
      is_complete: true,
    });
  });
});

describe('a simulation of an alert configuration', () => {
  test('uses the given values, and compares the result with the stored configuration', async () => {
    const { api, gatherJobId, scrapeJobId, configId, createRule } = await createPast();
    const ruleId = await createRule({ thresholds });
    const alert_config = { scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: ruleId };
    const simulate = (body: Schemas['SimulateAlertConfigRequest']) =>
      api.call('simulateAlertConfig', { body });
    expect(await simulate({ alert_config })).toMatchObject({
      configs: 1,
      evaluated: 1,
      totals: { alerts: 1, escalations: 1 },
      compared_with: null,
      items: [{ alert_config: null }],
    });
    const changed = { ...alert_config, ignored_versions: ['2.0.0'], name: 'changed' };
    const compared = await simulate({ alert_config: changed, alert_config_id: configId });
    expect(compared).toMatchObject({
      totals: { alerts: 1, escalations: 0 },
      by_severity: { high: 1 },
      compared_with: { alert_config_id: configId, totals: { alerts: 1 } },
      items: [{ alert_config: { id: configId, name: 'changed' } }],
    });
    expect(daysBefore(compared, compared.items[0]?.opened_at)).toBe(30);
    expect(await simulate({ alert_config_id: configId })).toMatchObject({
      totals: { alerts: 1, escalations: 0 },
    });
    const missing = await failure(
      simulate({ alert_config: { ...alert_config, gather_job_id: 700_000_123 } }),
    );
    expect(missing).toMatchObject({ status: 400, errors: [{ field: 'alert_config.gather_job_id' }] });
  });
});
