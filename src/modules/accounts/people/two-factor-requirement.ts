import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';

/** Setting that requires two-factor authentication in one organization or, if set by the operator, in all. */
export const requireTwoFactorKey = 'login.require_two_factor';

/**
 * SQL condition: true if an organization requires two-factor authentication.
 * @param organizationId a column or a parameter
 */
export const requiresTwoFactorSql = (organizationId: string): string => `
  (coalesce(
    (SELECT value FROM settings WHERE organization_id = ${organizationId} AND key = '${requireTwoFactorKey}'),
    (SELECT value FROM settings WHERE organization_id = 1 AND key = '${requireTwoFactorKey}'),
    'false'::jsonb) = 'true'::jsonb)`;

/**
 * SQL condition: true if a user's logins require codes. Avoids `EXISTS`, for which PostgreSQL can read the
 * whole table.
 *
 * @param userId a column or a parameter
 */
export const hasTwoFactorSql = (userId: string): string => `
  ((SELECT factor.confirmed_at FROM second_factors AS factor WHERE factor.user_id = ${userId}) IS NOT NULL)`;

/**
 * SQL condition for `memberships` with a left join of `limited_sessions AS limits`: true if the session can't
 * access the organization until the user sets up two-factor authentication. Limited sessions are exempt: in
 * single sign-on, the second factor is up to the provider, and an operator's login link is for emergencies.
 */
export const isTwoFactorMissing = `
  (limits.family_id IS NULL AND ${requiresTwoFactorSql('memberships.organization_id')}
    AND NOT ${hasTwoFactorSql('memberships.user_id')})`;

/**
 * Checks that the requirement doesn't lock out everyone who could disable it again. A user who enables the
 * requirement must use two-factor authentication. API keys are never locked out, so if a key enables the
 * requirement, at least one owner must use two-factor authentication.
 *
 * @throws ApiError `conflict`
 */
export async function assertCanRequireTwoFactor(
  tx: Tx,
  { organizationId, actor, loginId }: { organizationId: number; actor: Actor; loginId: string | null },
): Promise<void> {
  if (actor.type !== 'user') return assertOwnerHasTwoFactor(tx, organizationId);
  const { rows } = await sql<{ is_allowed: boolean }>`
    SELECT ${sql.raw(hasTwoFactorSql('users.id'))}
      OR EXISTS (SELECT FROM limited_sessions WHERE family_id = ${loginId} AND identity_id IS NOT NULL) AS is_allowed
    FROM users WHERE users.id = ${actor.id}`.execute(tx);
  if (!rows[0]?.is_allowed)
    throw new ApiError(
      'conflict',
      "You don't use two-factor authentication yourself. First set it up under Account settings, or log in with single sign-on.",
    );
}

async function assertOwnerHasTwoFactor(tx: Tx, organizationId: number): Promise<void> {
  const { rows } = await sql`
    SELECT FROM memberships
    WHERE organization_id = ${organizationId} AND role = 'owner'
      AND (${sql.raw(hasTwoFactorSql('memberships.user_id'))}
        OR EXISTS (SELECT FROM user_identities WHERE user_identities.user_id = memberships.user_id))
    LIMIT 1`.execute(tx);
  if (rows.length === 0)
    throw new ApiError(
      'conflict',
      'No owner of the organization uses two-factor authentication. First, an owner must set it up under Account settings, or log in with single sign-on.',
    );
}
