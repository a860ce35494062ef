import { type RawBuilder, sql } from 'kysely';
import type {
  ConfigEvaluation,
  ConfigState,
  ConfigStateReason,
} from '../../../domain/alerts/config-evaluation.ts';
import type { DataGap } from '../../../domain/rules/data-gap.ts';
import type { Explanation } from '../../../domain/rules/explanation.ts';
import type { DaysBasis } from '../../../domain/rules/rule-type.ts';
import type { RuleTypeId } from '../../../domain/rules/rule-types.ts';
import { supportRuleTypeIds, vulnerabilityRuleTypeIds } from '../../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { imageSourceTypeIds } from '../../../domain/source-types/source-types.ts';
import type { SupportPhase } from '../../../domain/support/support-phases.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { StoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { type OpenAlertRow, openAlertColumns } from '../../alerts/index.ts';
import { isStillDeployed } from '../still-deployed.ts';
import { dataGapSql } from './find-data-gap.ts';
import { type ListDoubtRow, listDoubtColumns } from './list-doubt.ts';
import type { GatherJobKey } from './release-cache.ts';
import { type LifecycleOverride, type LifecycleRow, lifecycleRowSql } from './support-queries.ts';
import { type VulnerabilityRow, vulnerabilityRowSql } from './vulnerability-queries.ts';

/** All inputs of an evaluation in one row. */
export interface EvaluationRow extends ListDoubtRow {
  organization_id: number;
  id: number;
  name: string;
  labels: Record<string, string>;
  candidate_pattern: string | null;
  ignored_versions: string[];
  counted_versions: string[];
  /** Times at which the `counted_versions` were added, in the same order. */
  counted_since: Date[];
  is_active: boolean;
  is_reconfigured: boolean;
  state: ConfigState;
  state_reason: ConfigStateReason | null;
  severity: AlertSeverity | null;
  deployed_version: string | null;
  latest_version: string | null;
  latest_stable_version: string | null;
  mirror_job_id: number | null;
  mirror_version: string | null;
  behind_by: number | null;
  behind_since: Date | null;
  ends_at: Date | null;
  vulnerability_ids: string[] | null;
  crossed_at: Date | null;
  muted_version: string | null;
  muted_severity: AlertSeverity | null;
  explanation_fingerprint: string | null;
  /**
   * Key of the change that made the configuration due. Null if the alerts of the configuration are no longer
   * sent together with the other alerts of that change.
   */
  opening_cause: string | null;
  last_evaluated_at: Date | null;
  /** Parser version that the last evaluation used. Null if it wasn't recorded yet. */
  version_reading: number | null;
  /** Platform words that the last evaluation used. */
  evaluated_platform_words: string;
  steady_fingerprint: string | null;
  /**
   * Time until which the result can't change with the same input. `Infinity` if it never changes with time
   * alone.
   */
  steady_until_ms: number | null;
  rule_id: number;
  rule_name: string;
  rule_type: RuleTypeId;
  threshold_moderate: number | null;
  threshold_high: number | null;
  threshold_critical: number | null;
  stable_only: boolean;
  days_basis: DaysBasis | null;
  min_release_age_days: number;
  support_phase: SupportPhase | null;
  known_exploited_days: number | null;
  min_epss: number | null;
  rule_is_active: boolean;
  scraped_version: string | null;
  repository_url: string | null;
  target_file: string | null;
  gather_organization_id: number;
  gather_job_id: number;
  version_scheme: VersionSchemeId;
  is_image: boolean;
  is_deployed: boolean;
  /** False if the gather job has only a lifecycle. */
  has_releases: boolean;
  platform_words: string;
  job_ignored_versions: string[];
  job_counted_versions: string[];
  /** Times at which the `job_counted_versions` were added, in the same order. */
  job_counted_since: Date[];
  releases_revision: number;
  artifact_name: string;
  /** A gather job of the organization that reads a mirror of the upstream. Null if there's none. */
  mirror: GatherJobKey | null;
  stale_since: Date | null;
  /** Reason that the deployment ended, as found by discovery. Null if it hasn't ended. */
  ended_by: 'gone' | 'replaced' | null;
  /** Set only for rules about support. */
  lifecycle: LifecycleRow | null;
  is_archived: boolean;
  lifecycle_override: LifecycleOverride | null;
  /** Set only for rules about vulnerabilities. */
  vulnerabilities: VulnerabilityRow | null;
  data_gap: DataGap | null;
  ignored_vulnerabilities: StoredIgnore[];
  open_alert: OpenAlertRow | null;
}

interface ConfigKey {
  organization_id: number;
  id: number;
}

/**
 * Locks configurations in the order of their IDs and reads the inputs of their evaluation. Their alerts can't
 * change until the transaction ends, because every action on an alert locks its configuration first.
 */
export async function lockConfigsToEvaluate(
  tx: Tx,
  where: RawBuilder<unknown>,
): Promise<{ rows: EvaluationRow[]; now: Date }> {
  // Lock in a separate statement. Otherwise, the values could be older than the lock.
  const { rows: locked } = await sql<ConfigKey>`
    SELECT organization_id, id FROM alert_configs WHERE ${where}
    ORDER BY organization_id, id FOR UPDATE`.execute(tx);
  return readLockedConfigs(tx, locked);
}

/**
 * Reads the inputs of evaluations. The transaction must have locked the configurations in an earlier
 * statement.
 */
export async function readLockedConfigs(
  tx: Tx,
  locked: readonly ConfigKey[],
): Promise<{ rows: EvaluationRow[]; now: Date }> {
  if (locked.length === 0) return { rows: [], now: new Date(0) };
  // Select the configurations first. In a single join, PostgreSQL would multiply them by all rules of their
  // organization.
  const { rows } = await sql<EvaluationRow & { now: Date }>`
    WITH c AS MATERIALIZED (
      SELECT alert_configs.* FROM unnest(
        ${locked.map((row) => row.organization_id)}::bigint[], ${locked.map((row) => row.id)}::bigint[]
      ) AS chosen (organization_id, id)
      JOIN alert_configs USING (organization_id, id)
    )
    SELECT c.organization_id, c.id, c.name, c.effective_labels AS labels, c.candidate_pattern, c.ignored_versions,
      c.counted_versions, c.counted_since,
      c.is_active AND ${isStillDeployed('s')} AS is_active,
      CASE WHEN s.discovery_job_id IS NOT NULL AND NOT s.is_active THEN (
        SELECT item.status FROM discovered_items AS item
        WHERE item.organization_id = s.organization_id AND item.scrape_job_id = s.id
          AND item.status IN ('gone', 'replaced')
      ) END AS ended_by,
      c.is_reconfigured, c.state, c.state_reason, c.severity, c.deployed_version, c.latest_version,
      c.latest_stable_version, c.behind_by, c.behind_since, c.ends_at, c.vulnerability_ids, c.crossed_at, c.muted_version, c.muted_severity,
      c.explanation_fingerprint, CASE WHEN c.opening_cause_until > pacekeeper_now() THEN c.opening_cause END AS opening_cause,
      c.last_evaluated_at, c.version_reading, c.platform_words AS evaluated_platform_words,
      c.steady_fingerprint,
      (extract(epoch FROM c.steady_until) * 1000)::float8 AS steady_until_ms,
      r.id AS rule_id, r.name AS rule_name, r.rule_type, r.threshold_moderate, r.threshold_high, r.threshold_critical,
      r.stable_only, r.days_basis, r.min_release_age_days, r.support_phase, r.known_exploited_days, r.min_epss, r.is_active AS rule_is_active,
      s.latest_version AS scraped_version, s.repository_url, s.target_file,
      c.gather_organization_id, c.gather_job_id, g.version_scheme, g.source_type = ANY(${imageSourceTypeIds}) AS is_image,
      g.scrape_job_id IS NOT NULL AS is_deployed, g.source_type <> 'lifecycle' AS has_releases,
      ${platformWordsOf('g')} AS platform_words, g.ignored_versions AS job_ignored_versions,
      g.counted_versions AS job_counted_versions, g.counted_since AS job_counted_since,
      g.releases_revision, g.artifact_name, g.is_archived IS TRUE AS is_archived,
      ${listDoubtColumns},
      ${mirrorOf()} AS mirror, c.mirror_job_id, c.mirror_version,
      least(s.failing_since, d.failing_since, g.failing_since, h.failing_since) AS stale_since,
      CASE WHEN r.rule_type = ANY(${supportRuleTypeIds}) THEN ${lifecycleRowSql()} END AS lifecycle, c.lifecycle_override,
      CASE WHEN r.rule_type = ANY(${vulnerabilityRuleTypeIds}) THEN ${vulnerabilityRowSql()} END AS vulnerabilities,
      ${dataGapSql(sql`r.rule_type`)} AS data_gap, c.ignored_vulnerabilities,
      CASE WHEN a.id IS NULL THEN NULL ELSE ${openAlertColumns('a')} END AS open_alert,
      pacekeeper_now() AS now
    FROM c
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    LEFT JOIN helm_sync_jobs h ON h.organization_id = g.organization_id AND h.id = g.helm_sync_job_id
    LEFT JOIN discovery_jobs d ON d.organization_id = s.organization_id AND d.id = s.discovery_job_id
    LEFT JOIN alerts a ON a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL
    ORDER BY c.organization_id, c.id`.execute(tx);
  return { rows: rows.map(({ now: _now, ...row }) => row), now: rows[0]!.now };
}

/**
 * Selects the gather job that reads a mirror of the gather job `g`, for the organization of the configuration `c`. If
 * there are several, it's the oldest.
 */
function mirrorOf(): RawBuilder<GatherJobKey | null> {
  // Check first if the organization has any mirror. Most organizations have none, and then no addresses are compared.
  return sql`CASE WHEN g.mirror_of IS NULL AND EXISTS (
      SELECT FROM gather_jobs m WHERE m.organization_id = c.organization_id AND m.mirror_of IS NOT NULL) THEN (
    SELECT jsonb_build_object('organizationId', m.organization_id, 'id', m.id, 'scheme', m.version_scheme,
      'platformWords', ${platformWordsOf('m')}, 'isImage', m.source_type = ANY(${imageSourceTypeIds}), 'isDeployed', false,
      'revision', m.releases_revision)
    FROM gather_jobs m
    WHERE m.organization_id = c.organization_id AND m.mirror_of IS NOT NULL
      AND repository_address(m.mirror_of) = repository_address(g.artifact_name)
    ORDER BY m.id LIMIT 1) END`;
}

/**
 * Returns the platform words for parsing the releases of a gather job. The `semver` scheme has no platforms.
 */
export function platformWordsOf(job: string): RawBuilder<string> {
  const column = (name: string) => sql.ref(`${job}.${name}`);
  return sql`CASE WHEN ${column('version_scheme')} = 'semver' THEN '' ELSE ${column('platform_words')} END`;
}

/**
 * True if all previously evaluated configurations of the organization `o` have been reevaluated with the current parser
 * version and the current platform words of their gather jobs.
 */
export const isEvaluatedWithThisParser = sql<boolean>`NOT EXISTS (
    SELECT FROM alert_configs
    WHERE alert_configs.organization_id = o.id AND alert_configs.last_evaluated_at IS NOT NULL
      AND alert_configs.version_reading IS DISTINCT FROM ${sql.lit(parserVersion)})
  AND NOT EXISTS (
    SELECT FROM organizations owner
    WHERE owner.id IN (o.id, ${sql.lit(systemOrganizationId)}) AND owner.platform_words_changed_at IS NOT NULL)
  AND NOT EXISTS (
    SELECT FROM alert_configs
    JOIN gather_jobs job ON job.organization_id = alert_configs.gather_organization_id AND job.id = alert_configs.gather_job_id
    WHERE alert_configs.organization_id = o.id AND alert_configs.last_evaluated_at IS NOT NULL
      AND alert_configs.platform_words <> ${platformWordsOf('job')})`;

export interface EvaluationResult {
  organizationId: number;
  id: number;
  /** Time at which the result changes without new data. Null if it never does. */
  nextEvaluationAtMs: number | null;
  /** Fingerprint of the input if the evaluation changed nothing. */
  unchangedFingerprint: string | null;
  /** Platform words that were used to parse the releases. */
  platformWords: string;
  /** True if the configuration waits for data, so the change that made it due can still open its alert. */
  keepsOpeningCause: boolean;
}

export interface ChangedFinish extends EvaluationResult {
  after: ConfigEvaluation;
  /** New explanation to store, or null to keep the current one. */
  explanation: Explanation | null;
}

/**
 * Assignments that finish an evaluation. The rows are locked, so `requested_seq` hasn't increased since they
 * were read, and this evaluation covers all requests. If the loop has claimed a row and is waiting for the
 * lock, it then finds that its lease has ended.
 */
const isFinished = sql`
  processed_seq = requested_seq, attempts = 0, lease_token = NULL, lease_until = NULL, last_evaluated_at = pacekeeper_now(),
  version_reading = ${sql.lit(parserVersion)}, platform_words = finished.platform_words, due_at = finished.next_due_at,
  opening_cause = CASE WHEN finished.keeps_cause THEN opening_cause END,
  opening_cause_until = CASE WHEN finished.keeps_cause THEN opening_cause_until END, steady_fingerprint = finished.fingerprint,
  steady_until = CASE WHEN finished.fingerprint IS NOT NULL THEN finished.next_due_at END`;

/** Finishes configurations whose evaluation changed nothing. */
export async function finishUnchangedConfigs(tx: Tx, finishes: readonly EvaluationResult[]): Promise<void> {
  if (finishes.length === 0) return;
  await sql`
    UPDATE alert_configs SET ${isFinished}
    FROM unnest(
      ${finishes.map(({ organizationId }) => organizationId)}::bigint[], ${finishes.map(({ id }) => id)}::bigint[],
      ${finishes.map(({ nextEvaluationAtMs }) => toInstant(nextEvaluationAtMs))}::timestamptz[],
      ${finishes.map(({ unchangedFingerprint }) => unchangedFingerprint)}::text[],
      ${finishes.map(({ platformWords }) => platformWords)}::text[],
      ${finishes.map(({ keepsOpeningCause }) => keepsOpeningCause)}::boolean[]
    ) AS finished (organization_id, id, next_due_at, fingerprint, platform_words, keeps_cause)
    WHERE alert_configs.organization_id = finished.organization_id AND alert_configs.id = finished.id`.execute(
    tx,
  );
}

/**
 * Finishes configurations and stores the results of their evaluations in one statement, with one new version
 * of each row.
 */
export async function finishChangedConfigs(tx: Tx, finishes: readonly ChangedFinish[]): Promise<void> {
  if (finishes.length === 0) return;
  const rows = finishes.map(
    ({
      organizationId,
      id,
      nextEvaluationAtMs,
      unchangedFingerprint,
      platformWords,
      keepsOpeningCause,
      after,
    }) => ({
      organization_id: organizationId,
      id,
      next_due_at: toInstant(nextEvaluationAtMs),
      fingerprint: unchangedFingerprint,
      platform_words: platformWords,
      keeps_cause: keepsOpeningCause,
      state: after.state,
      state_reason: after.stateReason,
      severity: after.severity,
      deployed_version: after.deployedVersion,
      latest_version: after.latestVersion,
      latest_stable_version: after.latestStableVersion,
      mirror_job_id: after.mirrorJobId,
      mirror_version: after.mirrorVersion,
      behind_by: after.behindBy,
      behind_since: after.behindSinceMs === null ? null : new Date(after.behindSinceMs).toISOString(),
      ends_at: after.endsAtMs === null ? null : new Date(after.endsAtMs).toISOString(),
      vulnerability_ids: after.vulnerabilityIds,
      crossed_at: after.crossedAtMs === null ? null : new Date(after.crossedAtMs).toISOString(),
      muted_version: after.mutedVersion,
      muted_severity: after.mutedSeverity,
      is_reconfigured: after.isReconfigured,
      explanation_fingerprint: after.explanationFingerprint,
    }),
  );
  const explanations = finishes.flatMap(({ organizationId, id, explanation }) =>
    explanation === null ? [] : { organization_id: organizationId, alert_config_id: id, explanation },
  );
  await sql`
    WITH explained AS (
      INSERT INTO alert_config_explanations (organization_id, alert_config_id, explanation)
      SELECT organization_id, alert_config_id, explanation
      FROM jsonb_to_recordset(${JSON.stringify(explanations)}::jsonb)
        AS e (organization_id bigint, alert_config_id bigint, explanation jsonb)
      ON CONFLICT (organization_id, alert_config_id)
      DO UPDATE SET explanation = EXCLUDED.explanation, updated_at = pacekeeper_now()
    )
    UPDATE alert_configs
    SET ${isFinished}, state = finished.state, state_reason = finished.state_reason, severity = finished.severity,
        deployed_version = finished.deployed_version, latest_version = finished.latest_version,
        latest_stable_version = finished.latest_stable_version, mirror_job_id = finished.mirror_job_id,
        mirror_version = finished.mirror_version, behind_by = finished.behind_by,
        behind_since = finished.behind_since, ends_at = finished.ends_at, crossed_at = finished.crossed_at,
        vulnerability_ids = finished.vulnerability_ids, muted_version = finished.muted_version,
        muted_severity = finished.muted_severity, is_reconfigured = finished.is_reconfigured,
        explanation_fingerprint = finished.explanation_fingerprint
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS finished (
      organization_id bigint, id bigint, next_due_at timestamptz, fingerprint text, platform_words text, keeps_cause boolean, state text, state_reason text,
      severity text, deployed_version text, latest_version text, latest_stable_version text, mirror_job_id bigint, mirror_version text, behind_by integer,
      behind_since timestamptz, ends_at timestamptz, vulnerability_ids text[], crossed_at timestamptz, muted_version text, muted_severity text, is_reconfigured boolean,
      explanation_fingerprint text)
    WHERE alert_configs.organization_id = finished.organization_id AND alert_configs.id = finished.id`.execute(
    tx,
  );
}

function toInstant(ms: number | null): string {
  return ms === null ? 'infinity' : new Date(ms).toISOString();
}
