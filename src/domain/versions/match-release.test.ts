import { expect, test } from 'vitest';
import { isSameVersion, latestOf } from './match-release.ts';
import type { VersionSchemeId } from './version-scheme.ts';
import { versionScheme } from './versions.ts';

/** Behind a release: `*` the source calls it a pre-release, `!` it is a draft, yanked or withdrawn. */
function check(
  releases: string,
  latest: string | null,
  latestStable: string | null,
  id: VersionSchemeId = 'auto',
): void {
  const scheme = versionScheme(id);
  const candidates = releases.split(' ').flatMap((written) => {
    const version = scheme.parse(written.replace(/[*!]$/, ''));
    if (version === null) return [];
    return [
      {
        version,
        isPrerelease: written.endsWith('*') || version.isPrerelease,
        isExcluded: written.endsWith('!'),
      },
    ];
  });
  for (const list of [candidates, candidates.toReversed()]) {
    const found = latestOf(scheme, list);
    expect([releases, found.latest?.version.text ?? null, found.latestStable?.version.text ?? null]).toEqual([
      releases,
      latest,
      latestStable,
    ]);
  }
}

test('the latest is the highest, not the last', () => {
  check('2.0.0 1.9.9 2.1.0 1.9.10', '2.1.0', '2.1.0');
});

test('drafts, yanked and withdrawn releases never count', () => {
  check('1.0.0 2.0.0!', '1.0.0', '1.0.0');
  check('2.0.0!', null, null);
  check('latest main', null, null);
});

test('what the source calls a pre-release is never the latest stable', () => {
  check('1.0.0 2.0.0*', '2.0.0', '1.0.0');
  check('2.0.0*', '2.0.0', null);
});

test('releases with a suffix count only where there is nothing else', () => {
  check('1.25.2 1.25.3-alpine 1.25.3-rc.1', '1.25.2', '1.25.2');
  check('1.25.3-alpine3.18 1.25.4-alpine3.18 1.26.0-rc.1', '1.26.0-rc.1', '1.25.4-alpine3.18');
  check('1.0.0-beta.1 1.0.0-beta.2', '1.0.0-beta.2', null);
  check('13.0.1 26.0.2+10 25.0.4+7', '26.0.2+10', '26.0.2+10');
});

test('releases of other things in the same repository count only where they are the most', () => {
  check('controller-v1.11.2 controller-v1.12.0 helm-chart-4.11', 'controller-v1.12.0', 'controller-v1.12.0');
  check('1.0.0 2.0.0 api/v5.0.0', '2.0.0', '2.0.0');
  check('1.0.0 api/v5.0.0', '1.0.0', '1.0.0');
});

test('a project that takes up the v or drops it stays one line', () => {
  check('1.27.0 1.28.0 1.29.2 v2.0.0 v2.1.0', 'v2.1.0', 'v2.1.0');
});

test('of two spellings of one version it is always the same one', () => {
  check('1.2 1.2.0 v1.2.0', 'v1.2.0', 'v1.2.0');
});

test('in the scheme semver build metadata is no suffix', () => {
  check('1.0.0 1.1.0+build.5 1.2.0-rc.1', '1.1.0+build.5', '1.1.0+build.5', 'semver');
});

test('the same version is the same in precedence and variant, however it is spelled', () => {
  const checkSame = (id: VersionSchemeId, a: string, b: string, expected: boolean) => {
    const scheme = versionScheme(id);
    const [left, right] = [scheme.parse(a), scheme.parse(b)];
    expect([a, b, left && right && isSameVersion(scheme, left, right)]).toEqual([a, b, expected]);
  };
  checkSame('auto', '1.2.3', 'v1.2.3', true);
  checkSame('auto', '1.2', '1.2.0', true);
  checkSame('auto', '1.2.3', '1.2.3-alpine', false);
  checkSame('auto', '1.2.3-alpine3.18', '1.2.3-alpine3.19', false);
  checkSame('auto', '1.2.3', 'controller-v1.2.3', false);
  checkSame('auto', '1.2.3', '1.2.3+k3s1', false);
  checkSame('semver', '1.2.3', '1.2.3+k3s1', true);
});
