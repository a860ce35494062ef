import type { Schemas } from '../../../../src/generated/client-api.ts';

type KeyRole = Schemas['APIKeyRole'];

/** Labels and permissions of the key roles, from the least to the most privileged. */
export const keyRoles: Readonly<Record<KeyRole, { label: string; about: string }>> = {
  reporter: {
    label: 'Reporter',
    about: 'Report versions and deployments, and read version trackers. For CI pipelines.',
  },
  agent: { label: 'Agent', about: 'Agent API only: claim tasks and submit results.' },
  viewer: { label: 'Viewer', about: 'Read everything members can see.' },
  member: { label: 'Member', about: 'Everything except settings, API keys, members, and the audit log.' },
  admin: { label: 'Administrator', about: 'Everything except owner-only actions.' },
  owner: { label: 'Owner', about: 'Full access to this organization.' },
};

const ranks: readonly KeyRole[] = ['viewer', 'member', 'admin', 'owner'];

/** Returns the roles that a user with `role` can assign to a key. */
export function rolesUpTo(role: KeyRole): KeyRole[] {
  return (Object.keys(keyRoles) as KeyRole[]).filter(
    (keyRole) => ranks.indexOf(keyRole) <= ranks.indexOf(role),
  );
}
