import type { Schemas } from '../../../src/generated/auth-api.ts';
import { useApi } from './use-api.ts';

export type Role = Schemas['MemberRole'];
const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

/** Who is logged in, and where. Pages stand behind the login: it has been read before they are shown. */
export function useMe(): Schemas['Me'] {
  const { data } = useApi('getMe');
  if (!data) throw new Error('Log in to view this page.');
  return data;
}

/** Whether the user's role in this organization reaches `role`: what would be refused is not offered. */
export function useCan(role: Role): boolean {
  const { data } = useApi('getMe');
  return data !== undefined && roles.indexOf(data.organization.role) >= roles.indexOf(role);
}
