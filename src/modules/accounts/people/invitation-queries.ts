import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { canAssignRoleSql } from './can-assign-role.ts';
import { assignableRoles } from './roles.ts';

export interface InvitationRow {
  id: number;
  email: string;
  role: Role;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'invitations.id',
  'invitations.email',
  sql<Role>`invitations.role`.as('role'),
  'invitations.expires_at',
  'invitations.created_at',
  'invitations.updated_at',
] as const;

/**
 * Selects invitations that can be accepted: not accepted, not expired, and issued by the operator or by a
 * member who can still give the role.
 */
function openInvitations(db: Database | Tx) {
  return db
    .selectFrom('invitations')
    .leftJoin('memberships as inviter', (join) =>
      join
        .onRef('inviter.organization_id', '=', 'invitations.organization_id')
        .onRef('inviter.user_id', '=', 'invitations.invited_by_user_id'),
    )
    .where('invitations.accepted_at', 'is', null)
    .where(sql<boolean>`invitations.expires_at > pacekeeper_now()`)
    .where((where) =>
      where.or([
        where('invitations.is_from_operator', '=', true),
        canAssignRoleSql('inviter.role', 'invitations.role'),
      ]),
    );
}

/** Maximum number of open invitations of an organization. */
export const maxOpenInvitations = 200;

/**
 * True if an organization has the maximum number of open invitations. The caller has locked the organization.
 */
export async function hasReachedInvitationLimit(tx: Tx, organizationId: number): Promise<boolean> {
  const last = await openInvitations(tx)
    .select('invitations.id')
    .where('invitations.organization_id', '=', organizationId)
    .offset(maxOpenInvitations - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

/** Returns the open invitations of an organization, newest first. */
export async function listOpenInvitations(db: Database, organizationId: number): Promise<InvitationRow[]> {
  return openInvitations(db)
    .select(columns)
    .where('invitations.organization_id', '=', organizationId)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(maxOpenInvitations)
    .execute();
}

export async function findOpenInvitation(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<InvitationRow | undefined> {
  return openInvitations(tx)
    .select(columns)
    .where('invitations.organization_id', '=', organizationId)
    .where('invitations.id', '=', id)
    .executeTakeFirst();
}

export async function findOpenInvitationTo(
  tx: Tx,
  organizationId: number,
  email: string,
): Promise<InvitationRow | undefined> {
  return openInvitations(tx)
    .select(columns)
    .where('invitations.organization_id', '=', organizationId)
    .where('invitations.email', '=', email)
    .executeTakeFirst();
}

export async function deleteInvitation(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export interface NewInvitation {
  email: string;
  role: Role;
  digest: Buffer;
  invitedBy: { userId: number } | 'operator';
}

/**
 * Inserts an invitation and deletes an earlier one to the same address. The caller has locked the
 * organization.
 */
export async function replaceInvitation(
  tx: Tx,
  organizationId: number,
  { email, role, digest, invitedBy }: NewInvitation,
): Promise<InvitationRow> {
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .execute();
  return tx
    .insertInto('invitations')
    .values({
      organization_id: organizationId,
      email,
      role,
      token_hash: digest,
      invited_by_user_id: invitedBy === 'operator' ? null : invitedBy.userId,
      is_from_operator: invitedBy === 'operator',
      expires_at: sql`pacekeeper_now() + interval '7 days'`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/**
 * Deletes the open invitations of a member for roles that the member can't give with the new role. If `role`
 * is null, deletes all invitations of the member.
 */
export async function deleteInvitationsOfInviter(
  tx: Tx,
  organizationId: number,
  { userId, role }: { userId: number; role: Role | null },
): Promise<void> {
  const allowed = assignableRoles(role);
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('invited_by_user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .$if(allowed.length > 0, (query) => query.where('role', 'not in', allowed))
    .execute();
}

/** Counts the open invitations that `deleteInvitationsOfInviter` would delete. */
export async function countInvitationsOfInviter(
  db: Database,
  organizationId: number,
  { userId, role }: { userId: number; role: Role | null },
): Promise<number> {
  const allowed = assignableRoles(role);
  const row = await openInvitations(db)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('invitations.organization_id', '=', organizationId)
    .where('invitations.invited_by_user_id', '=', userId)
    .$if(allowed.length > 0, (query) => query.where('invitations.role', 'not in', allowed))
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface OpenInvitation {
  organization_id: number;
  id: number;
  email: string;
  role: Role;
}

/**
 * Finds an open invitation by its token in all organizations, because its recipient might be in none of them.
 */
export async function findOpenInvitationAcrossOrganizations(
  db: Database | Tx,
  digest: Buffer,
): Promise<OpenInvitation | undefined> {
  return openInvitations(db)
    .select([
      'invitations.organization_id',
      'invitations.id',
      'invitations.email',
      sql<Role>`invitations.role`.as('role'),
    ])
    .where('invitations.token_hash', '=', digest)
    .executeTakeFirst();
}

export async function markInvitationAccepted(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ accepted_at: sql`pacekeeper_now()`, updated_at: sql`pacekeeper_now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
