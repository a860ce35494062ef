import { randomBytes, randomUUID } from 'node:crypto';
import { describeClaims, describeGroups, emailOf, nameOf } from '../../../domain/sign-on/provider-claims.ts';
import { type Database, hasSqlState, type Tx, transaction } from '../../../platform/database/index.ts';
import { isEmailAddress } from '../../../platform/http/index.ts';
import type { ProviderResponse } from '../login-providers/provider-connection.ts';
import type { ProviderSettings } from '../login-providers/provider-file.ts';
import { SignOnError } from '../login-providers/sign-on-error.ts';
import type { GrantedRoles, SingleSignOn } from '../login-providers/single-sign-on.ts';
import { auditPerson } from '../people/audit-person.ts';
import {
  endLoginsOfIdentity,
  findLimitedSession,
  insertLimitedSession,
  singleSignOnSeconds,
} from '../people/limited-session-queries.ts';
import { listOrganizationsOfUser } from '../people/organization-queries.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { findUserByEmail, insertUser, type LockedUser, lockUser } from '../people/user-queries.ts';
import { auditLogin } from '../sessions/audit-login.ts';
import type { SessionClient } from '../sessions/client-of-session.ts';
import { type IssuedLogin, issueLogin } from '../sessions/issue-login.ts';
import type { LoginParts } from '../sessions/login-parts.ts';
import { organizationOfFamily } from '../sessions/refresh-token-queries.ts';
import { auditEndedSessions } from './audit-ended-sessions.ts';
import {
  findIdentity,
  type IdentityRow,
  insertIdentity,
  listIdentities,
  maxIdentities,
  recordConfirmation,
  sealToken,
} from './identity-queries.ts';
import { lockGroupOrganizations, syncGroupMemberships } from './sync-group-memberships.ts';
import { syncProfile } from './sync-profile.ts';

type Parts = Pick<LoginParts, 'db' | 'loginTokens' | 'passwords' | 'log'> & {
  singleSignOn: SingleSignOn;
};

/** A person confirmed by a provider, and the roles from their groups. */
export interface Confirmed extends GrantedRoles {
  settings: ProviderSettings;
  answer: ProviderResponse;
  requestId: string;
}

/**
 * Logs the person in with the account that the identity is linked to, or creates an account. A matching email
 * address never gives access to an existing account. Instead, the owner of the account must link the identity
 * while logged in.
 *
 * @throws SignOnError
 */
export async function logInBySignOn(
  parts: Parts,
  confirmed: Confirmed,
  client: SessionClient,
): Promise<IssuedLogin> {
  const passwordHash = await unusablePasswordHash(parts);
  const login = await retryOnConflict(() =>
    transaction(parts.db, async (tx) => {
      const { answer, roles } = confirmed;
      const found = await findIdentity(tx, answer);
      await lockGroupOrganizations(tx, roles, found?.id ?? null);
      const userId = found?.user_id ?? (await createAccount(tx, confirmed, passwordHash));
      const user = await lockUser(tx, userId);
      if (!user) throw new SignOnError('no_access');
      const identityId = await confirmIdentity(tx, parts, confirmed, { user, found });

      const familyId = randomUUID();
      const { refreshToken } = answer;
      await insertLimitedSession(tx, {
        familyId,
        identityId,
        providerSessionId: answer.sessionId,
        refreshToken:
          refreshToken === null ? null : sealToken(parts.singleSignOn.secretBox, familyId, refreshToken),
        seconds: singleSignOnSeconds,
      });
      const organizations = await listOrganizationsOfUser(tx, user.id, familyId);
      const organization =
        organizations.find(({ id }) => id === user.last_organization_id) ?? organizations[0];
      // Return instead of throwing. The transaction must be committed, because it removes the memberships
      // that the person has lost. The caller throws the error.
      if (!organization) return undefined;
      const start = {
        method: 'single_sign_on',
        provider: confirmed.settings.id,
        identity_id: identityId,
      } as const;
      await auditLogin(tx, user, start, confirmed.requestId);
      return issueLogin(tx, parts.loginTokens, user, {
        organizationId: organization.id,
        client,
        newFamilyId: familyId,
      });
    }),
  );
  if (!login) throw noAccess(confirmed);
  return login;
}

/**
 * Removes the memberships that groups granted and ends the sessions of a person who no longer has access at
 * the provider.
 */
export async function revokeSignOnAccess(
  { db }: Pick<Parts, 'db'>,
  { settings, answer, requestId }: Omit<Confirmed, keyof GrantedRoles>,
): Promise<void> {
  const noRoles: GrantedRoles = { roles: new Map(), followed: null };
  await transaction(db, async (tx) => {
    const identity = await findIdentity(tx, answer);
    if (!identity) return;
    await lockGroupOrganizations(tx, noRoles.roles, identity.id);
    const user = await lockUser(tx, identity.user_id);
    if (!user) return;
    const { length: count } = await endLoginsOfIdentity(tx, identity.id);
    await auditEndedSessions(tx, user, { settings, reason: 'claim_missing', count, requestId });
    await syncMemberships(tx, { settings, ...noRoles, requestId }, { user, identityId: identity.id });
    announceRightsChange(tx, { userId: user.id });
  });
}

/**
 * Links the identity to the account whose login started the attempt, if that login is still active.
 *
 * @throws SignOnError
 */
export async function linkBySignOn(
  parts: Parts,
  confirmed: Confirmed,
  { userId, loginId }: { userId: number; loginId: string },
): Promise<void> {
  await retryOnConflict(() =>
    transaction(parts.db, async (tx) => {
      const { answer, roles } = confirmed;
      const found = await findIdentity(tx, answer);
      await lockGroupOrganizations(tx, roles, found?.id ?? null);
      const user = await lockUser(tx, userId);
      if (!user || !(await isLoginActive(tx, loginId))) throw new SignOnError('session_ended');
      if (found && found.user_id !== userId) throw new SignOnError('identity_in_use');
      if (!found && (await listIdentities(tx, userId)).length >= maxIdentities)
        throw new SignOnError('no_access', 'too many identities');
      await confirmIdentity(tx, parts, confirmed, { user, found });
    }),
  );
}

/** True if a login is active and the provider doesn't need to confirm it first. */
export async function isLoginActive(db: Database | Tx, loginId: string): Promise<boolean> {
  const isCheckDue = (await findLimitedSession(db, loginId))?.is_check_due ?? false;
  return !isCheckDue && (await organizationOfFamily(db, loginId)) !== undefined;
}

/**
 * Updates memberships to match the groups that the provider has confirmed. The caller has locked the
 * organizations and the user.
 */
export async function syncMemberships(
  tx: Tx,
  { settings, roles, followed, requestId }: Omit<Confirmed, 'answer'>,
  { user, identityId }: { user: Pick<LockedUser, 'id' | 'name' | 'email'>; identityId: number },
): Promise<void> {
  await syncGroupMemberships(tx, { roles, followed }, { user, identityId, provider: settings.id, requestId });
}

async function createAccount(
  tx: Tx,
  { settings, answer, roles }: Confirmed,
  passwordHash: string,
): Promise<number> {
  if (!settings.createsAccounts) throw new SignOnError('sign_up_disabled');
  const { emailClaims } = settings;
  const { email, isVerified } = emailOf(answer.claims, emailClaims);
  if (email === null || email.length > 254 || !isEmailAddress(email))
    throw new SignOnError(
      'email_missing',
      `no email address in ${emailClaims.join(', ')}; ${describeClaims(answer.claims)}`,
    );
  // People who can enter any address at a provider must not get an account with the address of another
  // person.
  if (!isVerified && !settings.trustsEmail)
    throw new SignOnError(
      'email_not_verified',
      `email_verified isn't true, or the address isn't from the claim email; ${describeClaims(answer.claims)}`,
    );
  if (roles.size === 0) throw noAccess({ settings, answer });
  if (await findUserByEmail(tx, email)) throw new SignOnError('account_exists');
  return insertUser(tx, { email, name: nameOf(answer.claims, email), passwordHash, hasPassword: false });
}

/**
 * Links the identity if it isn't linked yet, and updates the memberships to match its groups.
 * @returns The ID of the identity.
 */
async function confirmIdentity(
  tx: Tx,
  parts: Parts,
  confirmed: Confirmed,
  { user: locked, found }: { user: LockedUser; found: IdentityRow | undefined },
): Promise<number> {
  const { settings, answer, requestId } = confirmed;
  const { issuer, subject, claims } = answer;
  const { email } = emailOf(claims, settings.emailClaims);
  const user = found ? await syncProfile(tx, parts, confirmed, { user: locked, identity: found }) : locked;
  const identityId = found?.id ?? (await insertIdentity(tx, { userId: user.id, issuer, subject, email }));
  await syncMemberships(tx, confirmed, { user, identityId });
  if (!found)
    await auditIdentity(tx, user, { action: 'created', id: identityId, provider: settings.id, requestId });
  await recordConfirmation(tx, identityId, { email, isLogin: true });
  return identityId;
}

export async function auditIdentity(
  tx: Tx,
  user: Pick<LockedUser, 'id' | 'name'>,
  entry: { action: 'created' | 'deleted'; id: number; provider: string; requestId: string },
): Promise<void> {
  await auditPerson(tx, user, {
    action: entry.action === 'created' ? 'member.login_linked' : 'member.login_unlinked',
    actor: { type: 'user', id: user.id, name: user.name },
    detail: { provider: entry.provider, identity_id: entry.id },
    requestId: entry.requestId,
  });
}

/**
 * Returns the error for a person without access. Its log message contains the person's groups, so that an operator can
 * see why they grant no access.
 */
function noAccess({ settings, answer }: Pick<Confirmed, 'settings' | 'answer'>): SignOnError {
  const { groupsClaim, groupsShape } = settings;
  return new SignOnError('no_access', describeGroups(answer.claims, groupsClaim, groupsShape));
}

let cachedHash: Promise<string> | undefined;

/**
 * Returns the hash of 32 random bytes that are discarded, so no one can know the password. One hash is
 * generated and reused for all accounts.
 */
function unusablePasswordHash({ passwords }: Pick<Parts, 'passwords'>): Promise<string> {
  cachedHash ??= passwords.hash(randomBytes(32).toString('base64'));
  cachedHash.catch(() => (cachedHash = undefined));
  return cachedHash;
}

/**
 * Runs `work` again after a unique violation. For example, a person can log in for the first time in two
 * browsers at once. The later login then fails, and its second attempt finds the account that the earlier
 * login created.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!hasSqlState(error, '23505')) throw error;
    return work();
  }
}
