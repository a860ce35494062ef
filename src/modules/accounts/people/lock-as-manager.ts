import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Caller, Role } from '../../../platform/http/index.ts';
import { findRoleOfUser } from './member-queries.ts';
import { lockOrganization } from './organization-queries.ts';
import { isAtMost } from './roles.ts';

/**
 * A member who manages members and keys. The role is read in the transaction that holds the lock of the
 * organization.
 */
export interface Manager {
  userId: number;
  role: Role;
}

/**
 * Locks the organization and rereads the caller's role. Removals and demotions take the same lock. So a
 * caller who lost the role after the authentication of the request can't issue anything that would outlive
 * the role.
 */
export async function lockOrganizationAsManager(
  tx: Tx,
  { organizationId, userId }: Caller,
): Promise<Manager> {
  if (userId === null) throw new ApiError('login_required');
  await lockOrganization(tx, organizationId);
  const role = await findRoleOfUser(tx, organizationId, userId);
  if (role === undefined) throw new ApiError('unauthenticated');
  if (!isAtMost('admin', role)) throw new ApiError('forbidden', 'This requires the admin role.');
  return { userId, role };
}

/** Throws unless the manager's role covers the current role of another member. */
export function assertCanManage(manager: Manager, role: Role): void {
  if (!isAtMost(role, manager.role)) throw new ApiError('forbidden', `This requires the ${role} role.`);
}

/** Throws unless the manager can grant a role. */
export function assertCanAssign(manager: Manager, role: Role): void {
  if (!isAtMost(role, manager.role))
    throw new ApiError('forbidden', `You can assign roles up to ${manager.role}.`);
}
