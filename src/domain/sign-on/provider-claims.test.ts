import { expect, test } from 'vitest';
import { type Claims, emailOf, findClaim, groupsOf, meetsRequirements, nameOf } from './provider-claims.ts';

const claims: Claims = {
  groups: ['a', 'b', 7],
  'https://example.com/groups': ['namespaced'],
  realm_access: { roles: ['nested'] },
  role: 'one',
};

test('a claim is found by its name, which can contain dots, or by its path', () => {
  expect(findClaim(claims, 'https://example.com/groups')).toEqual(['namespaced']);
  expect(findClaim(claims, 'realm_access.roles')).toEqual(['nested']);
  expect(findClaim(claims, 'realm_access.roles.length.x')).toBeUndefined();
  expect(findClaim(claims, 'constructor')).toBeUndefined();
  expect(findClaim(claims, 'groups.__proto__')).toBeUndefined();
});

test('groups are strings or numbers, and a missing claim is distinguished from an empty one', () => {
  expect(groupsOf(claims, 'groups')).toEqual(['a', 'b', '7']);
  expect(groupsOf(claims, 'role')).toEqual(['one']);
  expect(groupsOf({ groups: [] }, 'groups')).toEqual([]);
  expect(groupsOf({ groups: { a: 1 } }, 'groups')).toEqual([]);
  expect(groupsOf({}, 'groups')).toBeNull();
  expect(groupsOf({ _claim_names: { groups: 'src1' } }, 'groups')).toBe('too_many');
  expect(groupsOf({ hasgroups: true }, 'groups')).toBe('too_many');
  expect(groupsOf({ _claim_names: { other: 'src1' } }, 'groups')).toBeNull();
});

test('each required claim must have one of its allowed values', () => {
  const check = (given: Claims, expected: boolean) =>
    expect(meetsRequirements(given, { hd: ['a.example', 'b.example'], level: ['2'] })).toBe(expected);
  check({ hd: 'a.example', level: 2 }, true);
  check({ hd: ['x', 'b.example'], level: '2' }, true);
  check({ hd: 'a.example' }, false);
  check({ hd: 'a.example.evil', level: 2 }, false);
  check({ hd: { toString: 'a.example' }, level: 2 }, false);
  check({}, false);
  expect(meetsRequirements({}, {})).toBe(true);
  expect(meetsRequirements({}, { missing: ['undefined'] })).toBe(false);
});

test('an email address is verified only if the provider reports it as verified', () => {
  expect(emailOf({ email: ' ada@example.com ', email_verified: true })).toEqual({
    email: 'ada@example.com',
    isVerified: true,
  });
  expect(emailOf({ email: 'ada@example.com', email_verified: 'true' }).isVerified).toBe(true);
  for (const word of [undefined, false, 'false', 1, 'yes', []])
    expect(emailOf({ email: 'ada@example.com', email_verified: word }).isVerified).toBe(false);
});

test('the first address of a list is used, but is never verified', () => {
  const b2c = { emails: ['ada', 7, 'ada@example.com', 'old@example.com'], email_verified: true };
  expect(emailOf(b2c, ['email', 'emails'])).toEqual({ email: 'ada@example.com', isVerified: false });
  expect(emailOf({ email: ['ada@example.com'], email_verified: true }).isVerified).toBe(false);
  expect(emailOf({ email: [] }).email).toBeNull();
});

test('a name contains no line breaks or bidirectional control characters', () => {
  expect(nameOf({ name: 'Ada\u202E\nLovelace' }, 'a@b.c')).toBe('AdaLovelace');
  expect(nameOf({ name: ' ', preferred_username: 'ada' }, 'a@b.c')).toBe('ada');
  expect(nameOf({}, 'ada@example.com')).toBe('ada');
  expect(nameOf({ name: 'x'.repeat(500) }, 'a@b.c')).toHaveLength(200);
});
