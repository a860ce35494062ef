import { expect, test } from 'vitest';
import { isPublicPackage, type PackageOrigin } from './public-package.ts';

const catalog: PackageOrigin = { from: 'catalog' };
const set: PackageOrigin = { from: 'job', isSet: true, credentialName: null };
const setWithCredential: PackageOrigin = { from: 'job', isSet: true, credentialName: 'github' };
const derived: PackageOrigin = { from: 'job', isSet: false, credentialName: null };
const derivedWithCredential: PackageOrigin = { from: 'job', isSet: false, credentialName: 'github' };

test.each<[string, readonly PackageOrigin[], boolean]>([
  ['nothing leads to', [], false],
  ['the catalog names', [catalog], true],
  ['a person set', [set], true],
  ['a person set for a source that needs a credential', [setWithCredential], true],
  ['is derived from a public source', [derived], true],
  ['is derived from a source that needs a credential', [derivedWithCredential], false],
  ['is derived from two such sources', [derivedWithCredential, derivedWithCredential], false],
  ['is derived from such a source and a public one', [derivedWithCredential, derived], true],
  ['is derived from such a source and in the catalog', [derivedWithCredential, catalog], true],
  ['is derived from such a source and set elsewhere', [derivedWithCredential, setWithCredential], true],
])('the name of a package that %s is sent only if the package is public', (_, origins, expected) => {
  expect(isPublicPackage(origins)).toBe(expected);
});
