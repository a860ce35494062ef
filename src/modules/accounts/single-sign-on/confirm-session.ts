import { emailOf, findClaim, groupsOf } from '../../../domain/sign-on/provider-claims.ts';
import { transaction } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { ProviderConnection, ProviderResponse } from '../login-providers/provider-connection.ts';
import { SignOnError } from '../login-providers/sign-on-error.ts';
import { endProviderLogin, findLimitedSession } from '../people/limited-session-queries.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { findUser, lockUser } from '../people/user-queries.ts';
import type { LoginParts } from '../sessions/login-parts.ts';
import { auditEndedSessions } from './audit-ended-sessions.ts';
import { retryOnConflict, revokeSignOnAccess, syncMemberships } from './complete-sign-on.ts';
import {
  type ClaimedLogin,
  claimProviderCheck,
  recordConfirmation,
  recordProviderLogin,
  releaseProviderCheck,
} from './identity-queries.ts';
import { reportAcceptedClient, reportRejectedClient } from './report-rejected-client.ts';
import { lockGroupOrganizations } from './sync-group-memberships.ts';
import { syncProfile } from './sync-profile.ts';

type Parts = Pick<LoginParts, 'db' | 'singleSignOn' | 'log'>;

/**
 * Checks if a login can be renewed. A single sign-on session requires a provider's confirmation that is at most an hour
 * old. When the confirmation is about to expire, this function requests the person and their groups from the provider
 * again, and ends the access that the person has lost.
 *
 * @throws ApiError `unavailable` if the provider can't be reached.
 */
export async function confirmSession(
  parts: Parts,
  familyId: string,
  requestId: string,
): Promise<'valid' | 'ended'> {
  const { db, singleSignOn, log } = parts;
  const session = await findLimitedSession(db, familyId);
  if (!session) return singleSignOn.hasPasswordLogin ? 'valid' : 'ended';
  if (session.has_ended) return 'ended';
  if (session.identity_id === null || !session.is_check_near) return 'valid';

  const { provider_family_id: providerFamilyId } = session;
  if (providerFamilyId === null) return 'ended';
  const identity = await claimProviderCheck(db, singleSignOn.secretBox, providerFamilyId);
  if (!identity) return validOrUnavailable(session.is_check_due);
  const connection = singleSignOn.findByIssuer(identity.issuer);
  if (!connection || identity.refreshToken === null) {
    await releaseProviderCheck(db, providerFamilyId);
    return session.is_check_due || !connection ? 'ended' : 'valid';
  }
  try {
    const answer = await connection.refresh(identity.refreshToken, identity.subject);
    await reportAcceptedClient(parts, connection);
    if (answer && hasRequiredClaims(connection, answer)) {
      await confirm(parts, connection, { identity, answer, requestId });
      return 'valid';
    }
  } catch (error) {
    await releaseProviderCheck(db, providerFamilyId);
    if (!(error instanceof SignOnError)) throw error;
    if (error.code === 'client_rejected') {
      await reportRejectedClient(parts, connection, { error, identity });
      return validOrUnavailable(session.is_check_due);
    }
    log.warn(
      { code: error.code, reason: error.reason, provider: connection.settings.id },
      'login not confirmed',
    );
    if (error.code === 'provider_unavailable') return validOrUnavailable(session.is_check_due);
  }
  await endSessions(parts, connection, { identity, requestId });
  return 'ended';
}

/**
 * Handles a request while another one is contacting the provider. Accepts the request if the last
 * confirmation is still valid, and otherwise throws an error with a retry time.
 */
function validOrUnavailable(isDue: boolean): 'valid' {
  if (!isDue) return 'valid';
  throw new ApiError(
    'unavailable',
    "The login provider hasn't confirmed your session yet. Try again shortly.",
    {
      retryAfterSeconds: 2,
    },
  );
}

/**
 * True if the response includes groups and every required claim. Some providers omit groups or claims from
 * later responses although the person still has them. In this case, the session ends, and the response to the
 * next login includes them again.
 */
function hasRequiredClaims({ settings }: ProviderConnection, { claims }: ProviderResponse): boolean {
  const { groups, groupsClaim, groupsShape, requiredClaims } = settings;
  if (Object.keys(requiredClaims).some((name) => findClaim(claims, name) === undefined)) return false;
  return groups.every(({ group }) => group === '*') || groupsOf(claims, groupsClaim, groupsShape) !== null;
}

async function confirm(
  parts: Parts,
  connection: ProviderConnection,
  { identity, answer, requestId }: { identity: ClaimedLogin; answer: ProviderResponse; requestId: string },
): Promise<void> {
  const { db, singleSignOn } = parts;
  // Use only the claim that is first in the order of preference. If a later response omits that claim, the
  // value of another claim isn't a new address. The next login uses all claims again.
  const settings = { ...connection.settings, emailClaims: connection.settings.emailClaims.slice(0, 1) };
  const granted = await singleSignOn.rolesOf(connection, answer).catch(async (error: unknown) => {
    if (error instanceof SignOnError && error.code === 'claim_required')
      await revokeSignOnAccess(parts, { settings, answer, requestId });
    throw error;
  });
  const work = () =>
    transaction(db, async (tx) => {
      await lockGroupOrganizations(tx, granted.roles, identity.id);
      const locked = await lockUser(tx, identity.user_id);
      if (!locked) return;
      const user = await syncProfile(tx, parts, { settings, answer, requestId }, { user: locked, identity });
      await syncMemberships(tx, { settings, ...granted, requestId }, { user, identityId: identity.id });
      const { email } = emailOf(answer.claims, settings.emailClaims);
      await recordConfirmation(tx, identity.id, { email, isLogin: false });
      await recordProviderLogin(tx, singleSignOn.secretBox, identity.familyId, answer.refreshToken);
    });
  await retryOnConflict(work);
}

/** Ends a browser's login that the provider no longer confirms, and the sessions that depend on it. */
async function endSessions(
  { db }: Parts,
  { settings }: ProviderConnection,
  { identity, requestId }: { identity: ClaimedLogin; requestId: string },
): Promise<void> {
  if (!(await findUser(db, identity.user_id))) return;
  await transaction(db, async (tx) => {
    const user = await lockUser(tx, identity.user_id);
    const { length: count } = await endProviderLogin(tx, identity.familyId);
    if (user) await auditEndedSessions(tx, user, { settings, reason: 'not_confirmed', count, requestId });
    announceRightsChange(tx, { userId: identity.user_id });
  });
  await releaseProviderCheck(db, identity.familyId);
}
