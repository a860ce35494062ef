import { isKnownByDigest, withoutAnswered } from '../../../domain/discovery/digest-match.ts';
import { itemNames } from '../../../domain/discovery/name-items.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { ChosenSource, GroupRow, ItemRow } from './item-queries.ts';

type Item = Schemas['DiscoveredItem'];

/** The user's choice for the item, otherwise for its artifact, otherwise the value in the file. */
export function proposalOf({ set_source, choice, proposal, confidence }: ItemRow): Item['proposal'] {
  if (set_source) return chosen(set_source, 'chosen for this item');
  if (choice) return chosen(choice, 'chosen for this artifact');
  return {
    source_type: proposal?.source_type ?? null,
    artifact_name: proposal?.artifact_name ?? null,
    source_options: proposal?.source_options ?? {},
    is_confirmed: false,
    confidence: proposal ? confidence : 'none',
    why: proposal?.why ?? null,
  };
}

function chosen({ source_type, artifact_name, source_options }: ChosenSource, why: string): Item['proposal'] {
  const confidence = source_type === null ? 'none' : 'certain';
  return { source_type, artifact_name, source_options, is_confirmed: true, confidence, why };
}

/** The name of what is created from an item, unless a person gave it another one or it is taken. */
export function derivedName({ artifact_name, labels, set_labels, namespace, path }: ItemRow): string {
  const { service = null, environment = null } = { ...labels, ...set_labels };
  return itemNames({ artifactName: artifact_name, service, environment, namespace, file: path })[0]!;
}

export function toArtifact(
  row: Pick<ItemRow, `artifact_${'kind' | 'name' | 'purl' | 'key'}`>,
): Item['artifact'] {
  return {
    kind: row.artifact_kind,
    name: row.artifact_name,
    purl: row.artifact_purl,
    key: row.artifact_key,
  };
}

/** A digest answers why the version isn't known, even if no release has it yet. */
function reasonOf(
  { version_state: versionState, digest, reason, match }: ItemRow,
  { source_type: sourceType }: Item['proposal'],
): Item['reason'] {
  const isAnswered = match !== null || isKnownByDigest({ versionState, reason, digest, sourceType });
  return isAnswered ? withoutAnswered(reason) : reason;
}

export function toItem(row: ItemRow): Item {
  const {
    id,
    discovery_job_id,
    extractor,
    key,
    discriminator,
    version,
    version_state,
    digest,
    note,
    live_version,
    live_match,
  } = row;
  const proposal = proposalOf(row);
  const { matched_version, match } = row;
  const { status, ignore_reason, duplicate_of_id, scrape_job_id, alert_config_id, revision } = row;
  const { path: file, line, document, kind, namespace, place_name, field } = row;
  return {
    ...{ id, discovery_job_id, extractor, key, discriminator },
    place: { file, line, document, kind, namespace, name: place_name, field },
    artifact: toArtifact(row),
    ...{ version, version_state, digest, matched_version, match },
    newer_since: row.newer_since?.toISOString() ?? null,
    ...{ note, live_version, live_match },
    live_since: row.live_since?.toISOString() ?? null,
    name: row.set_name ?? derivedName(row),
    labels: { ...row.labels, ...row.set_labels },
    proposal,
    ...{
      status,
      reason: reasonOf(row, proposal),
      ignore_reason,
      duplicate_of_id,
      scrape_job_id,
      alert_config_id,
    },
    missing_since: row.missing_since?.toISOString() ?? null,
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    revision,
  };
}

export function toGroup({ first, ...group }: GroupRow & { first: ItemRow }): Schemas['DiscoveredGroup'] {
  const { new: unhandled = 0, accepted = 0, ignored = 0, gone = 0 } = group.status_counts;
  return {
    artifact: toArtifact(first),
    proposal: proposalOf({ ...first, set_source: null }),
    place_count: group.place_count,
    version_count: group.version_count,
    versions: group.versions,
    status_counts: { new: unhandled, accepted, ignored, gone },
    unresolved_count: group.unresolved_count,
  };
}
