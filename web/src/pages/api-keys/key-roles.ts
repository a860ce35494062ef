import type { Schemas } from '../../../../src/generated/client-api.ts';

type KeyRole = Schemas['APIKeyRole'];

/** What a key may do, from the narrow ones on. */
export const keyRoles: Readonly<Record<KeyRole, { label: string; about: string }>> = {
  reporter: { label: 'Report versions', about: 'Sets versions and reads scrape jobs. For CI pipelines.' },
  agent: { label: 'Be an agent', about: 'Only the interface of agents: takes tasks and brings results.' },
  viewer: { label: 'Read', about: 'Reads everything that members see.' },
  member: { label: 'Read and write', about: 'Everything but settings, keys, members and the audit log.' },
  admin: { label: 'Administer', about: 'Everything but what only owners may do.' },
  owner: { label: 'Everything', about: 'Everything in this organization.' },
};

const ranks: readonly KeyRole[] = ['viewer', 'member', 'admin', 'owner'];

/** The roles that somebody of `role` may give to a key. */
export function rolesUpTo(role: KeyRole): KeyRole[] {
  return (Object.keys(keyRoles) as KeyRole[]).filter((given) => ranks.indexOf(given) <= ranks.indexOf(role));
}
