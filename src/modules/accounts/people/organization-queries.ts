import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { isOpenToSession } from './limited-session-queries.ts';
import { isTwoFactorMissing } from './two-factor-requirement.ts';

/**
 * ID of the `Global` organization. It has no members, and every organization can read the resources that its
 * keys create.
 */
export const systemOrganizationId = 1;

export interface OrganizationOfUser {
  id: number;
  name: string;
  role: Role;
  /**
   * True if the session can't access the organization until the user has set up two-factor authentication.
   */
  two_factor_setup_required: boolean;
  /** True for the sample data of the person. */
  is_sample: boolean;
}

/**
 * Returns the organizations of a person that a login can access, by name. Sample data is included only if the login can
 * access another organization.
 *
 * @param familyId The login; null for a password login that hasn't started yet.
 */
export async function listOrganizationsOfUser(
  db: Database | Tx,
  userId: number,
  familyId: string | null,
): Promise<OrganizationOfUser[]> {
  const organizations = await db
    .selectFrom('memberships')
    .leftJoin('limited_sessions as limits', (join) => join.on('limits.family_id', '=', familyId))
    .where(sql<boolean>`${sql.raw(isOpenToSession)}`)
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select([
      'organizations.id',
      'organizations.name',
      sql<Role>`memberships.role`.as('role'),
      sql<boolean>`${sql.raw(isTwoFactorMissing)}`.as('two_factor_setup_required'),
      sql<boolean>`organizations.sample_user_id IS NOT NULL`.as('is_sample'),
    ])
    .where('memberships.user_id', '=', userId)
    .orderBy(sql`lower(organizations.name)`)
    .orderBy('organizations.id')
    .execute();
  return organizations.some(({ is_sample }) => !is_sample) ? organizations : [];
}

export async function insertOrganization(tx: Tx, name: string): Promise<number> {
  const row = await tx.insertInto('organizations').values({ name }).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Locks an organization, so that changes to its members run one at a time. Otherwise, two concurrent changes
 * could remove the last owner.
 */
export async function lockOrganization(tx: Tx, organizationId: number): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
