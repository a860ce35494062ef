import { isKnownByDigest, reasonAfterDigestMatch } from '../../../domain/discovery/digest-match.ts';
import { roleOfExtractor } from '../../../domain/discovery/extractor-roles.ts';
import type { LabelSource } from '../../../domain/discovery/label-sources.ts';
import { itemNames } from '../../../domain/discovery/name-items.ts';
import { isResolvedBySource } from '../../../domain/discovery/reasons.ts';
import type { ChartSuggestion } from '../../../domain/discovery/suggest-chart-source.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { ChosenSource, GroupRow, ItemRow } from './item-queries.ts';

type Item = Schemas['DiscoveredItem'];

type Proposed = Pick<
  ItemRow,
  'set_source' | 'choice' | 'proposal' | 'confidence' | 'suggestion' | 'status' | 'extractor'
>;

/** True if the upstream can only be suggested from other items and jobs. */
export function needsSuggestion({ extractor, set_source, choice, proposal }: Proposed): boolean {
  return extractor === 'helm_release' && set_source === null && choice === null && proposal === null;
}

/**
 * Returns the user's choice for the item, otherwise the choice for its artifact, otherwise the value in the
 * file, otherwise the suggestion.
 *
 * @param suggested the current suggestion. If undefined, the stored suggestion is used.
 */
export function proposalOf(row: Proposed, suggested?: ChartSuggestion): Item['proposal'] {
  const { set_source, choice, proposal, suggestion, confidence, status } = row;
  if (set_source) return chosen(set_source, 'chosen for this item');
  if (choice) return chosen(choice, 'chosen for this artifact');
  // An accepted item keeps its suggestion from the time of acceptance.
  const found = proposal ?? (status === 'new' && suggested ? suggested.suggestion : suggestion);
  return {
    source_type: found?.source_type ?? null,
    artifact_name: found?.artifact_name ?? null,
    source_options: found?.source_options ?? {},
    is_confirmed: false,
    confidence: found ? ('confidence' in found ? found.confidence : confidence) : 'none',
    why: found?.why ?? null,
    candidates: suggested?.candidates ?? [],
  };
}

function chosen({ source_type, artifact_name, source_options }: ChosenSource, why: string): Item['proposal'] {
  const confidence = source_type === null ? 'none' : 'certain';
  return {
    source_type,
    artifact_name,
    source_options,
    is_confirmed: true,
    confidence,
    why,
    candidates: [],
  };
}

/**
 * Returns the default name of resources created from an item. They get another name if a user set one or if
 * the default name is taken.
 */
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

/**
 * Returns the reason why the version is unknown. Reasons that a digest resolves are omitted, even if no
 * release has the digest yet.
 */
function reasonOf(
  { version_state: versionState, digest, reason, match }: ItemRow,
  { source_type: sourceType }: Item['proposal'],
): Item['reason'] {
  if (isResolvedBySource(reason, sourceType)) return null;
  const isAnswered = match !== null || isKnownByDigest({ versionState, reason, digest, sourceType });
  return isAnswered ? reasonAfterDigestMatch(reason) : reason;
}

/** Returns the sources of labels. If a person set a label, its source is that person. */
export function sourcesOfLabels(
  fromFiles: Readonly<Record<string, LabelSource>>,
  set: Readonly<Record<string, string>>,
): Record<string, LabelSource> {
  return { ...fromFiles, ...Object.fromEntries(Object.keys(set).map((key) => [key, 'set' as const])) };
}

function ignorerOf({ status, duplicate_of_id, ignored_by_rule }: ItemRow): Item['ignored_by'] {
  if (status !== 'ignored') return null;
  if (duplicate_of_id !== null) return 'duplicate';
  return ignored_by_rule ? 'rule' : 'person';
}

export function toItem(row: ItemRow, suggested?: ChartSuggestion): Item {
  const {
    id,
    discovery_job_id,
    discovery_job_name,
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
  const proposal = proposalOf(row, suggested);
  const { matched_version, match } = row;
  const { status, ignore_reason, duplicate_of_id, scrape_job_id, alert_config_id, revision } = row;
  const { path: file, line, document, kind, namespace, place_name, field } = row;
  return {
    id,
    discovery_job_id,
    discovery_job_name,
    extractor,
    role: roleOfExtractor(extractor),
    key,
    discriminator,
    place: {
      file,
      line,
      document,
      kind,
      namespace,
      name: place_name,
      field,
    },
    artifact: toArtifact(row),
    version,
    version_state,
    digest,
    matched_version,
    match,
    newer_since: row.newer_since?.toISOString() ?? null,
    note,
    live_version,
    live_match,
    live_since: row.live_since?.toISOString() ?? null,
    name: row.set_name ?? derivedName(row),
    labels: {
      ...row.labels,
      ...row.set_labels,
    },
    label_sources: sourcesOfLabels(row.label_sources, row.set_labels),
    proposal,
    status,
    reason: reasonOf(row, proposal),
    ignore_reason,
    renovate_ignore: row.renovate_ignore,
    ignored_by: ignorerOf(row),
    restored_at: row.restored_at?.toISOString() ?? null,
    duplicate_of_id,
    scrape_job_id,
    alert_config_id,
    missing_since: row.missing_since?.toISOString() ?? null,
    replaces: row.replaces_id,
    replaced_by: row.replaced_by_id,
    unread_since: row.unread_since?.toISOString() ?? null,
    unread_reason: row.unread_reason,
    unread_message: row.unread_message,
    version_unknown_since: row.version_unknown_since?.toISOString() ?? null,
    rule_id: row.rule_id,
    not_monitored: row.not_monitored && alert_config_id === null,
    monitor_problem: row.derive_problem,
    edited_fields: [
      ...(row.set_name === null ? [] : (['name'] as const)),
      ...(Object.keys(row.set_labels).length === 0 ? [] : (['labels'] as const)),
      ...(row.set_source === null ? [] : (['source'] as const)),
    ],
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    revision,
  };
}

export function toGroup(
  { first, ...group }: GroupRow & { first: ItemRow },
  suggested?: ChartSuggestion,
): Schemas['DiscoveredGroup'] {
  const { new: unhandled = 0, accepted = 0, ignored = 0, gone = 0 } = group.status_counts;
  return {
    artifact: toArtifact(first),
    item_id: first.id,
    proposal: proposalOf({ ...first, set_source: null }, suggested),
    place_count: group.place_count,
    version_count: group.version_count,
    versions: group.versions,
    status_counts: { new: unhandled, accepted, ignored, gone },
    unresolved_count: group.unresolved_count,
  };
}
