import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { DB } from '../../generated/database.ts';
import type { PageRequest } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';

type Scope = Schemas['Scope'];

/** What the organization Global has is global: everybody sees and uses it. */
export function scopeOf(organizationId: number): Scope {
  return organizationId === systemOrganizationId ? 'global' : 'organization';
}

/** Whose things of a scope the caller sees; without one its own and the global ones. */
export function organizationsOf(organizationId: number, scope: Scope | undefined): number[] {
  const visible = [...new Set([organizationId, systemOrganizationId])];
  return scope === undefined ? visible : visible.filter((id) => scopeOf(id) === scope);
}

export function isVisible(column: string, organizationId: number, scope?: Scope): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = ANY(${organizationsOf(organizationId, scope)}::bigint[])`;
}

type Scoped = 'gather_jobs' | 'helm_sync_jobs' | 'releases' | 'scrape_jobs';

/**
 * The rows of one page, and all that count. Own and global rows stand in one order, which no index has: so
 * those of the page are sought for each organization in the order of its index, and a page costs the same however many
 * there are. `conditions` yields alternatives for an organization that no row meets twice, each of which may have an index of
 * its own; in them, and in `order`, the table is `sought`.
 */
export function selectVisibleJobs<Table extends Scoped>(
  table: Table,
  organizations: readonly number[],
  conditions: (organization: RawBuilder<unknown>) => readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  { limit, offset }: PageRequest,
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
  const parts = alternatives.map((from) => sql`(SELECT sought.* ${from} ORDER BY ${order} LIMIT ${reach})`);
  return {
    found: sql`(${sql.join(parts, sql` UNION ALL `)})`,
    counted: alternatives.map((from) => sql`(SELECT 1 ${from})`),
  };
}

/** What is global is read by all and changed with a system key only. */
export function refuseForeign(caller: Caller, job: { organization_id: number }): void {
  if (job.organization_id !== caller.organizationId) {
    throw new ApiError('forbidden', 'This job is global. Only a system key can change it.');
  }
}
