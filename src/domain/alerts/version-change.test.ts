import { describe, expect, it } from 'vitest';
import { releaseSet } from '../rules/release-set-fixture.ts';
import { createDeployedVersionParser, isDifferentVersion, isUpgrade } from './version-change.ts';

const commits = ['b4c614f 2026-01-01', 'd7eed0c 2026-02-01', '7014533 2026-03-01', '6000000 2026-04-01'];
const nodeTags = [
  ...['22', '23', '24'].flatMap((major) => [`${major}.0.0 2026-01-01`, `${major}.0.0-alpine3.23 2026-01-01`]),
  'lts-alpine3.23 2026-01-01',
  'lts-alpine3.24 2026-03-01',
  'lts-bookworm 2026-02-01',
];
const builds = [
  '1.0.0 2026-01-01',
  '2.0.0-build9 2026-02-01',
  '2.0.0-build10 2026-02-03',
  '2.0.0 2026-03-01',
];
const movingTags = ['1.26.0 2026-01-01', '1.27.0 2026-02-01', '1 2026-02-01', '1.27 2026-02-01'];

describe.for<[string, readonly string[], { isImage?: boolean }, string, string]>([
  ['a commit of digits that was released later', commits, {}, '7014533', '6000000'],
  ['a commit that was released later', commits, {}, 'b4c614f', '6000000'],
  ['a later platform tag', nodeTags, { isImage: true }, 'lts-bookworm', 'lts-alpine3.24'],
  ['the release of a trial build', builds, {}, '2.0.0-build10', '2.0.0'],
  ['the target of a moving tag', movingTags, { isImage: true }, '1.26.0', '1.27'],
])('a change of the deployed version to %s', ([, lines, options, before, after]) => {
  const reading = createDeployedVersionParser(releaseSet(lines, 'auto', options), null);

  it('is an upgrade, and the reverse change is not', () => {
    expect(isDifferentVersion(reading, before, after)).toBe(true);
    expect([isUpgrade(reading, before, after), isUpgrade(reading, after, before)]).toEqual([true, false]);
  });
});

describe('a moving tag', () => {
  it('is the same version as its target', () => {
    const reading = createDeployedVersionParser(releaseSet(movingTags, 'auto', { isImage: true }), null);
    expect(isDifferentVersion(reading, '1', '1.27.0')).toBe(false);
    expect(isDifferentVersion(reading, '1', '1.26.0')).toBe(true);
  });
});

describe('a string that is neither a version nor a release', () => {
  it('counts as a different version, but not as an upgrade', () => {
    const reading = createDeployedVersionParser(releaseSet(['1.0.0 2026-01-01']), null);
    expect(isDifferentVersion(reading, '1.0.0', 'main')).toBe(true);
    expect([isUpgrade(reading, '1.0.0', 'main'), isUpgrade(reading, 'main', '1.0.0')]).toEqual([
      false,
      false,
    ]);
    expect(isUpgrade(reading, 'main', 'other')).toBe(false);
  });
});
