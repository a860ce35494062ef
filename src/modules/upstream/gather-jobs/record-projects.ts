import { sql } from 'kysely';
import { readRepositoryLink } from '../../../domain/identity/project-url.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';

/** Repository that a run found for the software of a gather job. */
export interface FoundProject {
  jobId: number;
  url: string;
  source: NonNullable<Schemas['TaskSummary']['project']>['source'];
}

/**
 * Stores the repositories that runs found for jobs. The caller must have locked the jobs. Doesn't overwrite
 * values that were set explicitly or are certain.
 */
export async function recordProjects(
  tx: Tx,
  organizationId: number,
  found: readonly FoundProject[],
): Promise<void> {
  const projects = found.flatMap(({ jobId, url: link, source }) => {
    const url = readRepositoryLink(link);
    return url === null ? [] : [{ id: jobId, url, source }];
  });
  if (projects.length === 0) return;
  await sql`
    UPDATE gather_jobs AS job
    SET project_url = found.url, project_url_source = found.source, updated_at = pacekeeper_now()
    FROM json_to_recordset(${JSON.stringify(projects)}::json) AS found (id bigint, url text, source text)
    WHERE job.organization_id = ${organizationId} AND job.id = ANY(${projects.map(({ id }) => id)}::bigint[]) AND job.id = found.id
      AND (job.project_url_source IS NULL OR job.project_url_source IN ('annotation', 'label', 'chart'))
      AND (job.project_url, job.project_url_source) IS DISTINCT FROM (found.url, found.source)`.execute(tx);
}
