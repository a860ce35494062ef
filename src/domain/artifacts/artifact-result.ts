/** `message` completes nothing: it is a sentence for the user. */
export type ArtifactNameResult = { ok: true; artifactName: string } | { ok: false; message: string };

export const maxArtifactLength = 1_000;

/** @param shape how the name should look: `github.com/owner/repo`. */
export function invalidArtifact(problem: string, shape: string): { ok: false; message: string } {
  return { ok: false, message: `${problem}; use ${shape}` };
}
