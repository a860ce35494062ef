import { sql } from 'kysely';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { evaluationMarks, evaluationsDue } from '../../monitoring/index.ts';

/**
 * Enables or disables jobs that a discovery job feeds, and triggers the evaluation of their configurations.
 *
 * @returns The IDs of the changed jobs.
 */
export async function setFedScrapeJobsActive(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  ids: readonly number[],
  { isActive }: { isActive: boolean },
): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    UPDATE scrape_jobs SET is_active = ${isActive}, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[]) AND is_active <> ${isActive}
    RETURNING id`.execute(tx);
  const turned = rows.map(({ id }) => id);
  if (turned.length === 0) return [];
  await evaluationMarks(
    sql`organization_id = ${organizationId} AND scrape_job_id = ANY(${turned}::bigint[])`,
  ).execute(tx);
  wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
  publishChanges(tx, wakeUps, organizationId, 'scrape_job', turned, 'updated');
  return turned;
}

/** Records a success of each job whose item the scan found, at most once an hour. */
export async function touchFedScrapeJobs(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
): Promise<void> {
  await sql`
    UPDATE scrape_jobs AS fed SET last_success_at = pacekeeper_now()
    FROM discovered_items AS item
    WHERE fed.organization_id = ${organizationId} AND fed.discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
      AND (fed.last_success_at IS NULL OR fed.last_success_at < pacekeeper_now() - interval '1 hour')
      AND item.organization_id = ${organizationId} AND item.scrape_job_id = fed.id
      AND item.status = 'accepted' AND item.missing_since IS NULL
      AND item.unread_since IS NULL AND item.version_unknown_since IS NULL`.execute(tx);
}

/**
 * Marks the jobs whose item hasn't confirmed a version for too long, because its file can't be read or its version can't
 * be determined, and clears the mark of the others. The configurations of changed jobs are evaluated.
 */
export async function markUnconfirmedScrapeJobs(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  discoveryJobIds: readonly number[],
  staleAfterMs: number,
): Promise<void> {
  const isUnconfirmed = sql`(item.unread_since IS NOT NULL OR item.version_unknown_since IS NOT NULL)`;
  const { rows } = await sql<{ id: number }>`
    UPDATE scrape_jobs AS fed
    SET failing_since = CASE WHEN ${isUnconfirmed} THEN pacekeeper_now() END
    FROM discovered_items AS item
    WHERE fed.organization_id = ${organizationId} AND fed.discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
      AND item.organization_id = ${organizationId} AND item.scrape_job_id = fed.id AND item.status = 'accepted'
      AND CASE WHEN ${isUnconfirmed} THEN fed.failing_since IS NULL
        AND coalesce(fed.last_success_at, fed.created_at) <= pacekeeper_now() - make_interval(secs => ${staleAfterMs / 1_000})
        ELSE fed.failing_since IS NOT NULL END
    RETURNING fed.id`.execute(tx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await evaluationMarks(
    sql`organization_id = ${organizationId} AND scrape_job_id = ANY(${ids}::bigint[])`,
  ).execute(tx);
  wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
  publishChanges(tx, wakeUps, organizationId, 'scrape_job', ids, 'updated');
}

/** Triggers the evaluation of all alert configurations whose scrape job is fed by one of these discovery jobs. */
export async function evaluateFedScrapeJobs(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  discoveryJobIds: readonly number[],
): Promise<void> {
  await evaluationMarks(sql`organization_id = ${organizationId} AND scrape_job_id IN (
    SELECT id FROM scrape_jobs WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[]))`).execute(
    tx,
  );
  wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
}
