import { artifactAddress } from '../artifacts/repository-address.ts';
import type { ArtifactAlias, SourceAddress } from '../identity/artifact-aliases.ts';

/**
 * A suggested alias, derived from the addresses of an organization's artifacts. A person decides whether it's
 * right.
 */
export interface AliasSuggestion extends ArtifactAlias {
  /** Number of artifacts below the prefix whose address after the prefix matches a known artifact. */
  known_count: number;
  /** Number of all artifacts below the prefix. */
  artifact_count: number;
  /** Some of the known artifacts. */
  examples: { artifact_name: string; upstream: string }[];
}

/** Minimum number of known artifacts that share a prefix. Two artifacts can match by chance. */
const minArtifacts = 3;
/** Maximum number of suggestions. */
const maxSuggestions = 20;
const maxExamples = 3;
/**
 * Maximum number of upstreams that are considered if their addresses have the same end. For example, many
 * repositories contain a chart `redis`.
 */
const maxUpstreams = 20;

/** Hosts of public registries and forges. A mirror that has one of them in its path copies that host. */
const publicHosts: ReadonlySet<string> = new Set([
  'docker.io',
  'gcr.io',
  'ghcr.io',
  'github.com',
  'gitlab.com',
  'mcr.microsoft.com',
  'public.ecr.aws',
  'quay.io',
  'registry.gitlab.com',
  'registry.k8s.io',
]);

const officialImages = 'docker.io/library/';

type Kind = 'image' | 'chart' | 'git';

interface Address {
  kind: Kind;
  segments: string[];
}

/**
 * Suggests aliases for addresses that no alias covers. An alias replaces a prefix with another one, such as
 * `mirror.example/hub/` with `docker.io/`. It's suggested if this turns at least three artifacts with the
 * prefix into known artifacts. Prefixes that cover more artifacts take precedence. Among those with the same
 * number of artifacts, shorter prefixes do.
 *
 * @param sources Sources of the organization's artifacts that no alias covers, without duplicates.
 * @param known Sources that certainly exist, such as those of the catalog.
 */
export function suggestAliases(
  sources: readonly SourceAddress[],
  known: readonly SourceAddress[],
): AliasSuggestion[] {
  const upstreamsOf = indexByRest(known.map(toAddress));
  const hosts = new Set([...publicHosts, ...known.map((source) => toAddress(source).segments[0]!)]);
  const addresses = sources.map(toAddress);
  const candidates = new Map<string, { prefix: string; upstream: string; members: Set<Address> }>();
  for (const address of addresses) {
    const { kind, segments } = address;
    for (let cut = 1; cut < segments.length; cut++) {
      const rest = segments.slice(cut);
      const prefix = `${segments.slice(0, cut).join('/')}/`;
      const upstreams = [...upstreamsOf(kind, rest)];
      if (cut > 1 && publicHosts.has(segments[cut - 1]!)) upstreams.push(`${segments[cut - 1]}/`);
      for (const upstream of new Set(upstreams)) {
        if (
          hostOf(upstream) === segments[0] ||
          !isMirrorEvidence(kind, rest, upstream, hosts.has(segments[0]!))
        )
          continue;
        const key = `${prefix} ${upstream}`;
        const candidate = candidates.get(key) ?? { prefix, upstream, members: new Set() };
        candidates.set(key, candidate);
        candidate.members.add(address);
      }
    }
  }
  return choose([...candidates.values()], addresses);
}

/**
 * True if the part of an address after the prefix is evidence of a mirror. Several segments always are. A
 * single segment is evidence only if the upstream contains official images, the charts of one repository, or
 * images at the root of a public host. If the possible mirror is a public host, a single segment is never
 * evidence, because many publishers have images there.
 */
function isMirrorEvidence(kind: Kind, rest: readonly string[], upstream: string, isPublic: boolean): boolean {
  if (rest.length > 1) return true;
  if (isPublic || kind === 'git') return false;
  return kind === 'chart' || upstream === officialImages || publicHosts.has(upstream.slice(0, -1));
}

function choose(
  candidates: readonly { prefix: string; upstream: string; members: ReadonlySet<Address> }[],
  addresses: readonly Address[],
): AliasSuggestion[] {
  const chosen: AliasSuggestion[] = [];
  const taken = new Set<Address>();
  const enough = candidates.filter(({ members }) => members.size >= minArtifacts);
  const ordered = enough.toSorted(
    (a, b) =>
      b.members.size - a.members.size ||
      a.prefix.length - b.prefix.length ||
      Number(b.upstream === officialImages) - Number(a.upstream === officialImages) ||
      (`${a.prefix} ${a.upstream}` < `${b.prefix} ${b.upstream}` ? -1 : 1),
  );
  for (const { prefix, upstream, members } of ordered) {
    const left = [...members].filter((address) => !taken.has(address));
    if (left.length < minArtifacts || chosen.length === maxSuggestions) continue;
    const below = addresses.filter(({ segments }) => `${segments.join('/')}/`.startsWith(prefix));
    for (const address of below) taken.add(address);
    chosen.push({
      prefix,
      upstream_prefix: upstream,
      known_count: members.size,
      artifact_count: below.length,
      examples: [...members].slice(0, maxExamples).map(({ segments }) => {
        const artifact_name = segments.join('/');
        return { artifact_name, upstream: upstream + artifact_name.slice(prefix.length) };
      }),
    });
  }
  return chosen;
}

/** Returns a function that finds the prefixes of the known addresses with the given end. */
function indexByRest(
  known: readonly Address[],
): (kind: Kind, rest: readonly string[]) => ReadonlySet<string> {
  const byRest = new Map<string, Set<string>>();
  for (const { kind, segments } of known)
    for (let cut = 1; cut < segments.length; cut++) {
      const key = `${kind} ${segments.slice(cut).join('/')}`;
      const prefixes = byRest.get(key) ?? new Set();
      byRest.set(key, prefixes);
      if (prefixes.size < maxUpstreams) prefixes.add(`${segments.slice(0, cut).join('/')}/`);
    }
  return (kind, rest) => byRest.get(`${kind} ${rest.join('/')}`) ?? none;
}

const none: ReadonlySet<string> = new Set();

function toAddress({ source_type, artifact_name }: SourceAddress): Address {
  const kind = source_type === 'oci_registry' ? 'image' : source_type === 'helm_repository' ? 'chart' : 'git';
  const address = artifactAddress(artifact_name)
    .toLowerCase()
    .replace(/\.git$/, '');
  return { kind, segments: address.split('/').filter((segment) => segment !== '') };
}

function hostOf(prefix: string): string {
  return prefix.slice(0, prefix.indexOf('/'));
}
