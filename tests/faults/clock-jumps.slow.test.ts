import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { setClockOffset } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPipelineWorld, daysAgo, until } from '../pipeline/pipeline-world.ts';
import { reportCounts, wakeAll } from './fault-world.ts';

/** One message contains all alerts that open together, up to 64 KB. */
const jobCount = isLong ? 50 : 12;
/**
 * Observation time after the expected work of a jump is done. The jump itself wakes the loops, so a short time is
 * enough. With `PACEKEEPER_LONG_TESTS=1`, the time also covers the regular polls of the loops.
 */
const watchMs = isLong ? 12_000 : 3_500;

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;
const world = await createPipelineWorld(server, inbox);
const { api, organizationId } = world;

// A clock jump can affect hourly jobs, `days_behind` rules (31 days behind), and hourly reminders. The jobs are due
// half an hour from now, because a job that becomes due during the test, as with `@hourly` near the full hour, would
// still be running at the jump.
const hourly = `${(new Date().getUTCMinutes() + 30) % 60} * * * *`;
const ruleId = await world.createRule({
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 60, critical: 90 },
  days_basis: 'deployed_release',
});
const releases = [
  { tag: '2.0.0', at: daysAgo(10) },
  { tag: '1.0.0', at: daysAgo(31) },
];
const scrapeJobId = await world.createManualJob();
for (let index = 0; index < jobCount; index++) {
  const gatherJobId = await world.createGatherJob(releases, {
    name: `tool ${index}`,
    cron_expression: hourly,
  });
  await world.createConfig({ scrapeJobId, gatherJobId, ruleId }, { name: `service ${index}` });
}
await world.owner.call('updateNotificationSettings', { body: { reminder_interval_hours: 1 } });
await world.setVersion(scrapeJobId, '1.0.0');
await world.settled();
expect(eventTypesFrom(0)).toEqual(Array(jobCount).fill('alert.created'));
// Wait until the startup work of a new server is done.
await sleep(2_000);

interface Observed {
  statements: number;
  /** Duration of the observation. */
  ms: number;
  runs: number;
  events: Record<string, number>;
  rows: number;
}

/**
 * Applies the change, waits for the expected runs and events, and counts statements, runs, events, and rows until
 * `watchMs` later.
 */
async function observe(
  change: () => Promise<void>,
  expected: { runs?: number; events?: Record<string, number> } = {},
): Promise<Observed> {
  const before = { heard: world.receivedEvents().length, runs: await countRuns() };
  const startedAt = performance.now();
  const seen = await server.statementsOf(async () => {
    await change();
    for (const [type, count] of Object.entries(expected.events ?? {}))
      await until(`the expected ${type}`, async () => countOf(type, before.heard) >= count);
    await until('the expected runs', async () => (await countRuns()) - before.runs >= (expected.runs ?? 0));
    await sleep(watchMs);
  });
  const types = eventTypesFrom(before.heard);
  return {
    statements: seen.length,
    ms: performance.now() - startedAt,
    runs: (await countRuns()) - before.runs,
    events: Object.fromEntries(
      [...Map.groupBy(types, (type) => type)].map(([type, list]) => [type, list.length]),
    ),
    rows: await countHistory(),
  };
}

async function countRuns(): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM runs`.execute(db);
  return rows[0]!.count;
}

/** Counts the rows that retention would delete if it trusted the clock. */
async function countHistory(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM notification_deliveries) + (SELECT count(*) FROM runs) + (SELECT count(*) FROM alerts)
      + (SELECT count(*) FROM audit_entries) + (SELECT count(*) FROM versions) + (SELECT count(*) FROM releases))::integer AS count
  `.execute(db);
  return rows[0]!.count;
}

async function jump(interval: string): Promise<void> {
  await setClockOffset(db, interval);
  await wakeAll(db);
}

/**
 * Checks that the pipeline still works: setting versions resolves the alerts and opens them again, and webhooks report
 * each of them.
 */
async function checkItWorks(): Promise<void> {
  const before = world.heardTypes().length;
  await world.setVersion(scrapeJobId, '2.0.0');
  await until('the good end is told', async () => countOf('alert.resolved', before) === jobCount);
  await world.setVersion(scrapeJobId, '1.0.0');
  await until('the alert is told', async () => countOf('alert.created', before) === jobCount);
  await world.settled();
}

function countOf(type: string, from: number): number {
  return eventTypesFrom(from).filter((each) => each === type).length;
}

/**
 * Returns the types of all events in the messages after the first `message` ones. Alerts that open together
 * are in one digest.
 */
function eventTypesFrom(message: number): string[] {
  return world
    .receivedEvents()
    .slice(message)
    .flatMap(({ type, body }) =>
      type === 'digest' ? (body.data['events'] as { type: string }[]).map((event) => event.type) : [type],
    );
}

const calm = await observe(async () => undefined);

/** Maximum number of statements per due item: a job, a reminder, or an event. */
const perDueThing = 10;
const mostStatements = ({ ms }: Observed) =>
  (calm.statements * 2 * ms) / calm.ms + perDueThing * 2 * jobCount + 200;

describe('a clock jump by', () => {
  test('+2 h: each job runs once, and each alert gets one reminder', async () => {
    const after = await observe(() => jump('2 hours'), {
      runs: jobCount,
      events: { 'alert.reminder': jobCount },
    });
    expect(after.runs).toBe(jobCount);
    expect(after.events).toEqual({ 'alert.reminder': jobCount });
    expect(after.statements).toBeLessThan(mostStatements(after));
    await checkItWorks();
    const next = await observe(async () => undefined);
    expect([next.runs, next.events]).toEqual([0, {}]);
    expect(next.statements).toBeLessThan((calm.statements * 2 * next.ms) / calm.ms + 50);
    reportCounts('the clock jumped by +2 h', {
      'statements before': calm.statements,
      'statements after': after.statements,
      runs: after.runs,
    });
  });

  test('−2 h: nothing is repeated, and no work waits until the clock catches up', async () => {
    const after = await observe(() => jump('-2 hours'));
    expect([after.runs, after.events]).toEqual([0, {}]);
    expect(after.statements).toBeLessThan(mostStatements(after));
    await checkItWorks();
    await api.call('evaluateRules');
    const { items } = await api.call('listGatherJobs');
    const job = items[0]!;
    await world.agent.gather(job.id, [{ tag: '1.0.1', at: daysAgo(5) }, ...releases]);
    await world.settled();
    expect((await api.call('getGatherJob', { path: { id: job.id } })).release_count).toBe(3);
    reportCounts('the clock jumped by −4 h', { 'statements after': after.statements, runs: after.runs });
  });

  test.runIf(isLong)(
    '−2 h: within two minutes, the next run of every schedule is at most one interval away',
    async () => {
      const readNow = async () =>
        (await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db)).rows[0]!.now.getTime();
      await until(
        'schedules within their hour',
        async () => {
          const { items } = await api.call('listGatherJobs', { query: { limit: 200 } });
          const latest = (await readNow()) + 3_700_000;
          return items.every((job) => job.next_run_at !== null && Date.parse(job.next_run_at) < latest);
        },
        120_000,
      );
      const tooLate = async () => {
        // Rows are recounted once a day, and all other tasks run at least once an hour.
        const { rows } = await sql<{ name: string }>`
          SELECT name FROM housekeeping_tasks
          WHERE due_at > pacekeeper_now()
            + CASE name WHEN 'recount-rows' THEN interval '24 hours' ELSE interval '1 hour' END
            + interval '10 minutes'`.execute(db);
        return rows;
      };
      await expect.poll(tooLate, { timeout: 120_000 }).toEqual([]);
    },
  );

  test('+1 year: each alert that escalates is notified once, and nothing is deleted', async () => {
    const history = await countHistory();
    const after = await observe(() => jump('1 year'), { events: { 'alert.escalated': jobCount } });
    // Expect at most one run per job, one escalation per open alert, and at most one reminder per alert.
    expect(after.runs).toBeLessThanOrEqual(jobCount);
    expect(after.events['alert.escalated']).toBe(jobCount);
    expect(after.events['alert.reminder'] ?? 0).toBeLessThanOrEqual(jobCount);
    expect(
      Object.keys(after.events)
        .toSorted()
        .filter((type) => type.startsWith('alert.')),
    ).toEqual(['alert.escalated', 'alert.reminder'].filter((type) => type in after.events));
    expect(after.rows).toBeGreaterThanOrEqual(history);
    expect(after.statements).toBeLessThan(mostStatements(after));
    await checkItWorks();
    const next = await observe(async () => undefined);
    expect([next.runs, next.events]).toEqual([0, {}]);
    const { rows } = await sql<{ stuck: number }>`
      SELECT count(*)::integer AS stuck FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND status <> 'succeeded'`.execute(db);
    expect(rows[0]!.stuck).toBe(0);
    reportCounts('the clock jumped by +1 year', {
      'statements after': after.statements,
      runs: after.runs,
      ...Object.fromEntries(Object.entries(after.events).map(([type, count]) => [`${type} events`, count])),
    });
  });
});
