import type { Schemas } from '../../../generated/client-api.ts';
import { basePaths } from '../../../generated/operations.ts';
import { changeTopic, type Database, transaction, wake } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import {
  deleteInvitation,
  findOpenInvitation,
  findOpenInvitationTo,
  hasReachedInvitationLimit,
  type InvitationRow,
  maxOpenInvitations,
} from '../people/invitation-queries.ts';
import { issueInvitation } from '../people/issue-invitation.ts';
import { assertCanAssign, assertCanManage, lockOrganizationAsManager } from '../people/lock-as-manager.ts';
import { type LinkOptions, linkBase, oneTimeLink } from '../people/one-time-link.ts';
import { normalizeEmail } from '../people/user-queries.ts';

export function invitationHandlers({
  db,
  ...linkOptions
}: LinkOptions & {
  db: Database;
}): Handlers<'inviteMember' | 'deleteInvitation'> {
  return {
    async inviteMember({ caller, body, requestId, http }) {
      const email = normalizeEmail(body.email);
      const { invitation, token } = await transaction(db, async (tx) => {
        const manager = await lockOrganizationAsManager(tx, caller);
        assertCanAssign(manager, body.role);
        // The new invitation replaces the old one, so it requires the same role as deleting the old one.
        const replaced = await findOpenInvitationTo(tx, caller.organizationId, email);
        if (replaced) assertCanManage(manager, replaced.role);
        else if (await hasReachedInvitationLimit(tx, caller.organizationId)) {
          throw new ApiError(
            'conflict',
            `An organization can have at most ${maxOpenInvitations} open invitations. Revoke invitations you no longer need.`,
          );
        }
        const wish = { email, role: body.role, invitedBy: { userId: manager.userId } };
        const issued = await issueInvitation(tx, caller.organizationId, wish, {
          actor: caller.actor,
          requestId,
        });
        // Update the list of members, because it also contains the open invitations.
        wake(tx, changeTopic(caller.organizationId, 'member', null));
        return issued;
      });
      return {
        status: 201,
        headers: { location: `${basePaths.client}/invitations/${invitation.id}` },
        body: {
          invitation: toInvitation(invitation),
          accept_url: oneTimeLink(linkBase(linkOptions, http.request), '/invitations/accept', token),
        },
      };
    },

    async deleteInvitation({ caller, path, requestId }) {
      await transaction(db, async (tx) => {
        const manager = await lockOrganizationAsManager(tx, caller);
        const row = await findOpenInvitation(tx, caller.organizationId, path.id);
        if (!row) throw notFound();
        assertCanManage(manager, row.role);
        await deleteInvitation(tx, caller.organizationId, row.id);
        await writeAuditLog(tx, caller.organizationId, {
          action: 'invitation.deleted',
          resourceId: row.id,
          resourceName: row.email,
          actor: caller.actor,
          detail: { role: row.role },
          requestId,
        });
        wake(tx, changeTopic(caller.organizationId, 'member', null));
      });
      return { status: 204 };
    },
  };
}

export function toInvitation({
  expires_at,
  created_at,
  updated_at,
  ...rest
}: InvitationRow): Schemas['Invitation'] {
  return {
    ...rest,
    expires_at: expires_at.toISOString(),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
