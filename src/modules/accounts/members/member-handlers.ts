import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Caller, Handlers, Role } from '../../../platform/http/index.ts';
import { createOneTimeToken } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import { endLoginsToOrganization } from '../login/refresh-token-queries.ts';
import { insertPasswordReset, lockUser, normalizeEmail, voidPasswordResets } from '../login/user-queries.ts';
import { lockOrganization, systemOrganizationId } from '../organizations/organization-queries.ts';
import { isAtMost } from '../roles.ts';
import {
  deleteInvitation,
  deleteInvitationsAbove,
  findOpenInvitation,
  type InvitationRow,
  listOpenInvitations,
  replaceInvitation,
} from './invitation-queries.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  findMemberByEmail,
  isMemberElsewhereAcrossOrganizations,
  listMemberChoices,
  listMembers,
  type MemberRow,
  updateMemberRole,
} from './member-queries.ts';

type MemberOperations =
  | 'listMembers'
  | 'inviteMember'
  | 'deleteInvitation'
  | 'updateMember'
  | 'deleteMember'
  | 'createMemberResetLink'
  | 'listOrgMembersDropdown';

export function memberHandlers({
  db,
  wakeUps,
  baseUrl,
}: {
  db: Database;
  wakeUps: WakeUps;
  baseUrl: string;
}): Handlers<MemberOperations> {
  return {
    async listMembers({ caller, query }) {
      const page = await listMembers(db, caller.organizationId, query, query);
      const invitations = await listOpenInvitations(db, caller.organizationId);
      return {
        status: 200,
        body: { ...page, items: page.items.map(toMember), invitations: invitations.map(toInvitation) },
      };
    },

    /** Looks nowhere whether the address has an account: the answer could not tell even by mistake. */
    async inviteMember({ caller, body, requestId }) {
      if (caller.organizationId === systemOrganizationId)
        throw new ApiError('conflict', 'Global has no members.');
      checkMayGive(caller, body.role);
      const email = normalizeEmail(body.email);
      const { token, digest } = createOneTimeToken();
      const invitation = await transaction(db, async (tx) => {
        await lockOrganization(tx, caller.organizationId);
        if (await findMemberByEmail(tx, caller.organizationId, email)) {
          throw new ApiError('conflict', 'This person is a member of the organization already.');
        }
        const row = await replaceInvitation(tx, caller.organizationId, {
          email,
          role: body.role,
          digest,
          invitedByUserId: caller.userId,
        });
        await writeAuditLog(tx, caller.organizationId, {
          action: 'invitation.created',
          resourceId: row.id,
          resourceName: email,
          actor: caller.actor,
          detail: { role: body.role },
          requestId,
        });
        // The list of members tells the open invitations as well.
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/member//updated`);
        return row;
      });
      return {
        status: 201,
        body: { invitation: toInvitation(invitation), accept_url: link('/invitations/accept', token) },
      };
    },

    async deleteInvitation({ caller, path, requestId }) {
      await transaction(db, async (tx) => {
        await lockOrganization(tx, caller.organizationId);
        const row = await findOpenInvitation(tx, caller.organizationId, path.id);
        if (!row) throw notFound();
        checkMayTouch(caller, row.role);
        await deleteInvitation(tx, caller.organizationId, row.id);
        await writeAuditLog(tx, caller.organizationId, {
          action: 'invitation.deleted',
          resourceId: row.id,
          resourceName: row.email,
          actor: caller.actor,
          detail: { role: row.role },
          requestId,
        });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/member//updated`);
      });
      return { status: 204 };
    },

    async updateMember({ caller, path, body, requestId }) {
      const row = await transaction(db, async (tx) => {
        const before = await lockMember(tx, caller, path.id);
        checkMayGive(caller, body.role);
        if (body.role === before.role) return before;
        if (before.role === 'owner') await checkNotLastOwner(tx, caller.organizationId);
        await updateMemberRole(tx, caller.organizationId, before.id, body.role);
        await deleteInvitationsAbove(tx, caller.organizationId, { userId: before.user_id, role: body.role });
        await writeAuditLog(tx, caller.organizationId, {
          action: 'member.updated',
          resourceId: before.id,
          resourceName: before.name,
          actor: caller.actor,
          detail: { from: before.role, to: body.role },
          requestId,
        });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/member/${before.id}`);
        return (await findMember(tx, caller.organizationId, before.id))!;
      });
      return { status: 200, body: toMember(row) };
    },

    async deleteMember({ caller, path, requestId }) {
      await transaction(db, async (tx) => {
        const row = await lockMember(tx, caller, path.id);
        if (row.role === 'owner') await checkNotLastOwner(tx, caller.organizationId);
        await lockUser(tx, row.user_id);
        await deleteMember(tx, caller.organizationId, row.id);
        await endLoginsToOrganization(tx, caller.organizationId, row.user_id);
        await deleteInvitationsAbove(tx, caller.organizationId, { userId: row.user_id, role: null });
        await writeAuditLog(tx, caller.organizationId, {
          action: 'member.deleted',
          resourceId: row.id,
          resourceName: row.name,
          actor: caller.actor,
          detail: { role: row.role, email: row.email },
          requestId,
        });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/member/${row.id}/deleted`);
      });
      return { status: 204 };
    },

    async createMemberResetLink({ caller, path, requestId }) {
      const { token, digest } = createOneTimeToken();
      const reset = await transaction(db, async (tx) => {
        const row = await lockMember(tx, caller, path.id);
        await lockUser(tx, row.user_id);
        // Whoever holds the link holds the account, and with it every organization that it belongs to.
        if (await isMemberElsewhereAcrossOrganizations(tx, caller.organizationId, row.user_id)) {
          throw new ApiError(
            'conflict',
            'The password of this account can only be reset by the operator of the service.',
          );
        }
        // Only the newest link works.
        await voidPasswordResets(tx, row.user_id);
        await writeAuditLog(tx, caller.organizationId, {
          action: 'member.reset_link_created',
          resourceId: row.id,
          resourceName: row.name,
          actor: caller.actor,
          requestId,
        });
        return insertPasswordReset(tx, row.user_id, digest);
      });
      return {
        status: 201,
        body: { reset_url: link('/reset-password', token), expires_at: reset.expires_at.toISOString() },
      };
    },

    async listOrgMembersDropdown({ caller }) {
      return { status: 200, body: await listMemberChoices(db, caller.organizationId) };
    },
  };

  /** After the `#` a token reaches no server's log and no Referer. */
  function link(path: string, token: string): string {
    return `${baseUrl.replace(/\/+$/, '')}${path}#token=${token}`;
  }
}

/** The member, while nobody else changes who belongs to the organization. Only owners touch owners. */
async function lockMember(tx: Tx, caller: Caller, memberId: number): Promise<MemberRow> {
  await lockOrganization(tx, caller.organizationId);
  const row = await findMember(tx, caller.organizationId, memberId);
  if (!row) throw notFound();
  checkMayTouch(caller, row.role);
  return row;
}

function checkMayTouch(caller: Caller, role: Role): void {
  if (!isAtMost(role, caller.role)) throw new ApiError('forbidden', `This needs the role ${role}.`);
}

function checkMayGive(caller: Caller, role: Role): void {
  if (!isAtMost(role, caller.role))
    throw new ApiError('forbidden', `You can give roles up to ${caller.role}.`);
}

async function checkNotLastOwner(tx: Tx, organizationId: number): Promise<void> {
  if ((await countOwners(tx, organizationId)) <= 1) {
    throw new ApiError('conflict', 'The last owner stays. Make somebody else an owner first.');
  }
}

function toMember({ created_at, updated_at, ...rest }: MemberRow): Schemas['Member'] {
  return { ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

function toInvitation({ expires_at, created_at, updated_at, ...rest }: InvitationRow): Schemas['Invitation'] {
  return {
    ...rest,
    expires_at: expires_at.toISOString(),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
