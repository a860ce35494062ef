import { versionScheme } from './versions.ts';

/**
 * Returns a warning about a deployed version that can't be compared with any release, such as `latest`; null
 * for all others.
 */
export function incomparableVersionWarning(version: string): string | null {
  return versionScheme('auto').parse(version) === null
    ? `"${version}" isn't a version, so no release can be compared with it. Use the version that is deployed, such as 1.2.3.`
    : null;
}
