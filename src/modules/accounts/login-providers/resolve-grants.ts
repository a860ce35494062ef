import { sql } from 'kysely';
import type { GroupGrant } from '../../../domain/sign-on/group-roles.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { systemOrganizationId } from '../people/organization-queries.ts';
import type { GroupSettings } from './provider-file.ts';

export interface ResolvedGrants {
  grants: GroupGrant[];
  /** Organizations that don't exist, and names that several organizations share. */
  unknown: string[];
}

/**
 * Resolves the organizations that the operator configured by ID or by unique name. Groups don't affect memberships in
 * organizations that aren't configured.
 */
export async function resolveGrantsAcrossOrganizations(
  db: Database | Tx,
  groups: readonly GroupSettings[],
): Promise<ResolvedGrants> {
  const wanted = [...new Set(groups.map(({ organization }) => organization))];
  const ids = wanted.filter((each) => typeof each === 'number');
  const names = wanted.filter((each) => typeof each === 'string');
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM organizations
    WHERE id <> ${systemOrganizationId} AND sample_user_id IS NULL AND (id = ANY(${ids}::bigint[]) OR name = ANY(${names}::text[]))`.execute(
    db,
  );
  const find = (wanted: number | string) => {
    const found = rows.filter(({ id, name }) => (typeof wanted === 'number' ? id : name) === wanted);
    return found.length === 1 ? found[0]!.id : undefined;
  };
  const grants = groups.flatMap(({ group, organization, role }) => {
    const organizationId = find(organization);
    return organizationId === undefined ? [] : [{ group, organizationId, role }];
  });
  return { grants, unknown: wanted.filter((each) => find(each) === undefined).map(String) };
}
