import { sql } from 'kysely';
import { parseContent } from '../../../domain/parsers/parse-content.ts';
import type { VersionTransform } from '../../../domain/transforms/version-transform.ts';
import type { Schemas } from '../../../generated/client-api.ts';
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

/** A job whose next version is ours to record: its lock is what makes the snapshots a sequence. */
export interface RecordableJob {
  organizationId: number;
  id: number;
  name: string;
  parserType: Schemas['ParserType'];
  versionTransform: VersionTransform;
  latestVersion: string | null;
  historyLimit: number;
  wasFailing: boolean;
}

export async function lockJobToRecord(
  tx: Tx,
  organizationId: number,
  scrapeJobId: number,
): Promise<RecordableJob | undefined> {
  const { rows } = await sql<RecordableJob>`
    SELECT organization_id AS "organizationId", id, name, parser_type AS "parserType", version_transform AS "versionTransform",
      latest_version AS "latestVersion", history_limit AS "historyLimit", failing_since IS NOT NULL AS "wasFailing"
    FROM scrape_jobs WHERE organization_id = ${organizationId} AND id = ${scrapeJobId}
    FOR NO KEY UPDATE`.execute(tx);
  return rows[0];
}

/**
 * The only way in which a deployed version enters, whoever found it: the transform, one snapshot, and the
 * configurations of the job are due when it differs from the one before. A version that a person sets is always
 * evaluated: it is how people ask.
 */
export async function recordVersion(
  tx: Tx,
  wakeUps: WakeUps,
  job: RecordableJob,
  found: FoundVersion,
): Promise<RecordedVersion> {
  const { organizationId, id: scrapeJobId } = job;
  const parsed = parseContent({
    parserType: 'manual',
    expression: '',
    transform: job.versionTransform,
    content: found.rawVersion,
  });
  if (!parsed.ok) throw invalidField('version', parsed.message);
  const isChange = parsed.version !== job.latestVersion;

  // What is here already is trimmed to leave room for the new one: an unchanged snapshot goes first, then the oldest change.
  const { rows } = await sql<RecordedVersion>`
    WITH snapshot AS (
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, commit_sha, is_change)
      VALUES (${organizationId}, ${scrapeJobId}, ${parsed.version}, ${parsed.rawVersion}, ${job.versionTransform},
        ${found.source}, ${found.commitSha}, ${isChange})
      RETURNING id, version, raw_version, version_transform, is_change, discovered_at
    ), job AS (
      UPDATE scrape_jobs
      SET latest_version = ${parsed.version}, latest_version_at = pacekeeper_now(),
          previous_version = CASE WHEN ${isChange} THEN latest_version ELSE previous_version END,
          last_success_at = pacekeeper_now(), failing_since = NULL
      WHERE organization_id = ${organizationId} AND id = ${scrapeJobId}
    ), trimmed AS (
      DELETE FROM versions WHERE organization_id = ${organizationId} AND id IN (
        SELECT id FROM versions
        WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}
        ORDER BY is_change, id
        LIMIT greatest(0, (
          SELECT count(*) FROM versions WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}
        ) + 1 - ${job.historyLimit}))
    )
    SELECT * FROM snapshot`.execute(tx);

  if (isChange || found.source === 'manual' || job.wasFailing) {
    await triggerEvaluation(tx, wakeUps, { organizationId, scrapeJobId });
  }
  wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/scrape_job/${scrapeJobId}`);
  return rows[0]!;
}
