import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from '../../tests/helpers/database.ts';
import { countLockWaits } from '../../tests/helpers/lock-waits.ts';
import { insertRuns, recordUnchanged, setRunStatus } from '../../tests/helpers/runs-fixture.ts';
import { transaction } from '../platform/database/index.ts';
import { createSilentLog } from '../platform/log.ts';
import { housekeepingTasks } from './housekeeping-tasks.ts';
import { insertAlerts, insertOrganization } from './server-fixture.ts';

const { db } = await createTestDatabase();
const tasks = housekeepingTasks({ onRun: () => {}, log: createSilentLog() });

beforeAll(async () => {
  await sql`INSERT INTO housekeeping_tasks (name) SELECT unnest(${tasks.map((task) => task.name)}::text[])`.execute(
    db,
  );
});

afterEach(async () => {
  await resetClockOffset(db);
  await sql`UPDATE housekeeping_tasks SET state = '{}'`.execute(db);
});

/**
 * Runs a task repeatedly until it's done.
 * @returns The number of times that the task ran.
 */
async function run(name: string): Promise<number> {
  const task = tasks.find((each) => each.name === name)!;
  for (let turns = 1; ; turns++) {
    if ((await transaction(db, (tx) => task.run(tx))) === 'done') return turns;
  }
}

async function idsOf(table: string, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${sql.table(table)} WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
  return rows.map((row) => row.id);
}

async function setSetting(organizationId: number, key: string, value: unknown): Promise<void> {
  await sql`
    INSERT INTO settings (organization_id, key, value) VALUES (${organizationId}, ${key}, ${JSON.stringify(value)}::jsonb)`.execute(
    db,
  );
}

async function insertDefaultChannel(organizationId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked)
    VALUES (${organizationId}, 'Operations', '', '') RETURNING id`.execute(db);
  await setSetting(organizationId, 'default_notification_channel_id', rows[0]!.id);
  return rows[0]!.id;
}

async function eventsOf(organizationId: number): Promise<{ event_type: string; data: unknown }[]> {
  const { rows } = await sql<{ event_type: string; data: unknown }>`
    SELECT d.event_type, e.data FROM notification_deliveries d
    JOIN audit_entries e ON e.organization_id = d.organization_id AND e.id = d.audit_entry_id
    WHERE d.organization_id = ${organizationId} ORDER BY d.id`.execute(db);
  return rows;
}

async function insertScrapeJob(
  organizationId: number,
  fields: { cron?: string | null; isActive?: boolean } = {},
): Promise<number> {
  const { cron = '@hourly', isActive = true } = fields;
  const { rows } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url, cron_expression, is_active)
    VALUES (${organizationId}, 'production', 'regex', 'https://git.example/x', ${cron}, ${isActive}) RETURNING id`.execute(
    db,
  );
  return rows[0]!.id;
}

interface RunFields {
  status: string;
  daysAgo?: number;
  attempt?: number;
  leaseEndsInSeconds?: number;
}

async function insertRun(
  organizationId: number,
  jobId: number,
  { status, daysAgo = 0, attempt = 1, leaseEndsInSeconds }: RunFields,
): Promise<number> {
  const isRunning = status === 'in_progress';
  const { rows } = await sql<{ id: number }>`
    INSERT INTO runs (organization_id, kind, scrape_job_id, status, trigger, capability, attempt, created_at, finished_at,
      lease_until, lease_token, error_code, error_message)
    VALUES (${organizationId}, 'scrape', ${jobId}, ${status}, 'schedule', 'scrape', ${attempt},
      pacekeeper_now() - ${daysAgo} * interval '1 day', CASE WHEN ${isRunning} THEN NULL ELSE pacekeeper_now() END,
      CASE WHEN ${isRunning} THEN pacekeeper_now() + ${leaseEndsInSeconds ?? 60} * interval '1 second' END,
      CASE WHEN ${isRunning} THEN gen_random_uuid() END,
      CASE WHEN ${status} = 'failed' THEN 'file_not_found' END, CASE WHEN ${status} = 'failed' THEN 'No such file.' END)
    RETURNING id`.execute(db);
  return rows[0]!.id;
}

describe('a run whose agent is lost', () => {
  async function statusAfter(fields: RunFields, maxAttempts?: number) {
    const organizationId = await insertOrganization(db);
    if (maxAttempts !== undefined) await setSetting(organizationId, 'task.max_attempts', maxAttempts);
    const id = await insertRun(organizationId, await insertScrapeJob(organizationId), fields);
    await run('requeue-expired-runs');
    const { rows } = await sql`SELECT status, lease_token, error_code FROM runs WHERE id = ${id}`.execute(db);
    return rows[0];
  }

  test('is requeued until it has no attempts left, and then fails', async () => {
    const lost = { status: 'in_progress', leaseEndsInSeconds: -1 };
    expect(await statusAfter({ ...lost, attempt: 2 })).toEqual({
      status: 'queued',
      lease_token: null,
      error_code: 'agent_lost',
    });
    expect(await statusAfter({ ...lost, attempt: 3 })).toMatchObject({
      status: 'failed',
      error_code: 'agent_lost',
    });
    expect(await statusAfter({ ...lost, attempt: 3 }, 4)).toMatchObject({ status: 'queued' });
    expect(await statusAfter({ ...lost, attempt: 1 }, 1)).toMatchObject({ status: 'failed' });
    expect(await statusAfter({ status: 'in_progress', leaseEndsInSeconds: 5 })).toMatchObject({
      status: 'in_progress',
    });
  });
});

describe('an agent', () => {
  async function insertAgent(organizationId: number, secondsAgo: number, kind = 'remote'): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
      VALUES (${organizationId}, gen_random_uuid()::text, ${kind}, 'host', '1', '{}', '{}', pacekeeper_now() - ${secondsAgo} * interval '1 second')
      RETURNING id`.execute(db);
    return rows[0]!.id;
  }

  test('that goes offline is reported once, and again after its next heartbeat', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    await insertAgent(organizationId, 55);
    const silent = await insertAgent(organizationId, 61);
    await run('watch-agents');
    await run('watch-agents');
    expect(await eventsOf(organizationId)).toEqual([
      {
        event_type: 'agent.offline',
        data: { agent: expect.objectContaining({ id: silent, hostname: 'host' }) },
      },
    ]);
    // Clear this column as a heartbeat would. The agent then goes offline again.
    await sql`UPDATE agents SET offline_notified_at = NULL WHERE id = ${silent}`.execute(db);
    await run('watch-agents');
    expect(await eventsOf(organizationId)).toHaveLength(2);
  });

  test('that is embedded is removed without a notification after a day offline', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const young = await insertAgent(organizationId, 86_000, 'embedded');
    await insertAgent(organizationId, 86_500, 'embedded');
    await run('watch-agents');
    expect(await idsOf('agents', organizationId)).toEqual([young]);
    expect(await eventsOf(organizationId)).toEqual([]);
  });

  test('is not reported as offline because the clock was set forward', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    await insertAgent(organizationId, 0);
    await run('watch-clock');
    await setClockOffset(db, '2 hours');
    await run('watch-agents');
    await run('watch-clock');
    await run('watch-agents');
    expect(await eventsOf(organizationId)).toEqual([]);
    await setClockOffset(db, '2 hours 3 minutes');
    await run('watch-clock');
    await run('watch-agents');
    expect(await eventsOf(organizationId)).toHaveLength(1);
  });
});

describe('a source', () => {
  async function failingOf(table: string, id: number): Promise<boolean> {
    const { rows } = await sql<{ is_failing: boolean }>`
      SELECT failing_since IS NOT NULL AS is_failing FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
    return rows[0]!.is_failing;
  }

  async function age(
    table: string,
    id: number,
    { lastSuccess, made }: { lastSuccess: string | null; made: string },
  ): Promise<void> {
    await sql`
      UPDATE ${sql.table(table)} SET last_success_at = pacekeeper_now() - ${lastSuccess}::interval,
        created_at = pacekeeper_now() - ${made}::interval, updated_at = pacekeeper_now() - ${made}::interval
      WHERE id = ${id}`.execute(db);
  }

  test.for<
    [
      string,
      { cron?: string | null; isActive?: boolean },
      { lastSuccess: string | null; made: string },
      boolean,
    ]
  >([
    [
      'two days ago, hourly schedule',
      { cron: '@hourly' },
      { lastSuccess: '2 days 1 minute', made: '9 days' },
      true,
    ],
    [
      'less than two days ago, hourly schedule',
      { cron: '@hourly' },
      { lastSuccess: '47 hours', made: '9 days' },
      false,
    ],
    [
      'three days ago, daily schedule',
      { cron: '@daily' },
      { lastSuccess: '3 days 1 minute', made: '9 days' },
      true,
    ],
    [
      'less than three days ago, daily schedule',
      { cron: '@daily' },
      { lastSuccess: '2 days 23 hours', made: '9 days' },
      false,
    ],
    [
      'never, created two days ago',
      { cron: '@hourly' },
      { lastSuccess: null, made: '2 days 1 minute' },
      true,
    ],
    ['never, created yesterday', { cron: '@hourly' }, { lastSuccess: null, made: '1 day' }, false],
    ['long ago, but updated today', { cron: '@hourly' }, { lastSuccess: '30 days', made: '1 hour' }, false],
    ['long ago, without a schedule', { cron: null }, { lastSuccess: '30 days', made: '40 days' }, false],
    ['long ago, disabled', { isActive: false }, { lastSuccess: '30 days', made: '40 days' }, false],
  ])('is marked as failing only if it is overdue (last success: %s)', async ([, fields, ages, isFailing]) => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const id = await insertScrapeJob(organizationId, fields);
    await age('scrape_jobs', id, ages);
    await run('watch-sources');
    expect(await failingOf('scrape_jobs', id)).toBe(isFailing);
    expect(await eventsOf(organizationId)).toHaveLength(isFailing ? 1 : 0);
  });

  test('without changes updates the time of its last success at most every other day, and is still detected when it stops succeeding', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const { gatherJobId } = await insertAlerts(db, organizationId);
    const job = { organizationId, jobId: gatherJobId };
    await sql`UPDATE gather_jobs SET cron_expression = '@hourly' WHERE id = ${gatherJobId}`.execute(db);
    /**
     * Records a successful run without changes.
     * @returns True if the job has another time of its last success.
     */
    const succeed = () =>
      transaction(db, async (tx) => {
        const readTime = async () => {
          const query = tx.selectFrom('gather_jobs').select('last_success_at').where('id', '=', gatherJobId);
          return (await query.executeTakeFirstOrThrow()).last_success_at?.getTime();
        };
        const before = await readTime();
        await recordUnchanged(tx, 'gather', [job]);
        await insertRuns(tx, 'gather', job, ['succeeded']);
        return (await readTime()) !== before;
      });
    await succeed();
    const isWritten: boolean[] = [];
    for (let hours = 10; hours <= 90; hours += 10) {
      await setClockOffset(db, `${hours} hours`);
      isWritten.push(await succeed());
    }
    const nothing = [false, false, false];
    expect(isWritten).toEqual([...nothing, true, ...nothing, true, false]);
    await setClockOffset(db, '137 hours');
    await run('watch-sources');
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(false);
    await setClockOffset(db, '139 hours');
    await run('watch-sources');
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(true);
    // The first success of a UTC day has a row of its own, which depends on the time of day when the test runs.
    const { rows } = await sql<{ at: Date }>`
      SELECT greatest(jobs.last_counted_at, max(runs.finished_at), max(runs.last_finished_at)) AS at
      FROM gather_jobs AS jobs JOIN runs ON runs.kind = 'gather' AND runs.job_id = jobs.id
      WHERE jobs.id = ${gatherJobId} GROUP BY jobs.last_counted_at`.execute(db);
    expect(await eventsOf(organizationId)).toMatchObject([
      { data: { job: { last_success_at: rows[0]!.at.toISOString() } } },
    ]);
    await succeed();
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(false);
  });

  test('is detected as failing even after the clock was temporarily ahead', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const { gatherJobId } = await insertAlerts(db, organizationId);
    const job = { organizationId, jobId: gatherJobId };
    await sql`UPDATE gather_jobs SET cron_expression = '@hourly' WHERE id = ${gatherJobId}`.execute(db);
    for (const offset of ['1 year', '0', '1 day']) {
      await setClockOffset(db, offset);
      await transaction(db, async (tx) => {
        await recordUnchanged(tx, 'gather', [job]);
        await insertRuns(tx, 'gather', job, ['succeeded']);
      });
    }
    await setClockOffset(db, '2 days');
    await run('watch-sources');
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(false);
    await setClockOffset(db, '4 days');
    await run('watch-sources');
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(true);
  });

  test('is not marked as failing if its run succeeds during the check', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const { gatherJobId } = await insertAlerts(db, organizationId);
    const job = { organizationId, jobId: gatherJobId };
    await sql`UPDATE gather_jobs SET cron_expression = '@hourly' WHERE id = ${gatherJobId}`.execute(db);
    await age('gather_jobs', gatherJobId, { lastSuccess: '5 days', made: '9 days' });
    await transaction(db, (tx) => insertRuns(tx, 'gather', job, ['in_progress']));
    let watched: Promise<number> | undefined;
    await transaction(db, async (tx) => {
      await recordUnchanged(tx, 'gather', [job]);
      await setRunStatus(tx, 'gather', gatherJobId, 'succeeded');
      watched = run('watch-sources');
      await expect.poll(() => countLockWaits(db)).toBeGreaterThan(0);
    });
    expect(await watched).toBe(1);
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(false);
    expect(await eventsOf(organizationId)).toEqual([]);
  });

  test('that fails triggers the evaluation of its configurations and is reported once with its last error', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const { alertIds, scrapeJobId } = await insertAlerts(db, organizationId);
    await sql`UPDATE scrape_jobs SET cron_expression = '@hourly', parser_type = 'jq', repository_url = 'https://git.example/x' WHERE id = ${scrapeJobId}`.execute(
      db,
    );
    await age('scrape_jobs', scrapeJobId, { lastSuccess: '5 days', made: '9 days' });
    await insertRun(organizationId, scrapeJobId, { status: 'failed' });
    expect(await run('watch-sources')).toBe(1);
    await run('watch-sources');
    expect(await eventsOf(organizationId)).toEqual([
      {
        event_type: 'job.failing',
        data: {
          job: {
            id: scrapeJobId,
            kind: 'scrape',
            name: 'payments',
            error_code: 'file_not_found',
            error_message: 'No such file.',
            last_success_at: expect.any(String),
          },
        },
      },
    ]);
    const { rows } = await sql`
      SELECT requested_seq - processed_seq AS waiting, due_at <= pacekeeper_now() AS is_due FROM alert_configs c
      JOIN alerts a ON a.alert_config_id = c.id WHERE a.id = ${alertIds[0]}`.execute(db);
    expect(rows).toEqual([{ waiting: 1, is_due: true }]);
  });

  test('is reported without a deadlock while an evaluation notifies the same channel', async () => {
    const organizationId = await insertOrganization(db);
    const channelId = await insertDefaultChannel(organizationId);
    const first = await insertScrapeJob(organizationId);
    await age('scrape_jobs', first, { lastSuccess: '6 days', made: '9 days' });
    const { scrapeJobId } = await insertAlerts(db, organizationId);
    await sql`UPDATE scrape_jobs SET cron_expression = '@hourly', parser_type = 'jq', repository_url = 'https://git.example/x' WHERE id = ${scrapeJobId}`.execute(
      db,
    );
    await age('scrape_jobs', scrapeJobId, { lastSuccess: '5 days', made: '9 days' });
    const task = tasks.find((each) => each.name === 'watch-sources')!;
    let [evaluations, runs] = [0, 0];
    let watching: Promise<unknown> | undefined;
    await transaction(db, async (tx) => {
      evaluations++;
      await sql`SELECT FROM alert_configs WHERE scrape_job_id = ${scrapeJobId} FOR UPDATE`.execute(tx);
      watching ??= transaction(db, (other) => {
        runs++;
        return task.run(other);
      });
      await expect.poll(() => countLockWaits(db)).toBeGreaterThan(0);
      await sql`UPDATE notification_channels SET requested_seq = requested_seq + 1 WHERE id = ${channelId}`.execute(
        tx,
      );
    });
    await watching;
    expect({ evaluations, runs }).toEqual({ evaluations: 1, runs: 1 });
    expect(await eventsOf(organizationId)).toHaveLength(2);
  });

  test('that a failing Helm sync job manages is not reported, because the Helm sync job is reported instead', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    const { gatherJobId } = await insertAlerts(db, organizationId);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO helm_sync_jobs (organization_id, name, repository_url, cron_expression)
      VALUES (${organizationId}, 'charts', 'https://charts.example', '@hourly') RETURNING id`.execute(db);
    const helmSyncJobId = rows[0]!.id;
    await sql`UPDATE gather_jobs SET helm_sync_job_id = ${helmSyncJobId} WHERE id = ${gatherJobId}`.execute(
      db,
    );
    await age('helm_sync_jobs', helmSyncJobId, { lastSuccess: '3 days', made: '9 days' });
    await age('gather_jobs', gatherJobId, { lastSuccess: '3 days', made: '9 days' });
    await run('watch-sources');
    expect(await failingOf('helm_sync_jobs', helmSyncJobId)).toBe(true);
    expect(await failingOf('gather_jobs', gatherJobId)).toBe(false);
    expect((await eventsOf(organizationId)).map((event) => event.event_type)).toEqual(['job.failing']);
    const fanOuts =
      await sql`SELECT gather_job_id FROM release_fan_outs WHERE organization_id = ${organizationId}`.execute(
        db,
      );
    expect(fanOuts.rows).toEqual([{ gather_job_id: gatherJobId }]);
  });

  test.each(['gather', 'helm_sync'] as const)(
    'that is global and failing (%s) is reported once to each organization with an enabled configuration that uses it',
    async (kind) => {
      const users = [await insertOrganization(db), await insertOrganization(db)];
      const [turnedOff, stranger] = [await insertOrganization(db), await insertOrganization(db)];
      const { rows: jobs } = await sql<{ id: number }>`
        INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression)
        VALUES (1, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto', '@hourly') RETURNING id`.execute(
        db,
      );
      let failing = { table: 'gather_jobs', id: jobs[0]!.id };
      if (kind === 'helm_sync') {
        const { rows } = await sql<{ id: number }>`
          INSERT INTO helm_sync_jobs (organization_id, name, repository_url, cron_expression)
          VALUES (1, 'charts', 'https://charts.example', '@hourly') RETURNING id`.execute(db);
        failing = { table: 'helm_sync_jobs', id: rows[0]!.id };
        await sql`
          UPDATE gather_jobs SET helm_sync_job_id = ${failing.id}, cron_expression = NULL WHERE id = ${jobs[0]!.id}`.execute(
          db,
        );
      }
      for (const organizationId of [...users, turnedOff, stranger]) {
        await insertDefaultChannel(organizationId);
        await insertAlerts(db, organizationId, { count: 2 });
      }
      await sql`
        UPDATE alert_configs SET gather_organization_id = 1, gather_job_id = ${jobs[0]!.id},
          is_active = organization_id <> ${turnedOff}
        WHERE organization_id = ANY(${[...users, turnedOff]}::bigint[])`.execute(db);
      await age(failing.table, failing.id, { lastSuccess: '3 days', made: '9 days' });
      await run('watch-sources');
      await run('watch-sources');
      for (const organizationId of users) {
        expect(await eventsOf(organizationId)).toMatchObject([
          { event_type: 'job.failing', data: { job: { id: failing.id, kind } } },
        ]);
      }
      expect(await eventsOf(turnedOff)).toEqual([]);
      expect(await eventsOf(stranger)).toEqual([]);
    },
  );

  test('has an hour to succeed after a long downtime', async () => {
    const organizationId = await insertOrganization(db);
    const id = await insertScrapeJob(organizationId);
    await age('scrape_jobs', id, { lastSuccess: '1 hour', made: '9 days' });
    await run('watch-clock');
    await setClockOffset(db, '5 days');
    await run('watch-clock');
    await setClockOffset(db, '5 days 59 minutes');
    await run('watch-clock');
    await run('watch-sources');
    expect(await failingOf('scrape_jobs', id)).toBe(false);
    await setClockOffset(db, '5 days 61 minutes');
    await run('watch-clock');
    await run('watch-sources');
    expect(await failingOf('scrape_jobs', id)).toBe(true);
  });
});

describe('a reminder', () => {
  test('is sent for an unacknowledged alert at the configured interval', async () => {
    const organizationId = await insertOrganization(db);
    await insertDefaultChannel(organizationId);
    await setSetting(organizationId, 'notification.reminder_interval_hours', 24);
    const { alertIds } = await insertAlerts(db, organizationId);
    await sql`UPDATE alerts SET last_notified_at = pacekeeper_now(), last_sequence = 1 WHERE id = ${alertIds[0]}`.execute(
      db,
    );
    const counts: number[] = [];
    for (const offset of ['23 hours', '24 hours 1 minute', '24 hours 2 minutes', '48 hours 2 minutes']) {
      await setClockOffset(db, offset);
      await run('send-reminders');
      counts.push((await eventsOf(organizationId)).length);
      // Completes the delivery, because no other reminder is created while one is waiting.
      await sql`UPDATE notification_deliveries SET status = 'succeeded', attempt_count = 1, completed_at = pacekeeper_now(),
        next_attempt_at = NULL WHERE organization_id = ${organizationId}`.execute(db);
    }
    expect(counts).toEqual([0, 1, 1, 2]);
    const { rows } = await sql`SELECT last_sequence FROM alerts WHERE id = ${alertIds[0]}`.execute(db);
    expect(rows).toEqual([{ last_sequence: 3 }]);
  });
});

describe('retention', () => {
  test('keeps recent runs, and for each job its last run and its last successful run', async () => {
    const organizationId = await insertOrganization(db);
    const job = await insertScrapeJob(organizationId);
    const insert = (fields: RunFields, jobId = job) => insertRun(organizationId, jobId, fields);
    await insert({ status: 'succeeded', daysAgo: 50 });
    const lastSuccessful = await insert({ status: 'succeeded', daysAgo: 45 });
    await insert({ status: 'failed', daysAgo: 40 });
    const young = await insert({ status: 'failed', daysAgo: 29 });
    const other = await insertScrapeJob(organizationId);
    await insert({ status: 'failed', daysAgo: 60 }, other);
    const last = await insert({ status: 'failed', daysAgo: 50 }, other);
    const third = await insertScrapeJob(organizationId);
    const onlyOne = await insert({ status: 'canceled', daysAgo: 90 }, third);
    await run('delete-old-runs');
    expect(await idsOf('runs', organizationId)).toEqual(
      [lastSuccessful, young, last, onlyOne].toSorted((a, b) => a - b),
    );
  });

  test('continues where it stopped, and starts over once it is done', async () => {
    const organizationId = await insertOrganization(db);
    const job = await insertScrapeJob(organizationId);
    await sql`
      INSERT INTO runs (organization_id, kind, scrape_job_id, status, trigger, capability, created_at)
      SELECT ${organizationId}, 'scrape', ${job}, 'failed', 'schedule', 'scrape',
        pacekeeper_now() - interval '40 days' - n * interval '1 second'
      FROM generate_series(1, 4500) AS n`.execute(db);
    expect(await run('delete-old-runs')).toBe(3);
    expect(await idsOf('runs', organizationId)).toHaveLength(1);
    await insertRun(organizationId, job, { status: 'failed', daysAgo: 50 });
    await insertRun(organizationId, job, { status: 'failed' });
    await run('delete-old-runs');
    expect(await idsOf('runs', organizationId)).toHaveLength(1);
  });

  test('follows the settings of each organization', async () => {
    const [short, usual] = [await insertOrganization(db), await insertOrganization(db)];
    await setSetting(short, 'retention.runs_days', 7);
    await setSetting(short, 'retention.resolved_alerts_days', 7);
    await setSetting(short, 'retention.audit_log_days', 7);
    for (const organizationId of [short, usual]) {
      const job = await insertScrapeJob(organizationId);
      await insertRun(organizationId, job, { status: 'failed', daysAgo: 10 });
      await insertRun(organizationId, job, { status: 'failed' });
      await insertAlerts(db, organizationId);
      await sql`
        UPDATE alerts SET resolved_at = pacekeeper_now() - interval '10 days', resolution = 'manual'
        WHERE organization_id = ${organizationId}`.execute(db);
      await sql`
        INSERT INTO audit_log (organization_id, action, resource, actor_type, actor_name, created_at)
        SELECT ${organizationId}, 'rule.updated', 'rule', 'user', 'Ana', pacekeeper_now() - days * interval '1 day'
        FROM unnest(ARRAY[6, 10, 366]) AS days`.execute(db);
    }
    await run('delete-old-runs');
    await run('delete-old-alerts');
    await run('delete-old-audit-log');
    expect([(await idsOf('audit_log', short)).length, (await idsOf('audit_log', usual)).length]).toEqual([
      1, 2,
    ]);
    expect([(await idsOf('runs', short)).length, (await idsOf('runs', usual)).length]).toEqual([1, 2]);
    expect([(await idsOf('alerts', short)).length, (await idsOf('alerts', usual)).length]).toEqual([0, 1]);
  });

  /** Inserts a delivery for the first event of an alert. */
  async function insertDelivery(organizationId: number, alertId: number, status: string): Promise<void> {
    await sql`
      WITH entry AS (
        INSERT INTO audit_entries (organization_id, alert_id, action, event_type, event_id, actor_type, actor_name, data, created_at)
        VALUES (${organizationId}, ${alertId}, 'created', 'alert.created', gen_random_uuid(), 'system', 'x', '{}',
          pacekeeper_now() - interval '2 days')
        RETURNING id, event_id
      )
      INSERT INTO notification_deliveries
        (organization_id, channel_name, alert_id, audit_entry_id, event_id, event_type, max_attempts, status)
      SELECT ${organizationId}, 'x', ${alertId}, id, event_id, 'alert.created', 12, ${status} FROM entry`.execute(
      db,
    );
  }

  test('deletes old resolved alerts but keeps open ones and those with unfinished deliveries', async () => {
    const organizationId = await insertOrganization(db);
    const { alertIds } = await insertAlerts(db, organizationId, { count: 4 });
    const [open, told, waiting, young] = alertIds as [number, number, number, number];
    await sql`
      UPDATE alerts SET resolution = 'manual',
        resolved_at = pacekeeper_now() - CASE WHEN id = ${young} THEN interval '364 days' ELSE interval '366 days' END
      WHERE organization_id = ${organizationId} AND id <> ${open}`.execute(db);
    await insertDelivery(organizationId, told, 'succeeded');
    await insertDelivery(organizationId, waiting, 'failed');
    await sql`
      INSERT INTO audit_entries (organization_id, alert_id, action, actor_type, actor_name, created_at)
      VALUES (${organizationId}, ${told}, 'updated', 'system', 'x', pacekeeper_now() - interval '2 days')`.execute(
      db,
    );

    await run('delete-old-alerts');
    expect(await idsOf('alerts', organizationId)).toEqual([open, waiting, young]);
    const { rows } = await sql`
      SELECT alert_id, status FROM notification_deliveries WHERE organization_id = ${organizationId} ORDER BY id`.execute(
      db,
    );
    expect(rows).toEqual([
      { alert_id: null, status: 'succeeded' },
      { alert_id: waiting, status: 'failed' },
    ]);

    // The remaining delivery of the deleted alert still requires its audit entry.
    expect(await idsOf('audit_entries', organizationId)).toHaveLength(3);
    await run('delete-old-audit-entries');
    expect(await idsOf('audit_entries', organizationId)).toHaveLength(2);
  });

  test('deletes expired refresh tokens', async () => {
    const organizationId = await insertOrganization(db);
    await sql`
      WITH person AS (INSERT INTO users (email, name, password_hash) VALUES ('a@b.c', 'A', '') RETURNING id)
      INSERT INTO refresh_tokens (token_hash, family_id, user_id, organization_id, expires_at)
      SELECT hash, gen_random_uuid(), person.id, ${organizationId}, pacekeeper_now() + left_over
      FROM person, (VALUES ('\\x01'::bytea, interval '1 day'), ('\\x02'::bytea, interval '-1 second')) AS t (hash, left_over)`.execute(
      db,
    );
    await run('delete-expired-logins');
    const { rows } = await sql`SELECT token_hash FROM refresh_tokens`.execute(db);
    expect(rows).toEqual([{ token_hash: Buffer.of(1) }]);
  });

  test.for(['1 year', '-1 year', '2 hours'])(
    'pauses for an hour after the clock jumped by %s',
    async (jump) => {
      const organizationId = await insertOrganization(db);
      const job = await insertScrapeJob(organizationId);
      await insertRun(organizationId, job, { status: 'failed', daysAgo: 500 });
      await insertRun(organizationId, job, { status: 'failed', daysAgo: 499 });
      await run('watch-clock');
      const countAt = async (offset: string) => {
        await setClockOffset(db, offset);
        await run('delete-old-runs');
        const before = (await idsOf('runs', organizationId)).length;
        await run('watch-clock');
        await run('delete-old-runs');
        return [before, (await idsOf('runs', organizationId)).length];
      };
      expect(await countAt(jump)).toEqual([2, 2]);
      expect(await countAt(`${jump} 59 minutes`)).toEqual([2, 2]);
      expect(await countAt(`${jump} 61 minutes`)).toEqual([1, 1]);
    },
  );
});
