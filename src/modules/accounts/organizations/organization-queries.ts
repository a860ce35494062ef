import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { isOpenToSession } from '../login/limited-session-queries.ts';
import { isTwoFactorMissing } from '../two-factor/two-factor-requirement.ts';

/** `Global`: it has no members, and what its keys make is readable by every organization. */
export const systemOrganizationId = 1;

export interface OrganizationOfUser {
  id: number;
  name: string;
  role: Role;
  /** The session can't access it until the user has set up two-factor authentication. */
  two_factor_setup_required: boolean;
}

/**
 * The organizations of a person that a login opens, by name.
 *
 * @param familyId the login; null for one by password that is still to begin
 */
export async function listOrganizationsOfUser(
  db: Database | Tx,
  userId: number,
  familyId: string | null,
): Promise<OrganizationOfUser[]> {
  return db
    .selectFrom('memberships')
    .leftJoin('limited_sessions as limits', (join) => join.on('limits.family_id', '=', familyId))
    .where(sql<boolean>`${sql.raw(isOpenToSession)}`)
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select([
      'organizations.id',
      'organizations.name',
      sql<Role>`memberships.role`.as('role'),
      sql<boolean>`${sql.raw(isTwoFactorMissing)}`.as('two_factor_setup_required'),
    ])
    .where('memberships.user_id', '=', userId)
    .orderBy(sql`lower(organizations.name)`)
    .orderBy('organizations.id')
    .execute();
}

export async function insertOrganization(tx: Tx, name: string): Promise<number> {
  const row = await tx.insertInto('organizations').values({ name }).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** One at a time changes who belongs to an organization, so that its last owner is not lost to two at once. */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
