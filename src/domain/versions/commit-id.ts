/**
 * True if a word is an abbreviated or full SHA-1, as in tags of images built from a commit and in `git
 * describe`.
 */
export function isCommitId(token: string): boolean {
  return commitId.test(token) && /[a-f]/.test(token);
}
const commitId = /^[0-9a-f]{7,40}$/;
