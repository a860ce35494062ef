import { emailOf, reportedNameOf } from '../../../domain/sign-on/provider-claims.ts';
import { afterCommit, type Tx } from '../../../platform/database/index.ts';
import { isEmailAddress } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { ProviderResponse } from '../login-providers/provider-connection.ts';
import type { ProviderSettings } from '../login-providers/provider-file.ts';
import { auditPerson } from '../people/audit-person.ts';
import { voidPasswordResets } from '../people/password-reset-queries.ts';
import { findUserByEmail, type LockedUser, normalizeEmail, updateProfile } from '../people/user-queries.ts';
import { type IdentityRow, listIdentities } from './identity-queries.ts';

/**
 * Copies a new email address or name from the provider to the account. An address must meet the same
 * conditions as for a new account: it's valid, it's verified or trusted, and no other account has it. An
 * account stays unchanged if its address wasn't that of the identity, for example because the person linked a
 * private login to it. The caller has locked the user.
 *
 * @param by.identity The identity as it was before this confirmation.
 * @returns The user with the new values.
 */
export async function syncProfile(
  tx: Tx,
  { log }: { log: Log },
  {
    settings,
    answer,
    requestId,
  }: { settings: ProviderSettings; answer: ProviderResponse; requestId: string },
  { user, identity }: { user: LockedUser; identity: IdentityRow },
): Promise<LockedUser> {
  if (!(await belongsTo(tx, user, identity))) return user;
  const email = (await newEmail(tx, { log }, { settings, answer, user })) ?? user.email;
  const name = reportedNameOf(answer.claims) ?? user.name;
  if (email === user.email && name === user.name) return user;
  await updateProfile(tx, user.id, { email, name });
  // Reset links were sent to the old address.
  if (email !== user.email) await voidPasswordResets(tx, user.id, 'all');
  const changed = { ...user, email, name };
  await auditPerson(tx, changed, {
    action: 'member.profile_changed',
    actor: { type: 'system', id: null, name: settings.name },
    detail: {
      provider: settings.id,
      ...(email !== user.email && { email: { from: user.email, to: email } }),
      ...(name !== user.name && { name: { from: user.name, to: name } }),
    },
    requestId,
  });
  return changed;
}

/** True if the account has the address of the identity, or no other way to log in than the identity. */
async function belongsTo(tx: Tx, user: LockedUser, identity: IdentityRow): Promise<boolean> {
  if (identity.email !== null && normalizeEmail(identity.email) === user.email) return true;
  return !user.has_password && (await listIdentities(tx, user.id)).length === 1;
}

/** Returns the address at the provider if it's new and usable for the account. */
async function newEmail(
  tx: Tx,
  { log }: { log: Log },
  { settings, answer, user }: { settings: ProviderSettings; answer: ProviderResponse; user: LockedUser },
): Promise<string | null> {
  const { email: given, isVerified } = emailOf(answer.claims, settings.emailClaims);
  if (given === null || given.length > 254 || !isEmailAddress(given)) return null;
  const email = normalizeEmail(given);
  if (email === user.email || !(isVerified || settings.trustsEmail)) return null;
  if (await findUserByEmail(tx, email)) {
    const fields = { userId: user.id, provider: settings.id };
    afterCommit(tx, () =>
      log.warn(
        fields,
        'the email address of a person changed at the login provider, but another account has it',
      ),
    );
    return null;
  }
  return email;
}
