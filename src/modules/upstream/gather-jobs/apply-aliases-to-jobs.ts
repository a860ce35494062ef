import { type RawBuilder, sql } from 'kysely';
import { isSameJson } from '../../../domain/json/json-item.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { readAliases } from '../../settings/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { resolveIdentity, type StoredIdentity } from './resolve-identity.ts';

/** The address that aliases are compared with. It has no index, because each run of a job would have to update it. */
const address = sql`lower(artifact_address(artifact_name))`;

/** SQL condition: true if the address of a gather job starts with one of the prefixes. */
function isBelow(prefixes: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${address} ^@ ANY(${lower(prefixes)}::text[])`;
}

function lower(prefixes: readonly string[]): string[] {
  return prefixes.map((prefix) => prefix.toLowerCase());
}

/** A gather job that the transaction has locked. */
export interface LockedJob extends StoredIdentity {
  id: number;
}

/**
 * Locks the next gather jobs whose addresses start with one of the prefixes, in the order of their IDs.
 *
 * @param after ID of the last gather job before these.
 */
export async function lockJobsBelow(
  tx: Tx,
  organizationId: number,
  prefixes: readonly string[],
  { after, limit }: { after: number; limit: number },
): Promise<LockedJob[]> {
  const { rows } = await sql<LockedJob>`
    SELECT id, source_type, artifact_name, purls, purls_source, project_url, project_url_source, mirror_of FROM gather_jobs
    WHERE organization_id = ${organizationId} AND id > ${after} AND ${isBelow(prefixes)}
    ORDER BY id LIMIT ${sql.lit(limit)} FOR NO KEY UPDATE`.execute(tx);
  return rows;
}

/**
 * Locks the first gather jobs below each prefix, in the order of their IDs.
 *
 * @param limit Maximum number of jobs for each prefix.
 * @param otherIds Jobs to lock in the same order.
 */
export async function lockFirstJobsBelow(
  tx: Tx,
  organizationId: number,
  prefixes: readonly string[],
  { limit, otherIds }: { limit: number; otherIds: readonly number[] },
): Promise<void> {
  await sql`
    SELECT FROM gather_jobs
    WHERE organization_id = ${organizationId} AND id = ANY(${[...otherIds]}::bigint[] || ARRAY(
      SELECT below.id FROM unnest(${lower(prefixes)}::text[]) AS alias (prefix) CROSS JOIN LATERAL (
        SELECT id FROM gather_jobs WHERE organization_id = ${organizationId} AND ${address} ^@ alias.prefix
        ORDER BY id LIMIT ${sql.lit(limit)}
      ) AS below))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
}

/**
 * Returns the number of gather jobs whose addresses start with one of the prefixes and whose IDs are higher
 * than `after`.
 */
export async function countJobsBelow(
  tx: Tx,
  organizationId: number,
  prefixes: readonly string[],
  after: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM gather_jobs
    WHERE organization_id = ${organizationId} AND id > ${after} AND ${isBelow(prefixes)}`.execute(tx);
  return rows[0]!.count;
}

/**
 * Derives the identities of gather jobs again. A job keeps its source and its releases, because its agent may only be
 * able to reach the mirror. Package URLs and project URLs that a person set stay.
 *
 * @param jobs Jobs that were locked before the aliases.
 */
export async function applyAliasesToJobs(
  tx: Tx,
  organizationId: number,
  jobs: readonly LockedJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  const aliases = await readAliases(tx, organizationId);
  const changed = jobs.flatMap(({ id, ...before }) => {
    const wanted = {
      ...before,
      purls: before.purls_source === 'set' ? before.purls : null,
      project_url: before.project_url_source === 'set' ? before.project_url : null,
    };
    const identity = resolveIdentity(wanted, aliases, before);
    return isSameJson({ ...before, ...identity }, { ...before }) ? [] : [{ id, ...identity }];
  });
  if (changed.length === 0) return;
  const ids = changed.map(({ id }) => id);
  // Evaluate the configurations of the former originals, because they no longer show these mirrors.
  await triggerFanOuts(tx, organizationId, ids);
  await sql`
    UPDATE gather_jobs AS job
    SET purls = ARRAY(SELECT jsonb_array_elements_text(changed.purls)), project_url = changed.project_url,
        project_url_source = changed.project_url_source, mirror_of = changed.mirror_of, updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      AS changed (id bigint, purls jsonb, project_url text, project_url_source text, mirror_of text)
    WHERE job.organization_id = ${organizationId} AND job.id = changed.id`.execute(tx);
  // Evaluate again, because the jobs now have the support dates and vulnerabilities of other software. In
  // addition, the list of a mirror can't confirm that a version is up to date.
  await triggerFanOuts(tx, organizationId, ids);
  publishChanges(tx, organizationId, 'gather_job', ids, 'updated');
}
