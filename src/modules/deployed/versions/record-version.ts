import { type RawBuilder, sql } from 'kysely';
import { parseContent } from '../../../domain/parsers/parse-content.ts';
import { type VersionTransform, versionTransforms } from '../../../domain/transforms/version-transform.ts';
import type { Database, Tx, WakeUps } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { evaluationMarks, evaluationsDue } from '../../monitoring/index.ts';

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
  scrape_job_name: string;
}

/**
 * The only way in which a deployed version enters, whoever found it: the transform, one snapshot, and the
 * configurations of the job are due when it differs from the one before. A version that a person sets is always
 * evaluated: it is how people ask. Throws 400 for what is no version.
 *
 * @returns undefined when the job is gone or, for a version set by hand, is not manual
 */
export async function recordVersion(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  scrapeJobId: number,
  found: FoundVersion,
): Promise<RecordedVersion | undefined> {
  // Its lock is what makes the snapshots a sequence. What is read after it sees all that came before.
  const { rows } = await sql<{ version_transform: VersionTransform }>`
    SELECT version_transform FROM scrape_jobs
    WHERE organization_id = ${organizationId} AND id = ${scrapeJobId} AND ${takes(found)}
    FOR NO KEY UPDATE`.execute(tx);
  if (!rows[0]) return undefined;
  readVersion(found.rawVersion, rows[0].version_transform);
  const stored = await storeVersion(tx, organizationId, scrapeJobId, found);
  for (const topic of stored?.toWake ?? []) wakeUps.wakeAfterCommit(tx, topic);
  return stored?.recorded;
}

/**
 * The same as one statement that is a transaction by itself, for a job that nobody holds.
 *
 * @returns undefined when it cannot be done so, for whatever reason; nothing has happened then
 */
export async function recordVersionAtOnce(
  db: Database,
  wakeUps: WakeUps,
  organizationId: number,
  scrapeJobId: number,
  found: FoundVersion,
): Promise<RecordedVersion | undefined> {
  const stored = await storeVersion(db, organizationId, scrapeJobId, found);
  stored?.toWake.forEach(wakeUps.wake);
  return stored?.recorded;
}

/** What a person says is for manual jobs. */
function takes({ source }: FoundVersion): RawBuilder<unknown> {
  return source === 'manual' ? sql`parser_type = 'manual'` : sql`true`;
}

function readVersion(content: string, transform: VersionTransform): string {
  const parsed = parseContent({ parserType: 'manual', expression: '', transform, content });
  if (!parsed.ok) throw invalidField('version', parsed.message);
  return parsed.version;
}

/** What each transform would make of it; the job, which is read in the statement that stores it, knows its own. */
function versionByTransform(content: string): Partial<Record<VersionTransform, string>> {
  return Object.fromEntries(
    versionTransforms.flatMap((transform) => {
      const parsed = parseContent({ parserType: 'manual', expression: '', transform, content });
      return parsed.ok ? [[transform, parsed.version]] : [];
    }),
  );
}

async function storeVersion(
  db: Database | Tx,
  organizationId: number,
  scrapeJobId: number,
  found: FoundVersion,
): Promise<{ recorded: RecordedVersion; toWake: string[] } | undefined> {
  const ofJob = sql`organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}`;
  const { rows } = await sql<RecordedVersion & { marked: number }>`
    WITH job AS MATERIALIZED (
      SELECT organization_id, id, name, version_transform, history_limit, failing_since, latest_version,
        ${JSON.stringify(versionByTransform(found.rawVersion))}::jsonb ->> version_transform AS version
      FROM scrape_jobs
      WHERE organization_id = ${organizationId} AND id = ${scrapeJobId}
        AND ${takes(found)}
      -- Who would have to wait would then see the rows of others as they were before.
      FOR NO KEY UPDATE SKIP LOCKED
    ), snapshot AS (
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, commit_sha, is_change)
      SELECT organization_id, id, version, ${found.rawVersion.trim()}, version_transform, ${found.source},
        ${found.commitSha}, version IS DISTINCT FROM latest_version
      FROM job WHERE version IS NOT NULL
      RETURNING id, version, raw_version, version_transform, is_change, discovered_at
    ), known AS (
      -- Of a manual job the last success means nothing; left alone it spares every index of the job.
      UPDATE scrape_jobs AS known
      SET latest_version = job.version, latest_version_at = pacekeeper_now(), failing_since = NULL,
          previous_version = CASE WHEN job.version IS DISTINCT FROM known.latest_version THEN known.latest_version
            ELSE known.previous_version END,
          last_success_at = CASE WHEN known.parser_type = 'manual' THEN known.last_success_at ELSE pacekeeper_now() END
      FROM job
      WHERE known.organization_id = job.organization_id AND known.id = job.id AND job.version IS NOT NULL
    ), trimmed AS (
      -- To leave room for the new one: an unchanged snapshot goes first, then the oldest change.
      DELETE FROM versions WHERE organization_id = ${organizationId} AND id = ANY(ARRAY(
        SELECT id FROM versions WHERE ${ofJob} ORDER BY is_change, id
        LIMIT coalesce((
          SELECT greatest(0, (SELECT count(*) FROM versions WHERE ${ofJob}) + 1 - history_limit)
          FROM job WHERE version IS NOT NULL), 0)))
    ), marked AS (
      ${evaluationMarks(sql`organization_id = ${organizationId} AND scrape_job_id = (
        SELECT id FROM job
        WHERE version IS DISTINCT FROM latest_version OR failing_since IS NOT NULL OR ${found.source === 'manual'})`)}
      RETURNING 1
    )
    SELECT snapshot.*, job.name AS scrape_job_name, (SELECT count(*) FROM marked) AS marked
    FROM snapshot, job`.execute(db);
  if (!rows[0]) return undefined;
  const { marked, ...recorded } = rows[0];
  const change = `changes:${organizationId}/scrape_job/${scrapeJobId}`;
  return { recorded, toWake: marked > 0 ? [evaluationsDue.name, change] : [change] };
}
