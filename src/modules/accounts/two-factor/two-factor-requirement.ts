import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';

/** The setting with which an organization, or the operator for all, requires two-factor authentication. */
export const requireTwoFactorKey = 'login.require_two_factor';

/** SQL: whether an organization requires it. @param organizationId a column or a parameter */
export const requiresTwoFactor = (organizationId: string): string => `
  (coalesce(
    (SELECT value FROM settings WHERE organization_id = ${organizationId} AND key = '${requireTwoFactorKey}'),
    (SELECT value FROM settings WHERE organization_id = 1 AND key = '${requireTwoFactorKey}'),
    'false'::jsonb) = 'true'::jsonb)`;

/**
 * SQL: whether logins of a person need codes. Not `EXISTS`, for which PostgreSQL may read the table of all people.
 *
 * @param userId a column or a parameter
 */
export const hasTwoFactor = (userId: string): string => `
  ((SELECT factor.confirmed_at FROM second_factors AS factor WHERE factor.user_id = ${userId}) IS NOT NULL)`;

/**
 * SQL, of `memberships` and `limited_sessions AS limits`, joined from the left: whether a login opens nothing of the
 * organization until the person has set up two-factor authentication. For single sign-on the provider is responsible,
 * and an operator's link is for emergencies: both have limits.
 */
export const isTwoFactorMissing = `
  (limits.family_id IS NULL AND ${requiresTwoFactor('memberships.organization_id')}
    AND NOT ${hasTwoFactor('memberships.user_id')})`;

/**
 * Whoever requires it of others must have it, or the requirement would lock them out with the others. Keys have no login
 * that could be locked out.
 *
 * @throws ApiError `conflict`
 */
export async function assertMayRequireTwoFactor(
  tx: Tx,
  { actor, loginId }: { actor: Actor; loginId: string | null },
): Promise<void> {
  if (actor.type !== 'user') return;
  const { rows } = await sql<{ is_allowed: boolean }>`
    SELECT ${sql.raw(hasTwoFactor('users.id'))}
      OR EXISTS (SELECT FROM limited_sessions WHERE family_id = ${loginId} AND identity_id IS NOT NULL) AS is_allowed
    FROM users WHERE users.id = ${actor.id}`.execute(tx);
  if (!rows[0]?.is_allowed)
    throw new ApiError(
      'conflict',
      'You log in without two-factor authentication. Set it up under Account settings first, or log in with single sign-on; then require it of others.',
    );
}
