/**
 * Roles that groups can grant. The owner role is excluded, because administrators of an identity provider don't own the
 * organizations in Pacekeeper.
 */
export const groupRoles = ['viewer', 'member', 'admin'] as const;
export type GroupRole = (typeof groupRoles)[number];

/** Role that members of a group have in an organization. */
export interface GroupGrant {
  /** Group name, or `*` for everyone who can log in. */
  group: string;
  organizationId: number;
  role: GroupRole;
}

/** Returns the highest role that a person's groups grant in each organization. */
export function rolesOfGroups(
  groups: readonly string[],
  grants: readonly GroupGrant[],
): ReadonlyMap<number, GroupRole> {
  const own = new Set(groups);
  const roles = new Map<number, GroupRole>();
  for (const { group, organizationId, role } of grants) {
    if (group !== '*' && !own.has(group)) continue;
    const before = roles.get(organizationId);
    if (before === undefined || groupRoles.indexOf(role) > groupRoles.indexOf(before))
      roles.set(organizationId, role);
  }
  return roles;
}

/** An existing membership. */
export interface CurrentMembership {
  organizationId: number;
  role: GroupRole | 'owner';
  /** True if the groups of this sign-on identity granted the membership. Only such memberships are changed. */
  isGranted: boolean;
  /** True if the member is the only owner of the organization. An organization must always have an owner. */
  isLastOwner: boolean;
}

export type MembershipChange =
  | { organizationId: number; kind: 'add' | 'change'; role: GroupRole }
  | { organizationId: number; kind: 'remove' };

/**
 * Returns the changes that make memberships match the groups. An owner remains an owner as long as any group has a role
 * in the organization.
 *
 * @param followed Organizations whose memberships can be removed. `null` means all organizations.
 */
export function planMemberships(
  roles: ReadonlyMap<number, GroupRole>,
  current: readonly CurrentMembership[],
  followed: ReadonlySet<number> | null = null,
): MembershipChange[] {
  const changes: MembershipChange[] = [];
  for (const { organizationId, role, isGranted, isLastOwner } of current) {
    if (!isGranted) continue;
    const wanted = roles.get(organizationId);
    const isFollowed = followed?.has(organizationId) ?? true;
    if (wanted === undefined && isFollowed && !isLastOwner) changes.push({ organizationId, kind: 'remove' });
    if (wanted !== undefined && role !== 'owner' && role !== wanted)
      changes.push({ organizationId, kind: 'change', role: wanted });
  }
  const members = new Set(current.map(({ organizationId }) => organizationId));
  for (const [organizationId, role] of roles) {
    if (!members.has(organizationId)) changes.push({ organizationId, kind: 'add', role });
  }
  return changes.toSorted((a, b) => a.organizationId - b.organizationId);
}
