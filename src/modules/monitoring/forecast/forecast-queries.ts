import { sql } from 'kysely';
import type { DatedListDoubt } from '../../../domain/alerts/config-evaluation.ts';
import type { CountedVersion } from '../../../domain/rules/candidates.ts';
import type { Rule } from '../../../domain/rules/rule-type.ts';
import { supportRuleTypeIds, vulnerabilityRuleTypeIds } from '../../../domain/rules/rule-types.ts';
import { imageSourceTypeIds } from '../../../domain/source-types/source-types.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import type { StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Database } from '../../../platform/database/index.ts';
import { toComparedRule } from '../evaluation/compared-rule.ts';
import { platformWordsOf } from '../evaluation/evaluation-queries.ts';
import { type ListDoubtRow, listDoubtColumns, listDoubtOf } from '../evaluation/list-doubt.ts';
import type { GatherJobKey } from '../evaluation/release-cache.ts';
import { type LifecycleOverride, type LifecycleRow, lifecycleRowSql } from '../evaluation/support-queries.ts';
import { type VulnerabilityRow, vulnerabilityRowSql } from '../evaluation/vulnerability-queries.ts';
import type { RuleRow } from '../rules/rule-queries.ts';
import { isStillDeployed } from '../still-deployed.ts';

/** Maximum number of configurations in one forecast, earliest changes first. */
export const maxForecastConfigs = 10_000;

export interface ForecastFilters {
  readonly ruleId: number | null;
  /** Label in the format `key=value`. */
  readonly label: string | null;
}

/** An alert configuration whose result will change with time alone, with the inputs of its evaluation. */
export interface ForecastConfig {
  readonly id: number;
  readonly name: string;
  readonly rule: { readonly id: number; readonly name: string; readonly compared: Rule };
  readonly candidatePattern: string | null;
  readonly ignoredVersions: readonly string[];
  readonly countedVersions: readonly CountedVersion[];
  readonly deployedVersion: string;
  readonly artifactName: string;
  readonly gatherJob: GatherJobKey;
  readonly listDoubt: DatedListDoubt | null;
  readonly isArchived: boolean;
  readonly lifecycle: LifecycleRow | null;
  readonly lifecycleOverride: LifecycleOverride | null;
  readonly vulnerabilities: VulnerabilityRow | null;
  readonly ignoredVulnerabilities: readonly StoredIgnore[];
}

interface ForecastRow extends Omit<RuleRow, 'id' | 'name' | 'is_active'>, ListDoubtRow {
  id: number;
  name: string;
  rule_id: number;
  rule_name: string;
  candidate_pattern: string | null;
  ignored_versions: string[];
  counted_versions: string[];
  counted_since: Date[];
  deployed_version: string;
  artifact_name: string;
  gather_organization_id: number;
  gather_job_id: number;
  version_scheme: VersionSchemeId;
  is_image: boolean;
  is_deployed: boolean;
  platform_words: string;
  releases_revision: number;
  is_archived: boolean;
  lifecycle: LifecycleRow | null;
  lifecycle_override: LifecycleOverride | null;
  vulnerabilities: VulnerabilityRow | null;
  ignored_vulnerabilities: StoredIgnore[];
}

/**
 * Lists the active configurations whose next evaluation is due by `untilMs`. Other configurations can't
 * change until then. If there are more than the limit, returns one more than the limit.
 */
export async function selectForecastConfigs(
  db: Database,
  organizationId: number,
  untilMs: number,
  { ruleId, label }: ForecastFilters,
): Promise<ForecastConfig[]> {
  const ofRule = ruleId === null ? sql`` : sql`AND rule_id = ${ruleId}`;
  const labeled =
    label === null ? sql`` : sql`AND effective_labels @> ${JSON.stringify(toLabel(label))}::jsonb`;
  // Apply the limit before the joins. Configurations disabled by their rule or job don't use up the limit,
  // because they aren't due.
  const { rows } = await sql<ForecastRow>`
    WITH c AS MATERIALIZED (
      SELECT id, name, rule_id, scrape_job_id, gather_organization_id, gather_job_id, candidate_pattern,
        ignored_versions, counted_versions, counted_since, lifecycle_override,
        ignored_vulnerabilities
      FROM alert_configs
      WHERE organization_id = ${organizationId} AND due_at <= to_timestamp(${untilMs}::float8 / 1000)
        AND due_at < 'infinity' AND is_active ${ofRule} ${labeled}
      ORDER BY due_at LIMIT ${sql.lit(maxForecastConfigs + 1)}
    )
    SELECT c.id, c.name, c.rule_id, c.candidate_pattern, g.ignored_versions || c.ignored_versions AS ignored_versions,
      g.counted_versions || c.counted_versions AS counted_versions, g.counted_since || c.counted_since AS counted_since,
      r.name AS rule_name, r.rule_type, r.threshold_moderate, r.threshold_high, r.threshold_critical, r.stable_only,
      r.days_basis, r.min_release_age_days, r.support_phase, r.known_exploited_days, r.min_epss, s.latest_version AS deployed_version, g.artifact_name,
      c.gather_organization_id, c.gather_job_id, g.version_scheme, g.source_type = ANY(${imageSourceTypeIds}) AS is_image,
      g.scrape_job_id IS NOT NULL AS is_deployed,
      ${platformWordsOf('g')} AS platform_words, g.releases_revision, g.is_archived IS TRUE AS is_archived, ${listDoubtColumns},
      c.lifecycle_override,
      c.ignored_vulnerabilities,
      CASE WHEN r.rule_type = ANY(${supportRuleTypeIds}) THEN ${lifecycleRowSql()} END AS lifecycle,
      CASE WHEN r.rule_type = ANY(${vulnerabilityRuleTypeIds}) THEN ${vulnerabilityRowSql()} END AS vulnerabilities
    FROM c
    JOIN rules r ON r.organization_id = ${organizationId} AND r.id = c.rule_id AND r.is_active
    JOIN scrape_jobs s ON s.organization_id = ${organizationId} AND s.id = c.scrape_job_id
      AND ${isStillDeployed('s')} AND s.latest_version IS NOT NULL
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    ORDER BY c.gather_organization_id, c.gather_job_id, c.id`.execute(db);
  return rows.map(toForecastConfig);
}

/**
 * Counts the active configurations that can't be forecast, at most `maxForecastConfigs`: those without data, and
 * those whose list of releases may be missing newer ones.
 */
export async function countWithoutData(
  db: Database,
  organizationId: number,
  { ruleId, label }: ForecastFilters,
): Promise<number> {
  const ofRule = ruleId === null ? sql`` : sql`AND rule_id = ${ruleId}`;
  const labeled =
    label === null ? sql`` : sql`AND effective_labels @> ${JSON.stringify(toLabel(label))}::jsonb`;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (
      SELECT FROM alert_configs
      WHERE organization_id = ${organizationId} AND is_active
        AND (state = 'no_data' OR state = 'stale' AND state_reason IN ('list_incomplete', 'mirror_only')) ${ofRule} ${labeled}
      LIMIT ${sql.lit(maxForecastConfigs)}) AS counted`.execute(db);
  return rows[0]!.count;
}

function toLabel(label: string): Record<string, string> {
  const equals = label.indexOf('=');
  return { [label.slice(0, equals)]: label.slice(equals + 1) };
}

function toForecastConfig(row: ForecastRow): ForecastConfig {
  return {
    id: row.id,
    name: row.name,
    rule: { id: row.rule_id, name: row.rule_name, compared: toComparedRule(row) },
    candidatePattern: row.candidate_pattern,
    ignoredVersions: row.ignored_versions,
    countedVersions: row.counted_versions.map((version, index) => ({
      version,
      sinceMs: row.counted_since[index]!.getTime(),
    })),
    deployedVersion: row.deployed_version,
    artifactName: row.artifact_name,
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
    isArchived: row.is_archived,
    lifecycle: row.lifecycle,
    lifecycleOverride: row.lifecycle_override,
    vulnerabilities: row.vulnerabilities,
    ignoredVulnerabilities: row.ignored_vulnerabilities,
  };
}
