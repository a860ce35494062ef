import type { DiscoveredItem } from '../../domain/discovery/discover.ts';
import type { Schemas } from '../../generated/agent-api.ts';

export type DiscoveryResultItem = Schemas['DiscoveryResultItem'];

/** Limits of the API contract. */
const maxKeyBytes = 1_500;
const maxNameLength = 500;
const maxLabels = 20;

/**
 * Converts an item to the format that the server stores. Long strings are truncated, so that one hostile file
 * can't prevent the others from being stored. Names of deployed software are shorter than these limits.
 *
 * @param blobId The Git blob ID of the file.
 */
export function toResultItem(item: DiscoveredItem, blobId: string): DiscoveryResultItem {
  const { extractor, key, place, artifact, version, version_state, digest, note, reason, proposal, labels } =
    item;
  const { project_url, label_sources, renovate_ignore } = item;
  const shown = Object.entries(labels)
    .filter(([name]) => /^[A-Za-z][A-Za-z0-9_./-]{0,62}$/.test(name))
    .slice(0, maxLabels);
  return {
    extractor,
    key: cutBytes(cut(key, maxKeyBytes), maxKeyBytes),
    place: {
      file: place.file,
      line: place.line,
      document: place.document,
      kind: cutOrNull(place.kind),
      namespace: cutOrNull(place.namespace),
      name: cutOrNull(place.name),
      field: cut(place.field, maxNameLength),
    },
    blob_id: blobId,
    artifact: {
      kind: artifact.kind,
      name: cutBytes(cut(artifact.name, maxNameLength), 1_000),
      purl: artifact.purl !== null && isShort(artifact.purl) ? artifact.purl : null,
    },
    version: version === null ? null : cut(version, 256),
    version_state,
    digest: digest === null ? null : cut(digest, 200),
    note: cutOrNull(note),
    reason,
    proposal:
      proposal && isShort(proposal.artifact_name)
        ? { ...proposal, source_options: { ...proposal.source_options } }
        : null,
    labels: Object.fromEntries(shown.map(([name, value]) => [name, cut(value, 200)])),
    label_sources: Object.fromEntries(shown.map(([name]) => [name, label_sources[name]!])),
    renovate_ignore: cutOrNull(renovate_ignore),
    ...(project_url !== undefined && isShort(project_url) && { project_url }),
  };
}

/** True if a name is short enough to be indexed and tracked between scans. */
function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= 1_000;
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cut(text, maxNameLength);
}

/** Truncates text. Replaces NUL and lone surrogates, which PostgreSQL rejects in JSON. */
function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replaceAll('\0', ' ').toWellFormed();
}

function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let cutText = text;
  while (Buffer.byteLength(cutText) > maxBytes) cutText = cutText.slice(0, -1);
  return cutText.toWellFormed();
}
