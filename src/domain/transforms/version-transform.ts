/** Values of `version_transform` in the API, in the order in which the UI lists them. */
export const versionTransforms = [
  'none',
  'add_v_lower',
  'add_v_upper',
  'strip_v_lower',
  'strip_v_upper',
] as const;

export type VersionTransform = (typeof versionTransforms)[number];

/**
 * Transforms a version that was extracted or set manually. `add_*` adds the letter unless the version begins with v or
 * V. `strip_*` removes one leading letter in the given case. The result can be empty (`strip_v_lower` of `v`).
 */
export function applyVersionTransform(version: string, transform: VersionTransform): string {
  switch (transform) {
    case 'none':
      return version;
    case 'add_v_lower':
      return /^v/i.test(version) ? version : `v${version}`;
    case 'add_v_upper':
      return /^v/i.test(version) ? version : `V${version}`;
    case 'strip_v_lower':
      return version.startsWith('v') ? version.slice(1) : version;
    case 'strip_v_upper':
      return version.startsWith('V') ? version.slice(1) : version;
  }
}
