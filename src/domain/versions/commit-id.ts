/**
 * True if a word is an abbreviated or full SHA-1, as in the output of `git describe` and in tags of images that were
 * built from a commit.
 */
export function isCommitId(token: string): boolean {
  return commitId.test(token) && /[a-f]/.test(token);
}
const commitId = /^[0-9a-f]{7,40}$/;
