import { randomUUID } from 'node:crypto';
import type { Schemas } from '../../../generated/auth-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { createOneTimeToken, digestOneTimeToken } from '../../../platform/secrets/index.ts';
import { listOrganizationsOfUser } from '../people/organization-queries.ts';
import { type LockedUser, setLastOrganization } from '../people/user-queries.ts';
import type { SessionClient } from './client-of-session.ts';
import { accessTokenSeconds, type LoginTokens } from './login-tokens.ts';
import { findRefreshToken, insertRefreshToken, markFamilyUsed } from './refresh-token-queries.ts';

export interface IssuedLogin {
  body: Schemas['LoginResponse'];
  /** Token for the cookie; null if the client already has a newer one or didn't present one. */
  refreshToken: string | null;
}

/**
 * Starts a login in an organization. If `familyId` is given, continues that login instead and replaces its refresh
 * token. Returns undefined if the user doesn't belong to the organization. The caller has locked the user.
 */
export async function issueLogin(
  tx: Tx,
  loginTokens: LoginTokens,
  user: LockedUser,
  {
    organizationId,
    client,
    familyId: current,
    newFamilyId,
  }: {
    organizationId: number;
    client: SessionClient;
    familyId?: string;
    /** ID for a new login whose limits are already stored. */
    newFamilyId?: string;
  },
): Promise<IssuedLogin | undefined> {
  const familyId = current ?? newFamilyId ?? randomUUID();
  const body = await continuedLoginResponse(tx, loginTokens, user, { organizationId, familyId });
  if (!body) return undefined;
  const { token, digest } = createOneTimeToken();
  const session = current === undefined ? undefined : await markFamilyUsed(tx, current);
  await insertRefreshToken(tx, { digest, familyId, userId: user.id, organizationId, client, session });
  if (user.last_organization_id !== organizationId) await setLastOrganization(tx, user.id, organizationId);
  return { body, refreshToken: token };
}

/**
 * Checks the refresh token that a request presents together with the access token of a login. There are four
 * cases: the token is the unused one of this login, another tab has just used it, it was used earlier and is
 * therefore known to two clients, or it's missing. The caller has locked the user.
 */
export async function checkPresentedToken(
  tx: Tx,
  loginId: string,
  refreshToken: string | undefined,
): Promise<'unused' | 'just_used' | 'reused' | 'none'> {
  if (refreshToken === undefined) return 'none';
  const found = await findRefreshToken(tx, digestOneTimeToken(refreshToken));
  if (found?.family_id !== loginId) return 'none';
  if (!found.is_used) return 'unused';
  return found.is_just_used ? 'just_used' : 'reused';
}

/**
 * Continues a login in an organization. A new refresh token is issued only if the client presented the unused
 * one, because an access token alone must not result in credentials that outlive the login. Returns undefined
 * if the user doesn't belong to the organization. The caller has locked the user.
 */
export async function continueLogin(
  tx: Tx,
  loginTokens: LoginTokens,
  user: LockedUser,
  {
    organizationId,
    client,
    loginId: familyId,
    hasPresentedToken,
  }: { organizationId: number; client: SessionClient; loginId: string; hasPresentedToken: boolean },
): Promise<IssuedLogin | undefined> {
  if (hasPresentedToken) return issueLogin(tx, loginTokens, user, { organizationId, client, familyId });
  const body = await continuedLoginResponse(tx, loginTokens, user, { organizationId, familyId });
  if (body && user.last_organization_id !== organizationId)
    await setLastOrganization(tx, user.id, organizationId);
  return body && { body, refreshToken: null };
}

/**
 * Returns the response for a continued login. It contains an access token, but no credential that outlives
 * the login. Returns undefined if the user doesn't belong to the organization.
 */
export async function continuedLoginResponse(
  tx: Tx,
  loginTokens: LoginTokens,
  user: LockedUser,
  { organizationId, familyId }: { organizationId: number; familyId: string },
): Promise<Schemas['LoginResponse'] | undefined> {
  const organizations = await listOrganizationsOfUser(tx, user.id, familyId);
  const organization = organizations.find(({ id }) => id === organizationId);
  if (!organization) return undefined;
  const claims = { userId: user.id, organizationId, tokenVersion: user.token_version, familyId };
  return {
    access_token: await loginTokens.issue(claims, user.now),
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    user: { id: user.id, email: user.email, name: user.name },
    organization,
    organizations,
  };
}
