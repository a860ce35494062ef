import { expect, it } from 'vitest';
import { at, releaseSet } from '../../../../src/domain/rules/release-lines.ts';
import { previewRule } from './rule-preview.ts';

const releases = releaseSet([
  '1.0.0 2026-01-29',
  '1.1.0 2026-02-01',
  '3.0.0 2026-03-01',
  '4.0.0-rc.1 2026-03-10 prerelease',
]);
const now = at('2026-03-15');
const days = {
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 60 },
  days_basis: 'deployed_release',
} as const;
const majors = { rule_type: 'majors_behind', thresholds: { high: 2 } } as const;

it('a rule says of a pair what it will say once it is saved', () => {
  const table: [rule: typeof days | typeof majors, deployed: string, said: string][] = [
    [days, '1.0.0', '45 days behind: opens a moderate alert now.'],
    [days, '3.0.0', 'Up to date: no alert now.'],
    [days, '5.0.0', 'Ahead of upstream: no alert now.'],
    [days, '0.1.0', "The deployed version isn't listed upstream: opens a high alert now."],
    [days, 'latest', "The deployed version isn't one that can be compared: opens a high alert now."],
    [majors, '3.0.0', 'Up to date: no alert now.'],
    [{ ...majors, thresholds: { high: 2 } }, '2.9.0', '1 major version behind: no alert now.'],
    [majors, '1.1.0', '2 major versions behind: opens a high alert now.'],
    [{ ...majors, stable_only: false } as typeof majors, '3.0.0', '1 major version behind: no alert now.'],
  ];
  for (const [rule, deployedVersion, said] of table)
    expect(
      previewRule(rule, { deployedVersion, releases }, now),
      `${rule.rule_type} ${deployedVersion}`,
    ).toBe(said);
  const { days_basis: _basis, ...withDefault } = days;
  expect(previewRule(withDefault, { deployedVersion: '1.0.0', releases }, now)).toBe(
    '42 days behind: opens a moderate alert now.',
  );
  expect(previewRule(days, { deployedVersion: '1.0.0', releases: releaseSet([]) }, now)).toBe(
    'Not enough data yet: no alert now.',
  );
});
