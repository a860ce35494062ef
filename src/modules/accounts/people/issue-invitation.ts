import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Role } from '../../../platform/http/index.ts';
import { createOneTimeToken } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import { type InvitationRow, type NewInvitation, replaceInvitation } from './invitation-queries.ts';
import { findMemberByEmail } from './member-queries.ts';

/**
 * Invites an address, and replaces an open invitation to it. Doesn't check if the address has an account, so
 * neither the response nor its duration can reveal that. The caller has locked the organization.
 *
 * @returns The invitation and the token of its link, which isn't stored.
 */
export async function issueInvitation(
  tx: Tx,
  organizationId: number,
  { email, role, invitedBy }: { email: string; role: Role; invitedBy: NewInvitation['invitedBy'] },
  by: { actor: Actor; requestId: string | null },
): Promise<{ invitation: InvitationRow; token: string }> {
  if (await findMemberByEmail(tx, organizationId, email)) {
    throw new ApiError('conflict', 'This person is already a member of the organization.');
  }
  const { token, digest } = createOneTimeToken();
  const invitation = await replaceInvitation(tx, organizationId, { email, role, digest, invitedBy });
  await writeAuditLog(tx, organizationId, {
    action: 'invitation.created',
    resourceId: invitation.id,
    resourceName: email,
    actor: by.actor,
    detail: { role },
    requestId: by.requestId,
  });
  return { invitation, token };
}
