import { type ArtifactSourceType, artifactNames } from './artifact-names.ts';
import { withoutGitAddress } from './forge-names.ts';
import { type ForgeKind, forgeOfHost } from './forges.ts';
import { readImagePage } from './image-pages.ts';

export interface GuessedSource {
  source_type: ArtifactSourceType;
  artifact_name: string;
}

const registries =
  /^(?:(?:[\w-]+\.)*(?:docker|ghcr|quay|gcr)\.io|registry\.k8s\.io|mcr\.microsoft\.com|public\.ecr\.aws|registry\.gitlab\.com)$/u;

const ofForge = {
  github: 'github_releases',
  gitlab: 'gitlab_releases',
  gitea: 'gitea_releases',
} satisfies Record<ForgeKind, ArtifactSourceType>;

/**
 * Which source a pasted text is of, and how the artifact is named there.
 * @returns null when it could be anything.
 */
export function guessSource(pasted: string): GuessedSource | null {
  const type = guessType(pasted.trim());
  const name = type && artifactNames[type](pasted);
  return type && name?.ok ? { source_type: type, artifact_name: name.artifactName } : null;
}

function guessType(text: string): ArtifactSourceType | null {
  if (/^(?:\w+\s+)?\w+\s+pull\s/iu.test(text) || /^(?:oci|docker):/iu.test(text)) return 'oci_registry';
  if (readImagePage(text) !== null) return 'oci_registry';
  const [address = ''] = withoutGitAddress(text).split(/[?#]/u);
  if (/\/index\.yaml(?:\s|$)|\.tgz$/u.test(address)) return 'helm_repository';
  const [host = '', ...path] = address.replace(/\/+$/u, '').split('/');
  if (path.length === 0) return null;
  const name = host.toLowerCase();
  const forge = forgeOfHost(name);
  if (forge !== null && path.length >= 2) return ofForge[forge];
  if (registries.test(name)) return 'oci_registry';
  return address.endsWith('.git') || /^(?:ssh|git):|^git@/iu.test(text) ? 'git_tags' : null;
}
