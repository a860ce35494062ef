import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import {
  type CurrentMembership,
  type GroupRole,
  type MembershipChange,
  planMemberships,
} from '../../../domain/sign-on/group-roles.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import type { GrantedRoles } from '../login-providers/single-sign-on.ts';
import { revokeCredentialsIssuedBy } from '../members/end-rights.ts';
import { deleteMember, insertMember, updateMemberRole } from '../people/member-queries.ts';
import { lockOrganization } from '../people/organization-queries.ts';
import { voidPasswordResets } from '../people/password-reset-queries.ts';
import { isAtMost } from '../people/roles.ts';
import { endLoginsToOrganization } from '../sessions/refresh-token-queries.ts';

/** A person whose memberships follow their groups, and the context for the audit log. */
export interface GroupSyncedUser {
  user: { id: number; name: string; email: string };
  identityId: number;
  /** Provider ID for the audit log. */
  provider: string;
  requestId: string;
}

/**
 * Locks the organizations in which a person's memberships can change: those of the person's groups and those where the
 * identity already grants a membership. They are locked in ascending order and before the person, to avoid deadlocks.
 */
export async function lockGroupOrganizations(
  tx: Tx,
  roles: ReadonlyMap<number, GroupRole>,
  identityId: number | null,
): Promise<void> {
  const { rows } = await sql<{ organization_id: number }>`
    SELECT organization_id FROM memberships WHERE granted_by_identity_id = ${identityId}`.execute(tx);
  const ids = new Set([...roles.keys(), ...rows.map(({ organization_id }) => organization_id)]);
  for (const id of [...ids].toSorted((a, b) => a - b)) await lockOrganization(tx, id);
}

/**
 * Adds, changes, and removes memberships to match the groups of an identity. Ends the keys, invitations, and
 * links that the person couldn't issue with the new role. Memberships that this identity hasn't granted stay
 * unchanged. The caller has locked the organizations and the person.
 */
export async function syncGroupMemberships(
  tx: Tx,
  { roles, followed }: GrantedRoles,
  follower: GroupSyncedUser,
): Promise<void> {
  const current = await listMemberships(tx, follower);
  for (const change of planMemberships(roles, current, followed)) await applyChange(tx, change, follower);
}

interface MembershipOfIdentity extends CurrentMembership {
  memberId: number;
}

async function listMemberships(
  tx: Tx,
  { user, identityId }: Pick<GroupSyncedUser, 'user' | 'identityId'>,
): Promise<MembershipOfIdentity[]> {
  const { rows } = await sql<MembershipOfIdentity>`
    SELECT m.id AS "memberId", m.organization_id AS "organizationId", m.role,
      m.granted_by_identity_id IS NOT DISTINCT FROM ${identityId} AS "isGranted",
      m.role = 'owner' AND NOT EXISTS (
        SELECT FROM memberships AS other
        WHERE other.organization_id = m.organization_id AND other.role = 'owner' AND other.id <> m.id
      ) AS "isLastOwner"
    FROM memberships AS m WHERE m.user_id = ${user.id}`.execute(tx);
  return rows;
}

async function applyChange(
  tx: Tx,
  change: MembershipChange,
  { user, identityId, provider, requestId }: GroupSyncedUser,
): Promise<void> {
  const { organizationId } = change;
  const actor: Actor = { type: 'user', id: user.id, name: user.name };
  const reason = { reason: 'groups', provider };
  const tell = async (action: 'created' | 'updated' | 'deleted', memberId: number, detail: object) => {
    await writeAuditLog(tx, organizationId, {
      action: `member.${action}`,
      resourceId: memberId,
      resourceName: user.name,
      actor,
      requestId,
      detail: {
        ...detail,
        ...reason,
      },
    });
    wake(tx, changeTopic(organizationId, 'member', memberId, action));
  };

  if (change.kind === 'add') {
    const memberId = await insertMember(tx, organizationId, { userId: user.id, role: change.role });
    if (memberId === undefined) return;
    await markGranted(tx, organizationId, memberId, identityId);
    return tell('created', memberId, { role: change.role });
  }
  const { id: memberId, role: before } = await memberOf(tx, organizationId, user.id);
  await voidPasswordResets(tx, user.id, organizationId);
  if (change.kind === 'change') {
    await updateMemberRole(tx, organizationId, memberId, change.role);
    if (isAtMost(change.role, before))
      await revokeCredentialsIssuedBy(
        tx,
        organizationId,
        { userId: user.id, role: change.role },
        { actor, requestId },
      );
    return tell('updated', memberId, { from: before, to: change.role });
  }
  await deleteMember(tx, organizationId, memberId);
  await endLoginsToOrganization(tx, organizationId, user.id);
  await revokeCredentialsIssuedBy(tx, organizationId, { userId: user.id, role: null }, { actor, requestId });
  return tell('deleted', memberId, { role: before, email: user.email });
}

async function memberOf(tx: Tx, organizationId: number, userId: number): Promise<{ id: number; role: Role }> {
  return tx
    .selectFrom('memberships')
    .select(['id', sql<Role>`role`.as('role')])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
}

async function markGranted(
  tx: Tx,
  organizationId: number,
  memberId: number,
  identityId: number,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ granted_by_identity_id: identityId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .execute();
}
