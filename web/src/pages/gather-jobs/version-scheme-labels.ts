import type { Schemas } from '../../../../src/generated/client-api.ts';

export const versionSchemeLabels: Readonly<Record<Schemas['VersionScheme'], string>> = {
  auto: 'Flexible (auto): prefixes, dates, variants',
  semver: 'Strict SemVer 2.0.0 (semver)',
  odd_minor: 'Flexible, 1.3 leads to 1.4 (odd_minor)',
  minor_90: 'Flexible, 2.99 leads to 3.0 (minor_90)',
  patch_99: 'Flexible, 1.24.99 leads to 1.25 (patch_99)',
  ceph: 'Flexible, x.0 and x.1 lead to x.2 (ceph)',
};
