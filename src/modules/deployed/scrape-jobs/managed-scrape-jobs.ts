import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import { deriveFieldChanges, mergeDerivedLabels } from '../../../domain/discovery/derived-values.ts';
import { dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { publishChanges } from '../../audit/index.ts';
import {
  alertConfigEdits,
  deleteAlertConfigs,
  dueEvaluationsTable,
  markDueStatement,
} from '../../monitoring/index.ts';
import { assertNotFollowed } from '../../upstream/index.ts';

/** Maximum number of jobs or configurations per statement. */
const batchSize = 1_000;

/**
 * Scrape job that a discovery job feeds. Its repository and file show where the version was found. The scrape
 * job itself doesn't read them.
 */
export interface NewManagedScrapeJob {
  name: string;
  discovery_job_id: number;
  repository_url: string | null;
  ref: string | null;
  target_file: string;
  labels: Record<string, string>;
  history_limit?: number;
  is_active?: boolean;
}

/**
 * @param jobs at most 1,000
 * @returns The IDs of the jobs, in the same order.
 */
export async function insertManagedScrapeJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly NewManagedScrapeJob[],
): Promise<number[]> {
  const rows = await tx
    .insertInto('scrape_jobs')
    .values(
      jobs.map((job) => ({
        ...job,
        organization_id: organizationId,
        parser_type: 'discovered',
        labels: JSON.stringify(job.labels),
      })),
    )
    .returning('id')
    .execute();
  // The IDs are in the order of the values, because a single statement inserts all rows.
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

export interface DerivedScrapeJobUpdate {
  id: number;
  /** The last derived values. */
  last: DerivedJob;
  name: string;
  /** Default labels, used for keys that aren't set on the item. */
  unsetLabels: Record<string, string>;
  formerSetLabels: Record<string, string>;
  setLabels: Record<string, string>;
}

/** Derived values of a scrape job. */
export interface DerivedJob {
  name: string;
  labels: Record<string, string>;
}

/**
 * Updates the names and labels of scrape jobs to those that a person set on their items. If a value of a job
 * differs from the last derived one, a person has set it on the job, so it stays unchanged.
 *
 * @returns The derived values to compare with the next time, by the ID of the job.
 */
export async function updateDerivedScrapeJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly DerivedScrapeJobUpdate[],
): Promise<Map<number, DerivedJob>> {
  if (jobs.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string; labels: Record<string, string> }>`
    SELECT id, name, labels FROM scrape_jobs
    WHERE organization_id = ${organizationId} AND id = ANY(${jobs.map(({ id }) => id)}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  const current = new Map(rows.map((row) => [row.id, row]));
  const derived = new Map<number, DerivedJob>();
  const changed = jobs.map(({ id, last, ...job }) => {
    const { name, labels } = current.get(id)!;
    const followedName = deriveFieldChanges({ name }, { name: last.name }, { name: job.name });
    const followedLabels = mergeDerivedLabels(labels, {
      last: last.labels,
      unset: job.unsetLabels,
      formerSet: job.formerSetLabels,
      set: job.setLabels,
    });
    derived.set(id, { name: followedName.derived.name ?? last.name, labels: followedLabels.derived });
    return { id, name: followedName.changes.name ?? name, labels: followedLabels.labels };
  });
  await sql`
    UPDATE scrape_jobs AS job
    SET name = changed.name, labels = changed.labels, updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) AS changed (id bigint, name text, labels jsonb)
    WHERE job.organization_id = ${organizationId} AND job.id = changed.id
      AND (job.name, job.labels) IS DISTINCT FROM (changed.name, changed.labels)`.execute(tx);
  publishChanges(tx, organizationId, 'scrape_job', [...current.keys()], 'updated');
  return derived;
}

/**
 * Locks all scrape jobs that a discovery job feeds, by ascending ID. The lock also prevents other
 * transactions from inserting rows that refer to these jobs.
 */
export async function lockManagedScrapeJobs(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM scrape_jobs
    WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
    ORDER BY id FOR UPDATE`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Deletes scrape jobs with the alert configurations that use them, and the alerts of these configurations.
 * The caller must have locked the jobs. No other resources can refer to them.
 *
 * @returns The number of deleted alert configurations.
 */
export async function deleteManagedScrapeJobs(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  actor: Actor,
): Promise<number> {
  await assertNotFollowed(tx, organizationId, ids);
  let configCount = 0;
  for (const jobIds of batchesOf(ids)) {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM alert_configs
      WHERE organization_id = ${organizationId} AND scrape_job_id = ANY(${jobIds}::bigint[])
      ORDER BY id FOR UPDATE`.execute(tx);
    for (const alertConfigIds of batchesOf(rows.map(({ id }) => id))) {
      await deleteAlerts(tx, organizationId, { alertConfigIds }, actor);
      await deleteAlertConfigs(tx, organizationId, { ids: alertConfigIds });
    }
    configCount += rows.length;
    await sql`
      DELETE FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND id = ANY(${jobIds}::bigint[])`.execute(tx);
  }
  return configCount;
}

/**
 * Converts the scrape jobs that a discovery job feeds to manual jobs. Each job keeps its version. A disabled
 * job of a discovery job isn't deployed anymore, but a disabled manual job counts as deployed. So the alert
 * configurations of disabled jobs are disabled, too.
 */
export async function convertToManualScrapeJobs(
  tx: Tx,
  context: EditContext,
  discoveryJobIds: readonly number[],
): Promise<void> {
  const { organizationId } = context.caller;
  const { rows: ended } = await sql<{ id: number }>`
    SELECT c.id FROM alert_configs c
    JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
    WHERE s.organization_id = ${organizationId} AND s.discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
      AND NOT s.is_active
      AND c.is_active
    ORDER BY c.id`.execute(tx);
  for (let at = 0; at < ended.length; at += batchSize) {
    const some = ended.slice(at, at + batchSize);
    await alertConfigEdits.disable(
      tx,
      context,
      some.map(({ id }) => id),
    );
  }
  // Manual versions never become stale, so the configurations of stale jobs must be evaluated.
  await markDueStatement(sql`organization_id = ${organizationId} AND scrape_job_id IN (
    SELECT id FROM scrape_jobs WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[]))`).execute(
    tx,
  );
  wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
  await sql`
    UPDATE scrape_jobs
    SET parser_type = 'manual', discovery_job_id = NULL, repository_url = NULL, ref = NULL, target_file = NULL,
        parse_expression = NULL, credential_name = NULL, last_success_at = NULL, failing_since = NULL
    WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])`.execute(
    tx,
  );
}

/**
 * Locks the discovered item of a scrape job. Must be called before locking the scrape job, because every
 * transaction that locks both locks the item first.
 */
export async function lockItemOf(tx: Tx, organizationId: number, scrapeJobId: number): Promise<void> {
  await sql`
    SELECT 1 FROM discovered_items
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId} FOR NO KEY UPDATE`.execute(
    tx,
  );
}

/** Keeps a job enabled or disabled, as the user set it, when its missing item is found again. */
export async function keepActiveState(tx: Tx, organizationId: number, scrapeJobId: number): Promise<void> {
  await sql`
    UPDATE discovered_items SET pauses_job = false
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId} AND pauses_job`.execute(tx);
}

/**
 * Ignores the item of a scrape job that will be deleted. Otherwise, the next scan would propose the item
 * again.
 */
export async function ignoreItemOf(tx: Tx, organizationId: number, scrapeJobId: number): Promise<void> {
  await sql`
    UPDATE discovered_items
    SET status = 'ignored', ignored_by_rule = false, scrape_job_id = NULL, rule_id = NULL, alert_config_id = NULL, not_monitored = false,
        derived_from = NULL, derived = NULL, derive_problem = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}`.execute(tx);
}

/**
 * Enables or disables jobs that a discovery job feeds, and triggers the evaluation of their configurations.
 *
 * @returns The IDs of the changed jobs.
 */
export async function setManagedScrapeJobsActive(
  tx: Tx,
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
  await markDueStatement(
    sql`organization_id = ${organizationId} AND scrape_job_id = ANY(${turned}::bigint[])`,
  ).execute(tx);
  wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
  publishChanges(tx, organizationId, 'scrape_job', turned, 'updated');
  return turned;
}

/** Updates the time of the last success of each job whose item the scan found, at most once an hour. */
export async function touchManagedScrapeJobs(
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
 * Ends the gaps of jobs whose item a scan has confirmed, and opens gaps for jobs whose item it hasn't. If the
 * running version of an item is read by another discovery job (`live_job_id`), the scans of that job count.
 *
 * @param lastSuccessAt Time of the last successful scan before this one, which confirmed every job without a
 * gap.
 */
export async function followItemReadings(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
  lastSuccessAt: Date | null,
): Promise<void> {
  const ids = sql`${[...discoveryJobIds]}::bigint[]`;
  const isConfirmed = sql`(item.missing_since IS NULL AND item.unread_since IS NULL AND item.version_unknown_since IS NULL)`;
  await sql`
    UPDATE scrape_jobs AS fed
    SET last_read_at = CASE WHEN ${isConfirmed} THEN pacekeeper_now() ELSE fed.last_read_at END,
        gap_since = CASE WHEN NOT ${isConfirmed}
          THEN greatest(fed.last_read_at, ${lastSuccessAt?.toISOString() ?? null}::timestamptz) END,
        gap_reason = CASE WHEN ${isConfirmed} THEN NULL WHEN item.missing_since IS NULL THEN 'unread_item'
          ELSE 'missing_item' END
    FROM discovered_items AS item
    WHERE fed.organization_id = ${organizationId} AND item.organization_id = ${organizationId}
      AND (item.discovery_job_id = ANY(${ids}) AND item.live_job_id IS NULL OR item.live_job_id = ANY(${ids}))
      AND item.scrape_job_id = fed.id AND item.status = 'accepted'
      AND CASE WHEN ${isConfirmed} THEN fed.gap_since IS NOT NULL AND fed.is_active
        ELSE fed.gap_since IS NULL AND fed.last_read_at IS NOT NULL END`.execute(tx);
}

/**
 * Marks the jobs whose version hasn't been confirmed for too long, because the file of their item can't be
 * read or the version in it can't be determined. A job whose version is certainly not deployed is marked
 * immediately. Clears the mark of other jobs. Triggers the evaluation of the changed jobs' configurations.
 */
export async function markUnconfirmedScrapeJobs(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
  staleAfterMs: number,
): Promise<void> {
  const isUnconfirmed = sql`(item.unread_since IS NOT NULL OR item.version_unknown_since IS NOT NULL)`;
  const isNotDeployed = sql`(item.unread_since IS NULL AND item.version_unknown_since IS NOT NULL
    AND item.reason IN ('overridden', 'not_installed'))`;
  const { rows } = await sql<{ id: number }>`
    UPDATE scrape_jobs AS fed
    SET failing_since = CASE WHEN ${isUnconfirmed} THEN pacekeeper_now() END
    FROM discovered_items AS item
    WHERE fed.organization_id = ${organizationId} AND fed.discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
      AND item.organization_id = ${organizationId} AND item.scrape_job_id = fed.id AND item.status = 'accepted'
      AND CASE WHEN ${isUnconfirmed} THEN fed.failing_since IS NULL
        AND (${isNotDeployed} OR coalesce(fed.last_success_at, fed.created_at)
          <= pacekeeper_now() - make_interval(secs => ${staleAfterMs / 1_000}))
        ELSE fed.failing_since IS NOT NULL END
    RETURNING fed.id`.execute(tx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await markDueStatement(
    sql`organization_id = ${organizationId} AND scrape_job_id = ANY(${ids}::bigint[])`,
  ).execute(tx);
  wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
  publishChanges(tx, organizationId, 'scrape_job', ids, 'updated');
}

/**
 * Triggers the evaluation of all alert configurations whose scrape job belongs to one of these discovery
 * jobs.
 */
export async function evaluateManagedScrapeJobs(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
): Promise<void> {
  await markDueStatement(sql`organization_id = ${organizationId} AND scrape_job_id IN (
    SELECT id FROM scrape_jobs WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[]))`).execute(
    tx,
  );
  wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
}

function* batchesOf(ids: readonly number[]): Generator<number[]> {
  for (let start = 0; start < ids.length; start += batchSize) yield ids.slice(start, start + batchSize);
}
