import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { canAssignRoleSql } from './can-assign-role.ts';

/** A link that a member issues so that another member can set a new password. */
export interface NewPasswordReset {
  userId: number;
  issuedByUserId: number;
  digest: Buffer;
}

export async function insertPasswordReset(
  tx: Tx,
  organizationId: number,
  { userId, issuedByUserId, digest }: NewPasswordReset,
): Promise<{ expires_at: Date }> {
  return tx
    .insertInto('password_resets')
    .values({
      token_hash: digest,
      organization_id: organizationId,
      user_id: userId,
      issued_by_user_id: issuedByUserId,
      expires_at: sql`pacekeeper_now() + interval '1 day'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
}

/**
 * Returns the organization and the user of an unused link. `isResetAllowed` checks if the link can still set
 * a password.
 */
export async function findPasswordReset(
  db: Database | Tx,
  digest: Buffer,
): Promise<{ organizationId: number; userId: number } | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .select(['organization_id', 'user_id'])
    .where('token_hash', '=', digest)
    .where('used_at', 'is', null)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
    .executeTakeFirst();
  return row?.organization_id == null
    ? undefined
    : { organizationId: row.organization_id, userId: row.user_id };
}

/**
 * True if an unused link can still set the password. Its issuer must be a member whose role covers the current role of
 * the user, and the account must not belong to another organization, because anyone who has the link gets access to all
 * organizations of the account. Sample data isn't such an organization, because it contains nothing of the user. The caller has locked the organization and the user.
 */
export async function isResetAllowed(tx: Tx, digest: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('password_resets as link')
    .innerJoin('memberships as issuer', (join) =>
      join
        .onRef('issuer.organization_id', '=', 'link.organization_id')
        .onRef('issuer.user_id', '=', 'link.issued_by_user_id'),
    )
    .innerJoin('memberships as member', (join) =>
      join
        .onRef('member.organization_id', '=', 'link.organization_id')
        .onRef('member.user_id', '=', 'link.user_id'),
    )
    .select('link.user_id')
    .where('link.token_hash', '=', digest)
    .where('link.used_at', 'is', null)
    .where(sql<boolean>`link.expires_at > pacekeeper_now()`)
    .where(canAssignRoleSql('issuer.role', 'member.role'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships as elsewhere')
            .innerJoin('organizations', 'organizations.id', 'elsewhere.organization_id')
            .select('elsewhere.id')
            .where('organizations.sample_user_id', 'is', null)
            .whereRef('elsewhere.user_id', '=', 'link.user_id')
            .whereRef('elsewhere.organization_id', '<>', 'link.organization_id'),
        ),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Invalidates the reset links for a person, either those of one organization or all of them. */
export async function voidPasswordResets(
  tx: Tx,
  userId: number,
  organizationId: number | 'all',
): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ used_at: sql`pacekeeper_now()` })
    .where('user_id', '=', userId)
    .$if(organizationId !== 'all', (query) => query.where('organization_id', '=', Number(organizationId)))
    .where('used_at', 'is', null)
    .execute();
}

export async function voidPasswordResetsIssuedBy(
  tx: Tx,
  organizationId: number,
  issuerId: number,
): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ used_at: sql`pacekeeper_now()` })
    .where('organization_id', '=', organizationId)
    .where('issued_by_user_id', '=', issuerId)
    .where('used_at', 'is', null)
    .execute();
}
