import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase, resetClockOffset, setClockOffset } from '../../tests/helpers/database.ts';
import { transaction } from '../platform/database/index.ts';
import { clockWatchTask } from './clock-watch.ts';
import { type HousekeepingTask, recoverHousekeeping } from './housekeeping.ts';
import { insertAlerts, insertOrganization } from './server-fixture.ts';

const { db } = await createTestDatabase();
await sql`INSERT INTO housekeeping_tasks (name) VALUES (${clockWatchTask.name})`.execute(db);

afterEach(async () => {
  await resetClockOffset(db);
  await sql`UPDATE housekeeping_tasks SET state = '{}'`.execute(db);
});

async function watch(): Promise<void> {
  await transaction(db, (tx) => clockWatchTask.run(tx));
}

/** Returns the number of seconds until the time in a column of a row, rounded to the nearest ten. */
async function secondsUntil(table: string, column: string, id: number): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    SELECT round(extract(epoch FROM ${sql.ref(column)} - pacekeeper_now()) / 10)::float8 * 10 AS seconds
    FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
  return rows[0]!.seconds;
}

describe.for(['-2 hours', '-1 year'])('recovery after the clock was set back by %s', (jump) => {
  test('a job is due after the same remaining time as before the change', async () => {
    const organizationId = await insertOrganization(db);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression, due_at)
      VALUES (${organizationId}, 'x', 'github_releases', 'github.com/a/b', 'auto', '@hourly', pacekeeper_now() + interval '30 minutes'),
        (${organizationId}, 'y', 'github_releases', 'github.com/a/b', 'auto', NULL, 'infinity') RETURNING id`.execute(
      db,
    );
    const [planned, unplanned] = rows.map((row) => row.id) as [number, number];
    await watch();
    await setClockOffset(db, jump);
    await watch();
    expect(await secondsUntil('gather_jobs', 'due_at', planned)).toBe(1_800);
    const { rows: others } =
      await sql`SELECT due_at = 'infinity' AS is_never FROM gather_jobs WHERE id = ${unplanned}`.execute(db);
    expect(others).toEqual([{ is_never: true }]);
    // The same jump must not be applied twice.
    await watch();
    expect(await secondsUntil('gather_jobs', 'due_at', planned)).toBe(1_800);
  });

  test('queued runs and leases keep their remaining time', async () => {
    const organizationId = await insertOrganization(db);
    const { scrapeJobId, gatherJobId } = await insertAlerts(db, organizationId);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO runs (organization_id, kind, scrape_job_id, gather_job_id, status, trigger, capability, due_at, lease_until)
      VALUES (${organizationId}, 'scrape', ${scrapeJobId}, NULL, 'queued', 'schedule', 'scrape', pacekeeper_now() + interval '2 minutes', NULL),
        (${organizationId}, 'gather', NULL, ${gatherJobId}, 'in_progress', 'schedule', 'x', pacekeeper_now(), pacekeeper_now() + interval '1 minute')
      RETURNING id`.execute(db);
    const [queued, running] = rows.map((row) => row.id) as [number, number];
    await watch();
    await setClockOffset(db, jump);
    await watch();
    expect(await secondsUntil('runs', 'due_at', queued)).toBe(120);
    expect(await secondsUntil('runs', 'lease_until', running)).toBe(60);
  });

  test('a job that a hook has already run can be run by the next hook', async () => {
    const organizationId = await insertOrganization(db);
    const { gatherJobId, scrapeJobId } = await insertAlerts(db, organizationId);
    await sql`
      INSERT INTO hooked_jobs (organization_id, kind, job_id, last_run_at, due_at)
      VALUES (${organizationId}, 'gather', ${gatherJobId}, pacekeeper_now(), 'infinity'),
        (${organizationId}, 'scrape', ${scrapeJobId}, pacekeeper_now(), pacekeeper_now() + interval '1 minute')`.execute(
      db,
    );
    await watch();
    await setClockOffset(db, jump);
    await watch();
    const { rows } = await sql`
      SELECT kind, last_run_at > pacekeeper_now() AS has_run_later,
        due_at BETWEEN pacekeeper_now() AND pacekeeper_now() + interval '2 minutes' AS is_due_soon
      FROM hooked_jobs WHERE organization_id = ${organizationId} ORDER BY kind`.execute(db);
    expect(rows).toEqual([
      { kind: 'gather', has_run_later: null, is_due_soon: false },
      { kind: 'scrape', has_run_later: null, is_due_soon: true },
    ]);
  });

  test('triggered configurations are due, and configurations whose last evaluation is now in the future are evaluated again', async () => {
    const organizationId = await insertOrganization(db);
    await insertAlerts(db, organizationId, { count: 3 });
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM alert_configs WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
    const [triggered, evaluated, waiting] = rows.map((row) => row.id) as [number, number, number];
    await sql`UPDATE alert_configs SET requested_seq = 1, due_at = pacekeeper_now(), lease_until = pacekeeper_now() + interval '1 minute' WHERE id = ${triggered}`.execute(
      db,
    );
    await sql`UPDATE alert_configs SET last_evaluated_at = pacekeeper_now() - interval '1 hour', due_at = pacekeeper_now() + interval '1 hour' WHERE id = ${evaluated}`.execute(
      db,
    );
    await sql`UPDATE alert_configs SET last_evaluated_at = pacekeeper_now() - interval '2 years', due_at = pacekeeper_now() + interval '1 hour' WHERE id = ${waiting}`.execute(
      db,
    );
    await watch();
    await setClockOffset(db, jump);
    await watch();
    expect(await secondsUntil('alert_configs', 'due_at', triggered)).toBe(0);
    expect(await secondsUntil('alert_configs', 'lease_until', triggered)).toBe(60);
    expect(await secondsUntil('alert_configs', 'due_at', evaluated)).toBe(0);
    // The time at which a release becomes too old doesn't depend on the clock jump, so this due time keeps
    // its absolute value.
    expect(await secondsUntil('alert_configs', 'due_at', waiting)).toBeGreaterThan(3_600);
  });

  test('housekeeping tasks are due immediately', async () => {
    const task: HousekeepingTask = { name: 'test', everySeconds: 60, run: async () => 'done' };
    await sql`
      INSERT INTO housekeeping_tasks (name, due_at) VALUES (${task.name}, pacekeeper_now() + interval '60 seconds')
      ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at`.execute(db);
    const dueInSeconds = async () =>
      (
        await sql<{ seconds: number }>`
        SELECT round(extract(epoch FROM due_at - pacekeeper_now()) / 10)::float8 * 10 AS seconds
        FROM housekeeping_tasks WHERE name = ${task.name}`.execute(db)
      ).rows[0]!.seconds;
    await recoverHousekeeping(db, [task]);
    expect(await dueInSeconds()).toBe(60);
    await setClockOffset(db, jump);
    await recoverHousekeeping(db, [task]);
    expect(await dueInSeconds()).toBe(0);
    // No process holds the task, so its next run doesn't have to wait for a lease to expire.
    const { rows } = await sql`SELECT lease_until FROM housekeeping_tasks WHERE name = ${task.name}`.execute(
      db,
    );
    expect(rows).toEqual([{ lease_until: null }]);
  });
});

test('normal clock progress does not reschedule jobs', async () => {
  const organizationId = await insertOrganization(db);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression, due_at)
    VALUES (${organizationId}, 'x', 'github_releases', 'github.com/a/b', 'auto', '@daily', pacekeeper_now() + interval '1 day') RETURNING id`.execute(
    db,
  );
  await watch();
  await setClockOffset(db, '10 minutes');
  await watch();
  expect(await secondsUntil('gather_jobs', 'due_at', rows[0]!.id)).toBe(86_400 - 600);
});
