import type { Schemas } from '../../../src/generated/auth-api.ts';
import { useApi } from './use-api.ts';

export type Role = Schemas['MemberRole'];
const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

/**
 * Returns the current user and organization. Pages require a session, so this data is loaded before they
 * render.
 */
export function useMe(): Schemas['Me'] {
  const { data } = useApi('getMe');
  if (!data) throw new Error('Log in to view this page.');
  return data;
}

/**
 * Returns true if the user's role in this organization includes `role`. Use it to hide actions that the API
 * would reject.
 */
export function useHasRole(role: Role): boolean {
  const { data } = useApi('getMe');
  return data !== undefined && roles.indexOf(data.organization.role) >= roles.indexOf(role);
}
