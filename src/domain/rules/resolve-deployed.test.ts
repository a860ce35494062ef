import { expect, test } from 'vitest';
import type { VersionSchemeId } from '../versions/version-scheme.ts';
import type { ReleaseSet } from './release-set.ts';
import { releaseSet } from './release-set-fixture.ts';
import { resolveDeployed, versionToLookUp } from './resolve-deployed.ts';

/** Checks how a deployed string is resolved, and which version is looked up in other data. */
function check(
  set: ReleaseSet,
  text: string,
  expected: [match: string, release: string | null, lookup: string | null],
) {
  const { match, release } = resolveDeployed(text, set);
  const lookup = versionToLookUp({ text, match, release: release?.text ?? null }, null);
  expect([text, match, release?.text ?? null, lookup]).toEqual([text, ...expected]);
}

function tags(texts: string, scheme: VersionSchemeId = 'auto', isImage = true): ReleaseSet {
  return releaseSet(
    texts.split(' ').map((text) => `${text} 2026-01-01`),
    scheme,
    { isImage },
  );
}

test('the name of a release and other spellings of it resolve to that release', () => {
  check(tags('v7.7.0 v7.6.0', 'auto', false), '7.7.0', ['same_version', 'v7.7.0', '7.7.0']);
  check(tags('v7.7.0 v7.6.0', 'auto', false), 'v7.7.0', ['exact', 'v7.7.0', 'v7.7.0']);
  check(tags('1.2.3+build.5 1.2.2', 'semver'), '1.2.3_build.5', [
    'same_version',
    '1.2.3+build.5',
    '1.2.3_build.5',
  ]);
});

test('a moving tag resolves to the release that it points to, and the version of that release is looked up', () => {
  const set = tags('1 1.27 1.27.0 1.26.4');
  check(set, '1', ['moving_tag', '1.27.0', '1.27.0']);
  check(set, '1.27', ['moving_tag', '1.27.0', '1.27.0']);
});

test('a platform tag has a date but no version, so nothing is looked up', () => {
  const set = tags('26.7.0 26.7.0-alpine3.23 lts-alpine3.23 alpine3.24 26.6.0-alpine3.24');
  for (const text of ['lts-alpine3.23', 'alpine3.24']) check(set, text, ['platform_tag', text, null]);
  check(set, 'alpine3.22', ['platform_tag', null, null]);
});

test('a version that falls between two releases resolves to no release', () => {
  check(tags('1.27.0 1.25.0'), '1.26.3', ['none', null, '1.26.3']);
});

test("a commit ID that consists of digits isn't parsed as a version if other releases are commit IDs", () => {
  const set = tags('1f2e3d4 9a8b7c6 1234567 2.0.1');
  check(set, '1234567', ['unparseable', '1234567', null]);
  check(tags('6900000 7014000 7014533'), '7014533', ['exact', '7014533', '7014533']);
  const branch = tags('main-7014533 main-b4c614f main-d7eed0c 2.0.1');
  for (const text of ['main-7014533', 'main-b4c614f']) check(branch, text, ['unparseable', text, null]);
  check(branch, 'main-1234567', ['unparseable', null, null]);
});

test('the application version of a chart is looked up only if the deployed version matches a release exactly', () => {
  const set = tags('v7.7.0 v7.6.0', 'semver', false);
  const applications = new Map([['v7.7.0', '2.13.0']]);
  const { match, release } = resolveDeployed('7.7.0', set);
  const looked = { text: '7.7.0', match, release: release?.text ?? null };
  expect(versionToLookUp(looked, applications)).toBe('2.13.0');
  expect(versionToLookUp({ ...looked, match: 'nearest_lower' }, applications)).toBeNull();
});

test('a version above the stable releases of its own line adopts the line with the same numbers', () => {
  const lines = ['SQUID_5_9 2023-05-01', 'SQUID_7_6 2026-06-01', '6.0.0-20210522-snapshot 2021-05-19'];
  expect(resolveDeployed('5.9', releaseSet(lines)).adoptedLine).toBe('squid');
});

test('a version of an ended line adopts the most frequent of the lines with the same numbers', () => {
  const named = ['5.0.13', '5.0.14', '5.0.15'].flatMap((version, index) => [
    `yocto-${version} 2026-01-0${index + 1}`,
    ...(index > 0 ? [`scarthgap-${version} 2026-01-0${index + 1}`] : []),
  ]);
  const ended = ['1.3.1 2013-01-01', '5.3_M2 2025-08-01', ...named];
  expect(resolveDeployed('5.0.15', releaseSet(ended)).adoptedLine).toBe('yocto');
  const active = ['1.3.1 2025-12-01', ...named];
  expect(resolveDeployed('5.0.15', releaseSet(active)).adoptedLine).toBeNull();
});

test.each(['v1.5.0', '1.5.0'])(
  'a version that a release of its own line has stays in that line, even if the release is a pre-release (%s)',
  (text) => {
    const own = ['v1.4.0 2026-01-01', 'v1.5.0 2026-02-01 prerelease'];
    const charts = ['chart-1.4.0 2026-01-01', 'chart-1.5.0 2026-02-01', 'chart-3.0.0 2026-03-01'];
    const resolved = resolveDeployed(text, releaseSet([...own, ...charts]));
    expect(resolved).toMatchObject({ adoptedLine: null, release: { text: 'v1.5.0' } });
  },
);
