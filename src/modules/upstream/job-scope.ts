import { type RawBuilder, sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
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

/** What is global is read by all and changed with a system key only. */
export function refuseForeign(caller: Caller, job: { organization_id: number }): void {
  if (job.organization_id !== caller.organizationId) {
    throw new ApiError('forbidden', 'This job is global: it can be changed with a system key only.');
  }
}
