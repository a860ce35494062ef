import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { recordVersionsAcrossOrganizations } from '../../deployed/index.ts';
import { comparedVersionMethodSql, comparedVersionSql } from '../model/item-version-sql.ts';

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
