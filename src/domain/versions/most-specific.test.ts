import { expect, test } from 'vitest';
import { createLineMatcher, findMostSpecificVersion } from './most-specific.ts';
import { versionScheme } from './versions.ts';

test.each([
  [['1', '1.25', '1.25.3'], '1.25.3'],
  [['1.25.3', '1.25', '1', 'latest'], '1.25.3'],
  [['v1', 'v1.25.3', 'v1.25'], 'v1.25.3'],
  [['1.25', '1'], '1.25'],
  [['1'], '1'],
  // A tag without a variant is preferred to one with a variant, and a release is preferred to its release candidate.
  [['1.25.3-bookworm', '1.25.3', '1.25-bookworm', '1.25'], '1.25.3'],
  [['1.25.3-debian-12-r4', '1.25.3'], '1.25.3'],
  [['1.25.3-rc.1', '1.25.3'], '1.25.3'],
  [['main-20260105', '1.25.3'], '1.25.3'],
  // All tags have the same variant, with more or less precise platform numbers.
  [['20.11.1-alpine3.19', '20-alpine', '20.11.1-alpine', '20.11-alpine3.19'], '20.11.1-alpine'],
  // The revision identifies the build, so a tag with a revision is more specific.
  [['1.25.3', '1.25.3-1'], '1.25.3-1'],
  [['21.0.4_7', '21.0.4', '21'], '21.0.4_7'],
  // If the tags of an image are from two releases, the higher release is selected regardless of the order of the tags.
  [['1.25.3', '1.25.4'], '1.25.4'],
  [['1.25.4', '1.25.3'], '1.25.4'],
  // Among equally specific tags, the result doesn't depend on their order.
  [['1.2.3', 'v1.2.3'], '1.2.3'],
  [['v1.2.3', '1.2.3'], '1.2.3'],
  [['20240101', '1.25.3'], '1.25.3'],
])('among the tags %j, %s is the most specific', (tags, expected) => {
  expect(findMostSpecificVersion(versionScheme('auto'), tags)).toBe(expected);
});

test.each([[['latest', 'main']], [[]]])('the result is null if no tag in %j is a version', (tags) => {
  expect(findMostSpecificVersion(versionScheme('auto'), tags)).toBeNull();
});

test('the `semver` scheme accepts only SemVer versions', () => {
  expect(findMostSpecificVersion(versionScheme('semver'), ['1.25', '1.25.3', '1.25.3-alpine'])).toBe(
    '1.25.3',
  );
});

test.each([
  ['1.25', '1.25.3', true],
  ['v1.25', '1.25.3', true],
  ['1.25-alpine', '1.25.3-alpine3.19', true],
  ['1.25', '1.26.0', false],
  ['1.2', '1.25.3', false],
  ['1.25', '1.25', false],
  ['1.25', '1', false],
  ['1.25', '1.25.3-alpine', false],
  ['1.25-alpine', '1.25.3', false],
  ['1.25', '1.25.3-rc.1', false],
  ['1.25', 'latest', false],
  ['latest', '1.25.3', false],
])('the line of the tag %s contains the version %s: %s', (tag, version, expected) => {
  expect(createLineMatcher(versionScheme('auto'), tag)(version)).toBe(expected);
});
