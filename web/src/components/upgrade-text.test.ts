import { expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import {
  countPlaces,
  describeAllPlaces,
  describeDeployed,
  describeJump,
  describePlaces,
  formatFirstLabels,
  formatLabels,
  listReasons,
  upgradeName,
} from './upgrade-text.ts';

type Upgrade = Schemas['Upgrade'];

const upgrade: Upgrade = {
  id: '12-9c56cc51b374c3ba',
  gather_job: { id: 12, name: 'Kafka' },
  artifact_name: 'github.com/apache/kafka',
  target_version: '4.4.3',
  release_url: null,
  status: 'needs_action',
  severity: 'high',
  reasons: ['behind'],
  jump: 'major',
  deployed_versions: [{ version: '3.2.0', place_count: 3 }],
  deployed_version_count: 1,
  places: { total: 30, needs_action: 2, planned: 24, snoozed: 0, unknown: 0, ok: 4 },
  labels: {},
  crossed_at: null,
  behind_since: null,
  behind_since_is_first_seen: false,
  ends_at: null,
};
const none = { total: 4, needs_action: 0, planned: 0, snoozed: 0, unknown: 0, ok: 4 };

test('an upgrade is named by its software and its version, if one is suggested', () => {
  expect(upgradeName(upgrade)).toBe('Kafka 4.4.3');
  expect(upgradeName({ ...upgrade, target_version: null })).toBe('Kafka');
});

test('the most frequent deployed version is shown with the number of others', () => {
  expect(describeDeployed(upgrade)).toBe('3.2.0');
  expect(describeDeployed({ ...upgrade, deployed_version_count: 2 })).toBe('3.2.0 and 1 other version');
  expect(describeDeployed({ ...upgrade, deployed_versions: [], deployed_version_count: 0 })).toBe('unknown');
});

test('the number of places is shown, or the part of them whose alerts are acknowledged or snoozed', () => {
  expect(describePlaces(upgrade)).toBe('24 of 26 acknowledged');
  expect(describePlaces({ ...upgrade, places: { ...upgrade.places, planned: 0 } })).toBe('2 places');
  expect(describePlaces({ ...upgrade, places: none })).toBe('4 places');
  expect(describePlaces({ ...upgrade, places: { ...none, snoozed: 1, planned: 1 } })).toBe(
    '1 of 2 acknowledged, 1 snoozed',
  );
});

test('reasons are listed as nouns', () => {
  expect(listReasons(['behind'])).toBe('Newer release');
  expect(listReasons(['end_of_life', 'behind'])).toBe('End of support, newer release');
});

test('the number of all places is named next to that of the places with an open alert', () => {
  const check = (places: Partial<Upgrade['places']>, expected: string) =>
    expect(describeAllPlaces({ ...upgrade, places: { ...none, ...places } })).toBe(expected);
  check({}, '4 places');
  check({ needs_action: 4, ok: 0 }, '4 places');
  check({ needs_action: 1, ok: 3 }, '1 of 4 with an open alert');
  check({ needs_action: 1, planned: 2, ok: 1 }, '3 of 4 with an open alert: 2 of 3 acknowledged');
});

test('an upgrade without a suggested version is described as "No upgrade yet" instead of as a major, minor, or patch step', () => {
  expect(describeJump(upgrade)).toBe('Major');
  expect(describeJump({ ...upgrade, jump: null })).toBe('—');
  expect(describeJump({ ...upgrade, jump: null, target_version: null })).toBe('No upgrade yet');
});

test('the values of different label keys are not mixed', () => {
  expect(formatLabels({})).toBe('');
  expect(formatLabels({ environment: ['production'], team: ['data', 'payments'] })).toBe(
    'environment=production · team=data and others',
  );
});

test('a row shows the labels that all places share first, and counts the others', () => {
  expect(formatFirstLabels({})).toBe('');
  const labels = { environment: ['production', 'staging'], team: ['data', 'payments'], tier: ['1'] };
  expect(formatFirstLabels(labels)).toBe('tier=1 · environment=production and others · 1 more');
});

test('a row counts the places with an open alert, or all places without one', () => {
  expect(countPlaces(upgrade)).toBe(26);
  expect(countPlaces({ ...upgrade, places: { ...upgrade.places, needs_action: 0, planned: 0 } })).toBe(30);
});
