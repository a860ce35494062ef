import { type RawBuilder, sql } from 'kysely';
import { isSameJson } from '../../../domain/json/json-item.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { readAliases } from '../../settings/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { resolveIdentity, type StoredIdentity } from './resolve-identity.ts';

/**
 * SQL condition: true if an address starts with one of the prefixes. Each prefix ends with a slash, so its addresses
 * are the range from the prefix to the same text with `0`, the next character, instead of the slash.
 */
export function startsWithPrefix(
  address: RawBuilder<unknown>,
  prefixes: readonly string[],
): RawBuilder<boolean> {
  const ranges = prefixes.map((prefix) => {
    const lower = prefix.toLowerCase();
    return sql`(${address} >= ${lower} AND ${address} < ${`${lower.slice(0, -1)}0`})`;
  });
  return sql<boolean>`(${sql.join(ranges, sql` OR `)})`;
}

interface JobRow extends StoredIdentity {
  id: number;
}

/**
 * Locks the gather jobs below prefixes, in the order of their IDs.
 *
 * @param otherIds Jobs to lock in the same order.
 */
export async function lockJobsBelow(
  tx: Tx,
  organizationId: number,
  prefixes: readonly string[],
  otherIds: readonly number[] = [],
): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    SELECT id, source_type, artifact_name, purls, purls_source, project_url, project_url_source, mirror_of FROM gather_jobs
    WHERE organization_id = ${organizationId}
      AND (${startsWithPrefix(sql`(lower(artifact_address(artifact_name)) COLLATE "C")`, prefixes)}
        OR id = ANY(${[...otherIds]}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  return rows;
}

/**
 * Derives the identities of the gather jobs below changed prefixes again. A job keeps its source and its releases,
 * because its agent may only be able to reach the mirror. Package URLs and project URLs that a person set stay.
 */
export async function followAliasesInJobs(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  prefixes: readonly string[],
): Promise<void> {
  const aliases = await readAliases(tx, organizationId);
  const jobs = await lockJobsBelow(tx, organizationId, prefixes);
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
  // The configurations of the former originals no longer show these mirrors.
  await triggerFanOuts(tx, wakeUps, organizationId, ids);
  await sql`
    UPDATE gather_jobs AS job
    SET purls = ARRAY(SELECT jsonb_array_elements_text(changed.purls)), project_url = changed.project_url,
        project_url_source = changed.project_url_source, mirror_of = changed.mirror_of, updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
      AS changed (id bigint, purls jsonb, project_url text, project_url_source text, mirror_of text)
    WHERE job.organization_id = ${organizationId} AND job.id = changed.id`.execute(tx);
  // The jobs now have the support dates and vulnerabilities of other software, and the list of a mirror can't
  // confirm that a version is up to date.
  await triggerFanOuts(tx, wakeUps, organizationId, ids);
  publishChanges(tx, wakeUps, organizationId, 'gather_job', ids, 'updated');
}
