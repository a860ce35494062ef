import type { KeyRole, Role } from '../../platform/http/index.ts';

/** From the least to the most; each may do all that those before it may. */
export const memberRoles = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[];

/** Whether `role` gives no more than `limit`. The roles of keys give less than any member's. */
export function isAtMost(role: Role | KeyRole, limit: Role | KeyRole): boolean {
  return rankOf(role) <= rankOf(limit);
}

/** The roles that a member can give to others. Only admins and owners manage members and keys; null: no member. */
export function rolesGivenBy(role: Role | null): readonly Role[] {
  if (role !== 'admin' && role !== 'owner') return [];
  return memberRoles.filter((each) => isAtMost(each, role));
}

/** The roles of the API keys that a member can create. */
export function keyRolesGivenBy(role: Role | null): readonly (Role | KeyRole)[] {
  const roles = rolesGivenBy(role);
  return roles.length === 0 ? [] : [...roles, 'agent', 'reporter'];
}

function rankOf(role: Role | KeyRole): number {
  return role === 'agent' || role === 'reporter' ? -1 : memberRoles.indexOf(role);
}
