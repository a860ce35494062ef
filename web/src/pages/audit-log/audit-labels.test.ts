import { expect, test } from 'vitest';
import { formatAction, formatChange, formatField } from './audit-labels.ts';

test.each([
  [{ field: 'name', from: 'a', to: 'b', is_secret: false }, 'name: a → b'],
  [{ field: 'thresholds', from: null, to: { high: 2 }, is_secret: false }, 'thresholds: null → {"high":2}'],
  [{ field: 'signing_secret', from: null, to: null, is_secret: true }, 'signing_secret: changed'],
  [{ field: 'headers', from: [], to: ['X-Token'], is_secret: true }, 'headers: [] → ["X-Token"]'],
])('the change %o is formatted as "%s"', (change, expected) => {
  expect(formatChange(change)).toBe(expected);
});

test('an action names its resource, except for a login, whose actor is the resource', () => {
  const check = (action: string, resource: 'rule' | 'member', expected: string) =>
    expect(formatAction({ action, resource, resource_name: 'Ada' })).toBe(expected);
  check('rule.deleted', 'rule', 'deleted rule Ada');
  check('member.logged_in', 'member', 'logged in');
  check('member.logged_out', 'member', 'logged out');
  check('member.deleted', 'member', 'deleted member Ada');
});

test.each([
  ['gather_job_id', 'upstream source'],
  ['is_active', 'enabled'],
  ['stop_processing', 'stop processing'],
])('the field %s is labeled %s', (field, expected) => {
  expect(formatField(field)).toBe(expected);
});
