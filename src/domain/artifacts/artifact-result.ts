/** Result of validating an artifact name. `message` explains the problem to the user. */
export type ArtifactNameResult = { ok: true; artifactName: string } | { ok: false; message: string };

const maxArtifactLength = 1_000;

/** Returns the result for a valid name, or an error if it's too long. */
export function checkArtifactLength(artifactName: string): ArtifactNameResult {
  return artifactName.length <= maxArtifactLength
    ? { ok: true, artifactName }
    : { ok: false, message: 'it has more than 1,000 characters' };
}

/** @param shape An example of the expected form, such as `github.com/owner/repo`. */
export function invalidArtifact(problem: string, shape: string): { ok: false; message: string } {
  return { ok: false, message: `${problem}; use ${shape}` };
}
