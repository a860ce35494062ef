import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import { at, releaseSet } from './release-lines.ts';
import { type RuleTypeId, ruleTypeIds, ruleTypes } from './rule-types.ts';

it('every file in the directory is a rule type, and vice versa', () => {
  const files = readdirSync(fileURLToPath(new URL('types/', import.meta.url)));
  expect(files.toSorted()).toEqual(ruleTypeIds.map((id) => `${id.replaceAll('_', '-')}.ts`).toSorted());
});

const releases = ['1.0.0 2025-01-01', '1.1.0 2025-06-01', '2.0.0 2025-12-01', '2.0.1-rc.1 2025-12-02'];
const isAboutUpstream = (id: RuleTypeId) => ruleTypes[id].measureUpstream !== null;
const isAboutReleases = (id: RuleTypeId) =>
  ruleTypes[id].measureSupport === null && ruleTypes[id].measureFindings === null;

describe.each(ruleTypeIds)('the rule type %s', (id) => {
  it('has a label and a description', () => {
    const { label, description, unit, shortUnit } = ruleTypes[id];
    expect(label).toMatch(/^[A-Z]/);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(new Set([...unit, ...shortUnit]).size).toBeGreaterThan(1);
  });
});

describe.each(ruleTypeIds.filter(isAboutReleases))('the rule type %s, of releases,', (id) => {
  it('counts in whole numbers', () => {
    for (const deployed of ['1.0.0', '1.0.5', '1.1.0', '2.0.0']) {
      expect(Number.isInteger(lagOf(id, deployed, '2026-01-01T13:14:15.678Z'))).toBe(true);
    }
  });

  it('gives a release in another spelling the same lag', () => {
    expect(lagOf(id, 'v1.1.0')).toBe(lagOf(id, '1.1.0'));
    expect(lagOf(id, '1.1')).toBe(lagOf(id, '1.1.0'));
  });

  it('depends on nothing but its input', () => {
    expect(lagOf(id, '1.0.0')).toBe(lagOf(id, '1.0.0'));
  });
});

describe.each(ruleTypeIds.filter((id) => isAboutReleases(id) && !isAboutUpstream(id)))(
  'the rule type %s, of what is deployed,',
  (id) => {
    it('finds nothing to say about the latest release', () => {
      expect(lagOf(id, '2.0.0')).toBe(0);
    });

    it('finds that an older version is behind, and never less than a newer one', () => {
      expect(lagOf(id, '1.0.0')).toBeGreaterThanOrEqual(lagOf(id, '1.1.0'));
      expect(lagOf(id, '1.1.0')).toBeGreaterThan(0);
    });

    it('finds 0 above everything', () => {
      expect(lagOf(id, '99.0.0')).toBe(0);
    });
  },
);

describe.each(ruleTypeIds.filter(isAboutUpstream))('the rule type %s, of upstream alone,', (id) => {
  it('finds the same whatever is deployed', () => {
    for (const deployed of ['1.0.0', '2.0.0', '99.0.0', 'main']) expect(lagOf(id, deployed)).toBe(31);
  });
});

function lagOf(type: RuleTypeId, deployedVersion: string, now = '2026-01-01'): number {
  const verdict = judge({
    rule: { type, thresholds: { moderate: 1 }, stableOnly: true, daysBasis: null, minReleaseAgeDays: 0 },
    options: { candidatePattern: null, ignoredVersions: [] },
    deployedVersion,
    releases: releaseSet(releases),
    nowMs: at(now),
  });
  if (verdict.behindBy === null) throw new Error(`${deployedVersion} was not measured`);
  return verdict.behindBy;
}
