import type { DiscoveredItem } from '../../domain/discovery/discover.ts';
import type { Schemas } from '../../generated/agent-api.ts';

export type DiscoveryResultItem = Schemas['DiscoveryResultItem'];

/** The limits of the contract. */
const maxKeyBytes = 1_500;
const maxNameLength = 500;
const maxLabels = 20;

/**
 * An item as the server stores it. Long strings are truncated, so that one hostile file can't prevent the others from being
 * stored. Names of deployed software are shorter.
 *
 * @param blobId The Git blob ID of the file.
 */
export function toResultItem(item: DiscoveredItem, blobId: string): DiscoveryResultItem {
  const { extractor, key, place, artifact, version, version_state, digest, note, reason, proposal, labels } =
    item;
  const { project_url } = item;
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
    labels: Object.fromEntries(
      Object.entries(labels)
        .filter(([name]) => /^[A-Za-z][A-Za-z0-9_./-]{0,62}$/.test(name))
        .slice(0, maxLabels)
        .map(([name, value]) => [name, cut(value, 200)]),
    ),
    ...(project_url !== undefined && isShort(project_url) && { project_url }),
  };
}

/** Longer names can't be indexed or tracked between scans. */
function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= 1_000;
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cut(text, maxNameLength);
}

/** PostgreSQL rejects NUL and lone surrogates in JSON. */
function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replaceAll('\0', ' ').toWellFormed();
}

function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let cutText = text;
  while (Buffer.byteLength(cutText) > maxBytes) cutText = cutText.slice(0, -1);
  return cutText.toWellFormed();
}
