import { sql } from 'kysely';
import { parseContent } from '../../../domain/parsers/parse-content.ts';
import type { VersionTransform } from '../../../domain/transforms/version-transform.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { triggerEvaluation } from '../../monitoring/index.ts';

export interface FoundVersion {
  /** As it was found or typed. */
  rawVersion: string;
  source: 'agent' | 'manual';
  /** The commit in which it was found. */
  commitSha: string | null;
}

export interface RecordedVersion {
  id: number;
  version: string;
  raw_version: string;
  version_transform: VersionTransform;
  is_change: boolean;
  discovered_at: Date;
}

/**
 * The only way in which a deployed version enters, whoever found it: the transform, one snapshot, and the
 * configurations of the job are due when it differs from the one before. A version that a person sets is always
 * evaluated: it is how people ask.
 *
 * @returns undefined when the job does not exist
 */
export async function recordVersion(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  scrapeJobId: number,
  found: FoundVersion,
): Promise<RecordedVersion | undefined> {
  const job = await tx
    .selectFrom('scrape_jobs')
    .select(['latest_version', 'history_limit', 'failing_since'])
    .select(sql<VersionTransform>`version_transform`.as('version_transform'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', scrapeJobId)
    .forUpdate()
    .executeTakeFirst();
  if (!job) return undefined;

  const parsed = parseContent({
    parserType: 'manual',
    expression: '',
    transform: job.version_transform,
    content: found.rawVersion,
  });
  if (!parsed.ok) throw invalidField('version', parsed.message);
  const isChange = parsed.version !== job.latest_version;

  const { rows } = await sql<RecordedVersion>`
    WITH snapshot AS (
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, commit_sha, is_change)
      VALUES (${organizationId}, ${scrapeJobId}, ${parsed.version}, ${parsed.rawVersion}, ${job.version_transform},
        ${found.source}, ${found.commitSha}, ${isChange})
      RETURNING id, version, raw_version, version_transform, is_change, discovered_at
    ), job AS (
      UPDATE scrape_jobs
      SET latest_version = ${parsed.version}, latest_version_at = pacekeeper_now(),
          previous_version = CASE WHEN ${isChange} THEN latest_version ELSE previous_version END,
          last_success_at = pacekeeper_now(), failing_since = NULL
      WHERE organization_id = ${organizationId} AND id = ${scrapeJobId}
    )
    SELECT * FROM snapshot`.execute(tx);
  await dropOldSnapshots(tx, organizationId, scrapeJobId, job.history_limit);

  if (isChange || found.source === 'manual' || job.failing_since !== null) {
    await triggerEvaluation(tx, wakeUps, { organizationId, scrapeJobId });
  }
  wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/scrape_job/${scrapeJobId}`);
  return rows[0];
}

/** Beyond the limit an unchanged snapshot between equal ones goes first, then the oldest change; the newest never. */
async function dropOldSnapshots(tx: Tx, organizationId: number, scrapeJobId: number, limit: number): Promise<void> {
  await sql`
    DELETE FROM versions
    WHERE organization_id = ${organizationId} AND id IN (
      SELECT id FROM (
        SELECT id, is_change, row_number() OVER (ORDER BY id DESC) AS age FROM versions
        WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}
      ) AS snapshots
      WHERE age > 1
      ORDER BY is_change, id
      LIMIT greatest(0, (
        SELECT count(*) FROM versions WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}
      ) - ${limit})
    )`.execute(tx);
}
