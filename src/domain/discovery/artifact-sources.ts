import { parsePurl } from '../artifacts/purl.ts';
import { type ArtifactAlias, type SourceAddress, upstreamOf } from '../identity/artifact-aliases.ts';
import { guessSource, possibleSources } from '../source-types/guess-source.ts';
import { sourceTypes } from '../source-types/source-types.ts';
import { withoutTrailing } from '../text/trailing.ts';
import { versionPatternOf } from '../versions/read-tag.ts';
import { normalizeArtifactKey } from './artifact-key.ts';
import type { UpstreamSource } from './upstream-source.ts';

export interface ArtifactSources {
  /** Keys under which a person can have corrected the upstream of the artifact. */
  readonly keys: readonly string[];
  /** Possible sources of its releases. Contains only one source if the text determines the source type. */
  readonly sources: readonly UpstreamSource[];
}

/**
 * Returns the keys and the sources of an artifact that a person entered: a package URL, the key of a
 * discovered artifact, or a pasted reference. If no sources are returned, the text refers to nothing that has
 * releases.
 *
 * @param version Deployed version. Its form can determine which tags of an image are ordered together.
 */
export function findArtifactSources(
  text: string,
  version: string,
  aliases: readonly ArtifactAlias[],
): ArtifactSources {
  const addresses = addressesOf(text);
  const keys = addresses.flatMap(({ source_type, artifact_name }) => {
    const purl = sourceTypes[source_type].purlOf(artifact_name);
    return purl === null ? [] : [purl];
  });
  const key = normalizeArtifactKey(text);
  return {
    keys: [...new Set(key.ok ? [key.key, ...keys] : keys)],
    sources: addresses.map((address) => {
      const { source_type, artifact_name } = upstreamOf(address, aliases) ?? address;
      const version_pattern = source_type === 'oci_registry' ? versionPatternOf(version) : null;
      return { source_type, artifact_name, source_options: {}, version_pattern, version_scheme: null };
    }),
  };
}

function addressesOf(text: string): readonly SourceAddress[] {
  if (/^pkg:/iu.test(text.trim())) return addressesOfPurl(text);
  const guess = guessSource(text);
  return guess === null ? possibleSources(text) : [guess];
}

/**
 * Returns the source addresses in a package URL. The list is empty for package types whose URL doesn't
 * contain the source.
 */
function addressesOfPurl(text: string): readonly SourceAddress[] {
  const purl = parsePurl(text);
  if (purl === null) return [];
  const { type, namespace, name } = purl;
  const qualifier = (wanted: string) => purl.qualifiers.find(([key]) => key === wanted)?.[1];
  const path = [...namespace, name].join('/');
  const repository = withoutTrailing(qualifier('repository_url') ?? '', '/');
  switch (type) {
    case 'oci':
      return repository === ''
        ? []
        : address('oci_registry', repository.endsWith(`/${name}`) ? repository : `${repository}/${name}`);
    case 'docker':
      return address('oci_registry', repository === '' ? path : `${repository}/${path}`);
    case 'helm':
      return repository === '' ? [] : address('helm_repository', `${repository}/${name}`);
    case 'github':
      return address('github_releases', `github.com/${path}`);
    case 'gitlab':
      return address('gitlab_releases', `gitlab.com/${path}`);
    case 'generic':
      return address('git_tags', (qualifier('vcs_url') ?? '').replace(/^git\+/u, ''));
    default:
      return [];
  }
}

function address(source_type: SourceAddress['source_type'], text: string): readonly SourceAddress[] {
  const name = sourceTypes[source_type].normalizeArtifactName(text);
  return name.ok ? [{ source_type, artifact_name: name.artifactName }] : [];
}
