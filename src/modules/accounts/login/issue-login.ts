import { randomUUID } from 'node:crypto';
import type { Schemas } from '../../../generated/auth-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { createOneTimeToken, digestOneTimeToken } from '../../../platform/secrets/index.ts';
import { listOrganizationsOfUser } from '../organizations/organization-queries.ts';
import type { SessionClient } from './client-of-session.ts';
import { accessTokenSeconds, type LoginTokens } from './login-tokens.ts';
import { findRefreshToken, insertRefreshToken, useUpFamily } from './refresh-token-queries.ts';
import { type LockedUser, setLastOrganization } from './user-queries.ts';

export interface IssuedLogin {
  body: Schemas['LoginResponse'];
  /** For the cookie; null when the client has a newer one already, or has presented none. */
  refreshToken: string | null;
}

/**
 * Begins a login in an organization, or goes on with one (`familyId`), whose refresh token is replaced.
 * Undefined when the user does not belong to the organization. The user is locked.
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
    /** For a new login whose limits are already known. */
    newFamilyId?: string;
  },
): Promise<IssuedLogin | undefined> {
  const familyId = current ?? newFamilyId ?? randomUUID();
  const body = await loginBody(tx, loginTokens, user, { organizationId, familyId });
  if (!body) return undefined;
  const { token, digest } = createOneTimeToken();
  const session = current === undefined ? undefined : await useUpFamily(tx, current);
  await insertRefreshToken(tx, { digest, familyId, userId: user.id, organizationId, client, session });
  if (user.last_organization_id !== organizationId) await setLastOrganization(tx, user.id, organizationId);
  return { body, refreshToken: token };
}

/**
 * What a request with the access token of a login presents beside it: the unused refresh token of this very login, one
 * that was used before and so is in two hands, one that another tab used a moment ago, or none. The user is locked.
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
 * Goes on with a login in an organization. Only who has presented its unused refresh token gets a new one: an access
 * token alone gives nothing that outlives the login. Undefined when the user does not belong to the organization. The
 * user is locked.
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
  const body = await loginBody(tx, loginTokens, user, { organizationId, familyId });
  if (body && user.last_organization_id !== organizationId)
    await setLastOrganization(tx, user.id, organizationId);
  return body && { body, refreshToken: null };
}

/** An access token for a login that goes on, and nothing that would outlive it. */
export async function loginBody(
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
