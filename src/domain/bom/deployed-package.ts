import type { PackageUrl } from '../artifacts/purl.ts';
import { artifactPurl } from '../deployments/deployed-purl.ts';

/** Deployed version of a scrape job. */
export interface Deployed {
  /** Name of the scrape job. */
  name: string;
  /** Null: unknown. */
  version: string | null;
  /** Names of the deployed artifact, the most reliable first. Not all can be written as package URLs. */
  artifacts: readonly string[];
}

/** Version of an image with its digest, such as `1.25.3@sha256:…`. */
const withDigest = /^(?<tag>[^@]+)@(?<digest>sha(?:256|512):[0-9a-f]+)$/;

/** Returns the package URL of a deployed version, or `null` if the artifact isn't known. */
export function deployedPackage({ version, artifacts }: Deployed): PackageUrl | null {
  const { tag = version, digest = null } = withDigest.exec(version ?? '')?.groups ?? {};
  for (const artifact of artifacts) {
    const purl = artifactPurl(artifact, tag);
    if (purl === null) continue;
    return purl.type === 'oci' && digest !== null ? { ...purl, version: digest } : purl;
  }
  return null;
}
