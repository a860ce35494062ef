import type { KeyRole, Role } from '../../platform/http/index.ts';

/** From the least to the most; each may do all that those before it may. */
export const memberRoles = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[];

/** Whether `role` gives no more than `limit`. The roles of keys give less than any member's. */
export function isAtMost(role: Role | KeyRole, limit: Role | KeyRole): boolean {
  return rankOf(role) <= rankOf(limit);
}

function rankOf(role: Role | KeyRole): number {
  return role === 'agent' || role === 'reporter' ? -1 : memberRoles.indexOf(role);
}
