import { withoutTrailing } from '../text/trailing.ts';

/**
 * Returns an artifact name without its scheme, user, and SSH port, in the same format as the prefixes of
 * aliases. The database has a function with the same name and result.
 */
export function artifactAddress(artifactName: string): string {
  return artifactName
    .replace(/^ssh:\/\/(?:[^/@]*@)?([^/:]+):\d+\//i, '$1/')
    .replace(/^[a-z+]+:\/\/(?:[^/@]*@)?/i, '');
}

/** Forges that ignore the case of repository names. Other hosts may be case-sensitive. */
const caselessForge =
  /^(?:(?:www\.)?(?:github\.com|gitlab\.com)|codeberg\.org|bitbucket\.org|(?:ssh\.)?dev\.azure\.com|(?:gitlab|gitea|forgejo)\.[^/:]+)(?::\d+)?\//i;

/**
 * Returns the same address for all spellings of a repository: without its scheme, user, SSH port, `www.`, and
 * `.git`, and in lowercase on forges that ignore case. The database has a function with the same name. It
 * returns the same result for stored names, because they have lowercase hosts and never the form
 * `git@host:path`.
 */
export function repositoryAddress(url: string): string {
  const address = artifactAddress(url.replace(/^([\w.-]+@[\w.-]+):(?!\/\/)\/*/, 'ssh://$1/'));
  const bare = withoutTrailing(address, '/')
    .replace(/^[^/]*/, (host) => host.toLowerCase())
    .replace(/^www\.|\.git$/g, '');
  return caselessForge.test(address) ? bare.toLowerCase() : bare;
}
