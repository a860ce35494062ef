/**
 * OSV ecosystems from https://github.com/ossf/osv-schema/blob/main/ecosystems.json, schema version 1.7.5. OSV rejects
 * other ecosystems.
 */
const ecosystems: readonly string[] = [
  'AlmaLinux',
  'Alpaquita',
  'Alpine',
  'Android',
  'Azure Linux',
  'BellSoft Hardened Containers',
  'Bioconductor',
  'Bitnami',
  'Chainguard',
  'CleanStart',
  'ConanCenter',
  'CRAN',
  'crates.io',
  'Debian',
  'Docker Hardened Images',
  'Echo',
  'FreeBSD',
  'GHC',
  'GitHub Actions',
  'Go',
  'Hackage',
  'Hex',
  'Julia',
  'Kubernetes',
  'Linux',
  'Mageia',
  'Maven',
  'MinimOS',
  'npm',
  'NuGet',
  'opam',
  'openEuler',
  'openSUSE',
  'OSS-Fuzz',
  'Packagist',
  'Photon OS',
  'Pub',
  'PyPI',
  'Red Hat',
  'Rocky Linux',
  'Root',
  'RubyGems',
  'SUSE',
  'SwiftURL',
  'TuxCare',
  'Ubuntu',
  'VSCode',
  'Wolfi',
];

/**
 * Ecosystems without releases. A colon after one of these names is usually a typo for a slash: `Go:k8s.io/kubernetes`.
 */
const withoutReleases: ReadonlySet<string> = new Set([
  'Bitnami',
  'crates.io',
  'Go',
  'Hex',
  'npm',
  'NuGet',
  'Packagist',
  'Pub',
  'PyPI',
  'RubyGems',
]);

/** True if the name is an OSV ecosystem. The name of a distribution's ecosystem can include a release: `Debian:13`. */
export function isOsvEcosystem(name: string): boolean {
  const [base = '', release] = name.split(':', 2);
  return ecosystems.includes(base) && (release === undefined || !withoutReleases.has(base));
}

/** Returns the name of an ecosystem in the spelling that OSV uses. `null` if OSV has no such ecosystem. */
export function canonicalEcosystem(name: string): string | null {
  const [base = '', ...release] = name.split(':');
  const known = ecosystems.find((each) => each.toLowerCase() === base.toLowerCase());
  if (known === undefined) return null;
  return withoutReleases.has(known) ? known : [known, ...release].join(':');
}
