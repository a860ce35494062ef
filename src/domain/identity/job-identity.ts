import { dockerHub } from '../artifacts/oci-reference.ts';
import { formatPurl, maxPurlLength, normalizePurl, parsePurl } from '../artifacts/purl.ts';
import { sourceTypes } from '../source-types/source-types.ts';
import { type ArtifactAlias, type SourceAddress, upstreamOf } from './artifact-aliases.ts';
import { normalizeProjectUrl } from './project-url.ts';

export const maxPurls = 20;

/**
 * Derives package URLs from the address of a source, without reading the source. URLs that are too long to
 * store are skipped. A mirror has the package URLs of its upstream, because it contains the same artifact.
 * @param aliases Aliases of the organization. Built-in aliases always apply.
 */
export function derivePurls(source: SourceAddress, aliases: readonly ArtifactAlias[] = []): string[] {
  return namesOf(upstreamOf(source, aliases) ?? source).filter((purl) => purl.length <= maxPurlLength);
}

/**
 * Returns the package URLs of a source. An image on Docker Hub also has a package URL of type `docker`, which most
 * tools use.
 */
function namesOf({ source_type, artifact_name }: SourceAddress): string[] {
  const purl = sourceTypes[source_type].purlOf(artifact_name);
  if (purl === null) return [];
  if (source_type !== 'oci_registry' || !artifact_name.startsWith(`${dockerHub}/`)) return [purl];
  const path = artifact_name.split('/').slice(1);
  const parts = { namespace: path.slice(0, -1), name: path.at(-1)!, version: null, qualifiers: [] };
  return [purl, formatPurl({ ...parts, type: 'docker' })];
}

/**
 * Returns the repository URL of a source, or of its upstream if the source is a mirror. Returns null if the
 * address isn't that of a repository. In this case, only a run can find the repository.
 */
export function deriveProjectUrl(
  source: SourceAddress,
  aliases: readonly ArtifactAlias[] = [],
): string | null {
  const { source_type, artifact_name } = upstreamOf(source, aliases) ?? source;
  switch (source_type) {
    case 'github_releases':
    case 'gitlab_releases':
    case 'gitea_releases':
    case 'git_tags': {
      const project = normalizeProjectUrl(artifact_name);
      return project.ok ? project.url : null;
    }
    default:
      return null;
  }
}

export type Purls = { ok: true; purls: string[] } | { ok: false; index: number; message: string };

/** Normalizes package URLs and removes duplicates. */
export function normalizePurls(texts: readonly string[]): Purls {
  const purls = texts.map(normalizePurl);
  const index = purls.indexOf(null);
  if (index >= 0) return { ok: false, index, message: invalidPurlMessage(texts[index]!) };
  return { ok: true, purls: [...new Set(purls as string[])] };
}

function invalidPurlMessage(text: string): string {
  if (parsePurl(text) !== null)
    return `it has more than ${maxPurlLength.toLocaleString('en-US')} characters when percent-encoded; use a shorter name`;
  return "it isn't a package URL; use pkg:type/namespace/name, such as pkg:github/grafana/grafana";
}
