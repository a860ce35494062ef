import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { memberRoles } from '../roles.ts';

export interface InvitationRow {
  id: number;
  email: string;
  role: Role;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'email',
  sql<Role>`role`.as('role'),
  'expires_at',
  'created_at',
  'updated_at',
] as const;

/** The newest that wait to be accepted. */
export async function listOpenInvitations(db: Database, organizationId: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('accepted_at', 'is', null)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}

/** One that waits to be accepted. */
export async function findOpenInvitation(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
    .executeTakeFirst();
}

export async function deleteInvitation(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Takes the place of an open invitation to the same address. Under the lock of the organization. */
export async function replaceInvitation(
  tx: Tx,
  organizationId: number,
  invitation: { email: string; role: Role; digest: Buffer; invitedByUserId: number | null },
): Promise<InvitationRow> {
  const { email, role, digest, invitedByUserId } = invitation;
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
      invited_by_user_id: invitedByUserId,
      expires_at: sql`pacekeeper_now() + interval '7 days'`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Nobody's invitations give more than the person may give now; `role` null: they may give nothing any more. */
export async function deleteInvitationsAbove(
  tx: Tx,
  organizationId: number,
  { userId, role }: { userId: number; role: Role | null },
): Promise<void> {
  // Who is neither administrator nor owner cannot invite at all.
  const stillGiven = role === 'owner' ? [...memberRoles] : role === 'admin' ? memberRoles.slice(0, 3) : [];
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('invited_by_user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .$if(stillGiven.length > 0, (query) => query.where('role', 'not in', stillGiven))
    .execute();
}

export interface OpenInvitation {
  organization_id: number;
  id: number;
  email: string;
  role: Role;
}

/** The token says which organization it is about; whoever has it need not belong to any. */
export async function findOpenInvitationAcrossOrganizations(
  db: Database | Tx,
  digest: Buffer,
): Promise<OpenInvitation | undefined> {
  return db
    .selectFrom('invitations')
    .select(['organization_id', 'id', 'email', sql<Role>`role`.as('role')])
    .where('token_hash', '=', digest)
    .where('accepted_at', 'is', null)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
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
