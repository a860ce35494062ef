import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { parserVersion } from '../../src/domain/versions/versions.ts';
import { registerServer } from '../../src/modules/monitoring/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { addReleases, createReleases } from '../helpers/monitored.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, type PipelineWorld, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const { db } = server;
const configsOfEach = 100;

/** Creates a gather job and `configsOfEach` configurations that compare a deployed version with it. */
async function createCompared(world: PipelineWorld, releases: readonly string[], deployed = '1.0.0') {
  const gatherJobId = await createReleases(server, world.organization, releases);
  const scrapeJobId = await world.createManualJob();
  await world.setVersion(scrapeJobId, deployed);
  const ruleId = await world.createRule({ thresholds: { moderate: 1, high: 2 } });
  const first = await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
  const { rows } = await sql<{ id: number }>`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
    SELECT organization_id, name || ' ' || n, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal + 1000 + n
    FROM alert_configs, generate_series(2, ${configsOfEach}) AS n
    WHERE organization_id = ${world.organizationId} AND id = ${first} RETURNING id`.execute(db);
  return { gatherJobId, configIds: [first, ...rows.map(({ id }) => id)] };
}

/**
 * Restores the state of a previous program version, which interpreted the same version strings differently.
 */
async function markReleasesOutdated(world: PipelineWorld): Promise<void> {
  await sql`
    UPDATE alert_configs SET version_reading = ${parserVersion - 1} WHERE organization_id = ${world.organizationId}`.execute(
    db,
  );
  await sql`
    UPDATE gather_jobs SET version_reading = ${parserVersion - 1} WHERE organization_id = ${world.organizationId}`.execute(
    db,
  );
}

async function alertOf(configId: number) {
  const { rows } = await sql<{ id: number; severity: string; is_acknowledged: boolean; is_snoozed: boolean }>`
    SELECT id, severity, acknowledged_at IS NOT NULL AS is_acknowledged,
      is_snoozed_until_version_changes AS is_snoozed
    FROM alerts WHERE alert_config_id = ${configId} AND resolved_at IS NULL`.execute(db);
  return rows[0];
}

test('a new interpretation of versions that opens, resolves, and escalates hundreds of alerts sends one message per channel', async () => {
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const opens = await createCompared(world, ['1.0.0']);
  const resolves = await createCompared(world, ['1.0.0', '2.0.0']);
  const escalates = await createCompared(world, ['1.0.0', '2.0.0']);
  await world.settled(60_000);
  const opened = await api.call('listAlerts', { query: { limit: 1 } });
  expect(opened.total).toBe(2 * configsOfEach);

  const [acknowledged, snoozed, muted] = escalates.configIds as [number, number, number];
  const idOf = async (configId: number) => ({ id: (await alertOf(configId))!.id });
  await api.call('acknowledgeAlert', { path: await idOf(acknowledged) });
  await api.call('snoozeAlert', { path: await idOf(snoozed), body: { until_version_changes: true } });
  await api.call('resolveAlert', { path: await idOf(muted) });
  await world.settled();
  const before = world.receivedEvents().length;

  await markReleasesOutdated(world);
  const { id: organizationId } = world.organization;
  await addReleases(db, organizationId, opens.gatherJobId, ['2.0.0']);
  await addReleases(db, organizationId, escalates.gatherJobId, ['3.0.0']);
  await sql`DELETE FROM releases WHERE gather_job_id = ${resolves.gatherJobId} AND version = '2.0.0'`.execute(
    db,
  );
  await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${resolves.gatherJobId}`.execute(
    db,
  );
  await clock.pass(2);
  await until(
    'all are evaluated',
    async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM alert_configs
        WHERE organization_id = ${organizationId} AND version_reading = ${parserVersion}`.execute(db);
      return rows[0]!.count === 3 * configsOfEach;
    },
    60_000,
  );
  // The field `waiting_for` shows that a delivery waits for the digest.
  const waiting = await api.call('listNotificationDeliveries', { query: { status: 'pending', limit: 1 } });
  expect(waiting.total).toBe(3 * configsOfEach - 1);
  expect(waiting.items[0]).toMatchObject({ waiting_for: 'evaluation', next_attempt_at: null });
  expect(world.receivedEvents()).toHaveLength(before);

  await clock.pass(2);
  await world.settled(60_000);
  const [digest, ...others] = world.receivedEvents().slice(before);
  expect(others).toEqual([]);
  const data = digest!.body.data as unknown as { cause: string; events: unknown[]; omitted_events: number };
  expect(digest!.type).toBe('digest');
  expect(data.cause).toBe('reading_changed');
  expect(data.events.length + data.omitted_events).toBe(3 * configsOfEach - 1);

  // Manual changes stay, and the activity gives the reason for the changed alerts.
  expect(await alertOf(acknowledged)).toMatchObject({ severity: 'high', is_acknowledged: true });
  expect(await alertOf(snoozed)).toMatchObject({ severity: 'high', is_snoozed: true });
  expect(await alertOf(muted)).toBeUndefined();
  expect(await api.call('getAlertConfig', { path: { id: muted } })).toMatchObject({
    severity: 'high',
    state_reason: 'resolved_by_hand',
  });
  const activity = await api.call('listAlertActions', { path: await idOf(acknowledged) });
  expect(
    activity.items.filter(({ cause }) => cause === 'reading_changed').map(({ action }) => action),
  ).toEqual(['escalated', 'updated']);

  // After the digest, each event is a separate message again, and nothing is sent twice.
  await api.call('unacknowledgeAlert', { path: await idOf(acknowledged) });
  await world.settled();
  expect(world.heardTypes().slice(before)).toEqual(['digest', 'alert.unacknowledged']);
  const { rows } = await sql`
    SELECT reading_changed_at FROM organizations WHERE id = ${organizationId}`.execute(db);
  expect(rows).toEqual([{ reading_changed_at: null }]);
});

test('new platform words that open hundreds of alerts send one message per channel and affect no other organization', async () => {
  const [world, other] = [await createPipelineWorld(server, inbox), await createPipelineWorld(server, inbox)];
  const releases = ['tool-1-acmeos-3.19', 'tool-2-acmeos-3.19'] as const;
  const { gatherJobId, configIds } = await createCompared(world, releases, releases[0]);
  const ofOther = await createCompared(other, releases, releases[0]);
  await world.settled(60_000);
  await other.settled(60_000);
  const jobOf = (of: PipelineWorld, id: number) => of.api.call('getGatherJob', { path: { id } });
  expect(world.receivedEvents()).toEqual([]);
  expect(await jobOf(world, gatherJobId)).toMatchObject({ platform_words: [] });

  const setting = { path: { key: 'versions.platform_words' } };
  await world.organization.owner.call('putOrgOverride', { ...setting, body: { value: ['acmeos'] } });
  await clock.pass(2);
  const evaluated = async (words: string) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM alert_configs
      WHERE organization_id = ${world.organizationId} AND platform_words = ${words}`.execute(db);
    return rows[0]!.count === configsOfEach;
  };
  await until('all are evaluated', () => evaluated('acmeos'), 60_000);
  await clock.pass(2);
  await world.settled(60_000);
  expect(await alertOf(configIds[0]!)).toBeDefined();
  const [digest, ...others] = world.receivedEvents();
  expect(others).toEqual([]);
  expect(digest).toMatchObject({ type: 'digest', body: { data: { cause: 'reading_changed' } } });
  expect(await jobOf(world, gatherJobId)).toMatchObject({
    platform_words: ['acmeos'],
    latest_version: releases[1],
  });
  const { items } = await world.api.call('listReleases', { query: { gather_job_id: gatherJobId } });
  expect(items.map(({ version }) => version)).toEqual([releases[1], releases[0]]);

  expect(await jobOf(other, ofOther.gatherJobId)).toMatchObject({ platform_words: [] });
  expect(await alertOf(ofOther.configIds[0]!)).toBeUndefined();
  expect(other.receivedEvents()).toEqual([]);

  // Restoring the previous words resolves the alerts.
  await world.organization.owner.call('deleteOrgOverride', setting);
  await clock.pass(2);
  await until('all are evaluated again', () => evaluated(''), 60_000);
  await clock.pass(2);
  await world.settled(60_000);
  expect(world.heardTypes()).toEqual(['digest', 'digest']);
  expect(await alertOf(configIds[0]!)).toBeUndefined();
});

test('while a server with an older interpretation of versions runs, only that server evaluates', async () => {
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const gatherJobId = await createReleases(server, world.organization, ['1.0.0', '2.0.0']);
  const scrapeJobId = await world.createManualJob();
  const configId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId: await world.createRule() });
  await world.settled();
  const older = await registerServer(
    { db, log: createLog({ level: 'fatal', format: null }) },
    parserVersion - 1,
  );
  // The server detects the older one with its next heartbeat.
  await until('the next heartbeat', async () => {
    const { rows } = await sql`
      SELECT FROM servers AS own JOIN servers AS older ON own.seen_at > older.seen_at
      WHERE own.version_reading = ${parserVersion} AND older.version_reading = ${parserVersion - 1}`.execute(
      db,
    );
    return rows.length > 0;
  });

  await world.setVersion(scrapeJobId, '1.0.0');
  expect(await api.call('evaluateRules')).toMatchObject({ evaluated: 0, remaining: 1 });
  await clock.pass(0);
  await sleep(500);
  const path = { id: configId };
  expect(await api.call('getAlertConfig', { path })).toMatchObject({ state: 'no_data' });
  expect(await world.openAlert()).toBeUndefined();

  await older.stop();
  await until('its evaluation', () => world.openAlert());
  await world.settled();
  expect(world.heardTypes()).toEqual(['alert.created']);
  expect(await api.call('evaluateRules')).toMatchObject({ evaluated: 1, remaining: 0 });
});
