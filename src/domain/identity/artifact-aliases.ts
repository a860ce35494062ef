import { readHost } from '../artifacts/host.ts';
import { dockerHub, dockerHubHosts } from '../artifacts/oci-reference.ts';
import { artifactAddress } from '../artifacts/repository-address.ts';
import { type SourceTypeId, sourceTypes } from '../source-types/source-types.ts';

/** States that everything under one address prefix is a copy of the content under another prefix. */
export interface ArtifactAlias {
  /** Address of the mirror in the format of `normalizePrefix`. */
  readonly prefix: string;
  /** Address of the upstream in the format of `normalizePrefix`. */
  readonly upstream_prefix: string;
  /** True if agents can read the mirror, so that accepted items get a second gather job for it. */
  readonly reads_mirror?: boolean;
}

/** Source that lists the releases of an artifact. */
export interface SourceAddress {
  readonly source_type: SourceTypeId;
  readonly artifact_name: string;
}

export interface Upstream extends SourceAddress {
  /** The prefix of the organization's alias, or null if only a built-in alias applies. */
  readonly alias: string | null;
  /** True if the alias states that the mirror can be read. */
  readonly readsMirror: boolean;
}

/** Maximum number of aliases of an organization. Each scan compares the address of each item with all of them. */
export const maxAliases = 200;

/** Source types whose artifacts have addresses that a mirror can serve. */
const mirrored: ReadonlySet<SourceTypeId> = new Set<SourceTypeId>([
  'oci_registry',
  'helm_repository',
  'git_tags',
  'github_releases',
  'gitlab_releases',
  'gitea_releases',
]);

/**
 * Mirrors whose upstream is known from their address. All of them serve images.
 *
 * @see https://cloud.google.com/artifact-registry/docs/pull-cached-dockerhub-images
 * @see https://gallery.ecr.aws/docker
 * @see https://docs.gitlab.com/user/packages/dependency_proxy/
 */
const builtIn: readonly { readonly pattern: RegExp; readonly upstream: string }[] = [
  { pattern: /^mirror\.gcr\.io\//, upstream: 'docker.io/' },
  { pattern: /^public\.ecr\.aws\/docker\/library\//, upstream: 'docker.io/library/' },
  { pattern: /^[^/]+\/(?:[^/]+\/)+dependency_proxy\/containers\//, upstream: 'docker.io/' },
];

/**
 * Returns the source that a mirror copies, or null if the address isn't known to be a mirror. The
 * organization's alias with the longest matching prefix applies, or else a built-in alias. The organization's
 * aliases aren't applied to the result again, so they can't form a loop.
 */
export function upstreamOf(source: SourceAddress, aliases: readonly ArtifactAlias[] = []): Upstream | null {
  if (!mirrored.has(source.source_type)) return null;
  const address = artifactAddress(source.artifact_name);
  const lower = address.toLowerCase();
  let alias: ArtifactAlias | undefined;
  for (const each of aliases)
    if (each.prefix.length > (alias?.prefix.length ?? 0) && lower.startsWith(each.prefix.toLowerCase()))
      alias = each;
  if (!alias) {
    const upstream = builtInUpstream(source);
    return upstream && { ...upstream, alias: null, readsMirror: false };
  }
  const upstream = readSource(source.source_type, alias.upstream_prefix + address.slice(alias.prefix.length));
  if (!upstream) return null;
  const readsMirror = alias.reads_mirror === true;
  return { ...upstream, ...builtInUpstream(upstream), alias: alias.prefix, readsMirror };
}

function builtInUpstream({ source_type, artifact_name }: SourceAddress): SourceAddress | null {
  if (source_type !== 'oci_registry') return null;
  const found = builtIn.find(({ pattern }) => pattern.test(artifact_name));
  return found ? readSource(source_type, artifact_name.replace(found.pattern, found.upstream)) : null;
}

/**
 * Returns the source for an address. A GitHub repository becomes a `github_releases` source, as when a scanned file
 * refers to it.
 */
function readSource(type: SourceTypeId, address: string): SourceAddress | null {
  const source_type = !isGit(type) ? type : /^github\.com\//i.test(address) ? 'github_releases' : 'git_tags';
  const name = sourceTypes[source_type].normalizeArtifactName(
    source_type === 'git_tags' ? `https://${address}` : address,
  );
  return name.ok ? { source_type, artifact_name: name.artifactName } : null;
}

function isGit(type: SourceTypeId): boolean {
  return type !== 'oci_registry' && type !== 'helm_repository';
}

export type Prefix = { ok: true; prefix: string } | { ok: false; message: string };

/** Maximum length of a prefix in characters. Image references have at most 255. */
const maxPrefixLength = 255;

/**
 * Returns a prefix without its scheme and with a slash at its end: `harbor.corp.example/dockerhub/`. A prefix ends
 * with a complete segment, so that `ghcr.io/acme` doesn't include `ghcr.io/acme-labs`.
 */
export function normalizePrefix(text: string): Prefix {
  const address = text.trim().replace(/^(?:https?|oci|docker|ssh|git):\/\//i, '');
  if (address.includes('@')) return { ok: false, message: "can't contain a user name or password" };
  if (/[\s?#*%\\]|\/\/|[:/]\/$/.test(address))
    return {
      ok: false,
      message: 'must be an address such as harbor.example.com/dockerhub/, without wildcards',
    };
  const slash = address.indexOf('/');
  const first = slash < 0 ? address : address.slice(0, slash);
  const host = /[.:]|^localhost$/i.test(first) ? readHost(first) : null;
  if (host === null) return { ok: false, message: 'must start with a host, such as harbor.example.com/' };
  const path = slash < 0 ? '' : address.slice(slash + 1).replace(/\/$/, '');
  const prefix = `${dockerHubHosts.has(host) ? dockerHub : host}/${path === '' ? '' : `${path}/`}`;
  if (prefix.length > maxPrefixLength)
    return { ok: false, message: `must have at most ${maxPrefixLength} characters` };
  return { ok: true, prefix };
}

/** Returns the reason why two prefixes can't be an alias, or null if they can. */
export function problemOfAlias({ prefix, upstream_prefix }: ArtifactAlias): string | null {
  const [mirror, upstream] = [prefix.toLowerCase(), upstream_prefix.toLowerCase()];
  if (mirror === upstream) return 'must differ from the prefix of the mirror';
  if (upstream.startsWith(mirror))
    return 'must not be below the prefix of the mirror, because the upstream would be a mirror of itself';
  return null;
}
