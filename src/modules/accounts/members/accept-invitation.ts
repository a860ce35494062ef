import { type Database, hasSqlState, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import type { Actor, ApiRequest, Caller } from '../../../platform/http/index.ts';
import { digestOneTimeToken } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import { type IssuedLogin, issueLogin } from '../login/issue-login.ts';
import type { LoginTokens } from '../login/login-tokens.ts';
import { findUserByEmail, insertUser, lockUser } from '../login/user-queries.ts';
import { lockOrganization } from '../organizations/organization-queries.ts';
import { findOpenInvitationAcrossOrganizations, markInvitationAccepted } from './invitation-queries.ts';
import { insertMember } from './member-queries.ts';

/**
 * Turns an invitation into a membership. An account that exists has to be logged in as itself and gains nothing but
 * the membership, so that whoever gets hold of a link gets no account with it. Else the account is made.
 */
export async function acceptInvitation(
  db: Database,
  {
    loginTokens,
    hash,
    wakeUps,
  }: { loginTokens: LoginTokens; hash: (password: string) => Promise<string>; wakeUps: WakeUps },
  {
    caller,
    body,
    requestId,
  }: { caller: Caller | null } & Pick<ApiRequest<'acceptInvitation'>, 'body' | 'requestId'>,
): Promise<IssuedLogin> {
  const digest = digestOneTimeToken(body.token);
  const invited = await findOpenInvitationAcrossOrganizations(db, digest);
  if (!invited) throw notFound();
  const existing = await findUserByEmail(db, invited.email);
  const newAccount = existing ? null : { ...(await requireNewAccount(body, hash)), email: invited.email };
  if (existing && existing.id !== caller?.userId) {
    throw new ApiError(
      'login_required',
      'Log in with the account that was invited, then open the invitation again.',
    );
  }

  try {
    return await transaction(db, async (tx) => {
      await lockOrganization(tx, invited.organization_id);
      // Of two at once, the later one finds the invitation used.
      const invitation = await findOpenInvitationAcrossOrganizations(tx, digest);
      if (!invitation) throw notFound();
      const userId = existing?.id ?? (await insertUser(tx, newAccount!));
      const user = await lockUser(tx, userId);
      if (!user) throw new ApiError('unauthenticated');
      const { organization_id: organizationId, role } = invitation;
      const memberId = await insertMember(tx, organizationId, { userId, role });
      if (memberId === undefined)
        throw new ApiError('conflict', 'You are a member of this organization already.');
      await markInvitationAccepted(tx, organizationId, invitation.id);
      const actor: Actor = { type: 'user', id: userId, name: user.name };
      await writeAuditLog(tx, organizationId, {
        action: 'member.created',
        resourceId: memberId,
        resourceName: user.name,
        actor,
        detail: { role, invitation_id: invitation.id },
        requestId,
      });
      wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/member/${memberId}/created`);
      return (await issueLogin(tx, loginTokens, user, { organizationId }))!;
    });
  } catch (error) {
    // The account was made by somebody else meanwhile.
    if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
    throw error;
  }
}

async function requireNewAccount(
  { name, password }: ApiRequest<'acceptInvitation'>['body'],
  hash: (password: string) => Promise<string>,
): Promise<{ name: string; passwordHash: string }> {
  if (name === undefined) throw invalidField('name', 'is required for a new account');
  if (password === undefined) throw invalidField('password', 'is required for a new account');
  return { name, passwordHash: await hash(password) };
}
