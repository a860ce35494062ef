/** `message` is a complete text for the user. */
export type ArtifactNameResult = { ok: true; artifactName: string } | { ok: false; message: string };

const maxArtifactLength = 1_000;

/** The result for a valid name, unless it is too long. */
export function artifactNamed(artifactName: string): ArtifactNameResult {
  return artifactName.length <= maxArtifactLength
    ? { ok: true, artifactName }
    : { ok: false, message: 'it has more than 1,000 characters' };
}

/** @param shape An example of the expected form, such as `github.com/owner/repo`. */
export function invalidArtifact(problem: string, shape: string): { ok: false; message: string } {
  return { ok: false, message: `${problem}; use ${shape}` };
}
