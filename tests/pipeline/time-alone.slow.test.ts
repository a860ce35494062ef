import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);

const hour = 60;
const day = 24 * hour;
const daysRule = {
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 60, critical: 90 },
  days_basis: 'deployed_release',
} as const;

async function readConfig(world: Awaited<ReturnType<typeof createPipelineWorld>>, id: number) {
  return world.api.call('getAlertConfig', { path: { id } });
}

describe('time alone', () => {
  test('opens an alert when upstream has had no release for long enough, regardless of the deployed version', async () => {
    const world = await createPipelineWorld(server, inbox);
    const { configId } = await world.createWatched({
      releases: [{ tag: '1.0.0', at: clock.daysAgo(364.5) }],
      rule: { rule_type: 'upstream_silent', thresholds: { high: 365 } },
      version: 'main',
    });
    expect(await readConfig(world, configId)).toMatchObject({ state: 'ok', behind_by: 364 });
    await clock.pass(day);
    await until('the alert is open', async () => (await world.openAlert()) !== undefined);
    expect(await world.openAlert()).toMatchObject({
      severity: 'high',
      reason: 'upstream_silent',
      behind_by: 365,
    });
  });

  test('opens an alert when the days behind reach a threshold, and escalates it at the next thresholds', async () => {
    const world = await createPipelineWorld(server, inbox);
    const { configId } = await world.createWatched({
      releases: [
        { tag: '1.27.0', at: clock.daysAgo(1) },
        { tag: '1.25.3', at: clock.daysAgo(29.5) },
      ],
      rule: daysRule,
      version: '1.25.3',
    });
    const before = await readConfig(world, configId);
    expect(before).toMatchObject({ state: 'ok', behind_by: 29, severity: null });
    expect(
      Math.abs(Date.parse(before.next_evaluation_at!) - Date.parse(clock.inMinutes(0.5 * day))),
    ).toBeLessThan(60_000);

    const course = [];
    for (const days of [1, 10, 30, 30, 30]) {
      await clock.pass(days * day);
      await until('nothing is overdue', async () => {
        const { next_evaluation_at: next } = await readConfig(world, configId);
        return next === null || Date.parse(next) > Date.parse(clock.inMinutes(0));
      });
      await world.settled();
      const alert = await world.openAlert();
      course.push([alert?.severity, alert?.behind_by]);
    }
    expect(course).toEqual([
      ['moderate', 30],
      ['moderate', 40],
      ['high', 70],
      ['critical', 100],
      ['critical', 130],
    ]);
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.escalated', 'alert.escalated']);
    const alert = (await world.openAlert())!;
    // A higher number of days without a new severity doesn't add activity to the alert.
    expect(await world.trail(alert.id)).toEqual(['created', 'escalated', 'escalated']);
    expect((await readConfig(world, configId)).next_evaluation_at).toBeNull();
  });

  test('opens an alert when a release reaches the minimum age', async () => {
    const world = await createPipelineWorld(server, inbox);
    await world.createWatched({
      releases: [
        { tag: '2.0.0', at: clock.daysAgo(5) },
        { tag: '1.0.0', at: clock.daysAgo(50) },
      ],
      rule: { thresholds: { moderate: 1 }, min_release_age_days: 7 },
      version: '1.0.0',
    });
    expect(await world.openAlert()).toBeUndefined();
    await clock.pass(1.9 * day);
    await world.settled();
    expect(await world.openAlert()).toBeUndefined();
    await clock.pass(0.2 * day);
    await until('the alert', () => world.openAlert());
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created']);
  });
});

describe('a snooze', () => {
  const releases = ['1.0.0', '2.0.0', '3.0.0', '4.0.0'].map((tag) => ({ tag, at: clock.daysAgo(100) }));

  async function createSnoozed(body: { until?: string; until_version_changes?: boolean }, version = '2.0.0') {
    const world = await createPipelineWorld(server, inbox);
    const watched = await world.createWatched({
      releases,
      rule: { thresholds: { moderate: 1, high: 2, critical: 3 } },
      version,
    });
    const alert = (await world.openAlert())!;
    const path = { id: alert.id };
    await world.api.call('snoozeAlert', { path, body });
    return { ...world, ...watched, path, readAlert: () => world.api.call('getAlert', { path }) };
  }

  test('suppresses notifications until it ends, and the activity records its end', async () => {
    const world = await createSnoozed({ until: clock.inMinutes(2 * hour) });
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.api.call('unacknowledgeAlert', { path: world.path });
    await world.settled();
    expect(await readConfig(world, world.configId)).toMatchObject({
      state: 'alerting',
      state_reason: 'snoozed',
    });
    expect(world.heardTypes()).toEqual(['alert.created']);

    await clock.pass(2.1 * hour);
    await until('the end of the snooze', async () => (await world.readAlert()).snoozed_until === null);
    await world.settled();
    expect(await readConfig(world, world.configId)).toMatchObject({ state: 'alerting', state_reason: null });
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged']);
    const trail = await world.trail(world.path.id);
    expect(trail.filter((action) => action !== 'notification_skipped')).toEqual([
      'created',
      'snoozed',
      'acknowledged',
      'unacknowledged',
      'unsnoozed',
      'acknowledged',
    ]);
  });

  test('does not suppress an escalation, and ends with it', async () => {
    const world = await createSnoozed({ until: clock.inMinutes(2 * hour) });
    await world.setVersion(world.scrapeJobId, '1.0.0');
    await world.settled();
    expect(await world.readAlert()).toMatchObject({ severity: 'critical', snoozed_until: null });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.escalated']);
  });

  test('does not suppress a resolution', async () => {
    const world = await createSnoozed({ until: clock.inMinutes(2 * hour) });
    await world.setVersion(world.scrapeJobId, '4.0.0');
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);
  });

  test('that lasts until the version changes ends with the change, and the next event is sent', async () => {
    const world = await createSnoozed({ until_version_changes: true });
    await world.setVersion(world.scrapeJobId, '2.0.0');
    await world.settled();
    expect(await readConfig(world, world.configId)).toMatchObject({ state_reason: 'snoozed' });
    await world.setVersion(world.scrapeJobId, '2.1.0');
    await world.settled();
    expect(await readConfig(world, world.configId)).toMatchObject({ state_reason: null });
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.settled();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged']);
  });

  test('can be ended manually', async () => {
    const world = await createSnoozed({ until: clock.inMinutes(2 * hour) });
    await world.api.call('unsnoozeAlert', { path: world.path });
    await world.api.call('acknowledgeAlert', { path: world.path });
    await world.settled();
    expect(await readConfig(world, world.configId)).toMatchObject({ state_reason: null });
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.acknowledged']);
  });
});

describe('a permanently failing source', () => {
  test('marks its configurations stale until it succeeds, notifies once, and keeps the alert open', async () => {
    const world = await createPipelineWorld(server, inbox);
    const releases = [
      { tag: '2.0.0', at: clock.daysAgo(10) },
      { tag: '1.0.0', at: clock.daysAgo(50) },
    ];
    const { configId, gatherJobId } = await world.createWatched({ releases, version: '1.0.0' });
    await world.api.call('updateGatherJob', {
      path: { id: gatherJobId },
      body: { cron_expression: '@hourly' },
    });
    const alert = (await world.openAlert())!;
    const failing = () => world.receivedEvents().filter((event) => event.type === 'job.failing');
    const readState = async () => {
      const { state, state_reason } = await readConfig(world, configId);
      return { state, state_reason };
    };

    await clock.pass(1.9 * day);
    await clock.passSteadily(70);
    await world.settled();
    expect(await readState()).toEqual({ state: 'alerting', state_reason: null });
    await clock.passSteadily(2 * hour);
    await until('the source is noticed', async () => (await readState()).state === 'stale');
    await world.settled();
    expect(await readState()).toEqual({ state: 'stale', state_reason: 'source_failing' });
    expect(await world.openAlert()).toMatchObject({ id: alert.id, status: 'unacknowledged' });
    expect(failing()).toHaveLength(1);
    expect(failing()[0]!.body.data['job']).toMatchObject({ id: gatherJobId, kind: 'gather' });

    // The same failure isn't sent again days later.
    await clock.pass(5 * day);
    await clock.passSteadily(2 * hour);
    await until('the watch went round', async () => {
      const { rows } = await sql<{ is_done: boolean }>`
        SELECT due_at > pacekeeper_now() AS is_done FROM housekeeping_tasks WHERE name = 'watch-sources'`.execute(
        server.db,
      );
      return rows[0]?.is_done;
    });
    await world.settled();
    expect(failing()).toHaveLength(1);

    await world.agent.gather(gatherJobId, releases);
    await world.settled();
    expect(await readState()).toEqual({ state: 'alerting', state_reason: null });
    expect(await world.openAlert()).toMatchObject({ id: alert.id });
    expect(world.heardTypes().filter((type) => type.startsWith('alert.'))).toEqual(['alert.created']);
  });
});
