import { expect, test } from 'vitest';
import type { VersionSchemeId } from '../versions/version-scheme.ts';
import { latestOfJob } from './own-latest.ts';
import { prepareReleases } from './release-set.ts';
import { toRow, utcTime } from './release-set-fixture.ts';

/**
 * Checks the latest release and the latest stable release of a list. A `*` after a release means that the
 * source marks it as a pre-release, and a `!` means that it's withdrawn. The releases are one day apart,
 * oldest first.
 */
function check(
  releases: string,
  latest: string | null,
  latestStable: string | null,
  id: VersionSchemeId = 'auto',
): void {
  const rows = releases.split(' ').map((written, index) => ({
    ...toRow(`${written.replace(/[*!]$/, '')} 2026-01-01`),
    releasedAtMs: utcTime('2026-01-01') + index * 86_400_000,
    isPrerelease: written.endsWith('*'),
    isWithdrawn: written.endsWith('!'),
  }));
  for (const list of [rows, rows.toReversed()]) {
    const set = prepareReleases(id, list);
    const found = [latestOfJob(set), latestOfJob(set, ({ isPrerelease }) => !isPrerelease)];
    expect([releases, ...found.map((release) => release?.text ?? null)]).toEqual([
      releases,
      latest,
      latestStable,
    ]);
  }
}

function checkDated(lines: readonly string[], expected: string): void {
  for (const list of [lines, lines.toReversed()]) {
    expect(latestOfJob(prepareReleases('auto', list.map(toRow)))?.text).toBe(expected);
  }
}

test('the latest release is the highest, not the most recent', () => {
  check('2.0.0 1.9.9 2.1.0 1.9.10', '2.1.0', '2.1.0');
});

test('a withdrawn release is never the latest', () => {
  check('1.0.0 2.0.0!', '1.0.0', '1.0.0');
  check('2.0.0!', null, null);
  check('latest main', null, null);
});

test('a release that the source marks as a pre-release is never the latest stable release', () => {
  check('1.0.0 2.0.0*', '2.0.0', '1.0.0');
  check('2.0.0*', '2.0.0', null);
});

test('a stable release with a variant is the latest only if every stable release has one', () => {
  check('1.25.2 1.25.3-alpine 1.25.3-rc.1', '1.25.2', '1.25.2');
  check('1.25.3-alpine3.18 1.25.4-alpine3.18 1.26.0-rc.1', '1.26.0-rc.1', '1.25.4-alpine3.18');
  check('1.25.3-alpine3.18 1.25.4-alpine3.18', '1.25.4-alpine3.18', '1.25.4-alpine3.18');
  check('1.0.0-beta.1 1.0.0-beta.2', '1.0.0-beta.2', null);
  check('13.0.1 26.0.2+10 25.0.4+7', '26.0.2+10', '26.0.2+10');
});

test('of several variants of the same version, the latest release is the one whose variant has the fewest words', () => {
  check('1.29.1-k3s2 1.29.1-k3s2-arm64 1.29.1-k3s2-amd64', '1.29.1-k3s2', '1.29.1-k3s2');
  check('8.5.0-jdk17 8.6.0-jdk21-alpine 8.6.0-jdk17 8.6.0-jdk21', '8.6.0-jdk21', '8.6.0-jdk21');
});

test('a final image release is the latest even if its release candidates remain', () => {
  const lines = ['1.8.2 2026-01-01', '1.9.0-rc.1 2026-01-02', '1.9.0 2026-01-03'];
  expect(latestOfJob(prepareReleases('auto', lines.map(toRow), { isImage: true }))?.text).toBe('1.9.0');
});

test('the line of a job is the one without a name, or the most frequent one if all have names', () => {
  check('1.0.0 2.0.0 api/v5.0.0 api/v5.1.0 api/v5.2.0', '2.0.0', '2.0.0');
  check('controller-v1.11.2 controller-v1.12.0 helm-chart-4.11', 'controller-v1.12.0', 'controller-v1.12.0');
  check('b-2.0.0 a-1.0.0', 'a-1.0.0', 'a-1.0.0');
});

test('if all lines have names, the most frequent line of the last two years is used', () => {
  const old = ['a-1.0 2020-01-01', 'a-1.1 2020-02-01', 'a-1.2 2020-03-01', 'a-1.3 2024-01-01'];
  checkDated([...old, 'b-2.0 2025-06-01', 'b-2.1 2025-07-01'], 'b-2.1');
});

test('a named line replaces the nameless one once three of its releases are more than a year newer', () => {
  const releases = ['1.0 2020-01-01', '1.1 2024-01-01', 'api-5.0 2025-06-01', 'api-5.1 2025-07-01'];
  checkDated(releases, '1.1');
  checkDated([...releases, 'api-5.2 2025-08-01'], 'api-5.2');
});

test("the latest stable release is from another line if the job's own line has no stable releases", () => {
  check('tool-1.0.0 tool-1.1.0 2.0.0-beta.1', '2.0.0-beta.1', 'tool-1.1.0');
});

test('a project that starts or stops using the v prefix remains one line', () => {
  check('1.27.0 1.28.0 1.29.2 v2.0.0 v2.1.0', 'v2.1.0', 'v2.1.0');
});

test('the same spelling of a version is selected regardless of the order of the releases', () => {
  check('1.2 1.2.0 v1.2.0', 'v1.2.0', 'v1.2.0');
});

test('the semver scheme ignores build metadata', () => {
  check('1.0.0 1.1.0+build.5 1.2.0-rc.1', '1.1.0+build.5', '1.1.0+build.5', 'semver');
});
