import { expect, test } from 'vitest';
import { isPublicPackage, type PackageOrigin } from './public-package.ts';

const catalog: PackageOrigin = { from: 'catalog' };
const set: PackageOrigin = { from: 'job', isSet: true, credentialName: null };
const setWithCredential: PackageOrigin = { from: 'job', isSet: true, credentialName: 'github' };
const derived: PackageOrigin = { from: 'job', isSet: false, credentialName: null };
const derivedWithCredential: PackageOrigin = { from: 'job', isSet: false, credentialName: 'github' };

test.each<[string, readonly PackageOrigin[], boolean]>([
  ['has no known origin', [], false],
  ['the catalog contains', [catalog], true],
  ['a user set', [set], true],
  ['a user set for a source that requires a credential', [setWithCredential], true],
  ['is derived from a public source', [derived], true],
  ['is derived from a source that requires a credential', [derivedWithCredential], false],
  [
    'is derived from two sources that require a credential',
    [derivedWithCredential, derivedWithCredential],
    false,
  ],
  [
    'is derived from a source that requires a credential and from a public source',
    [derivedWithCredential, derived],
    true,
  ],
  [
    'is derived from a source that requires a credential and is in the catalog',
    [derivedWithCredential, catalog],
    true,
  ],
  [
    'is derived from a source that requires a credential and is set elsewhere',
    [derivedWithCredential, setWithCredential],
    true,
  ],
])('the name of a package that %s is sent only if the package is public', (_, origins, expected) => {
  expect(isPublicPackage(origins)).toBe(expected);
});
