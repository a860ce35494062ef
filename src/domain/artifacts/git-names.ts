import { type ArtifactNameResult, checkArtifactLength } from './artifact-result.ts';
import { normalizeGiteaName, normalizeGithubName, normalizeGitlabName } from './forge-names.ts';
import { type ForgeKind, forgeOfHost } from './forges.ts';
import { parseRepositoryUrl } from './repository-url.ts';

const forgeNames = {
  github: normalizeGithubName,
  gitlab: normalizeGitlabName,
  gitea: normalizeGiteaName,
} satisfies Record<ForgeKind, (text: string) => ArtifactNameResult>;

/**
 * Normalizes the URL of a git repository. `owner/repo` is on GitHub. The URL of a page on a known forge
 * becomes the repository URL, with `.git` because some forges redirect URLs without it. An SSH URL stays an
 * SSH URL, because it requires a different credential.
 */
export function normalizeGitName(name: string): ArtifactNameResult {
  const text = name
    .trim()
    .replace(/^git\s+clone\s+/iu, '')
    .replace(/^git\+/iu, '');
  if (/^[\w.-]+\/[\w.-]+\/?$/u.test(text) && !/^[^/]*\./u.test(text) && !/^localhost\//iu.test(text))
    return toCloneUrl(normalizeGithubName(text));
  const isComplete = /^[a-z][a-z0-9+.-]*:\/\//iu.test(text) || /^[\w.-]+@[^/]+:/u.test(text);
  const address = isComplete || text.startsWith('-') ? text : `https://${text}`;
  const url = /^https?:/iu.test(address) && URL.canParse(address) ? new URL(address) : null;
  const forge = url && url.username === '' && url.password === '' ? forgeOfHost(url.hostname) : null;
  if (forge !== null) return toCloneUrl(forgeNames[forge](address), url?.protocol);
  const parsed = parseRepositoryUrl(address);
  if (!parsed.ok) return { ok: false, message: `the URL of the repository ${parsed.message}` };
  return checkArtifactLength(parsed.url);
}

/**
 * Returns the clone URL of a repository on a forge. Public forges always use HTTPS. Only self-hosted ones can
 * use HTTP.
 */
function toCloneUrl(name: ArtifactNameResult, protocol = 'https:'): ArtifactNameResult {
  if (!name.ok) return name;
  const isPublic = /^(?:github\.com|gitlab\.com|codeberg\.org)\//u.test(name.artifactName);
  return checkArtifactLength(`${isPublic ? 'https:' : protocol}//${name.artifactName}.git`);
}
