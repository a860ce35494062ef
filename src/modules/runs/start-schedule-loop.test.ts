import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { createSilentLog } from '../../platform/log.ts';
import { insertOrganization } from '../../server/server-fixture.ts';
import { jobKinds } from '../agents/index.ts';

const { db } = await createTestDatabase();
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
