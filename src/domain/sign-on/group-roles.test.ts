import { expect, test } from 'vitest';
import {
  type CurrentMembership,
  type GroupGrant,
  type MembershipChange,
  planMemberships,
  rolesOfGroups,
} from './group-roles.ts';

const grants: GroupGrant[] = [
  { group: 'admins', organizationId: 2, role: 'admin' },
  { group: 'developers', organizationId: 2, role: 'member' },
  { group: '*', organizationId: 3, role: 'viewer' },
  { group: 'developers', organizationId: 3, role: 'member' },
];

function checkRoles(groups: string[], expected: Record<number, string>) {
  expect(Object.fromEntries(rolesOfGroups(groups, grants))).toEqual(expected);
}

test('the highest role of all groups applies in each organization', () => {
  checkRoles([], { 3: 'viewer' });
  checkRoles(['unknown', 'Admins'], { 3: 'viewer' });
  checkRoles(['developers'], { 2: 'member', 3: 'member' });
  checkRoles(['developers', 'admins'], { 2: 'admin', 3: 'member' });
  checkRoles(['admins', 'developers'], { 2: 'admin', 3: 'member' });
  // A group that happens to be named `*` has no special meaning.
  checkRoles(['*'], { 3: 'viewer' });
});

const member: CurrentMembership = { organizationId: 2, role: 'member', isGranted: true, isLastOwner: false };

function checkPlan(
  roles: Record<number, 'viewer' | 'member' | 'admin'>,
  current: Partial<CurrentMembership>[],
  expected: MembershipChange[],
) {
  const map = new Map(Object.entries(roles).map(([id, role]) => [Number(id), role]));
  const memberships = current.map((each) => ({ ...member, ...each }));
  expect(planMemberships(map, memberships)).toEqual(expected);
}

test('memberships follow the groups, except for memberships that a person granted', () => {
  checkPlan(
    { 3: 'viewer', 2: 'admin' },
    [],
    [
      { organizationId: 2, kind: 'add', role: 'admin' },
      { organizationId: 3, kind: 'add', role: 'viewer' },
    ],
  );
  checkPlan({ 2: 'member' }, [{}], []);
  checkPlan({ 2: 'admin' }, [{}], [{ organizationId: 2, kind: 'change', role: 'admin' }]);
  checkPlan({ 2: 'viewer' }, [{ role: 'admin' }], [{ organizationId: 2, kind: 'change', role: 'viewer' }]);
  checkPlan({}, [{}], [{ organizationId: 2, kind: 'remove' }]);
  checkPlan({}, [{ isGranted: false }], []);
  checkPlan({ 2: 'admin' }, [{ isGranted: false }], []);
});

test('an owner keeps the role as long as any group grants a role, and the last owner always keeps it', () => {
  checkPlan({ 2: 'viewer' }, [{ role: 'owner' }], []);
  checkPlan({}, [{ role: 'owner' }], [{ organizationId: 2, kind: 'remove' }]);
  checkPlan({}, [{ role: 'owner', isLastOwner: true }], []);
});

test('memberships are removed only in the given organizations', () => {
  const elsewhere = { ...member, organizationId: 3 };
  expect(planMemberships(new Map(), [member, elsewhere], new Set([2]))).toEqual([
    { organizationId: 2, kind: 'remove' },
  ]);
  const roles = new Map([[3, 'viewer' as const]]);
  expect(planMemberships(roles, [elsewhere], new Set([2]))).toEqual([
    { organizationId: 3, kind: 'change', role: 'viewer' },
  ]);
});
