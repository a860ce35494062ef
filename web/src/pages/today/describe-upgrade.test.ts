import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { describeUpgrade } from './describe-upgrade.ts';

const item: Schemas['TodayUpgrade'] = {
  upgrade: {
    id: '12-9c56cc51b374c3ba',
    gather_job: { id: 12, name: 'Kafka' },
    artifact_name: 'github.com/apache/kafka',
    target_version: '4.4.3',
    release_url: null,
    status: 'needs_action',
    severity: 'high',
    reasons: ['behind', 'known_vulnerabilities'],
    jump: 'major',
    deployed_versions: [{ version: '3.2.0', place_count: 3 }],
    deployed_version_count: 1,
    places: { total: 14, needs_action: 14, planned: 0, snoozed: 0, unknown: 0, ok: 0 },
    labels: { environment: ['eu-prod', 'staging'], team: ['data', 'identity', 'payments', 'shop'] },
    crossed_at: null,
    behind_since: null,
    behind_since_is_first_seen: false,
    ends_at: null,
  },
  changed_at: '2026-03-14T17:30:00Z',
  production_severity: 'high',
};
const today = { owner_label: 'team', production: ['eu-prod', 'us-prod'] };

test('an upgrade is described by production, step, places, teams, and reasons other than a newer release', () => {
  expect(describeUpgrade(item, today, false)).toBe(
    'eu-prod · Major · 14 places · data, identity, and others · known vulnerabilities',
  );
});

test('production is named only if an alert there needs action, and teams only if all are shown', () => {
  expect(describeUpgrade({ ...item, production_severity: null }, today, true)).toBe(
    'Major · 14 places · known vulnerabilities',
  );
  // The labels of only the most urgent places are listed.
  expect(describeUpgrade(item, { ...today, production: ['live'] }, true)).toBe(
    'production · Major · 14 places · known vulnerabilities',
  );
});

test('an upgrade without a suggested version has no step that could be compared', () => {
  const { upgrade } = item;
  expect(
    describeUpgrade({ ...item, upgrade: { ...upgrade, jump: null, target_version: null } }, today, true),
  ).toBe('eu-prod · No upgrade yet · 14 places · known vulnerabilities');
});
