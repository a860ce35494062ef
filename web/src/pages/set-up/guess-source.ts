import type { SourceType } from '../../components/source-types.ts';

export interface GuessedSource {
  source_type: SourceType;
  artifact_name: string;
}

const registries = [
  'docker.io',
  'ghcr.io',
  'quay.io',
  'gcr.io',
  'registry.k8s.io',
  'mcr.microsoft.com',
  'public.ecr.aws',
  'registry.gitlab.com',
];

const forges: readonly [RegExp, SourceType][] = [
  [/^github\.com$/, 'github_releases'],
  [/^gitlab\.com$|^gitlab\./, 'gitlab_releases'],
  [/^codeberg\.org$|^gitea\.|^forgejo\./, 'gitea_releases'],
];

/**
 * Which source an address is of that somebody copied from a browser, and how it is written there.
 * @returns null when it could be anything.
 */
export function guessSource(typed: string): GuessedSource | null {
  const text = typed.trim();
  const withoutScheme = text
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
  const [host = '', ...path] = withoutScheme.split('/');
  if (path.length === 0) return null;
  const name = host.toLowerCase();
  if (withoutScheme.endsWith('.git') || /^ssh:/i.test(text))
    return { source_type: 'git_tags', artifact_name: text };
  if (name === 'hub.docker.com') return ofDockerHub(path);
  if (registries.includes(name))
    return { source_type: 'oci_registry', artifact_name: withoutTag(withoutScheme) };
  const forge = forges.find(([hosts]) => hosts.test(name));
  if (!forge || path.length < 2) return null;
  const [, source_type] = forge;
  // GitLab has groups within groups; what follows `/-/` is a page of the project.
  const project =
    source_type === 'gitlab_releases' ? path.join('/').split('/-/')[0]?.split('/') : path.slice(0, 2);
  return { source_type, artifact_name: [name, ...(project ?? [])].join('/') };
}

/** Its pages are `/_/postgres` and `/r/grafana/grafana`. */
function ofDockerHub(path: readonly string[]): GuessedSource | null {
  const [kind, first, second] = path;
  if (kind === '_' && first)
    return { source_type: 'oci_registry', artifact_name: `docker.io/library/${first}` };
  if (kind !== 'r' || !first || !second) return null;
  return { source_type: 'oci_registry', artifact_name: `docker.io/${first}/${second}` };
}

function withoutTag(reference: string): string {
  const at = reference.lastIndexOf(':');
  return at > reference.lastIndexOf('/') ? reference.slice(0, at) : reference;
}
