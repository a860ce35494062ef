import { describe, expect, test } from 'vitest';
import { describeLag, describeUnmonitored, describeVerdict } from './describe-verdict.ts';

const config = {
  state: 'alerting',
  state_reason: null,
  severity: 'critical',
  rule_type: 'days_behind',
  deployed_version: '1.2.0',
  latest_version: '3.0.0',
  unaffected_version: null,
  behind_by: 400,
} as const satisfies Parameters<typeof describeVerdict>[0];

describe('the verdict', () => {
  const check = (
    change: Partial<Parameters<typeof describeVerdict>[0]>,
    behindBy: string,
    expected: string | RegExp,
    daysBasis: Parameters<typeof describeVerdict>[2] = null,
  ) => expect(describeVerdict({ ...config, ...change }, behindBy, daysBasis)).toMatch(expected);

  test('names the severity, the versions, and the lag', () => {
    check({}, '400 days', /^Critical: 1\.2\.0 is deployed, 400 days behind 3\.0\.0\.$/);
    check(
      { rule_type: 'end_of_life', state_reason: 'end_of_life' },
      'ended 3 days ago',
      /^Critical: .*; its support: ended 3 days ago\.$/,
    );
    check(
      { rule_type: 'known_vulnerabilities', behind_by: 2, unaffected_version: '1.2.4' },
      '2 vulnerabilities',
      /^Critical: 1\.2\.0 is deployed and has 2 known vulnerabilities; 1\.2\.4 has none\.$/,
    );
    check(
      { rule_type: 'vulnerability_age', state_reason: 'fix_available', behind_by: 45 },
      '45 days',
      /^Critical: 1\.2\.0 is deployed; a fix for a known vulnerability has been available for 45 days\.$/,
    );
    check(
      { rule_type: 'release_integrity', state_reason: 'release_moved', behind_by: 1 },
      '1 change',
      /^Critical: 1\.2\.0 is deployed; it changed 1 time after it was published\.$/,
    );
    check(
      { rule_type: 'release_integrity', state: 'ok', severity: null, behind_by: 0 },
      'none noticed',
      /^1\.2\.0 is deployed; no change to this release has been detected\.$/,
    );
  });

  test('names the lag within the rule, and is up to date only with the latest version', () => {
    const ok = { state: 'ok', severity: null } as const;
    check(
      { ...ok, behind_by: 12 },
      '12 days',
      /^1\.2\.0 is deployed, 12 days behind 3\.0\.0, within the rule\.$/,
    );
    check(
      { ...ok, behind_by: 0, latest_version: '1.2.0' },
      'up to date',
      /^1\.2\.0 is deployed and up to date\.$/,
    );
    check(
      { ...ok, behind_by: 0 },
      '0 major versions',
      /^1\.2\.0 is deployed; 3\.0\.0 is available, within the rule\.$/,
    );
  });

  test('names the age of the deployed release if the rule measures that', () => {
    check(
      {},
      '400 days',
      /^Critical: 1\.2\.0 is deployed\. It was released 400 days ago; the latest is 3\.0\.0\.$/,
      'deployed_release',
    );
    check(
      { state: 'ok', severity: null, behind_by: 12 },
      '12 days',
      /^1\.2\.0 is deployed\. It was released 12 days ago; the latest is 3\.0\.0, within the rule\.$/,
      'deployed_release',
    );
    check(
      {},
      '400 days',
      /^Critical: 1\.2\.0 is deployed, 400 days behind 3\.0\.0\.$/,
      'first_newer_release',
    );
  });

  test('names no lag until it is known what the rule measures', () => {
    expect(describeVerdict(config, '400 days', undefined)).toBe('Critical: 1.2.0 is deployed.');
    expect(describeVerdict({ ...config, rule_type: 'majors_behind' }, '2 major versions', undefined)).toBe(
      'Critical: 1.2.0 is deployed, 2 major versions behind 3.0.0.',
    );
  });

  test('has the same lag as the timeline', () => {
    expect(describeLag('400 days', 'days_behind', 'deployed_release')).toBe('released 400 days ago');
    expect(describeLag('400 days', 'days_behind', 'first_newer_release')).toBe('400 days behind');
    expect(describeLag('400 days', 'days_behind', undefined)).toBeNull();
    expect(describeLag('2 major versions', 'majors_behind', undefined)).toBe('2 major versions behind');
  });

  test('states that nothing was compared if data is missing', () => {
    const unknown = { severity: null, behind_by: null } as const;
    check({ ...unknown, state: 'no_data' }, '—', /^Not compared yet\.$/);
    check(
      { ...unknown, state: 'no_data', state_reason: 'no_version' },
      '—',
      /^Not compared\. No deployed version/,
    );
    check({ ...unknown, state: 'inactive' }, '—', /^Not compared: the monitor or its rule is disabled\.$/);
    check(
      { state: 'stale', severity: null },
      '400 days',
      /^Out of date\. .* Last known: 1\.2\.0 is deployed/,
    );
    expect(describeUnmonitored('1.2.0')).toBe(
      '1.2.0 is deployed. Not compared: no monitor uses this version.',
    );
    expect(describeUnmonitored(null)).toBe('No version has been read yet, and no monitor compares it.');
  });
});
