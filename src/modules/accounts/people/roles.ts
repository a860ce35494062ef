import type { KeyRole, Role } from '../../../platform/http/index.ts';

/** Roles in ascending order. Each role includes the permissions of the roles before it. */
export const memberRoles = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[];

/** True if `role` grants at most the permissions of `limit`. Key roles grant less than any member role. */
export function isAtMost(role: Role | KeyRole, limit: Role | KeyRole): boolean {
  return rankOf(role) <= rankOf(limit);
}

/**
 * Returns the roles that a member can give to others. Only admins and owners manage members and keys. Null
 * means that the person isn't a member.
 */
export function assignableRoles(role: Role | null): readonly Role[] {
  if (role !== 'admin' && role !== 'owner') return [];
  return memberRoles.filter((each) => isAtMost(each, role));
}

/** Returns the roles of the API keys that a member can create. */
export function assignableKeyRoles(role: Role | null): readonly (Role | KeyRole)[] {
  const roles = assignableRoles(role);
  return roles.length === 0 ? [] : [...roles, 'agent', 'reporter'];
}

function rankOf(role: Role | KeyRole): number {
  return role === 'agent' || role === 'reporter' ? -1 : memberRoles.indexOf(role);
}
