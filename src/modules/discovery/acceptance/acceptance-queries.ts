import { type RawBuilder, sql } from 'kysely';
import { type ExtractorRole, otherRoles } from '../../../domain/discovery/extractor-roles.ts';
import type { LabelSource } from '../../../domain/discovery/label-sources.ts';
import type {
  AcceptableItem,
  KnownGatherJob,
  KnownHelmSyncJob,
} from '../../../domain/discovery/plan-acceptance.ts';
import type { Reason } from '../../../domain/discovery/reasons.ts';
import type { ChartSuggestion } from '../../../domain/discovery/suggest-chart-source.ts';
import type { UpstreamSource } from '../../../domain/discovery/upstream-source.ts';
import { isSameJson } from '../../../domain/json/json-item.ts';
import { supportRuleTypeIds, vulnerabilityRuleTypeIds } from '../../../domain/rules/rule-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { createChartFilter } from '../../../sources/chart-filter.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { withHashJoins } from '../model/item-changes.ts';
import { type ChosenSource, matches, type StoredSuggestion } from '../model/item-queries.ts';
import {
  comparedVersionMethodSql,
  comparedVersionSql,
  effectiveRegistrySql,
  hasDecisiveDigest,
  itemMatchSql,
} from '../model/item-version-sql.ts';
import { needsSuggestion, proposalOf } from '../model/to-item.ts';
import { storeSuggestions, suggestSourcesForItems } from '../suggestions/suggest-sources.ts';

type StoredItem = Schemas['DiscoveredItem'];

/**
 * Reasons why a declared version is unknown. They are ignored if the running version or the version of the
 * digest is known.
 */
const resolvedReasons: readonly Reason[] = [
  ...(['range', 'floating', 'templated', 'digest', 'commit', 'overridden', 'chart_default'] as const),
];

const isVersionKnown = sql`(items.live_version IS NOT NULL OR ${itemMatchSql('items')} IS NOT NULL)`;

/** Maximum number of items accepted by one request. */
export const maxAcceptedItems = 1_000;

export interface ItemSelection {
  discovery_job_id?: number | undefined;
  group_job_id?: number | undefined;
  extractor?: string | undefined;
  artifact?: string | undefined;
  environment?: string | undefined;
  after_id?: number | undefined;
  q?: string | undefined;
  /** Roles of the items. If undefined, the roles that the discovery job of each item accepts. */
  roles?: readonly ExtractorRole[] | undefined;
  confidence?: 'certain' | undefined;
  /** Hosts of the items' upstreams. Upstreams without a host match, because nothing is fetched for them. */
  hosts?: readonly string[] | undefined;
}

/** Item to accept, including fields of its discovery job. */
export interface ItemToAccept extends AcceptableItem {
  /** Method that determined `version`. */
  match: 'digest' | null;
  discoveryJobId: number;
  proposal: StoredItem['proposal'];
  repositoryUrl: string | null;
  ref: string | null;
  labels: Record<string, string>;
  labelSources: Record<string, LabelSource>;
  setLabels: Record<string, string>;
  sourceCredentials: { host: string; credential_name: string }[];
  scrapeJobId: number | null;
  alertConfigId: number | null;
  /** Rule that the item was accepted with, otherwise the default rule of its discovery job. */
  ruleId: number | null;
  /** True if a person doesn't want an alert configuration for the item. */
  isNotMonitored: boolean;
  /** The alert configuration that was derived from the item, if it still exists. */
  derivedConfigId: number | null;
  derived: DerivedItemValues | null;
  /** The reason why the resources couldn't be derived the last time, or null. */
  deriveProblem: string | null;
  /** True if the upstream is the one from which the resources were last derived. */
  isSourceUnchanged: boolean;
  /** True if a person decided that the item has no upstream. False if it's only unknown. */
  isWithoutUpstream: boolean;
  /** Labels that a user had set when the resources were last derived. */
  formerSetLabels: Record<string, string>;
}

/** Values of an item's resources as last derived from the item. */
export interface DerivedItemValues {
  /** Name of the scrape job. */
  name: string;
  /** Labels of the scrape job. */
  labels: Record<string, string>;
  /** Labels that were given when the item was accepted. */
  given: Record<string, string>;
  config: { name: string; rule_id: number; gather_job_id: number; is_active: boolean } | null;
  /** The gather job that reads the source, even if no alert configuration compares with it yet. */
  gather_job_id: number | null;
  /** The gather job that reads the mirror. */
  mirror_job_id: number | null;
}

/**
 * Locks items and their discovery jobs, in the same order as recording a scan: jobs, organization, items.
 *
 * @param selected IDs, or a filter for new items
 * @returns At most `maxAcceptedItems` items by ascending ID, and the number of remaining items that match the
 * filter.
 */
export async function lockItems(
  tx: Tx,
  organizationId: number,
  selected: { ids: readonly number[] } | { filter: ItemSelection },
): Promise<{ items: ItemToAccept[]; remaining: number }> {
  const ids = 'ids' in selected ? selected.ids : await findNewItems(tx, organizationId, selected.filter);
  const lockedIds = ids.slice(0, maxAcceptedItems);
  await sql`
    SELECT FROM discovery_jobs WHERE organization_id = ${organizationId} AND id IN (
      SELECT discovery_job_id FROM discovered_items
      WHERE organization_id = ${organizationId} AND id = ANY(${lockedIds}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  // The lock prevents concurrent requests from creating the same gather jobs twice.
  await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<ItemRow>`
    SELECT items.id, items.discovery_job_id, items.key, items.path, items.namespace, items.artifact_name,
      ${comparedVersionSql('items')} AS version, ${comparedVersionMethodSql('items')} AS match, items.digest,
      CASE WHEN ${comparedVersionSql('items')} IS NULL THEN items.version_state ELSE 'exact' END AS version_state,
      items.labels, items.label_sources, items.set_labels, items.set_source, items.set_name, items.proposal, items.suggestion,
      items.confidence, items.extractor, items.project_url, items.status,
      CASE WHEN NOT ${isVersionKnown} OR items.reason <> ALL(${[...resolvedReasons]}::text[]) THEN items.reason END
        AS reason, items.scrape_job_id, jobs.repository_url, jobs.ref, jobs.source_credentials,
      (SELECT fed.name FROM scrape_jobs AS fed
       WHERE fed.organization_id = items.organization_id AND fed.id = items.scrape_job_id) AS scrape_job_name,
      (SELECT min(configs.id) FROM alert_configs AS configs
       WHERE configs.organization_id = items.organization_id AND configs.scrape_job_id = items.scrape_job_id)
        AS alert_config_id,
      (SELECT configs.id FROM alert_configs AS configs
       WHERE configs.organization_id = items.organization_id AND configs.id = items.alert_config_id)
        AS derived_config_id,
      items.not_monitored, items.derived, items.derived_from, items.derive_problem, ${derivedFrom} AS derives_from,
      CASE WHEN choice.artifact_key IS NOT NULL THEN to_jsonb(choice) END AS choice
    FROM ${itemsToDerive}
    WHERE items.organization_id = ${organizationId} AND items.id = ANY(${lockedIds}::bigint[])
    ORDER BY items.id FOR NO KEY UPDATE OF items`.execute(tx);
  // Suggestions can have changed since the last scan, so the ones that the UI shows now are accepted.
  const open = rows.filter((row) => row.status === 'new' && needsSuggestion(row));
  const suggested = await withHashJoins(tx, () => suggestSourcesForItems(tx, organizationId, open));
  const suggestions = open.map(({ id, suggestion }) => ({
    id,
    before: suggestion,
    now: suggested.get(id)!.suggestion,
  }));
  await storeSuggestions(tx, organizationId, suggestions);
  return {
    items: rows.map((row) => toItem(row, suggested.get(row.id))),
    remaining: ids.length - lockedIds.length,
  };
}

/** Items with the rows from which their resources are derived. */
const itemsToDerive = sql`discovered_items AS items
  JOIN discovery_jobs AS jobs ON jobs.organization_id = items.organization_id AND jobs.id = items.discovery_job_id
  LEFT JOIN artifact_corrections AS choice
    ON choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key
  LEFT JOIN rules AS chosen_rule
    ON chosen_rule.organization_id = items.organization_id AND chosen_rule.id = items.rule_id`;

/** Rule of an item in `itemsToDerive`. */
const derivedRule = sql`coalesce(chosen_rule.id, jobs.default_rule_id)`;

/** Upstream of an item in `itemsToDerive`, in the same order of precedence as `sourceOf`. */
const derivedSource = sql`CASE
  WHEN items.set_source IS NOT NULL THEN CASE WHEN items.set_source ->> 'source_type' IS NOT NULL THEN items.set_source END
  WHEN choice.artifact_key IS NOT NULL THEN CASE WHEN choice.source_type IS NOT NULL THEN jsonb_build_object(
    'source_type', choice.source_type, 'artifact_name', choice.artifact_name, 'source_options', choice.source_options) END
  ELSE coalesce(items.proposal, items.suggestion) - 'why' - 'confidence' END`;

/** Mirror of the upstream of an item in `itemsToDerive`. Null if it isn't read, or if a person chose another upstream. */
const derivedMirror = sql`CASE WHEN items.mirror -> 'is_read' = 'true' AND items.set_source IS NULL AND choice.artifact_key IS NULL
  THEN (items.mirror -> 'proposal') - 'why' - 'confidence' END`;

/** All values from which the resources of an item in `itemsToDerive` are derived. */
const derivedFrom = sql`jsonb_build_object('rule_id', ${derivedRule}, 'source', ${derivedSource}, 'mirror', ${derivedMirror},
  'name', items.set_name, 'labels', items.set_labels,
  'name_parts', jsonb_build_array(items.labels ->> 'service', items.labels ->> 'environment', items.namespace))`;

interface DerivedFrom {
  rule_id: number | null;
  source: object | null;
  mirror: UpstreamSource | null;
  name: string | null;
  labels: Record<string, string>;
  /** Parts of the item's name that follow its file: service, environment, and namespace. */
  name_parts: (string | null)[];
}

/**
 * Finds accepted items whose resources are out of date: an input has changed since the resources were
 * derived, or the alert configuration is missing. An item whose resources can't be derived is found again
 * when an input changes.
 *
 * @param selection all items of a discovery job, or some items
 * @returns At most one ID more than a request can accept. The additional ID shows that more items remain.
 */
export async function findUnreconciled(
  tx: Tx,
  organizationId: number,
  selection: { jobId: number } | { itemIds: readonly number[] },
): Promise<number[]> {
  const selected =
    'jobId' in selection
      ? sql`items.discovery_job_id = ${selection.jobId}`
      : sql`items.id = ANY(${[...selection.itemIds]}::bigint[])`;
  const { rows } = await sql<{ id: number }>`
    SELECT items.id FROM ${itemsToDerive}
    WHERE items.organization_id = ${organizationId} AND ${selected}
      AND items.status = 'accepted' AND items.missing_since IS NULL AND items.scrape_job_id IS NOT NULL
      AND (items.derived_from IS DISTINCT FROM ${derivedFrom}
        OR (NOT items.not_monitored AND items.derive_problem IS NULL
          AND ${derivedRule} IS NOT NULL AND ${derivedSource} IS NOT NULL
          AND NOT EXISTS (
            SELECT FROM alert_configs AS configs
            WHERE configs.organization_id = items.organization_id AND configs.scrape_job_id = items.scrape_job_id)
          AND NOT EXISTS (
            SELECT FROM alert_configs AS configs
            WHERE configs.organization_id = items.organization_id AND configs.id = items.alert_config_id)))
    ORDER BY items.id LIMIT ${sql.lit(maxAcceptedItems + 1)}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Finds new items, at most twice as many as a request accepts. Callers repeat the request until no items
 * remain, so an exact count isn't required.
 */
async function findNewItems(tx: Tx, organizationId: number, filter: ItemSelection): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM discovered_items AS items
    WHERE ${isSelected(organizationId, filter)} AND ${hasRole(filter)} AND items.renovate_ignore IS NULL
    ORDER BY id LIMIT ${sql.lit(maxAcceptedItems * 2)}`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface ExcludedItems {
  /**
   * Number of items with a role that isn't selected. The count stops at the number of items that a request
   * accepts.
   */
  otherRoles: number;
  /** Number of items that the Renovate configuration of their repository ignores, with the same limit. */
  ignored: number;
}

/**
 * Counts the new items that match a filter but are accepted only if the request contains their roles or IDs.
 */
export async function countExcludedItems(
  tx: Tx,
  organizationId: number,
  filter: ItemSelection,
): Promise<ExcludedItems> {
  const count = (condition: RawBuilder<boolean>) => sql<number>`(
    SELECT count(*)::integer FROM (
      SELECT FROM discovered_items AS items
      WHERE ${isSelected(organizationId, filter)} AND ${condition}
      LIMIT ${sql.lit(maxAcceptedItems)}) AS others)`;
  const { rows } = await sql<ExcludedItems>`
    SELECT ${count(sql`NOT ${hasRole(filter)} AND items.renovate_ignore IS NULL`)} AS "otherRoles",
      ${count(sql`items.renovate_ignore IS NOT NULL`)} AS ignored`.execute(tx);
  return rows[0]!;
}

/** SQL condition on `items`: true if an item is new, can be accepted, and matches the filter except for its role. */
function isSelected(
  organizationId: number,
  { after_id, confidence, hosts, ...filters }: ItemSelection,
): RawBuilder<boolean> {
  const conditions = [matches({ ...filters, status: 'new' })];
  if (confidence !== undefined) conditions.push(sql`items.confidence = ${confidence}`);
  if (hosts !== undefined)
    conditions.push(
      sql`(${hostOfUpstream(organizationId)} = ANY(${[...hosts]}::text[]) OR ${typeOfUpstream(organizationId)} = 'lifecycle')`,
    );
  return sql<boolean>`organization_id = ${organizationId} AND id > ${after_id ?? 0}
    AND (reason IS NULL OR reason = 'no_source' OR ${isVersionKnown} OR ${waitsForDigest(organizationId)}
      OR (reason IN ('unsupported_source', 'no_lifecycle', 'not_scanned') AND ${hostOfUpstream(organizationId)} IS NOT NULL))
    AND ${sql.join(conditions, sql` AND `)}`;
}

/** SQL condition on `items`: true if the kind of an item's file has one of the accepted roles. */
function hasRole({ roles }: ItemSelection): RawBuilder<boolean> {
  const cases = Object.entries(otherRoles).map(
    ([extractor, role]) => sql`WHEN ${sql.lit(extractor)} THEN ${sql.lit(role)}`,
  );
  const accepted =
    roles === undefined
      ? sql`(SELECT jobs.accept_roles FROM discovery_jobs AS jobs
          WHERE jobs.organization_id = items.organization_id AND jobs.id = items.discovery_job_id)::text[]`
      : sql`${[...roles]}::text[]`;
  return sql<boolean>`(CASE items.extractor ${sql.join(cases, sql` `)} ELSE 'deployed' END = ANY(${accepted}))`;
}

/**
 * SQL condition: true if the version of an item becomes known once a release has its digest, as defined by
 * `isKnownByDigest`.
 */
function waitsForDigest(organizationId: number) {
  return sql`(${hasDecisiveDigest('items')} AND reason IN ('floating', 'digest') AND (
    SELECT ${effectiveRegistrySql('items', 'choice')} FROM (SELECT) AS one LEFT JOIN artifact_corrections AS choice
      ON choice.organization_id = ${organizationId} AND choice.artifact_key = items.artifact_key) IS NOT NULL)`;
}

/** Selects the host of an item's effective upstream, in the same format as `hostOf`. */
function hostOfUpstream(organizationId: number) {
  return sql`lower(split_part(regexp_replace(${fieldOfUpstream(organizationId, 'artifact_name')}, '^[a-z]+://', ''), '/', 1))`;
}

function typeOfUpstream(organizationId: number) {
  return fieldOfUpstream(organizationId, 'source_type');
}

/** Selects a field of an item's effective upstream. */
function fieldOfUpstream(organizationId: number, field: 'artifact_name' | 'source_type') {
  return sql`CASE WHEN items.set_source IS NOT NULL THEN items.set_source ->> ${sql.lit(field)}
    ELSE coalesce((
      SELECT choice.${sql.ref(field)} FROM artifact_corrections AS choice
      WHERE choice.organization_id = ${organizationId} AND choice.artifact_key = items.artifact_key),
      coalesce(items.proposal, items.suggestion) ->> ${sql.lit(field)}) END`;
}

interface ItemRow {
  id: number;
  discovery_job_id: number;
  key: string;
  path: string;
  namespace: string | null;
  artifact_name: string;
  version: string | null;
  match: 'digest' | null;
  digest: string | null;
  version_state: AcceptableItem['versionState'];
  labels: Record<string, string>;
  label_sources: Record<string, LabelSource>;
  set_labels: Record<string, string>;
  project_url: string | null;
  extractor: StoredItem['extractor'];
  confidence: StoredItem['proposal']['confidence'];
  set_source: ChosenSource | null;
  choice: ChosenSource | null;
  set_name: string | null;
  proposal: (UpstreamSource & { why?: string }) | null;
  suggestion: StoredSuggestion | null;
  status: AcceptableItem['status'];
  reason: AcceptableItem['reason'];
  scrape_job_id: number | null;
  scrape_job_name: string | null;
  alert_config_id: number | null;
  derived_config_id: number | null;
  not_monitored: boolean;
  derived: DerivedItemValues | null;
  derived_from: DerivedFrom | null;
  derive_problem: string | null;
  derives_from: DerivedFrom;
  repository_url: string | null;
  ref: string | null;
  source_credentials: ItemToAccept['sourceCredentials'];
}

function toItem(row: ItemRow, suggested: ChartSuggestion | undefined): ItemToAccept {
  const labels = { ...row.labels, ...row.set_labels };
  const { status, scrape_job_name: name, alert_config_id, derived, derived_from, derives_from } = row;
  // If the last derivation failed, the resources don't come from the current upstream, even if the upstream hasn't
  // changed.
  const isUnchanged = (field: 'source' | 'mirror') =>
    derived_from !== null &&
    row.derive_problem === null &&
    isSameJson(derived_from[field], derives_from[field]);
  const isSourceUnchanged = isUnchanged('source');
  return {
    id: row.id,
    discoveryJobId: row.discovery_job_id,
    key: row.key,
    status,
    reason: row.reason,
    version: row.version,
    match: row.match,
    digest: row.digest,
    versionState: row.version_state,
    name: row.set_name,
    problem: null,
    source: sourceOf(row, suggested),
    mirror: derives_from.mirror,
    gatherJobId: (isSourceUnchanged ? derived?.gather_job_id : null) ?? null,
    mirrorJobId: (isUnchanged('mirror') ? derived?.mirror_job_id : null) ?? null,
    proposal: proposalOf(row, suggested),
    artifactName: row.artifact_name,
    service: labels['service'] ?? null,
    environment: labels['environment'] ?? null,
    namespace: row.namespace,
    file: row.path,
    repositoryUrl: row.repository_url,
    ref: row.ref,
    labels: row.labels,
    labelSources: row.label_sources,
    setLabels: row.set_labels,
    sourceCredentials: row.source_credentials,
    scrapeJob:
      status === 'accepted' && name !== null
        ? {
            name,
            isCompared: alert_config_id !== null || row.derived_config_id !== null,
            isOutdated: !isSameJson(derived_from, derives_from),
            isRenamed: derived_from !== null && isRenamed(derived_from, derives_from),
          }
        : null,
    hasRule: false,
    scrapeJobId: row.scrape_job_id,
    alertConfigId: alert_config_id,
    ruleId: derives_from.rule_id,
    isNotMonitored: row.not_monitored,
    derivedConfigId: row.derived_config_id,
    derived,
    deriveProblem: row.derive_problem,
    isSourceUnchanged,
    isWithoutUpstream: (row.set_source ?? row.choice)?.source_type === null,
    formerSetLabels: derived_from?.labels ?? {},
  };
}

/** True if a name that a person chose has changed, or if the parts of a generated name have changed. */
function isRenamed(before: DerivedFrom, now: DerivedFrom): boolean {
  return before.name !== now.name || (now.name === null && !isSameJson(before.name_parts, now.name_parts));
}

/**
 * Returns the upstream of an item. In order of precedence: the choice for the item, the choice for the
 * artifact, the file, the suggestion.
 */
function sourceOf(
  { set_source, choice, proposal, suggestion }: ItemRow,
  suggested: ChartSuggestion | undefined,
): UpstreamSource | null {
  const asChosen = { version_pattern: null, version_scheme: null };
  const chosen = set_source ?? choice;
  if (chosen !== null) {
    const { source_type, artifact_name, source_options } = chosen;
    return source_type === null || artifact_name === null
      ? null
      : { source_type, artifact_name, source_options, ...asChosen };
  }
  const found = suggested ? suggested.suggestion : suggestion;
  return proposal ?? (found && { ...found, ...asChosen });
}

/** Returns the active gather jobs of these artifacts, and those with these IDs, including global ones. */
export async function findActiveGatherJobs(
  tx: Tx,
  organizationId: number,
  { artifactNames, ids = [] }: { artifactNames: readonly string[]; ids?: readonly number[] },
): Promise<KnownGatherJob[]> {
  const { rows } = await sql<Omit<KnownGatherJob, 'isGlobal'> & { organization_id: number }>`
    SELECT organization_id, id, name, source_type, artifact_name, source_options, version_pattern FROM gather_jobs
    WHERE organization_id = ANY(${[organizationId, systemOrganizationId]}::bigint[])
      AND (artifact_name = ANY(${[...artifactNames]}::text[]) OR id = ANY(${[...ids]}::bigint[])) AND is_active
    ORDER BY organization_id, id`.execute(tx);
  return rows.map(({ organization_id, ...row }) => ({
    ...row,
    isGlobal: organization_id !== organizationId,
  }));
}

/**
 * Returns the active helm sync jobs of these repositories that create gather jobs. The repositories are given
 * without a scheme.
 */
export async function findHelmSyncJobs(
  tx: Tx,
  organizationId: number,
  repositories: readonly string[],
): Promise<KnownHelmSyncJob[]> {
  if (repositories.length === 0) return [];
  const urls = repositories.flatMap((repository) => [`https://${repository}`, `http://${repository}`]);
  const { rows } = await sql<{
    id: number;
    name: string;
    repository_url: string;
    chart_filter: string[] | null;
  }>`
    SELECT id, name, repository_url, chart_filter FROM helm_sync_jobs
    WHERE organization_id = ${organizationId} AND repository_url = ANY(${urls}::text[])
      AND is_active AND create_gather_jobs
    ORDER BY id`.execute(tx);
  return rows.map(({ chart_filter, ...row }) => ({
    ...row,
    includesChart: createChartFilter(chart_filter ?? []),
  }));
}

/** Returns the names that jobs of the organization already use. */
export async function findTakenNames(
  tx: Tx,
  table: 'gather_jobs' | 'scrape_jobs',
  organizationId: number,
  names: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM ${sql.table(table)}
    WHERE organization_id = ${organizationId}
      AND lower(name) = ANY(${[...new Set(names.map((name) => name.toLowerCase()))]}::text[])`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}

/**
 * @param accepted The scrape job that each item feeds from now on.
 * @param wishes Choices of the person who accepts the items. If undefined, the items keep their choices, for
 * example the choices for an item that they replace.
 */
export async function markAccepted(
  tx: Tx,
  organizationId: number,
  accepted: readonly { id: number; scrape_job_id: number }[],
  wishes: { ruleId: number | null; isNotMonitored: boolean } | undefined,
): Promise<void> {
  await sql`
    UPDATE discovered_items AS item
    SET status = 'accepted', scrape_job_id = accepted.scrape_job_id, updated_at = pacekeeper_now()
      ${wishes ? sql`, rule_id = ${wishes.ruleId}::bigint, not_monitored = ${wishes.isNotMonitored}` : sql``}
    FROM jsonb_to_recordset(${JSON.stringify(accepted)}::jsonb) AS accepted (id bigint, scrape_job_id bigint)
    WHERE item.organization_id = ${organizationId} AND item.id = accepted.id`.execute(tx);
}

export interface DerivedItem {
  id: number;
  /** The derived values. Null if the resources couldn't be derived; the previous values then stay. */
  derived: DerivedItemValues | null;
  alert_config_id: number | null;
  problem: string | null;
}

/** Stores the values that were derived from items, and the values that they were derived from. */
export async function storeDerivedValues(
  tx: Tx,
  organizationId: number,
  items: readonly DerivedItem[],
): Promise<void> {
  if (items.length === 0) return;
  await sql`
    UPDATE discovered_items AS item
    SET derived_from = current.derived_from, derived = coalesce(stored.derived, item.derived),
        alert_config_id = coalesce(stored.alert_config_id, item.alert_config_id), derive_problem = stored.problem,
        updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        AS stored (id bigint, derived jsonb, alert_config_id bigint, problem text),
      LATERAL (
        SELECT ${derivedFrom} AS derived_from FROM ${itemsToDerive}
        WHERE items.organization_id = ${organizationId} AND items.id = stored.id
      ) AS current
    WHERE item.organization_id = ${organizationId} AND item.id = stored.id`.execute(tx);
}

/** Allows Pacekeeper to create alert configurations for these items again. */
export async function clearNotMonitored(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    UPDATE discovered_items SET not_monitored = false, derive_problem = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

/** Lists the rules that evaluate support or vulnerabilities, so they don't require releases. */
export async function listRulesWithoutReleases(tx: Tx, organizationId: number): Promise<Set<number>> {
  const types = [...supportRuleTypeIds, ...vulnerabilityRuleTypeIds];
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM rules WHERE organization_id = ${organizationId} AND rule_type = ANY(${types}::text[])`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}
