import { artifactKey } from './artifact-key.ts';

interface WrittenArtifact {
  kind: string;
  name: string;
  purl: string | null;
}

/** True if the file doesn't identify the artifact, because its name comes from a template or isn't valid. */
export function isArtifactUnknown({
  artifact,
  version_state,
  reason,
}: {
  artifact: WrittenArtifact;
  version_state: string;
  reason: string | null;
}): boolean {
  if (artifact.purl !== null) return false;
  return (
    version_state === 'templated' ||
    reason === 'templated' ||
    reason === 'invalid' ||
    reason === 'not_scanned'
  );
}

/**
 * Returns a name for an artifact that isn't named in the file, such as a tag without an image. The name
 * contains the place, so two places never share an artifact.
 */
export function nameOfPlace(file: string, field: string): string {
  return `${file}#${field}`;
}

/**
 * Returns the identity of an item's artifact for comparisons with other scans. An artifact that is named
 * after its place keeps its identity when the file is moved.
 */
export function identityOf(item: {
  artifact: WrittenArtifact;
  path: string;
  version_state: string;
  reason: string | null;
}): { artifact: string | null; name: string } {
  const { artifact, path } = item;
  const isNamedByPlace = artifact.purl === null && artifact.name.startsWith(`${path}#`);
  const name = isNamedByPlace
    ? `${artifact.kind}:#${artifact.name.slice(path.length + 1)}`
    : artifactKey({ ...artifact, purl: null });
  // A tag alone doesn't identify its image, and this scan may have been unable to read the file that does.
  return { artifact: isNamedByPlace || isArtifactUnknown(item) ? null : artifactKey(artifact), name };
}
