import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { DB } from '../../generated/database.ts';
import type { ListOrder, PageRequest, Tx } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';

type Scope = Schemas['Scope'];

/**
 * Returns the scope of an organization's jobs. Every organization can see and use the jobs of the Global
 * organization.
 */
export function scopeOf(organizationId: number): Scope {
  return organizationId === systemOrganizationId ? 'global' : 'organization';
}

/**
 * Returns the organizations whose resources the caller can see in a scope. Without a scope, these are the
 * caller's organization and Global.
 */
export function visibleOrganizations(organizationId: number, scope: Scope | undefined): number[] {
  const visible = [...new Set([organizationId, systemOrganizationId])];
  return scope === undefined ? visible : visible.filter((id) => scopeOf(id) === scope);
}

export function isVisible(column: string, organizationId: number, scope?: Scope): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = ANY(${visibleOrganizations(organizationId, scope)}::bigint[])`;
}

/** The discovery job whose accepted items created the job in `jobs`. */
export const managedBy = sql<
  Schemas['NamedReference'] | null
>`CASE WHEN jobs.discovery_job_id IS NOT NULL THEN (
  SELECT jsonb_build_object('id', managers.id, 'name', managers.name) FROM discovery_jobs AS managers
  WHERE managers.organization_id = jobs.organization_id AND managers.id = jobs.discovery_job_id) END`.as(
  'managed_by',
);

type Scoped = 'gather_jobs' | 'helm_sync_jobs' | 'releases' | 'scrape_jobs';

/**
 * Selects the rows of one page and the rows to count. No index covers the combined order of the
 * organization's rows and the global rows. Therefore, the rows of the page are selected per organization, in
 * the order of an index, so the cost of a page doesn't depend on the number of rows. `conditions` returns
 * alternatives for an organization. A row matches at most one alternative, and each alternative can use a
 * different index. In `conditions` and `order`, the table is named `sought`.
 */
export function selectVisibleJobs<Table extends Scoped>(
  table: Table,
  organizations: readonly number[],
  conditions: (organization: RawBuilder<unknown>) => readonly RawBuilder<unknown>[],
  order: ListOrder,
  { limit, offset, cursor }: PageRequest,
): { found: RawBuilder<Selectable<DB[Table]>>; counted: RawBuilder<unknown>[] } {
  const alternatives = organizations.flatMap((id) => {
    const organization = sql`${id}::bigint`;
    return conditions(organization).map(
      (condition) =>
        sql`FROM ${sql.table(table)} AS sought WHERE sought.organization_id = ${organization} AND ${condition}`,
    );
  });
  if (alternatives.length === 0) alternatives.push(sql`FROM ${sql.table(table)} AS sought WHERE false`);
  const reach = sql.lit(limit + offset);
  const rest = cursor?.after == null ? sql`` : sql`AND ${order.after(cursor)}`;
  const parts = alternatives.map(
    (from) => sql`(SELECT sought.* ${from} ${rest} ORDER BY ${order.sql} LIMIT ${reach})`,
  );
  return {
    found: sql`(${sql.join(parts, sql` UNION ALL `)})`,
    counted: alternatives.map((from) => sql`(SELECT 1 ${from})`),
  };
}

/**
 * Returns the organizations that compare versions with global gather jobs, in ascending order.
 * @param condition Selects the gather jobs, which have the alias `g`.
 */
export async function listOrganizationsUsingGlobalJobs(
  tx: Tx,
  condition: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ organization_id: number }>`
    SELECT DISTINCT c.organization_id
    FROM gather_jobs g
    JOIN alert_configs c ON c.gather_organization_id = g.organization_id AND c.gather_job_id = g.id
    WHERE g.organization_id = ${systemOrganizationId} AND c.organization_id <> ${systemOrganizationId} AND c.is_active
      AND ${condition}
    ORDER BY c.organization_id`.execute(tx);
  return rows.map((row) => row.organization_id);
}

/**
 * Throws 403 if the job is global and the caller isn't in the Global organization. Every organization can
 * read global jobs, but only a system key can change them.
 */
export function assertCanEdit(caller: Caller, job: { organization_id: number }): void {
  if (job.organization_id !== caller.organizationId) {
    throw new ApiError('forbidden', 'This job is global. Only a system key can change it.');
  }
}
