import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';

/**
 * Throws 400 if one of these configurations closes a cycle. Environments are compared in chains, such as
 * development, staging, and production, and no environment can be behind itself. The configurations are
 * already stored, so the caller must roll back the transaction.
 */
export async function assertNoCycle(
  tx: Tx,
  organizationId: number,
  configIds: readonly number[],
): Promise<void> {
  const { rows: added } = await sql<{ id: number }>`
    SELECT c.id FROM alert_configs c
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    WHERE c.organization_id = ${organizationId} AND c.id = ANY(${[...configIds]}::bigint[])
      AND g.scrape_job_id IS NOT NULL`.execute(tx);
  if (added.length === 0) return;
  // Without this lock, two transactions could each add half of a cycle.
  await sql`
    SELECT pg_advisory_xact_lock(hashtext('pacekeeper environments'), ${organizationId % 2_147_483_647})`.execute(
    tx,
  );
  const { rows } = await sql<{ name: string }>`
    WITH RECURSIVE followed AS (
      SELECT c.name, c.scrape_job_id AS start, g.scrape_job_id AS reached
      FROM alert_configs c JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
      WHERE c.organization_id = ${organizationId} AND c.id = ANY(${added.map(({ id }) => id)}::bigint[])
      UNION
      SELECT followed.name, followed.start, g.scrape_job_id
      FROM followed
      JOIN alert_configs c ON c.organization_id = ${organizationId} AND c.scrape_job_id = followed.reached
      JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
      WHERE followed.reached <> followed.start AND g.scrape_job_id IS NOT NULL
    )
    SELECT name FROM followed WHERE reached = start LIMIT 1`.execute(tx);
  const [first] = rows;
  if (first)
    throw invalidField(
      'gather_job_id',
      `would compare the scrape job of "${first.name}" with itself, directly or through other environments`,
    );
}
