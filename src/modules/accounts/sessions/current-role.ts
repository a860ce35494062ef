import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/index.ts';
import { isOpenToSession, isWithinLimits } from '../people/limited-session-queries.ts';
import { isTwoFactorMissing } from '../people/two-factor-requirement.ts';
import { keyIsUsable } from './authentication-queries.ts';
import type { Issuer } from './issuer.ts';

/**
 * Returns the current role of a caller whose request has ended, for work that continues in the background.
 * Accepts an expired access token, unlike the authentication of a request.
 *
 * @param issuer Issuer at the time of the request. After a password change, that issuer is no longer valid.
 * @returns `null` if the key or the login has ended, or if the person was removed.
 */
export async function findCurrentRole(
  db: Database | Tx,
  { organizationId, loginId }: Caller,
  issuer: Issuer | null,
): Promise<Caller['role'] | null> {
  if (issuer === null) return null;
  const { rows } =
    issuer.kind === 'key'
      ? await sql<{ role: Caller['role'] }>`
          SELECT role FROM api_keys
          WHERE organization_id = ${organizationId} AND id = ${issuer.id} AND ${sql.raw(keyIsUsable)}`.execute(
          db,
        )
      : await sql<{ role: Caller['role'] }>`
          SELECT memberships.role FROM users
          JOIN memberships ON memberships.organization_id = ${organizationId} AND memberships.user_id = users.id
          LEFT JOIN limited_sessions AS limits ON limits.family_id = ${loginId}
          LEFT JOIN limited_sessions AS confirmation ON confirmation.family_id = limits.provider_family_id
          WHERE users.id = ${issuer.id} AND users.token_version = ${issuer.tokenVersion}
            AND EXISTS (SELECT FROM refresh_tokens WHERE family_id = ${loginId} AND used_at IS NULL)
            AND ${sql.raw(isWithinLimits)} AND ${sql.raw(isOpenToSession)} AND NOT ${sql.raw(isTwoFactorMissing)}`.execute(
          db,
        );
  return rows[0]?.role ?? null;
}
