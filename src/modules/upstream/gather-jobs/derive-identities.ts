import { sql } from 'kysely';
import { deriveProjectUrl, derivePurls } from '../../../domain/identity/job-identity.ts';
import type { SourceTypeId } from '../../../domain/source-types/source-types.ts';
import type { Tx } from '../../../platform/database/index.ts';

/**
 * Derives the identities of jobs that an earlier server version created.
 *
 * @returns The number of jobs. If it reaches `limit`, call again.
 */
export async function deriveIdentitiesAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{
    organization_id: number;
    id: number;
    source_type: SourceTypeId;
    artifact_name: string;
  }>`
    SELECT organization_id, id, source_type, artifact_name FROM gather_jobs WHERE purls IS NULL
    ORDER BY organization_id, id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  if (rows.length === 0) return 0;
  const derived = rows.map((job) => ({
    organization_id: job.organization_id,
    id: job.id,
    purls: derivePurls(job),
    project_url: deriveProjectUrl(job),
  }));
  await sql`
    UPDATE gather_jobs
    SET purls = ARRAY(SELECT json_array_elements_text(derived.purls)),
      project_url = coalesce(gather_jobs.project_url, derived.project_url),
      project_url_source = coalesce(project_url_source, CASE WHEN derived.project_url IS NOT NULL THEN 'source' END)
    FROM json_to_recordset(${JSON.stringify(derived)}::json)
      AS derived (organization_id bigint, id bigint, purls json, project_url text)
    WHERE gather_jobs.organization_id = derived.organization_id AND gather_jobs.id = derived.id`.execute(tx);
  return rows.length;
}
