import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { recordVersionsAcrossOrganizations } from '../../deployed/index.ts';
import type { DiscoveryJobRow } from '../model/discovery-job-queries.ts';
import { withHashJoins } from '../model/item-changes.ts';
import { endDuplicationSql } from '../model/item-queries.ts';
import {
  comparedVersionMethodSql,
  comparedVersionSql,
  itemMatchSql,
  itemVersionSql,
} from '../model/item-version-sql.ts';

/**
 * Locks the linked items of an organization, because scans of repositories, clusters, and hosts change the
 * same items. Call it after locking discovery jobs and before locking items.
 */
export async function lockLinkedItems(tx: Tx, organizationId: number): Promise<void> {
  await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
}

/** Job whose scan has just changed items. */
interface ScannedJob {
  id: number;
  kind: DiscoveryJobRow['kind'];
}

/**
 * Finds the declared items of a repository that also run in a cluster or on a host, and stores the running
 * versions. A declared item isn't proposed a second time as a running item.
 */
export async function linkLiveVersions(tx: Tx, organizationId: number, job: ScannedJob): Promise<void> {
  const changed = await withHashJoins(tx, async () => {
    await ignoreRunning(tx, organizationId, job);
    return storeLiveVersions(tx, organizationId, job);
  });
  await recordChanged(tx, organizationId, job.id, changed);
}

/** Clears the running versions from one cluster or host, so that the declared versions apply again. */
export async function clearLiveVersions(tx: Tx, organizationId: number, runningJobId: number): Promise<void> {
  const { rows } = await sql<ChangedItem>`
    UPDATE discovered_items
    SET live_version = NULL, live_match = NULL, live_since = NULL, live_job_id = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND live_job_id = ${runningJobId}
    RETURNING id, discovery_job_id`.execute(tx);
  await recordChanged(tx, organizationId, runningJobId, rows);
}

/**
 * Clears the running versions from one cluster or host if no scan has succeeded for three of its intervals.
 *
 * @returns `true` if a discovery job had expired.
 */
export async function expireLiveVersionsAcrossOrganizations(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ organization_id: number; id: number }>`
    SELECT organization_id, id FROM discovery_jobs WHERE live_until <= pacekeeper_now()
    ORDER BY live_until LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  const [job] = rows;
  if (job === undefined) return false;
  await lockLinkedItems(tx, job.organization_id);
  await clearLiveVersions(tx, job.organization_id, job.id);
  await sql`
    UPDATE discovery_jobs SET live_until = NULL
    WHERE organization_id = ${job.organization_id} AND id = ${job.id}`.execute(tx);
  return true;
}

interface ChangedItem {
  id: number;
  discovery_job_id: number;
}

async function recordChanged(
  tx: Tx,
  organizationId: number,
  exceptJobId: number,
  changed: readonly ChangedItem[],
): Promise<void> {
  if (changed.length === 0) return;
  await recordItemVersions(tx, organizationId, { itemIds: changed.map(({ id }) => id) }, null);
  const jobIds = new Set(changed.map((item) => item.discovery_job_id));
  jobIds.delete(exceptJobId);
  publishChanges(tx, organizationId, 'discovery_job', [...jobIds], 'updated');
}

/**
 * Selects pairs of a declared item in a repository and a running item of a cluster or host that are the same
 * object. Both items must name the cluster or the host. An item in a repository names it in a label, which is
 * derived from the path or set by a user. Most Compose files don't name their project. As in Compose, the
 * project then has the name of the file's directory, unless the `project` label specifies another one.
 */
function pairs(organizationId: number, job: ScannedJob): RawBuilder<unknown> {
  const labelOf = (alias: string, label: RawBuilder<unknown>) =>
    sql`coalesce(${sql.ref(`${alias}.set_labels`)} ->> ${label}, ${sql.ref(`${alias}.labels`)} ->> ${label})`;
  const placeLabel = sql`(CASE places.kind WHEN 'kubernetes_cluster' THEN 'cluster' ELSE 'host' END)`;
  const isOfJob =
    job.kind === 'git_repository' ? sql`declared.discovery_job_id` : sql`running.discovery_job_id`;
  const directory = sql`substring(declared.path from '([^/]+)/[^/]*$')`;
  const directoryProject = sql`ltrim(regexp_replace(lower(${directory}), '[^a-z0-9_-]', '', 'g'), '_-')`;
  const select = (key: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    SELECT declared.id AS declared_id, running.id AS running_id, running.discovery_job_id AS running_job_id,
      declared.status AS declared_status, declared.duplicate_of_id = running.id AS is_covered,
      CASE WHEN places.live_until > pacekeeper_now() THEN ${itemVersionSql('running')} END AS version,
      ${itemMatchSql('running')} AS match
    FROM discovered_items AS running
    JOIN discovery_jobs AS places ON places.organization_id = ${organizationId}
      AND places.id = running.discovery_job_id AND places.kind <> 'git_repository'
    JOIN discovered_items AS declared ON declared.organization_id = ${organizationId} AND declared.key = ${key}
      AND declared.artifact_kind = running.artifact_kind
      -- For charts and images, the same name is enough, because a cluster doesn't name the repository of a
      -- chart, or the registry that a pull-through cache copies.
      AND (declared.artifact_key = running.artifact_key
        OR running.artifact_kind IN ('chart', 'image') AND declared.artifact_name = running.artifact_name)
      AND ${labelOf('declared', placeLabel)} = ${labelOf('running', placeLabel)}
    JOIN discovery_jobs AS repositories ON repositories.organization_id = ${organizationId}
      AND repositories.id = declared.discovery_job_id AND repositories.kind = 'git_repository'
    WHERE running.organization_id = ${organizationId} AND ${isOfJob} = ${job.id} AND ${condition}
      AND running.missing_since IS NULL AND declared.missing_since IS NULL`;
  const isOfProject = sql`running.extractor = 'compose' AND running.namespace IS NOT NULL
    AND coalesce(${labelOf('declared', sql`'project'`)}, ${directoryProject}) = running.namespace`;
  return sql`${select(sql`running.key`, sql`true`)}
    UNION ALL ${select(sql`regexp_replace(running.key, '^compose:service:[^:]+:', 'compose:service::')`, isOfProject)}`;
}

/**
 * Ignores running items that are also declared, so that only the declared item is proposed. Running items
 * that were accepted before stay accepted.
 */
async function ignoreRunning(tx: Tx, organizationId: number, job: ScannedJob): Promise<void> {
  await sql`
    WITH pair AS MATERIALIZED (${pairs(organizationId, job)}), chosen AS MATERIALIZED (
      SELECT running.id, min(pair.declared_id) AS declared_id
      FROM pair JOIN discovered_items AS running ON running.id = pair.running_id
      WHERE running.organization_id = ${organizationId} AND running.status = 'new' AND running.restored_at IS NULL
        AND running.duplicate_of_id IS NULL
        AND (pair.declared_status IN ('new', 'accepted') OR pair.is_covered)
      GROUP BY running.id
    ), uncovered AS (
      UPDATE discovered_items AS declared SET ${endDuplicationSql('declared')}
      FROM pair JOIN chosen ON chosen.id = pair.running_id
      WHERE declared.organization_id = ${organizationId} AND declared.id = pair.declared_id AND pair.is_covered
    )
    UPDATE discovered_items AS running
    SET status = 'ignored', duplicate_of_id = chosen.declared_id, updated_at = pacekeeper_now()
    FROM chosen
    WHERE running.organization_id = ${organizationId} AND running.id = chosen.id`.execute(tx);
}

/** @returns The declared items that changed. */
async function storeLiveVersions(tx: Tx, organizationId: number, job: ScannedJob): Promise<ChangedItem[]> {
  const isInScope =
    job.kind === 'git_repository'
      ? sql`item.discovery_job_id = ${job.id}`
      : sql`item.live_job_id = ${job.id}`;
  // If two jobs read the same cluster, only the first one writes.
  const canWrite =
    job.kind === 'git_repository' ? sql`true` : sql`coalesce(item.live_job_id, ${job.id}) = ${job.id}`;
  const declared = sql`coalesce(${itemVersionSql('item')}, item.version, '')`;
  const isSame = sql`regexp_replace(found.version, '^v', '') = regexp_replace(${declared}, '^v', '')`;
  const { rows } = await sql<ChangedItem>`
    WITH pair AS MATERIALIZED (
      SELECT DISTINCT ON (declared_id) declared_id, version, match, running_job_id
      FROM (${pairs(organizationId, job)}) AS pair WHERE version IS NOT NULL
      ORDER BY declared_id, running_job_id, running_id
    ), found AS MATERIALIZED (
      SELECT item.id, pair.version, pair.match, pair.running_job_id
      FROM discovered_items AS item LEFT JOIN pair ON pair.declared_id = item.id
      WHERE item.organization_id = ${organizationId} AND (${isInScope} AND item.live_job_id IS NOT NULL)
      UNION
      SELECT declared_id, version, match, running_job_id FROM pair
    )
    UPDATE discovered_items AS item
    SET live_version = found.version, live_match = found.match, live_job_id = found.running_job_id,
        updated_at = pacekeeper_now(),
        live_since = CASE WHEN found.version IS NULL OR ${isSame} THEN NULL
          WHEN item.live_version = found.version THEN coalesce(item.live_since, pacekeeper_now())
          ELSE pacekeeper_now() END
    FROM found
    WHERE item.organization_id = ${organizationId} AND item.id = found.id
      AND ${canWrite} AND ((item.live_version, item.live_match, item.live_job_id)
          IS DISTINCT FROM (found.version, found.match, found.running_job_id)
        OR (item.live_since IS NULL) <> (found.version IS NULL OR ${isSame}))
    RETURNING item.id, item.discovery_job_id`.execute(tx);
  return rows;
}

const batchSize = 1_000;

/**
 * Stores the versions of accepted items if they differ from the latest versions of the items' scrape jobs.
 * The version of an item is the running version, otherwise that of the release with the same digest,
 * otherwise the declared version. All scans that change an item determine its version from the same row, so
 * they store the same one.
 *
 * Also stores the time since which the version of an accepted item can't be determined.
 *
 * @param selection all items of a discovery job, or some items
 * @returns The number of stored versions.
 */
export async function recordItemVersions(
  tx: Tx,
  organizationId: number,
  selection: { jobId: number } | { itemIds: readonly number[] },
  commitSha: string | null,
): Promise<number> {
  const selected =
    'jobId' in selection
      ? sql`item.discovery_job_id = ${selection.jobId}`
      : sql`item.id = ANY(${[...selection.itemIds]}::bigint[])`;
  await markUnknownVersions(tx, organizationId, selected);
  const { rows } = await sql<{
    scrapeJobId: number;
    rawVersion: string;
    match: 'digest' | null;
    isLive: boolean;
  }>`
    SELECT fed.id AS "scrapeJobId", ${comparedVersionSql('item')} AS "rawVersion", ${comparedVersionMethodSql('item')} AS match,
      item.live_version IS NOT NULL AS "isLive"
    FROM discovered_items AS item
    JOIN scrape_jobs AS fed ON fed.organization_id = item.organization_id AND fed.id = item.scrape_job_id
    WHERE item.organization_id = ${organizationId} AND ${selected}
      AND item.status = 'accepted' AND item.missing_since IS NULL
      AND ${comparedVersionSql('item')} IS NOT NULL
      AND (fed.latest_version, fed.match) IS DISTINCT FROM (${comparedVersionSql('item')}, ${comparedVersionMethodSql('item')})
    ORDER BY fed.id`.execute(tx);
  let recorded = 0;
  for (let at = 0; at < rows.length; at += batchSize) {
    const outcomes = await recordVersionsAcrossOrganizations(
      tx,
      'agent',
      rows.slice(at, at + batchSize).map(({ isLive, ...row }) => ({
        organizationId,
        ...row,
        commitSha: isLive ? null : commitSha,
      })),
    );
    recorded += outcomes.filter((outcome) => 'recorded' in outcome).length;
  }
  return recorded;
}

async function markUnknownVersions(
  tx: Tx,
  organizationId: number,
  selected: RawBuilder<unknown>,
): Promise<void> {
  const isUnknown = sql`(item.status = 'accepted' AND ${comparedVersionSql('item')} IS NULL)`;
  await sql`
    UPDATE discovered_items AS item
    SET version_unknown_since = CASE WHEN ${isUnknown} THEN pacekeeper_now() END, updated_at = pacekeeper_now()
    WHERE item.organization_id = ${organizationId} AND ${selected} AND item.missing_since IS NULL
      AND ${isUnknown} <> (item.version_unknown_since IS NOT NULL)`.execute(tx);
}
