import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  maxChoices,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { voidPasswordResets } from './password-reset-queries.ts';
import { deleteSampleOrganization } from './sample-organization.ts';
import { hasTwoFactorSql } from './two-factor-requirement.ts';
import { lockUser } from './user-queries.ts';

export interface MemberRow {
  id: number;
  user_id: number;
  name: string;
  email: string;
  role: Role;
  two_factor: Schemas['MemberTwoFactor'];
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/**
 * Two-factor state of a member. It's `not_applicable` for members who can use the membership only in single
 * sign-on sessions, because these sessions require no code.
 */
const twoFactor = sql<Schemas['MemberTwoFactor']>`
  CASE WHEN NOT users.has_password OR memberships.granted_by_identity_id IS NOT NULL THEN 'not_applicable'
    WHEN ${sql.raw(hasTwoFactorSql('users.id'))} THEN 'enabled' ELSE 'disabled' END`;

const columns = [
  'memberships.id',
  'memberships.user_id',
  'users.name',
  'users.email',
  sql<Role>`memberships.role`.as('role'),
  twoFactor.as('two_factor'),
  'memberships.created_at',
  'memberships.updated_at',
  'memberships.revision',
] as const;

const sorts = { created_at: 'memberships.created_at', name: 'lower(users.name)' };

/**
 * Returns the addresses from the list that belong to members of the organization. All addresses are
 * lowercase.
 */
export async function selectMemberAddresses(
  db: Database | Tx,
  organizationId: number,
  addresses: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    SELECT users.email FROM users JOIN memberships ON memberships.user_id = users.id
    WHERE memberships.organization_id = ${organizationId} AND users.email = ANY(${[...addresses]}::text[])`.execute(
    db,
  );
  return new Set(rows.map(({ email }) => email));
}

/** Returns the addresses of the owners, at most 50, which is also the limit of an email channel. */
export async function listOwnerAddresses(db: Database | Tx, organizationId: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT users.email FROM memberships JOIN users ON users.id = memberships.user_id
    WHERE memberships.organization_id = ${organizationId} AND memberships.role = 'owner'
    ORDER BY users.id LIMIT 50`.execute(db);
  return rows.map(({ email }) => email);
}

export interface MemberFilters {
  q?: string | undefined;
  role?: Role | undefined;
  two_factor?: Schemas['MemberTwoFactor'] | undefined;
  sort?: string | undefined;
}

export async function listMembers(
  db: Database,
  organizationId: number,
  filters: MemberFilters,
  page: PageRequest,
): Promise<Page<MemberRow>> {
  const { q, role, two_factor, sort = '-created_at' } = filters;
  const query = membersOf(db, organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['users.name', 'users.email'], q!)))
    .$if(role !== undefined, (query) => query.where('memberships.role', '=', role!))
    .$if(two_factor !== undefined, (query) => query.where(twoFactor, '=', two_factor!));
  return readPage(db, query, page, sortOrder(sort, sorts, 'memberships.id'));
}

export async function listMemberChoices(
  db: Database,
  organizationId: number,
): Promise<Schemas['OrgMemberDropdownItem'][]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.id', 'memberships.user_id', 'users.name', 'users.email'])
    .select(sql<Role>`memberships.role`.as('role'))
    .where('memberships.organization_id', '=', organizationId)
    .orderBy(sql`lower(users.name)`)
    .orderBy('memberships.id')
    .limit(sql.lit(maxChoices))
    .execute();
}

export async function findMember(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<MemberRow | undefined> {
  return membersOf(db, organizationId).where('memberships.id', '=', id).executeTakeFirst();
}

export async function findMemberByEmail(
  tx: Tx,
  organizationId: number,
  email: string,
): Promise<MemberRow | undefined> {
  return membersOf(tx, organizationId).where('users.email', '=', email).executeTakeFirst();
}

function membersOf(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(columns)
    .where('memberships.organization_id', '=', organizationId);
}

/** Returns the ID of a person's membership and locks it, or undefined if the person isn't a member. */
export async function findMembershipOfUser(
  tx: Tx,
  organizationId: number,
  userId: number,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  return row?.id;
}

/** Returns the role of a person in an organization, or undefined if the person isn't a member. */
export async function findRoleOfUser(
  tx: Tx,
  organizationId: number,
  userId: number,
): Promise<Role | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .select(sql<Role>`role`.as('role'))
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role;
}

/**
 * Counts the owners. The caller has locked the organization, so the result stays correct while a role
 * changes.
 */
export async function countOwners(tx: Tx, organizationId: number): Promise<number> {
  const row = await tx
    .selectFrom('memberships')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Adds a member. Returns undefined if the person is already a member. */
export async function insertMember(
  tx: Tx,
  organizationId: number,
  { userId, role }: { userId: number; role: Role },
): Promise<number | undefined> {
  // Invalidates the reset links that other organizations created for this account, because those links must
  // not give access to this organization.
  await lockUser(tx, userId);
  await voidPasswordResets(tx, userId, 'all');
  const row = await tx
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function updateMemberRole(
  tx: Tx,
  organizationId: number,
  id: number,
  role: Role,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** Ends a membership. With the last one, the person also loses the sample data. */
export async function deleteMember(tx: Tx, organizationId: number, id: number): Promise<void> {
  const ended = await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirst();
  if (ended === undefined) return;
  const remaining = await tx
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select('memberships.id')
    .where('memberships.user_id', '=', ended.user_id)
    .where('organizations.sample_user_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (remaining === undefined) await deleteSampleOrganization(tx, ended.user_id);
}
