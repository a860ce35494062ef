import { CompiledQuery } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { KeyRole, Role } from '../../../platform/http/index.ts';
import { isOpenToSession, isWithinLimits } from '../people/limited-session-queries.ts';
import { isTwoFactorMissing } from '../people/two-factor-requirement.ts';
import type { LoginClaims } from './login-tokens.ts';

/**
 * SQL condition for a row of `api_keys`. A key is unusable as of the moment when its creator loses the
 * permission to create it (see `mayGiveRole`), even if the key hasn't been revoked yet.
 */
export const keyIsUsable = `
    is_active AND deactivated_at IS NULL AND (expires_at IS NULL OR expires_at > pacekeeper_now())
      AND (created_by_user_id IS NULL OR EXISTS (
        SELECT FROM memberships AS creator
        WHERE creator.organization_id = api_keys.organization_id AND creator.user_id = api_keys.created_by_user_id
          AND (creator.role = 'owner' OR (creator.role = 'admin' AND api_keys.role <> 'owner'))))`;

/** Statement that finds a key. Its text is constant, so that it isn't built again for each request. */
const keyStatement = `
  SELECT organization_id, id, name, role, agent_capabilities, agent_credential_names, secret_hash,${keyIsUsable}
      AS is_usable,
    last_used_at IS NULL OR last_used_at NOT BETWEEN pacekeeper_now() - interval '30 seconds' AND pacekeeper_now()
      AS should_record_use
  FROM api_keys
  WHERE id = $1`;

export interface ApiKeyAuthenticationRow {
  organization_id: number;
  id: number;
  name: string;
  role: Role | KeyRole;
  agent_capabilities: string[] | null;
  agent_credential_names: string[] | null;
  secret_hash: Buffer;
  /** True if the key is enabled, isn't revoked or expired, and its creator could still create it. */
  is_usable: boolean;
  /** True if the last recorded use is older than 30 seconds. */
  should_record_use: boolean;
}

/** Searches all organizations, because the organization is known only after the key is found. */
export async function findKeyAcrossOrganizations(
  db: Database,
  id: string,
): Promise<ApiKeyAuthenticationRow | undefined> {
  const { rows } = await db.executeQuery<ApiKeyAuthenticationRow>(CompiledQuery.raw(keyStatement, [id]));
  return rows[0];
}

/**
 * This single statement checks everything that ends a login. It checks the expiry time, the membership, the
 * token version (which changes with the password), and the limits of a single sign-on session. It also checks
 * that the login has an unused refresh token. A logout, a stolen token, or the removal from the organization
 * deletes that token.
 */
const loginStatement = `
  SELECT users.name, memberships.role, ${isTwoFactorMissing} AS is_two_factor_missing
  FROM users
  JOIN memberships ON memberships.organization_id = $2 AND memberships.user_id = users.id
  LEFT JOIN limited_sessions AS limits ON limits.family_id = $5
  LEFT JOIN limited_sessions AS confirmation ON confirmation.family_id = limits.provider_family_id
  WHERE users.id = $1 AND users.token_version = $3 AND to_timestamp($4) > pacekeeper_now()
    AND EXISTS (SELECT FROM refresh_tokens WHERE family_id = $5 AND used_at IS NULL)
    AND ${isWithinLimits} AND ${isOpenToSession}`;

export interface LoginRow {
  name: string;
  role: Role;
  /** True if the organization requires two-factor authentication and the user hasn't set it up. */
  is_two_factor_missing: boolean;
}

/** True if an access token has expired, according to the database clock, which determines when tokens expire. */
export async function hasExpired(
  db: Database,
  { expiresAtSeconds }: Pick<LoginClaims, 'expiresAtSeconds'>,
): Promise<boolean> {
  const { rows } = await db.executeQuery<{ has_expired: boolean }>(
    CompiledQuery.raw('SELECT to_timestamp($1) <= pacekeeper_now() AS has_expired', [expiresAtSeconds]),
  );
  return rows[0]?.has_expired === true;
}

export async function findLogin(db: Database, claims: LoginClaims): Promise<LoginRow | undefined> {
  const { userId, organizationId, tokenVersion, expiresAtSeconds, familyId } = claims;
  const { rows } = await db.executeQuery<LoginRow>(
    CompiledQuery.raw(loginStatement, [userId, organizationId, tokenVersion, expiresAtSeconds, familyId]),
  );
  return rows[0];
}
