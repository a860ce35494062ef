import { isS3Url, resolveBucketUrl } from '../artifacts/bucket-url.ts';
import { chartArtifactName } from '../artifacts/chart-names.ts';
import { chartPurl, gitPurl, imagePurl, pypiPurl, terraformPurl } from '../artifacts/purl.ts';
import { type ArtifactAlias, upstreamOf } from '../identity/artifact-aliases.ts';
import { ownValue } from '../json/own-value.ts';
import { compileCheapPattern } from '../patterns/compile-pattern.ts';
import { type SourceTypeId, sourceTypes } from '../source-types/source-types.ts';
import { versionPatternOf } from '../versions/read-tag.ts';
import type { LinkedFact } from './link-facts.ts';

/** A source that Pacekeeper already has: a job or a catalog entry. */
export interface KnownSource {
  name: string;
  source_type: SourceTypeId;
  artifact_name: string;
  source_options?: object;
  version_pattern?: string;
  version_scheme?: string;
}

export interface Proposal {
  source_type: SourceTypeId;
  /** Artifact name, normalized by the source type. */
  artifact_name: string;
  source_options: object;
  version_pattern: string | null;
  version_scheme: string | null;
  /** Set only for a chart repository whose URL uses HTTP. Otherwise, the scheme is HTTPS. */
  scheme?: 'http';
  confidence: 'certain' | 'likely';
  why: string;
}

export interface Identified {
  purl: string | null;
  proposal: Proposal | null;
}

/** The original of a mirror. */
export interface MirroredArtifact extends Identified {
  /** True if a second gather job reads the mirror. */
  readsMirror: boolean;
}

/**
 * Returns a function that finds the upstream source of a fact. A known source of the artifact takes
 * precedence over the source in the file. The source of a mirror is the original that the mirror copies.
 *
 * @param aliases Aliases of the organization. Built-in aliases always apply.
 */
export function createProposer(
  known: readonly KnownSource[],
  aliases: readonly ArtifactAlias[] = [],
): (fact: LinkedFact) => Identified {
  const findKnown = createKnownFinder(known);
  const byTool = new Map(known.map((source) => [toolName(source.name), source]));
  return (fact) => {
    // The file specifies another source, so a catalog tool with the same name can be different software.
    if (fact.origin.type === 'unsupported') return unidentified;
    if (fact.artifact.kind === 'tool' && fact.origin.type !== 'package') {
      const source = byTool.get(ownValue(catalogNames, fact.artifact.name) ?? toolName(fact.artifact.name));
      return {
        purl: source ? sourceTypes[source.source_type].purlOf(source.artifact_name) : null,
        proposal: source
          ? { ...fromKnown(source), ...(!fact.isOriginCertain && { confidence: 'likely' as const }) }
          : null,
      };
    }
    const direct = proposeDirectly(fact);
    return findKnown(withTagPattern(resolveAliases(direct, aliases) ?? direct, fact), fact.version);
  };
}

/**
 * Returns a function that applies the aliases of an organization to an artifact whose source was proposed
 * without them. The function returns null if no alias applies.
 */
export function createAliasResolver(
  known: readonly KnownSource[],
  aliases: readonly ArtifactAlias[],
): (identified: Identified, version: string | null) => MirroredArtifact | null {
  const findKnown = createKnownFinder(known);
  return (identified, version) => {
    const upstream = resolveAliases(identified, aliases);
    return upstream && { ...findKnown(upstream, version), readsMirror: upstream.readsMirror };
  };
}

/** Returns the artifact that a mirror copies, or null if the source isn't a mirror. */
function resolveAliases(
  { proposal }: Identified,
  aliases: readonly ArtifactAlias[],
): MirroredArtifact | null {
  const upstream = proposal && upstreamOf(proposal, aliases);
  if (!upstream) return null;
  const { source_type, artifact_name, alias, readsMirror } = upstream;
  // Drop the scheme, because plain HTTP is known only for the address of the mirror.
  const { scheme: _, ...rest } = proposal;
  const mirror = `the upstream of the mirror ${proposal.artifact_name}`;
  return {
    readsMirror,
    purl: sourceTypes[source_type].purlOf(artifact_name),
    proposal: {
      ...rest,
      source_type,
      artifact_name,
      why: alias === null ? mirror : `${mirror}, according to the alias of ${alias}`,
    },
  };
}

/**
 * Returns a function that replaces a proposed source with the known source of the same artifact, if exactly
 * one is known.
 */
function createKnownFinder(
  known: readonly KnownSource[],
): (identified: Identified, version: string | null) => Identified {
  const bySource = Map.groupBy(known, sourceKey);
  return (direct, version) => {
    if (!direct.proposal) return direct;
    const same = bySource.get(sourceKey(direct.proposal)) ?? [];
    const fitting = same.filter((source) => matchesVersionPattern(source, version));
    const [only] = fitting;
    return only && fitting.length === 1 && direct.proposal.version_pattern === null
      ? { ...direct, proposal: { ...fromKnown(only), confidence: direct.proposal.confidence } }
      : direct;
  };
}

/**
 * Adds a version pattern for tags that are ordered by a time or number. Without it, the tags would be
 * unrelated names.
 */
function withTagPattern(
  { purl, proposal }: Identified,
  { version, state, artifact, tagPattern }: LinkedFact,
): Identified {
  if (!proposal || artifact.kind !== 'image' || state !== 'exact' || version === null)
    return { purl, proposal };
  return { purl, proposal: { ...proposal, version_pattern: tagPattern ?? versionPatternOf(version) } };
}

function sourceKey({ source_type, artifact_name }: Pick<Proposal, 'source_type' | 'artifact_name'>): string {
  return `${source_type} ${artifact_name.toLowerCase()}`;
}

/** Names in the catalog of tools that files call by a different name. */
const catalogNames: Readonly<Record<string, string>> = {
  node: 'nodejs',
  kubectl: 'kubernetes',
  flux2: 'flux',
  istioctl: 'istio',
  tofu: 'opentofu',
  'aws-cli': 'awscli',
};

function toolName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * True if a version matches the pattern of a source. One repository can contain several artifacts,
 * distinguished by a pattern.
 */
export function matchesVersionPattern(
  { version_pattern = null }: { version_pattern?: string | null },
  version: string | null,
): boolean {
  if (version_pattern === null || version === null) return true;
  const compiled = compileCheapPattern(version_pattern);
  return compiled.ok && [version, `v${version}`].some((each) => compiled.pattern.test(each));
}

function fromKnown(source: KnownSource): Proposal {
  return {
    source_type: source.source_type,
    artifact_name: source.artifact_name,
    source_options: source.source_options ?? {},
    version_pattern: source.version_pattern ?? null,
    version_scheme: source.version_scheme ?? null,
    confidence: 'certain',
    why: `catalog entry ${source.name}`,
  };
}

const unidentified: Identified = { purl: null, proposal: null };

function proposeDirectly(fact: LinkedFact): Identified {
  const { artifact, origin } = fact;
  switch (origin.type) {
    case 'helm':
      return proposeChart(fact, origin.url);
    case 'oci':
      return identified(
        fact,
        imagePurl(origin.reference),
        'oci_registry',
        sourceTypes.oci_registry.normalizeArtifactName(origin.reference),
        artifact.kind === 'chart' ? 'the registry of the chart' : 'the registry of the image',
      );
    case 'git':
      return proposeGit(fact, origin.url);
    case 'stated': {
      const { sourceType, name, why } = origin;
      const type = sourceTypes[sourceType];
      const normalized = type.normalizeArtifactName(name);
      const purl = normalized.ok ? type.purlOf(normalized.artifactName) : null;
      return identified(fact, purl, sourceType, normalized, why);
    }
    case 'terraform':
      return proposeTerraform(fact, origin.host);
    case 'package':
      return proposePackage(fact, origin);
    case 'lifecycle':
      return identified(
        fact,
        null,
        'lifecycle',
        sourceTypes.lifecycle.normalizeArtifactName(origin.product),
        origin.product !== artifact.name
          ? 'the lifecycle of the software, because endoflife.date has none for the service'
          : fact.isOriginCertain
            ? 'the lifecycle of the managed service'
            : 'the lifecycle of the managed service that the names of the values suggest',
      );
    default:
      return unidentified;
  }
}

function proposeChart(fact: LinkedFact, url: string): Identified {
  const { artifact, isOriginCertain } = fact;
  const address = resolveBucketUrl(url);
  // An S3 URL doesn't prove that the bucket is at Amazon: compatible services such as MinIO use the same
  // URLs, and their endpoint isn't in the files.
  const isAssumed = isS3Url(url);
  const { purl, proposal } = identified(
    { ...fact, isOriginCertain: isOriginCertain && !isAssumed },
    chartPurl(address, artifact.name),
    'helm_repository',
    chartArtifactName(address, artifact.name),
    isAssumed
      ? 'the bucket of the chart, if it is at Amazon S3, because the file names no other service'
      : 'the Helm repository of the chart',
  );
  const isPlainHttp = proposal !== null && /^http:/i.test(url);
  return { purl, proposal: isPlainHttp ? { ...proposal, scheme: 'http' } : proposal };
}

function proposeGit(fact: LinkedFact, url: string): Identified {
  const isGithub = /^(?:[a-z+]+:\/\/)?(?:git@)?(?:www\.)?github\.com[/:]/i.test(url);
  const type = isGithub ? 'github_releases' : 'git_tags';
  return identified(
    fact,
    gitPurl(url),
    type,
    sourceTypes[type].normalizeArtifactName(url),
    'the Git repository',
  );
}

/**
 * Proposes a provider or module of a public registry. Other registries use paths that only their service
 * discovery provides.
 */
function proposeTerraform(fact: LinkedFact, host: string): Identified {
  const segments = fact.artifact.name.split('/').filter((segment, at) => at > 0 || segment !== host);
  const purl = terraformPurl(host, segments);
  const isModule = fact.artifact.kind === 'terraform_module';
  if (host !== 'registry.terraform.io' && host !== 'registry.opentofu.org') return { purl, proposal: null };
  const address = `https://${host}/v1/${isModule ? 'modules' : 'providers'}/${segments.join('/')}/versions`;
  const found = identified(
    fact,
    purl,
    'http_json',
    sourceTypes.http_json.normalizeArtifactName(address),
    'the Terraform registry',
  );
  if (!found.proposal) return found;
  const version_path = isModule ? '.modules[0].versions[*].version' : '.versions[*].version';
  return { purl, proposal: { ...found.proposal, source_options: { version_path } } };
}

/** Proposes the list of versions that an index of packages has. */
function proposePackage(
  fact: LinkedFact,
  { index, name }: Extract<LinkedFact['origin'], { type: 'package' }>,
) {
  const isPython = index === 'pypi';
  const address = isPython
    ? `https://pypi.org/pypi/${name}/json`
    : `https://api.anaconda.org/package/${name}`;
  const found = identified(
    fact,
    isPython ? pypiPurl(name) : null,
    'http_json',
    sourceTypes.http_json.normalizeArtifactName(address),
    isPython ? 'the Python Package Index' : 'the channel of the Conda package',
  );
  const version_path = isPython ? '.releases' : '.versions[*]';
  return found.proposal
    ? { ...found, proposal: { ...found.proposal, source_options: { version_path } } }
    : found;
}

function identified(
  { isOriginCertain }: LinkedFact,
  purl: string | null,
  source_type: SourceTypeId,
  name: { ok: true; artifactName: string } | { ok: false },
  why: string,
): Identified {
  if (!name.ok) return { purl, proposal: null };
  return {
    purl,
    proposal: {
      source_type,
      artifact_name: name.artifactName,
      source_options: {},
      version_pattern: null,
      version_scheme: null,
      confidence: isOriginCertain ? 'certain' : 'likely',
      why,
    },
  };
}
