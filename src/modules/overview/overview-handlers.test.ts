import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from '../../../tests/helpers/database.ts';
import { insertRuns, type RunStatus } from '../../../tests/helpers/runs-fixture.ts';
import { transaction } from '../../platform/database/index.ts';
import { readContract } from '../../platform/http/index.ts';
import { insertAlerts, insertDeliveries, insertOrganization } from '../../server/server-fixture.ts';
import { overviewHandlers } from './overview-handlers.ts';
import { countDeliveries } from './overview-queries.ts';

const { db, statementsOf } = await createTestDatabase();
const { getOverview } = overviewHandlers({ db });
const validate = readContract('client')
  .find(({ operationId }) => operationId === 'getOverview')!
  .response(200)!
  .validate();

type Request = Parameters<typeof getOverview>[0];

async function overviewOf(organizationId: number) {
  const answer = await getOverview({ caller: { organizationId } } as unknown as Request);
  if (answer === 'streamed') throw new Error('not an answer');
  if (!validate(answer.body)) throw new Error(JSON.stringify(validate.errors));
  return answer.body;
}

const noJobs = { total: 0, active: 0, in_progress: 0, failed: 0 };
const noDeliveries = { pending: 0, in_progress: 0, succeeded: 0, failed: 0, dead_letter: 0, canceled: 0 };

async function insertScrapeJob(
  organizationId: number,
  name: string,
  runs: RunStatus[],
  isActive = true,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url, is_active)
    VALUES (${organizationId}, ${name}, 'regex', 'https://git.example/x', ${isActive}) RETURNING id`.execute(
    db,
  );
  const { id } = rows[0]!;
  const job = { organizationId, jobId: id };
  for (const status of runs) await transaction(db, (tx) => insertRuns(tx, 'scrape', job, [status]));
  return id;
}

describe('the overview', () => {
  test('contains only zeros for a new organization', async () => {
    const overview = await overviewOf(await insertOrganization(db));
    expect(overview).toEqual({
      generated_at: expect.any(String),
      alerts: expect.objectContaining({ open: 0, resolved: 0 }),
      top_alerts: [],
      alerts_by_day: Array.from({ length: 30 }, () => ({
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        opened: 0,
        resolved: 0,
      })),
      alert_configs: {
        total: 0,
        warnings: 0,
        by_state: { ok: 0, alerting: 0, no_data: 0, stale: 0, inactive: 0 },
      },
      jobs: { gather: noJobs, scrape: noJobs, helm_sync: noJobs, discovery: noJobs },
      failed_jobs: [],
      next_runs: [],
      reference_sources: [],
      deliveries_24h: noDeliveries,
      channels: { total: 0, active: 0, failing: 0 },
      agents: { online: 0, offline: 0 },
    });
  });

  test('shows the ten most severe unacknowledged alerts, and prefers those that crossed the threshold first', async () => {
    const organizationId = await insertOrganization(db);
    const { alertIds: moderate } = await insertAlerts(db, organizationId, { count: 9, severity: 'moderate' });
    const { alertIds: critical } = await insertAlerts(db, organizationId, { count: 3, severity: 'critical' });
    const { alertIds: high } = await insertAlerts(db, organizationId, { count: 2, severity: 'high' });
    await sql`UPDATE alerts SET crossed_at = created_at WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    await sql`UPDATE alerts SET crossed_at = created_at - interval '1 day' WHERE id = ${critical[2]}`.execute(
      db,
    );
    await sql`UPDATE alerts SET acknowledged_at = pacekeeper_now() WHERE id = ${critical[0]}`.execute(db);
    await sql`UPDATE alerts SET resolved_at = pacekeeper_now(), resolution = 'manual' WHERE id = ${moderate[0]}`.execute(
      db,
    );
    const overview = await overviewOf(organizationId);
    expect(overview.top_alerts.map((alert) => alert.id)).toEqual([
      critical[2],
      critical[1],
      high[0],
      high[1],
      ...moderate.slice(1, 7),
    ]);
    expect(overview.alerts).toMatchObject({
      open: 13,
      unacknowledged: 12,
      acknowledged: 1,
      resolved: 1,
      by_severity: { moderate: 8, high: 2, critical: 3 },
    });
  });

  test('counts opened and resolved alerts per UTC day for thirty days', async () => {
    const organizationId = await insertOrganization(db);
    const { alertIds } = await insertAlerts(db, organizationId, { count: 5 });
    await insertAlerts(db, await insertOrganization(db, 'Another'), { count: 3 });
    const midnight = sql`date_trunc('day', pacekeeper_now(), 'UTC')`;
    const set = (id: number, opened: string, resolved: string | null) =>
      sql`
        UPDATE alerts SET created_at = ${midnight} - ${opened}::interval,
          resolved_at = ${midnight} - ${resolved}::interval, resolution = ${resolved && 'caught_up'}
        WHERE id = ${id}`.execute(db);
    await set(alertIds[0]!, '0', null);
    await set(alertIds[1]!, '1 second', '0');
    await set(alertIds[2]!, '696 hours', '24 hours');
    await set(alertIds[3]!, '696 hours 1 second', '24 hours');
    await set(alertIds[4]!, '800 hours', '720 hours');
    const days = (await overviewOf(organizationId)).alerts_by_day;
    const { rows } = await sql<{ dates: string[] }>`
      SELECT array_agg(to_char(${midnight} AT TIME ZONE 'UTC' - n * interval '1 day', 'YYYY-MM-DD') ORDER BY n DESC) AS dates
      FROM generate_series(0, 29) AS n`.execute(db);
    expect(days.map(({ date }) => date)).toEqual(rows[0]!.dates);
    expect(days.map(({ opened }) => opened)).toEqual([1, ...Array(27).fill(0), 1, 1]);
    expect(days.map(({ resolved }) => resolved)).toEqual([...Array(28).fill(0), 2, 1]);
  });

  test('shows the next five scheduled jobs of all kinds, without disabled jobs and those of other organizations', async () => {
    const organizationId = await insertOrganization(db);
    const ids: number[] = [];
    for (const name of ['fourth', 'first', 'is off', 'third', 'fifth', 'sixth'])
      ids.push(await insertScrapeJob(organizationId, name, [], name !== 'is off'));
    await insertScrapeJob(organizationId, 'has no schedule', []);
    const foreign = await insertScrapeJob(await insertOrganization(db, 'Another'), 'is foreign', []);
    const due = [4, 1, 1, 3, 5, 6, 1];
    for (const [index, id] of [...ids, foreign].entries())
      await sql`UPDATE scrape_jobs SET due_at = pacekeeper_now() + ${due[index]} * interval '1 hour' WHERE id = ${id}`.execute(
        db,
      );
    await sql`
      INSERT INTO helm_sync_jobs (organization_id, name, repository_url, due_at)
      VALUES (${organizationId}, 'second', 'https://charts.example', pacekeeper_now() + interval '2 hours')`.execute(
      db,
    );
    const { next_runs } = await overviewOf(organizationId);
    expect(next_runs.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([
      'scrape: first',
      'helm_sync: second',
      'scrape: third',
      'scrape: fourth',
      'scrape: fifth',
    ]);
    expect(next_runs.map(({ next_run_at }) => next_run_at)).toEqual(
      next_runs.map(({ next_run_at }) => next_run_at).toSorted(),
    );
  });

  test('counts configurations by state, and counts ahead_of_upstream and variant_ended as warnings', async () => {
    const organizationId = await insertOrganization(db);
    await insertAlerts(db, organizationId, { count: 5 });
    await sql`
      UPDATE alert_configs SET state = 'ok', state_reason = 'ahead_of_upstream'
      WHERE organization_id = ${organizationId} AND name = 'payments 1'`.execute(db);
    await sql`
      UPDATE alert_configs SET state = 'ok', state_reason = 'variant_ended'
      WHERE organization_id = ${organizationId} AND name = 'payments 3'`.execute(db);
    await sql`UPDATE alert_configs SET state = 'stale' WHERE organization_id = ${organizationId} AND name = 'payments 2'`.execute(
      db,
    );
    expect((await overviewOf(organizationId)).alert_configs).toEqual({
      total: 5,
      warnings: 2,
      by_state: { ok: 2, alerting: 2, no_data: 0, stale: 1, inactive: 0 },
    });
  });

  test('lists enabled jobs whose latest run failed, most recent failure first', async () => {
    const organizationId = await insertOrganization(db);
    const first = await insertScrapeJob(organizationId, 'fails', ['succeeded', 'failed']);
    const second = await insertScrapeJob(organizationId, 'fails too', ['failed']);
    await insertScrapeJob(organizationId, 'works again', ['failed', 'succeeded']);
    await insertScrapeJob(organizationId, 'is on it', ['failed', 'in_progress']);
    await insertScrapeJob(organizationId, 'was turned off', ['failed'], false);
    await insertScrapeJob(organizationId, 'is new', []);
    const overview = await overviewOf(organizationId);
    expect(overview.jobs.scrape).toEqual({ total: 6, active: 5, in_progress: 1, failed: 2 });
    expect(overview.failed_jobs).toEqual([
      {
        kind: 'scrape',
        id: second,
        name: 'fails too',
        error: { code: 'file_not_found', message: 'No such file.' },
        failed_at: expect.any(String),
      },
      {
        kind: 'scrape',
        id: first,
        name: 'fails',
        error: { code: 'file_not_found', message: 'No such file.' },
        failed_at: expect.any(String),
      },
    ]);
  });

  test('lists failed discovery jobs', async () => {
    const organizationId = await insertOrganization(db);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref)
      VALUES (${organizationId}, 'clusters', 'git_repository', 'https://git.example/x', 'HEAD') RETURNING id`.execute(
      db,
    );
    const job = { organizationId, jobId: rows[0]!.id };
    await transaction(db, (tx) => insertRuns(tx, 'discovery', job, ['failed']));
    const overview = await overviewOf(organizationId);
    expect(overview.jobs.discovery).toEqual({ total: 1, active: 1, in_progress: 0, failed: 1 });
    expect(overview.failed_jobs).toMatchObject([{ kind: 'discovery', id: job.jobId, name: 'clusters' }]);
  });

  test('counts the deliveries of the last 24 hours, the channels, and the agents', async () => {
    const organizationId = await insertOrganization(db);
    await sql`
      INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
      VALUES (${organizationId}, 'a', 'remote', 'a', '1', '{}', '{}', pacekeeper_now()),
        (${organizationId}, 'b', 'remote', 'b', '1', '{}', '{}', pacekeeper_now() - interval '61 seconds')`.execute(
      db,
    );
    await sql`
      INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked, is_active, consecutive_failures)
      VALUES (${organizationId}, 'works', '', '', true, 9), (${organizationId}, 'fails', '', '', true, 10),
        (${organizationId}, 'is off', '', '', false, 10)`.execute(db);
    await insertDeliveries(db, organizationId, [
      ...['1 minute', '23 hours', '25 hours'].map((age) => ({ status: 'succeeded', age })),
      { status: 'dead_letter', age: '2 hours' },
    ]);
    expect(await overviewOf(organizationId)).toMatchObject({
      deliveries_24h: { ...noDeliveries, succeeded: 2, dead_letter: 1 },
      channels: { total: 3, active: 2, failing: 1 },
      agents: { online: 1, offline: 1 },
    });
  });

  test('counts the deliveries of the last 24 hours without reading every finished one', async () => {
    const organizationId = await insertOrganization(db);
    const ages = ['2 hours', '26 hours'];
    await insertDeliveries(db, organizationId, [
      ...ages.map((age) => ({ status: 'pending', age, count: 10 })),
      ...ages.map((age) => ({ status: 'succeeded', age, count: 990 })),
    ]);
    const { counted, fetched } = await transaction(db, async (tx) => {
      const { deliveries_24h } = await countDeliveries(tx, organizationId);
      const { rows } = await sql<{ fetched: number }>`
        SELECT idx_tup_fetch AS fetched FROM pg_stat_xact_user_tables WHERE relname = 'notification_deliveries'`.execute(
        tx,
      );
      return { counted: deliveries_24h, fetched: rows[0]!.fetched };
    });
    expect(counted).toEqual({ ...noDeliveries, pending: 10, succeeded: 990 });
    expect(fetched).toBeLessThan(30);
  });

  test('counts global jobs, and includes no data of other organizations', async () => {
    const organizationId = await insertOrganization(db);
    await insertAlerts(db, await insertOrganization(db, 'Another'));
    await insertScrapeJob(await insertOrganization(db, 'A third'), 'fails', ['failed']);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      VALUES (1, 'global', 'github_releases', 'github.com/a/b', 'auto') RETURNING id`.execute(db);
    const job = { organizationId: 1, jobId: rows[0]!.id };
    await transaction(db, (tx) => insertRuns(tx, 'gather', job, ['failed']));
    const overview = await overviewOf(organizationId);
    expect(overview.alerts.open).toBe(0);
    expect(overview.alert_configs.total).toBe(0);
    expect(overview.jobs).toEqual({
      gather: { total: 1, active: 1, in_progress: 0, failed: 1 },
      scrape: noJobs,
      helm_sync: noJobs,
      discovery: noJobs,
    });
    expect(overview.failed_jobs).toEqual([]);
  });

  test('shows the age of reference data while an enabled rule uses it', async () => {
    const organizationId = await insertOrganization(db);
    const another = await insertOrganization(db, 'Another');
    await sql`UPDATE reference_sources SET as_of = pacekeeper_now(), loaded_at = pacekeeper_now()`.execute(
      db,
    );
    await sql`
      INSERT INTO rules (organization_id, name, rule_type, threshold_critical)
      VALUES (${organizationId}, 'Supported', 'end_of_life', 0), (${another}, 'Days', 'days_behind', 90)`.execute(
      db,
    );
    const isOld = async (id: number) =>
      (await overviewOf(id)).reference_sources.map(({ name, is_old }) => [name, is_old]);
    expect(await isOld(organizationId)).toEqual([['end_of_life', false]]);
    expect(await isOld(another)).toEqual([]);
    await setClockOffset(db, '31 days');
    expect(await isOld(organizationId).finally(() => setClockOffset(db, '0'))).toEqual([
      ['end_of_life', true],
    ]);
    await sql`UPDATE rules SET is_active = false WHERE organization_id = ${organizationId}`.execute(db);
    expect(await isOld(organizationId)).toEqual([]);
  });

  test('runs at most nine statements, regardless of the amount of data', async () => {
    const organizationId = await insertOrganization(db);
    // The overview reads silences once for all its alerts, so the comparison starts with one alert.
    await insertAlerts(db, organizationId, { count: 1 });
    const few = await statementsOf(() => overviewOf(organizationId));
    await insertAlerts(db, organizationId, { count: 50 });
    const many = await statementsOf(() => overviewOf(organizationId));
    expect(many).toHaveLength(few.length);
    expect(many.length).toBeLessThanOrEqual(9);
  });
});
