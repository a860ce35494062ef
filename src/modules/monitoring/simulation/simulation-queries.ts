import { type RawBuilder, sql } from 'kysely';
import type { DatedListDoubt } from '../../../domain/alerts/config-evaluation.ts';
import { type LabelMatcher, matchesLabels } from '../../../domain/routing/match-rule.ts';
import type { CountedVersion } from '../../../domain/rules/candidates.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { imageSourceTypeIds } from '../../../domain/source-types/source-types.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { TimeSlices } from '../../../platform/time-slices.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { toComparedRule } from '../evaluation/compared-rule.ts';
import { platformWordsOf } from '../evaluation/evaluation-queries.ts';
import { type ListDoubtRow, listDoubtColumns, listDoubtOf } from '../evaluation/list-doubt.ts';
import type { GatherJobKey } from '../evaluation/release-cache.ts';
import { type LifecycleOverride, type LifecycleRow, lifecycleRowSql } from '../evaluation/support-queries.ts';
import { type VulnerabilityRow, vulnerabilityRowSql } from '../evaluation/vulnerability-queries.ts';
import type { RuleRow } from '../rules/rule-queries.ts';
import { isStillDeployed } from '../still-deployed.ts';

/**
 * Maximum number of configurations that are counted or whose labels are checked. Further configurations are
 * ignored.
 */
const maxLabeled = 100_000;

/** Selects the alert configurations to simulate. */
export type Selection =
  | { readonly kind: 'ids'; readonly ids: readonly number[] }
  | { readonly kind: 'labels'; readonly matchers: readonly LabelMatcher[] }
  | { readonly kind: 'rule'; readonly ruleId: number }
  | { readonly kind: 'all' };

/** An alert configuration without its rule. */
export interface SimulatedConfig {
  /** `null` for a new configuration. */
  readonly id: number | null;
  readonly name: string;
  /** `null` for a configuration that isn't stored. */
  readonly ruleId: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly candidatePattern: string | null;
  readonly ignoredVersions: readonly string[];
  readonly countedVersions: readonly CountedVersion[];
  /** False if the configuration is disabled, or if its software is no longer deployed. */
  readonly isActive: boolean;
  readonly scrapeJobId: number;
  readonly gatherJob: GatherJobKey;
  readonly listDoubt: DatedListDoubt | null;
  readonly lifecycle: LifecycleRow | null;
  readonly lifecycleOverride: LifecycleOverride | null;
  readonly vulnerabilities: VulnerabilityRow | null;
  readonly ignoredVulnerabilities: readonly StoredIgnore[];
}

export interface SelectedConfigs {
  readonly configs: readonly SimulatedConfig[];
  /** Number of selected configurations, including the ones beyond the limit. */
  readonly count: number;
}

/** Returns the current time of the database. */
export async function readNowMs(db: Database): Promise<number> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now.getTime();
}

/**
 * Returns the selected configurations with one statement.
 *
 * @param limit Maximum number of configurations. `null` for a selection that is small.
 */
export async function selectConfigs(
  db: Database,
  organizationId: number,
  selection: Selection,
  slices: TimeSlices,
  limit: number | null = null,
): Promise<SelectedConfigs> {
  const where = await conditionOf(db, organizationId, selection, slices);
  const { rows } = await sql<ConfigColumns & { count: number }>`
    WITH c AS MATERIALIZED (
      SELECT id, name, rule_id, effective_labels AS labels, candidate_pattern, ignored_versions, counted_versions,
        ARRAY(SELECT (extract(epoch FROM since) * 1000)::bigint
          FROM unnest(counted_since) WITH ORDINALITY AS listed (since, place) ORDER BY place) AS counted_since_ms,
        is_active AND EXISTS (
          SELECT FROM scrape_jobs s WHERE s.organization_id = ${organizationId} AND s.id = alert_configs.scrape_job_id
            AND ${isStillDeployed('s')}
        ) AS is_active, scrape_job_id, gather_organization_id, gather_job_id, lifecycle_override,
        ignored_vulnerabilities
      FROM alert_configs WHERE organization_id = ${organizationId} AND ${where}
      ORDER BY id LIMIT ${sql.lit(limit)}
    )
    SELECT ${configColumns},
      (SELECT count(*) FROM (
        SELECT FROM alert_configs WHERE organization_id = ${organizationId} AND ${where} LIMIT ${sql.lit(maxLabeled)}
      ) AS selected) AS count
    FROM c JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    ORDER BY c.gather_organization_id, c.gather_job_id, c.id`.execute(db);
  return { configs: rows.map(toConfig), count: rows[0]?.count ?? 0 };
}

/** Unsaved values of a new or an existing configuration. */
export interface UnsavedConfig {
  /** `null` for a new configuration. */
  readonly id: number | null;
  readonly name: string;
  readonly scrapeJobId: number;
  readonly gatherOrganizationId: number;
  readonly gatherJobId: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly candidatePattern: string | null;
  readonly ignoredVersions: readonly string[];
  readonly countedVersions: readonly string[];
  readonly lifecycleOverride: LifecycleOverride | null;
  readonly ignoredVulnerabilities: readonly StoredIgnore[];
}

/**
 * Reads the jobs of a configuration that isn't stored.
 * @param fromMs time at which the `countedVersions` are treated as added
 */
export async function readUnsavedConfig(
  db: Database,
  organizationId: number,
  given: UnsavedConfig,
  fromMs: number,
): Promise<SimulatedConfig | null> {
  const { rows } = await sql<ConfigColumns>`
    WITH c AS (
      SELECT ${given.id}::bigint AS id, ${given.name}::text AS name, NULL::bigint AS rule_id,
        coalesce((SELECT labels FROM scrape_jobs WHERE organization_id = ${organizationId} AND id = ${given.scrapeJobId}), '{}')
          || ${JSON.stringify(given.labels)}::jsonb AS labels,
        ${given.candidatePattern}::text AS candidate_pattern, ${given.ignoredVersions}::text[] AS ignored_versions,
        ${given.countedVersions}::text[] AS counted_versions,
        array_fill(${fromMs}::bigint, ARRAY[${given.countedVersions.length}::integer]) AS counted_since_ms,
        true AS is_active, ${given.scrapeJobId}::bigint AS scrape_job_id,
        ${given.gatherOrganizationId}::bigint AS gather_organization_id, ${given.gatherJobId}::bigint AS gather_job_id,
        ${JSON.stringify(given.lifecycleOverride)}::jsonb AS lifecycle_override,
        ${JSON.stringify(given.ignoredVulnerabilities)}::jsonb AS ignored_vulnerabilities
    )
    SELECT ${configColumns}
    FROM c JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id`.execute(
    db,
  );
  return rows[0] === undefined ? null : toConfig(rows[0]);
}

/** Returns configurations that have only a gather job, as a map with the IDs of these jobs as keys. */
export async function createConfigsForGatherJobs(
  db: Database,
  organizationId: number,
  gatherJobIds: readonly number[],
): Promise<Map<number, SimulatedConfig>> {
  const { rows } = await sql<ConfigColumns>`
    WITH c AS (
      SELECT NULL::bigint AS id, name, NULL::bigint AS rule_id, '{}'::jsonb AS labels, NULL::text AS candidate_pattern,
        '{}'::text[] AS ignored_versions, '{}'::text[] AS counted_versions, '{}'::bigint[] AS counted_since_ms,
        true AS is_active, 0::bigint AS scrape_job_id, organization_id AS gather_organization_id, id AS gather_job_id,
        NULL::jsonb AS lifecycle_override, '[]'::jsonb AS ignored_vulnerabilities
      FROM gather_jobs
      WHERE organization_id IN (${organizationId}, ${systemOrganizationId}) AND id = ANY(${[...gatherJobIds]}::bigint[])
    )
    SELECT ${configColumns}
    FROM c JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.gather_job_id, toConfig(row)]));
}

export async function readActiveRules(db: Database, organizationId: number): Promise<Map<number, Rule>> {
  const { rows } = await sql<RuleRow>`
    SELECT id, rule_type, threshold_moderate, threshold_high, threshold_critical, stable_only, days_basis,
      min_release_age_days, support_phase, known_exploited_days, min_epss
    FROM rules WHERE organization_id = ${organizationId} AND is_active`.execute(db);
  return new Map(rows.map((row) => [row.id, toComparedRule(row)]));
}

/**
 * Checks whether the scrape job exists, and returns the organization of the gather job, which is the same or
 * the global one.
 */
export async function findSimulatedJobs(
  db: Database,
  organizationId: number,
  { scrapeJobId, gatherJobId }: { scrapeJobId: number; gatherJobId: number },
): Promise<{ hasScrapeJob: boolean; gatherOrganizationId: number | null }> {
  const { rows } = await sql<{ has_scrape_job: boolean; gather_organization_id: number | null }>`
    SELECT
      EXISTS (SELECT FROM scrape_jobs WHERE organization_id = ${organizationId} AND id = ${scrapeJobId}) AS has_scrape_job,
      (SELECT organization_id FROM gather_jobs
        WHERE organization_id IN (${organizationId}, 1) AND id = ${gatherJobId}) AS gather_organization_id`.execute(
    db,
  );
  const [row] = rows;
  return {
    hasScrapeJob: row?.has_scrape_job ?? false,
    gatherOrganizationId: row?.gather_organization_id ?? null,
  };
}

interface ConfigColumns extends ListDoubtRow {
  id: number | null;
  name: string;
  rule_id: number | null;
  labels: Record<string, string>;
  candidate_pattern: string | null;
  ignored_versions: string[];
  counted_versions: string[];
  counted_since_ms: number[];
  is_active: boolean;
  scrape_job_id: number;
  gather_organization_id: number;
  gather_job_id: number;
  version_scheme: VersionSchemeId;
  is_image: boolean;
  is_deployed: boolean;
  platform_words: string;
  job_ignored_versions: string[];
  job_counted_versions: string[];
  job_counted_since_ms: number[];
  releases_revision: number;
  lifecycle: LifecycleRow | null;
  lifecycle_override: LifecycleOverride | null;
  vulnerabilities: VulnerabilityRow | null;
  ignored_vulnerabilities: StoredIgnore[];
}

/** Columns of a configuration `c` and its gather job `g`. */
const configColumns = sql`c.*, g.version_scheme, g.source_type = ANY(${imageSourceTypeIds}) AS is_image,
    g.scrape_job_id IS NOT NULL AS is_deployed, g.releases_revision, ${listDoubtColumns}, ${lifecycleRowSql()} AS lifecycle,
    ${vulnerabilityRowSql()} AS vulnerabilities,
    ${platformWordsOf('g')} AS platform_words, g.ignored_versions AS job_ignored_versions,
    g.counted_versions AS job_counted_versions,
    ARRAY(SELECT (extract(epoch FROM since) * 1000)::bigint
      FROM unnest(g.counted_since) WITH ORDINALITY AS listed (since, place) ORDER BY place) AS job_counted_since_ms`;

function toCounted(versions: readonly string[], sinceMs: readonly number[]): CountedVersion[] {
  return versions.map((version, index) => ({ version, sinceMs: sinceMs[index]! }));
}

function toConfig(row: ConfigColumns): SimulatedConfig {
  return {
    id: row.id,
    name: row.name,
    ruleId: row.rule_id,
    labels: row.labels,
    candidatePattern: row.candidate_pattern,
    ignoredVersions: [...row.job_ignored_versions, ...row.ignored_versions],
    countedVersions: [
      ...toCounted(row.job_counted_versions, row.job_counted_since_ms),
      ...toCounted(row.counted_versions, row.counted_since_ms),
    ],
    isActive: row.is_active,
    scrapeJobId: row.scrape_job_id,
    gatherJob: {
      organizationId: row.gather_organization_id,
      id: row.gather_job_id,
      scheme: row.version_scheme,
      isImage: row.is_image,
      isDeployed: row.is_deployed,
      platformWords: row.platform_words,
      revision: row.releases_revision,
    },
    listDoubt: listDoubtOf(row),
    lifecycle: row.lifecycle,
    lifecycleOverride: row.lifecycle_override,
    vulnerabilities: row.vulnerabilities,
    ignoredVulnerabilities: row.ignored_vulnerabilities,
  };
}

async function conditionOf(
  db: Database,
  organizationId: number,
  selection: Selection,
  slices: TimeSlices,
): Promise<RawBuilder<unknown>> {
  switch (selection.kind) {
    case 'all':
      return sql`true`;
    case 'rule':
      return sql`rule_id = ${selection.ruleId}`;
    case 'ids':
      return sql`id = ANY(${selection.ids}::bigint[])`;
    case 'labels': {
      const ids = await matchingConfigs(db, organizationId, selection.matchers, slices);
      return sql`id = ANY(${ids}::bigint[])`;
    }
  }
}

/**
 * Returns the IDs of configurations with matching labels. Exact values are looked up in the database. Then
 * all matchers are applied in the same way as in notification rules.
 */
async function matchingConfigs(
  db: Database,
  organizationId: number,
  matchers: readonly LabelMatcher[],
  slices: TimeSlices,
): Promise<number[]> {
  const values = matchers.filter(({ operator, value }) => operator === '=' && value !== '');
  const known = Object.fromEntries(values.map(({ label, value }) => [label, value]));
  const { rows } = await sql<{ id: number; labels: Record<string, string> }>`
    SELECT id, effective_labels AS labels FROM alert_configs
    WHERE organization_id = ${organizationId} AND effective_labels @> ${JSON.stringify(known)}::jsonb
    ORDER BY id LIMIT ${sql.lit(maxLabeled)}`.execute(db);
  const matching: number[] = [];
  for (const { id, labels } of rows) {
    if (matchesLabels(matchers, labels)) matching.push(id);
    await slices.pause();
  }
  return matching;
}
