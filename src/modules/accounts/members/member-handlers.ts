import type { Schemas } from '../../../generated/client-api.ts';
import { changeTopic, type Database, type Tx, transaction, wake } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { assertIfMatch, type Caller, type Handlers } from '../../../platform/http/index.ts';
import { createOneTimeToken } from '../../../platform/secrets/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import { previewKeysOfCreator } from '../api-keys/keys-of-creator.ts';
import { countInvitationsOfInviter, listOpenInvitations } from '../people/invitation-queries.ts';
import {
  assertCanAssign,
  assertCanManage,
  lockOrganizationAsManager,
  type Manager,
} from '../people/lock-as-manager.ts';
import {
  countOwners,
  deleteMember,
  findMember,
  listMemberChoices,
  listMembers,
  type MemberRow,
  updateMemberRole,
} from '../people/member-queries.ts';
import { type LinkOptions, linkBase, oneTimeLink } from '../people/one-time-link.ts';
import { insertPasswordReset, voidPasswordResets } from '../people/password-reset-queries.ts';
import { isAtMost } from '../people/roles.ts';
import { lockUser } from '../people/user-queries.ts';
import { endLoginsToOrganization } from '../sessions/refresh-token-queries.ts';
import { revokeCredentialsIssuedBy } from './end-rights.ts';
import { invitationHandlers, toInvitation } from './invitation-handlers.ts';

type MemberOperations =
  | 'listMembers'
  | 'inviteMember'
  | 'deleteInvitation'
  | 'previewMemberChange'
  | 'updateMember'
  | 'deleteMember'
  | 'createMemberResetLink'
  | 'listOrgMembersDropdown';

/**
 * Maximum number of API keys that the preview of a role change lists. The remaining keys are only counted.
 */
const previewedKeys = 20;

export function memberHandlers(deps: LinkOptions & { db: Database }): Handlers<MemberOperations> {
  const { db } = deps;
  return {
    ...invitationHandlers(deps),

    async listMembers({ caller, query }) {
      const page = await listMembers(db, caller.organizationId, query, query);
      const invitations = await listOpenInvitations(db, caller.organizationId);
      return {
        status: 200,
        body: { ...page, items: page.items.map(toMember), invitations: invitations.map(toInvitation) },
      };
    },

    async previewMemberChange({ caller: { organizationId }, path, query }) {
      const member = await findMember(db, organizationId, path.id);
      if (!member) throw notFound();
      const change = { userId: member.user_id, role: query.role ?? null };
      const keys = await previewKeysOfCreator(db, organizationId, change, previewedKeys);
      const invitations = await countInvitationsOfInviter(db, organizationId, change);
      return {
        status: 200,
        body: { api_keys: keys.items, api_keys_total: keys.total, invitations_total: invitations },
      };
    },

    async updateMember(request) {
      const { caller, path, body, requestId } = request;
      const { organizationId, actor } = caller;
      const row = await transaction(db, async (tx) => {
        const { manager, member: before } = await lockMember(tx, caller, path.id);
        assertCanAssign(manager, body.role);
        assertIfMatch(request, before);
        if (body.role === before.role) return before;
        if (before.role === 'owner') await checkNotLastOwner(tx, organizationId);
        await updateMemberRole(tx, organizationId, before.id, body.role);
        await voidPasswordResets(tx, before.user_id, organizationId);
        if (isAtMost(body.role, before.role)) {
          const change = { userId: before.user_id, role: body.role };
          await revokeCredentialsIssuedBy(tx, organizationId, change, { actor, requestId });
        }
        await writeAuditLog(tx, organizationId, {
          action: 'member.updated',
          resourceId: before.id,
          resourceName: before.name,
          actor,
          detail: { from: before.role, to: body.role },
          requestId,
        });
        wake(tx, changeTopic(organizationId, 'member', before.id));
        return (await findMember(tx, organizationId, before.id))!;
      });
      return { status: 200, body: toMember(row) };
    },

    async deleteMember(request) {
      const { caller, path, requestId } = request;
      const { organizationId, actor } = caller;
      await transaction(db, async (tx) => {
        const { member } = await lockMember(tx, caller, path.id);
        assertIfMatch(request, member);
        if (member.role === 'owner') await checkNotLastOwner(tx, organizationId);
        await lockUser(tx, member.user_id);
        await deleteMember(tx, organizationId, member.id);
        await endLoginsToOrganization(tx, organizationId, member.user_id);
        await voidPasswordResets(tx, member.user_id, organizationId);
        const change = { userId: member.user_id, role: null };
        await revokeCredentialsIssuedBy(tx, organizationId, change, { actor, requestId });
        await writeAuditLog(tx, organizationId, {
          action: 'member.deleted',
          resourceId: member.id,
          resourceName: member.name,
          actor,
          detail: { role: member.role, email: member.email },
          requestId,
        });
        wake(tx, changeTopic(organizationId, 'member', member.id, 'deleted'));
      });
      return { status: 204 };
    },

    /**
     * Creates a reset link. The response doesn't depend on the account's memberships in other organizations,
     * because it must not reveal them. A link for an account with other memberships is rejected when it's
     * used (see `isResetAllowed`).
     */
    async createMemberResetLink({ caller, path, requestId, http }) {
      const { organizationId } = caller;
      const { token, digest } = createOneTimeToken();
      const reset = await transaction(db, async (tx) => {
        const { manager, member } = await lockMember(tx, caller, path.id);
        await lockUser(tx, member.user_id);
        // Only the newest link is valid.
        await voidPasswordResets(tx, member.user_id, organizationId);
        await writeAuditLog(tx, organizationId, {
          action: 'member.reset_link_created',
          resourceId: member.id,
          resourceName: member.name,
          actor: caller.actor,
          requestId,
        });
        const link = { userId: member.user_id, issuedByUserId: manager.userId, digest };
        return insertPasswordReset(tx, organizationId, link);
      });
      return {
        status: 201,
        body: {
          reset_url: oneTimeLink(linkBase(deps, http.request), '/reset-password', token),
          expires_at: reset.expires_at.toISOString(),
        },
      };
    },

    async listOrgMembersDropdown({ caller }) {
      return { status: 200, body: await listMemberChoices(db, caller.organizationId) };
    },
  };
}

/**
 * Returns a member and locks the memberships of the organization. Only owners can change or remove owners.
 */
async function lockMember(
  tx: Tx,
  caller: Caller,
  memberId: number,
): Promise<{ manager: Manager; member: MemberRow }> {
  const manager = await lockOrganizationAsManager(tx, caller);
  const member = await findMember(tx, caller.organizationId, memberId);
  if (!member) throw notFound();
  assertCanManage(manager, member.role);
  return { manager, member };
}

async function checkNotLastOwner(tx: Tx, organizationId: number): Promise<void> {
  if ((await countOwners(tx, organizationId)) <= 1) {
    throw new ApiError('conflict', 'An organization needs at least one owner. Add another owner first.');
  }
}

function toMember({ created_at, updated_at, ...rest }: MemberRow): Schemas['Member'] {
  return { ...rest, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}
