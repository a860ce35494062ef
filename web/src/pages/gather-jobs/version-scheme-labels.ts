import type { Schemas } from '../../../../src/generated/client-api.ts';

export const versionSchemeLabels: Readonly<Record<Schemas['VersionScheme'], string>> = {
  auto: 'Flexible (auto): prefixes, dates, variants',
  semver: 'Strict SemVer 2.0.0 (semver)',
  odd_minor: 'Flexible, odd minors such as 1.3 are pre-releases (odd_minor)',
  minor_90: 'Flexible, 2.99 is a pre-release of 3.0 (minor_90)',
  patch_99: 'Flexible, 1.24.99 is a pre-release of 1.25 (patch_99)',
  ceph: 'Flexible, x.0 and x.1 are pre-releases of x.2 (ceph)',
};
