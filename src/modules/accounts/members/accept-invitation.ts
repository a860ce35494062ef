import { changeTopic, hasSqlState, type Tx, transaction, wake } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { ApiRequest, Caller } from '../../../platform/http/index.ts';
import { digestOneTimeToken } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import {
  findOpenInvitationAcrossOrganizations,
  markInvitationAccepted,
  type OpenInvitation,
} from '../people/invitation-queries.ts';
import { insertMember } from '../people/member-queries.ts';
import { lockOrganization } from '../people/organization-queries.ts';
import { unusableLinkError } from '../people/unusable-link.ts';
import {
  findUserByEmail,
  insertUser,
  type LockedUser,
  lockUser,
  type UserRow,
} from '../people/user-queries.ts';
import type { SessionClient } from '../sessions/client-of-session.ts';
import { checkPresentedToken, continueLogin, type IssuedLogin, issueLogin } from '../sessions/issue-login.ts';
import {
  assertPasswordLogin,
  endReusedLogin,
  type LoginParts,
  requireLogin,
  withLoginCapacity,
} from '../sessions/login-parts.ts';

type Parts = Pick<LoginParts, 'db' | 'loginTokens' | 'passwords' | 'log' | 'singleSignOn'>;

export interface AcceptInvitationInput extends Pick<ApiRequest<'acceptInvitation'>, 'body' | 'requestId'> {
  caller: Caller | null;
  client: SessionClient;
  refreshToken: string | undefined;
  /** Key that identifies the client in the password hashing queue. */
  queueKey: string;
}

/**
 * Converts an invitation to a membership. If the invited address has an account, its owner must be logged in
 * and gains only the membership, so a stolen link doesn't give access to the account. Without a login, an
 * account is created.
 *
 * The response must not reveal whether the invited address has an account. A request is therefore rejected
 * before the account is looked up, or in both cases with the same response and after the same work.
 *
 * @returns `ended` if the login was ended instead, because its refresh token is known to two clients.
 */
export async function acceptInvitation(
  parts: Parts,
  { caller, body, requestId, client, refreshToken, queueKey }: AcceptInvitationInput,
): Promise<IssuedLogin | 'ended'> {
  const { db, loginTokens } = parts;
  const digest = digestOneTimeToken(body.token);
  const invited = await findOpenInvitationAcrossOrganizations(db, digest);
  if (!invited) throw unusableInvitation();

  if (caller) {
    const { user: found, loginId } = await requireLogin(db, caller);
    if (found.email !== invited.email) throw wrongInviteeError();
    return transaction(db, async (tx) => {
      const invitation = await lockInvitation(tx, invited.organization_id, digest);
      const user = await lockUser(tx, found.id);
      if (!user) throw new ApiError('unauthenticated');
      const presented = await checkPresentedToken(tx, loginId, refreshToken);
      if (presented === 'reused') {
        await endReusedLogin(tx, parts, { loginId, user });
        return 'ended';
      }
      await join(tx, invitation, user);
      const login = await continueLogin(tx, loginTokens, user, {
        organizationId: invitation.organization_id,
        client,
        loginId,
        hasPresentedToken: presented === 'unused',
      });
      return login!;
    });
  }

  const account = await prepareAccount(body);
  try {
    return await transaction(db, async (tx) => {
      const invitation = await lockInvitation(tx, invited.organization_id, digest);
      const { email, organization_id: organizationId } = invitation;
      if (await findUserByEmail(tx, email)) throw wrongInviteeError();
      const user = await lockUser(tx, await insertUser(tx, { ...account, email }));
      await join(tx, invitation, user!);
      return (await issueLogin(tx, loginTokens, user!, { organizationId, client }))!;
    });
  } catch (error) {
    // Another request created the account first, so the address now has one.
    if (hasSqlState(error, '23505')) throw wrongInviteeError(error);
    throw error;
  }

  async function prepareAccount({ name, password }: AcceptInvitationInput['body']) {
    if (name === undefined && password === undefined) throw wrongInviteeError();
    if (name === undefined) throw invalidField('name', 'is required for a new account');
    if (password === undefined) throw invalidField('password', 'is required for a new account');
    assertPasswordLogin(parts);
    // Also hashes the password if the address has an account, so that the response time doesn't reveal it.
    return { name, passwordHash: await withLoginCapacity(parts.passwords.hash(password, queueKey)) };
  }

  async function join(
    tx: Tx,
    { organization_id: organizationId, id, role }: OpenInvitation,
    { id: userId, name }: UserRow | LockedUser,
  ): Promise<void> {
    const memberId = await insertMember(tx, organizationId, { userId, role });
    if (memberId === undefined)
      throw new ApiError('conflict', "You're already a member of this organization.");
    await markInvitationAccepted(tx, organizationId, id);
    await writeAuditLog(tx, organizationId, {
      action: 'member.created',
      resourceId: memberId,
      resourceName: name,
      actor: { type: 'user', id: userId, name },
      detail: { role, invitation_id: id },
      requestId,
    });
    wake(tx, changeTopic(organizationId, 'member', memberId, 'created'));
  }
}

function unusableInvitation(): ApiError {
  return unusableLinkError('Ask an administrator of the organization for a new invitation.');
}

/**
 * Locks the organization and reads the invitation. If two requests use it at the same time, the later one is
 * rejected.
 */
async function lockInvitation(tx: Tx, organizationId: number, digest: Buffer): Promise<OpenInvitation> {
  await lockOrganization(tx, organizationId);
  const invitation = await findOpenInvitationAcrossOrganizations(tx, digest);
  if (!invitation) throw unusableInvitation();
  return invitation;
}

/**
 * Returns the error for a person who isn't logged in with the invited address and can't create an account for
 * it either. The error is the same whether or not the address has an account.
 */
function wrongInviteeError(cause?: unknown): ApiError {
  return new ApiError(
    'login_required',
    'Log in with the invited email address and open the invitation again. To create an account, log out first.',
    { cause },
  );
}
