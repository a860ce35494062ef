import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { latestOfJob } from './own-latest.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import type { RuleTypeId } from './rule-types.ts';

function releases(count: number, prefix = '1.', date: (index: number) => string = monthOf): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index} ${date(index)}`);
}

function monthOf(index: number): string {
  return new Date(Date.UTC(2020, index, 1)).toISOString().slice(0, 10);
}

function latestOf(lines: readonly string[]): string | undefined {
  return latestOfJob(releaseSet(lines))?.text;
}

test('the highest releases are outliers if at least twenty distinct lower versions were released after each of them', () => {
  const wrong = ['2015.1 2019-01-01', '2015.2 2019-02-01'];
  expect(latestOf([...releases(19), ...wrong])).toBe('2015.2');
  expect(latestOf([...releases(20), ...wrong])).toBe('1.19');
});

test('several releases of one version count as one version', () => {
  const twice = releases(10).flatMap((line) => [line, `v${line}`]);
  expect(latestOf([...twice, '9.0 2019-01-01'])).toBe('9.0');
});

test('a release is never an outlier if a higher release fits the line', () => {
  const lines = [...releases(25), '5.0 2018-01-01', '9.0 2026-01-01'];
  expect(latestOf(lines)).toBe('9.0');
});

test('releases without dates that were first seen at the same time have no order', () => {
  const together = releases(30, '1.', () => 'seen:2026-01-01');
  expect(latestOf([...together, '9.0 seen:2026-01-01'])).toBe('9.0');
  expect(
    latestOf([
      ...releases(28, '1.', (index) => `seen:2026-02-${String(index + 1).padStart(2, '0')}`),
      '9.0 seen:2026-01-01',
    ]),
  ).toBe('1.27');
});

test('a whole number of seven or more digits is never the latest in a line of dotted versions', () => {
  expect(latestOf(['2.0.1 seen:2026-01-01', '2.0.0 seen:2026-01-01', '7654321 seen:2026-01-01'])).toBe(
    '2.0.1',
  );
  expect(latestOf(['7014000 seen:2026-01-01', '7654321 seen:2026-01-01'])).toBe('7654321');
});

test('an implausible jump of the first number is ignored until more than five versions have such a number', () => {
  const usual = ['1.4.2 2020-01-01', '1.5.0 2020-02-01', '1.6.1 2020-03-01'];
  expect(latestOf([...usual, '5512.0.0 2020-04-01'])).toBe('1.6.1');
  const many = Array.from({ length: 6 }, (_, index) => `5512.${index}.0 2020-0${index + 4}-01`);
  expect(latestOf([...usual, ...many])).toBe('5512.5.0');
  expect(latestOf([...usual, '2024.1.0 2024-02-01'])).toBe('2024.1.0');
  expect(latestOf([...usual, '2403.1.0 2024-04-01'])).toBe('2403.1.0');
});

test('every rule about newer releases reports the latest release if upstream abandoned the numbering of the deployed version', () => {
  const set = releaseSet([...releases(25), '2015.1 2019-01-01']);
  const ask = (type: RuleTypeId) => {
    const { state, stateReason, latestVersion, behindBy } = judge({
      rule: {
        type,
        thresholds: { moderate: 1 },
        stableOnly: true,
        daysBasis: 'first_newer_release',
        minReleaseAgeDays: 0,
      },
      options: { candidatePattern: null, ignoredVersions: [] },
      deployedVersion: '2015.1',
      releases: set,
      nowMs: utcTime('2020-01-11'),
    });
    return { state, stateReason, latestVersion, behindBy };
  };
  expect(ask('days_behind')).toEqual({
    state: 'alerting',
    stateReason: null,
    latestVersion: '1.24',
    behindBy: 10,
  });
  for (const type of ['majors_behind', 'minors_behind'] as const) {
    expect(ask(type)).toEqual({
      state: 'ok',
      stateReason: 'numbering_ended',
      latestVersion: '1.24',
      behindBy: 0,
    });
  }
});
