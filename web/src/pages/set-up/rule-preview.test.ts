import { expect, it } from 'vitest';
import { releaseSet, utcTime } from '../../../../src/domain/rules/release-set-fixture.ts';
import { previewRule } from './rule-preview.ts';

const releases = releaseSet([
  '1.0.0 2026-01-29',
  '1.1.0 2026-02-01',
  '3.0.0 2026-03-01',
  '4.0.0-rc.1 2026-03-10 prerelease',
]);
const now = utcTime('2026-03-15');
const days = {
  rule_type: 'days_behind',
  thresholds: { moderate: 30, high: 60 },
  days_basis: 'deployed_release',
} as const;
const majors = { rule_type: 'majors_behind', thresholds: { high: 2 } } as const;

it('the preview of a rule shows the same result as the saved rule', () => {
  const table: [rule: typeof days | typeof majors, deployed: string, said: string][] = [
    [days, '1.0.0', 'Would alert: moderate, 45 days behind'],
    [days, '3.0.0', 'No alert: up to date'],
    [days, '5.0.0', 'No alert: ahead of upstream'],
    [days, '0.1.0', "Would alert: high, the deployed version isn't listed upstream"],
    [days, 'latest', "Would alert: high, the deployed version isn't one that can be compared"],
    [majors, '3.0.0', 'No alert: up to date'],
    [{ ...majors, thresholds: { high: 2 } }, '2.9.0', 'No alert: 1 major version behind'],
    [majors, '1.1.0', 'Would alert: high, 2 major versions behind'],
    [{ ...majors, stable_only: false } as typeof majors, '3.0.0', 'No alert: 1 major version behind'],
  ];
  for (const [rule, deployedVersion, said] of table)
    expect(
      previewRule(rule, { deployedVersion, releases }, now).text,
      `${rule.rule_type} ${deployedVersion}`,
    ).toBe(said);
  const { days_basis: _basis, ...withDefault } = days;
  expect(previewRule(withDefault, { deployedVersion: '1.0.0', releases }, now).text).toBe(
    'Would alert: moderate, 42 days behind',
  );
  expect(previewRule(days, { deployedVersion: '1.0.0', releases: releaseSet([]) }, now).text).toBe(
    'No alert: not enough data yet',
  );
});

it('a preview of a partly read source shows no result that the first run can change', () => {
  const said = (deployedVersion: string, pair: { isPreview?: boolean; isPart?: boolean }) =>
    previewRule(majors, { deployedVersion, releases, ...pair }, now).text;
  expect(said('1.1.0', { isPart: true })).toBe('Would alert: high, 2 major versions behind');
  expect(said('0.1.0', { isPart: true })).toBe('Known after the first run');
  const undated = releaseSet(['1.0.0 seen:2026-03-01', '2.0.0 seen:2026-03-10']);
  const days = { rule_type: 'days_behind', thresholds: { high: 1 } } as const;
  expect(previewRule(days, { deployedVersion: '1.0.0', releases: undated, isPreview: true }, now).text).toBe(
    'Known after the first run. Releases without dates count from when they are first seen',
  );
});

it('the preview of a rule that counts days says that releases without dates count from when they were first seen', () => {
  const undated = releaseSet(['1.0.0 seen:2026-03-15', '1.1.0 seen:2026-03-15', '9.0.0 seen:2026-03-15']);
  const textFor = (rule: typeof days | typeof majors) =>
    previewRule(rule, { deployedVersion: '1.0.0', releases: undated }, now).text;
  expect(textFor(days)).toBe(
    'No alert: 0 days behind, counted from when Pacekeeper first saw the release, because it has no date',
  );
  expect(textFor(majors)).toBe('Would alert: high, 8 major versions behind');
});

it('an archived repository gets the highest severity of an upstream_silent rule', () => {
  const silent = { rule_type: 'upstream_silent', thresholds: { moderate: 180, high: 365 } } as const;
  const textFor = (is_archived: boolean) => {
    const listed = { ignored_versions: [], counted_versions: [], is_archived };
    return previewRule(silent, { deployedVersion: '3.0.0', releases, listed }, now).text;
  };
  expect(textFor(false)).toBe('No alert: 14 days since the newest release');
  expect(textFor(true)).toBe('Would alert: high, the repository is archived');
});
