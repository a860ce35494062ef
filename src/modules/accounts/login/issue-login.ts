import { randomUUID } from 'node:crypto';
import type { Schemas } from '../../../generated/auth-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { createOneTimeToken } from '../../../platform/secrets/index.ts';
import { listOrganizationsOfUser } from '../organizations/organization-queries.ts';
import { accessTokenSeconds, type LoginTokens } from './login-tokens.ts';
import { insertRefreshToken, useUpFamily } from './refresh-token-queries.ts';
import { type LockedUser, setLastOrganization } from './user-queries.ts';

export interface IssuedLogin {
  body: Schemas['LoginResponse'];
  /** For the cookie; null when the browser has a newer one already. */
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
  { organizationId, familyId: current }: { organizationId: number; familyId?: string },
): Promise<IssuedLogin | undefined> {
  const familyId = current ?? randomUUID();
  const body = await loginBody(tx, loginTokens, user, { organizationId, familyId });
  if (!body) return undefined;
  const { token, digest } = createOneTimeToken();
  if (current !== undefined) await useUpFamily(tx, current);
  await insertRefreshToken(tx, { digest, familyId, userId: user.id, organizationId });
  if (user.last_organization_id !== organizationId) await setLastOrganization(tx, user.id, organizationId);
  return { body, refreshToken: token };
}

/** An access token for a login that goes on, and nothing that would outlive it. */
export async function loginBody(
  tx: Tx,
  loginTokens: LoginTokens,
  user: LockedUser,
  { organizationId, familyId }: { organizationId: number; familyId: string },
): Promise<Schemas['LoginResponse'] | undefined> {
  const organizations = await listOrganizationsOfUser(tx, user.id);
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
