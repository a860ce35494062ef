import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { createSilentLog } from '../../platform/log.ts';
import { insertOrganization } from '../../server/server-fixture.ts';
import { checkedJobKinds, jobKinds } from '../agents/index.ts';
import { claimChecksAcrossOrganizations } from './index.ts';

const { db, statementsOf } = await createTestDatabase();
const log = createSilentLog();

test('a job whose run cannot be queued does not delay other due jobs', async () => {
  const organizations = [await insertOrganization(db), await insertOrganization(db)];
  const { rows: jobs } = await sql<{ id: number }>`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression, due_at)
    SELECT organization_id, 'nginx ' || n, 'github_releases', 'github.com/nginx/nginx', 'auto', '0 * * * *', pacekeeper_now()
    FROM unnest(${organizations}::bigint[]) AS organization_id, generate_series(1, 3) AS n RETURNING id`.execute(
    db,
  );
  const [failing, ...others] = jobs.map(({ id }) => id);
  await sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.gather_job_id = ${sql.lit(failing)})
      EXECUTE FUNCTION refuse()`.execute(db);
  const loop = jobKinds.gather.startSchedules({ db, log });
  const queued = async () => {
    const runs = await sql<{ gather_job_id: number }>`
      SELECT gather_job_id FROM runs ORDER BY gather_job_id`.execute(db);
    return runs.rows.map((row) => row.gather_job_id);
  };
  await expect.poll(queued).toEqual(others);
  await loop.stop();
});

test('a wake-up while agents check all due jobs takes one statement, which finds them through their index', async () => {
  await sql`DELETE FROM gather_jobs`.execute(db);
  const organizationId = await insertOrganization(db);
  const capabilities = ['gather:github_releases'];
  const { rows: agents } = await sql<{ id: number }>`
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
    VALUES (${organizationId}, 'agent', 'remote', 'x', '1', ${capabilities}, '{}', pacekeeper_now()) RETURNING id`.execute(
    db,
  );
  await sql`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression, due_at)
    SELECT ${organizationId}, 'nginx ' || n, 'github_releases', 'github.com/nginx/nginx', 'auto', '0 * * * *',
      pacekeeper_now() + CASE WHEN n > 3 THEN interval '1 day' ELSE interval '0' END
    FROM generate_series(1, 5000) AS n`.execute(db);
  await sql`ANALYZE gather_jobs`.execute(db);
  const agent = { organizationId, id: agents[0]!.id, kind: 'remote' } as const;
  expect(
    await claimChecksAcrossOrganizations(db, checkedJobKinds, agent, { capabilities, max: 10 }),
  ).toHaveLength(3);
  const loop = jobKinds.gather.startSchedules({ db, log });
  const wake = () =>
    statementsOf(async () => {
      loop.wake();
      await sleep(1);
    });
  // The first claim is in turns and takes a transaction.
  await vi.waitUntil(async () => (await wake()).some((text) => text.includes('due_in_ms')), 60_000);
  const statements: string[] = [];
  await vi.waitUntil(async () => statements.push(...(await wake())) >= 5, 60_000);
  expect(new Set(statements).size).toBe(1);
  const { rows } = await sql
    .raw<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statements[0]}`)
    .execute(db);
  await loop.stop();
  const scans = rows.flatMap(
    (row) => /\S+ Scan (?:using \S+ )?on gather_jobs\b/.exec(row['QUERY PLAN']) ?? [],
  );
  expect(scans).toEqual(Array.from({ length: 2 }, () => 'Index Scan using gather_jobs_due on gather_jobs'));
});
