import { expect, it } from 'vitest';
import type { AdvisorySeverity } from '../vulnerabilities/advisory.ts';
import { judgeFindings } from './judge-findings.ts';

const finding = (severity: AdvisorySeverity | null, index: number) => {
  return { id: `CVE-${index}`, aliases: [`GHSA-${index}`], severity, fixedIn: null };
};
const nowMs = Date.parse('2026-03-15');

it.each<[(AdvisorySeverity | null)[], string | null]>([
  [[], null],
  [['moderate', 'low', null, null], null],
  [['moderate', 'low', null, null, null], 'moderate'],
  [['high'], 'high'],
  [['critical', 'low'], 'critical'],
  [[null], null],
])('findings with the severities %j result in the severity %s', (severities, expected) => {
  const verdict = judgeFindings(severities.map(finding), { critical: 1, high: 1, moderate: 5 }, [], nowMs);
  expect(verdict.severity).toBe(expected);
  expect(verdict.unknownCount).toBe(severities.filter((severity) => severity === null).length);
});

it('a critical finding is counted toward the threshold for high severity', () => {
  const findings = (['critical', 'high'] as const).map(finding);
  expect(judgeFindings(findings, { high: 2 }, [], nowMs).severity).toBe('high');
  expect(judgeFindings(findings, { critical: 2 }, [], nowMs).severity).toBeNull();
});

it('findings that are ignored by ID or alias are excluded until the ignore period ends', () => {
  const findings = (['critical', 'high', 'high'] as const).map(finding);
  const ignored = [
    { id: 'GHSA-0', untilMs: nowMs + 1 },
    { id: 'CVE-1', untilMs: null },
    { id: 'CVE-2', untilMs: nowMs },
  ];
  const verdict = judgeFindings(findings, { critical: 1, high: 1 }, ignored, nowMs);
  expect(verdict).toMatchObject({ severity: 'high', nextCrossingAtMs: nowMs + 1 });
  expect(verdict.counted.map(({ id }) => id)).toEqual(['CVE-2']);
  expect(verdict.ignored.map(({ id }) => id)).toEqual(['CVE-0', 'CVE-1']);
  expect(judgeFindings(findings, { critical: 1 }, ignored, nowMs + 1)).toMatchObject({
    severity: 'critical',
    nextCrossingAtMs: null,
  });
});
