import { expect, test } from 'vitest';
import { isSameVersion, lineAndVariantOf } from './match-release.ts';
import type { VersionSchemeId } from './version-scheme.ts';
import { versionScheme } from './versions.ts';

test('two versions are the same if their line, variant, and rank are equal, regardless of spelling', () => {
  const check = (id: VersionSchemeId, a: string, b: string, expected: boolean) => {
    const scheme = versionScheme(id);
    const [left, right] = [scheme.parse(a), scheme.parse(b)];
    expect([a, b, left && right && isSameVersion(scheme, left, right)]).toEqual([a, b, expected]);
  };
  check('auto', '1.2.3', 'v1.2.3', true);
  check('auto', '1.2', '1.2.0', true);
  check('auto', '1.2.3', '1.2.3.Final', true);
  check('auto', '1.2.3', '1.2.3-alpine', false);
  check('auto', '1.2.3-alpine3.18', '1.2.3-alpine3.19', true);
  check('auto', '1.2.3', 'controller-v1.2.3', false);
  check('auto', '1.2.3', '1.2.3+k3s1', false);
  check('auto', 'v1.30.1+rke2r1', 'v1.30.1-rke2r1', true);
  check('semver', '1.2.3', '1.2.3+k3s1', true);
});

test('a line and a variant with the same name are distinguished', () => {
  const lineAndVariant = (text: string) => lineAndVariantOf(versionScheme('auto').parse(text)!);
  expect(['1.2.3', '1.2.3-alpine3.18', 'alpine-1.2.3', 'api/v1.2.3-rc.1-slim'].map(lineAndVariant)).toEqual([
    '',
    'alpine',
    'alpine/',
    'api/slim',
  ]);
});
