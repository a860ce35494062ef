import type { Schemas } from '../../../../src/generated/client-api.ts';

type MemberRole = Schemas['MemberRole'];

export const memberRoles: Readonly<Record<MemberRole, { label: string; about: string }>> = {
  viewer: { label: 'Viewer', about: 'Read-only access.' },
  member: { label: 'Member', about: 'Manage sources, trackers, monitors, rules, alerts, and notifications.' },
  admin: {
    label: 'Administrator',
    about: 'Member access, plus settings, API keys, members, and the audit log.',
  },
  owner: { label: 'Owner', about: 'Full access, including other owners.' },
};

const order = Object.keys(memberRoles) as MemberRole[];

/** Returns the roles that a user with `role` can assign. */
export function memberRoleOptions(role: MemberRole) {
  return order.slice(0, order.indexOf(role) + 1).map((value) => ({ value, label: memberRoles[value].label }));
}
