import { formatPurl, imagePurl, type PackageUrl, parsePurl } from '../artifacts/purl.ts';

interface DeployedArtifact {
  service: string;
  version: string;
  /** Artifact of the report, or `null` if it's unknown. */
  artifact: string | null;
}

/** Maximum length of a package URL that `POST /deployments/events` accepts. */
const maxLength = 1_000;

/**
 * Returns the package URL of a deployed version. `readDeploymentEvent` reads the same version from it. If the artifact is
 * unknown or can't be written as a package URL, the package is a generic one with the name of the service.
 */
export function deployedPurl({ service, version, artifact }: DeployedArtifact): string {
  const purl = artifact === null ? null : artifactPurl(artifact, version);
  return (
    (purl && formatPurl(purl)) ??
    formatPurl({ type: 'generic', namespace: [], name: service, version, qualifiers: [] })
  );
}

/**
 * Returns the package URL of a version of an artifact, or `null` if the artifact can't be written as a package URL.
 *
 * @param version Null: unknown.
 */
export function artifactPurl(artifact: string, version: string | null): PackageUrl | null {
  const purl = parsePurl(toPurl(artifact.toWellFormed()));
  if (purl === null) return null;
  const versioned = version === null ? purl : withVersion(purl, version);
  return formatPurl(versioned).length <= maxLength ? versioned : null;
}

/**
 * Sets the version of a package URL. The version of an image becomes the qualifier `tag`, because only a
 * digest can follow the name in the package URL of an image.
 */
function withVersion(purl: PackageUrl, version: string): PackageUrl {
  const qualifiers = purl.qualifiers.filter(([key]) => key !== 'tag');
  if (purl.type !== 'oci' || isDigest(version)) return { ...purl, version, qualifiers };
  const digest = purl.version !== null && isDigest(purl.version) ? purl.version : null;
  return { ...purl, version: digest, qualifiers: [...qualifiers, ['tag', version]] };
}

/** Returns the package URL of an image reference. Other artifacts are returned unchanged. */
function toPurl(artifact: string): string {
  const isReference = artifact.includes('/') && !artifact.includes('://') && !/^pkg:/i.test(artifact);
  return (isReference ? imagePurl(artifact) : null) ?? artifact;
}

function isDigest(version: string): boolean {
  return /^sha(?:256|512):[0-9a-f]+$/.test(version);
}
