import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';
import { type RuleTypeId, ruleTypeIds, ruleTypes } from './rule-types.ts';

it('the types directory contains exactly one file for each rule type', () => {
  const files = readdirSync(fileURLToPath(new URL('types/', import.meta.url)));
  expect(files.toSorted()).toEqual(ruleTypeIds.map((id) => `${id.replaceAll('_', '-')}.ts`).toSorted());
});

const releases = ['1.0.0 2025-01-01', '1.1.0 2025-06-01', '2.0.0 2025-12-01', '2.0.1-rc.1 2025-12-02'];
const isAboutUpstream = (id: RuleTypeId) => ruleTypes[id].kind === 'upstream_activity';
const isAboutReleases = (id: RuleTypeId) =>
  !['support', 'vulnerabilities', 'release_moves'].includes(ruleTypes[id].kind);

describe.each(ruleTypeIds)('the rule type %s', (id) => {
  it('has a label and a description', () => {
    const { label, description, unit, shortUnit } = ruleTypes[id];
    expect(label).toMatch(/^[A-Z]/);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(new Set([...unit, ...shortUnit]).size).toBeGreaterThan(1);
  });
});

describe.each(ruleTypeIds.filter(isAboutReleases))('the release-based rule type %s', (id) => {
  it('counts in whole numbers', () => {
    for (const deployed of ['1.0.0', '1.0.5', '1.1.0', '2.0.0']) {
      expect(Number.isInteger(lagOf(id, deployed, '2026-01-01T13:14:15.678Z'))).toBe(true);
    }
  });

  it('returns the same lag for different spellings of a release', () => {
    expect(lagOf(id, 'v1.1.0')).toBe(lagOf(id, '1.1.0'));
    expect(lagOf(id, '1.1')).toBe(lagOf(id, '1.1.0'));
  });

  it('returns the same lag for the same input', () => {
    expect(lagOf(id, '1.0.0')).toBe(lagOf(id, '1.0.0'));
  });
});

describe.each(ruleTypeIds.filter((id) => isAboutReleases(id) && !isAboutUpstream(id)))(
  'the rule type %s for deployed versions',
  (id) => {
    it('returns 0 for the latest release', () => {
      expect(lagOf(id, '2.0.0')).toBe(0);
    });

    it('returns a positive lag for an older version, and at least as large a lag for an even older one', () => {
      expect(lagOf(id, '1.0.0')).toBeGreaterThanOrEqual(lagOf(id, '1.1.0'));
      expect(lagOf(id, '1.1.0')).toBeGreaterThan(0);
    });

    it('returns 0 for a version above all releases', () => {
      expect(lagOf(id, '99.0.0')).toBe(0);
    });
  },
);

describe.each(ruleTypeIds.filter(isAboutUpstream))('the upstream-only rule type %s', (id) => {
  it('returns the same lag for every deployed version', () => {
    for (const deployed of ['1.0.0', '2.0.0', '99.0.0', 'main']) expect(lagOf(id, deployed)).toBe(31);
  });
});

function lagOf(type: RuleTypeId, deployedVersion: string, now = '2026-01-01'): number {
  const verdict = judge({
    rule: { type, thresholds: { moderate: 1 }, stableOnly: true, daysBasis: null, minReleaseAgeDays: 0 },
    options: { candidatePattern: null, ignoredVersions: [] },
    deployedVersion,
    releases: releaseSet(releases),
    nowMs: utcTime(now),
  });
  if (verdict.behindBy === null) throw new Error(`${deployedVersion} was not measured`);
  return verdict.behindBy;
}
