import { type RawBuilder, sql } from 'kysely';
import type {
  ConfigEvaluation,
  ConfigState,
  ConfigStateReason,
} from '../../../domain/alerts/config-evaluation.ts';
import type { Explanation } from '../../../domain/rules/explanation.ts';
import type { DaysBasis } from '../../../domain/rules/rule-type.ts';
import type { RuleTypeId } from '../../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionReading } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { type OpenAlertRow, openAlertColumns } from '../../alerts/index.ts';

/** All that an evaluation compares, in one row. */
export interface EvaluationRow {
  organization_id: number;
  id: number;
  name: string;
  labels: Record<string, string>;
  candidate_pattern: string | null;
  ignored_versions: string[];
  counted_versions: string[];
  /** When each of `counted_versions` was added, in the same order. */
  counted_since: Date[];
  is_active: boolean;
  is_reconfigured: boolean;
  state: ConfigState;
  state_reason: ConfigStateReason | null;
  severity: AlertSeverity | null;
  deployed_version: string | null;
  latest_version: string | null;
  latest_stable_version: string | null;
  behind_by: number | null;
  behind_since: Date | null;
  crossed_at: Date | null;
  quiet_version: string | null;
  quiet_severity: AlertSeverity | null;
  explanation_fingerprint: string | null;
  last_evaluated_at: Date | null;
  /** How versions were read in the last evaluation. Null if that wasn't recorded yet. */
  version_reading: number | null;
  steady_fingerprint: string | null;
  /** `Infinity` when time alone changes nothing. */
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
  rule_is_active: boolean;
  scraped_version: string | null;
  repository_url: string | null;
  target_file: string | null;
  gather_organization_id: number;
  gather_job_id: number;
  version_scheme: VersionSchemeId;
  is_image: boolean;
  releases_revision: number;
  artifact_name: string;
  stale_since: Date | null;
  open_alert: OpenAlertRow | null;
}

/**
 * Locks configurations in the order of their ids and reads what they are compared by. Nobody acts on their alerts
 * until the transaction ends, for whoever does locks the configuration first.
 */
export async function lockConfigsToEvaluate(
  tx: Tx,
  where: RawBuilder<unknown>,
  limit?: number,
): Promise<{ rows: EvaluationRow[]; now: Date }> {
  // The lock comes first: what is read beside it in the same statement could be older than the lock.
  const { rows: locked } = await sql<{ organization_id: number; id: number }>`
    SELECT organization_id, id FROM alert_configs WHERE ${where}
    ORDER BY organization_id, id ${limit === undefined ? sql`` : sql`LIMIT ${limit}`} FOR UPDATE`.execute(tx);
  if (locked.length === 0) return { rows: [], now: new Date(0) };
  // The configurations by themselves first: joined in one go they are multiplied by all rules of their organization.
  const { rows } = await sql<EvaluationRow & { now: Date }>`
    WITH c AS MATERIALIZED (
      SELECT alert_configs.* FROM unnest(
        ${locked.map((row) => row.organization_id)}::bigint[], ${locked.map((row) => row.id)}::bigint[]
      ) AS chosen (organization_id, id)
      JOIN alert_configs USING (organization_id, id)
    )
    SELECT c.organization_id, c.id, c.name, c.labels, c.candidate_pattern, c.ignored_versions,
      c.counted_versions, c.counted_since, c.is_active,
      c.is_reconfigured, c.state, c.state_reason, c.severity, c.deployed_version, c.latest_version,
      c.latest_stable_version, c.behind_by, c.behind_since, c.crossed_at, c.quiet_version, c.quiet_severity,
      c.explanation_fingerprint, c.last_evaluated_at, c.version_reading, c.steady_fingerprint,
      (extract(epoch FROM c.steady_until) * 1000)::float8 AS steady_until_ms,
      r.id AS rule_id, r.name AS rule_name, r.rule_type, r.threshold_moderate, r.threshold_high, r.threshold_critical,
      r.stable_only, r.days_basis, r.min_release_age_days, r.is_active AS rule_is_active,
      s.latest_version AS scraped_version, s.repository_url, s.target_file,
      c.gather_organization_id, c.gather_job_id, g.version_scheme, g.source_type = 'oci_registry' AS is_image,
      g.releases_revision, g.artifact_name,
      least(s.failing_since, g.failing_since, h.failing_since) AS stale_since,
      CASE WHEN a.id IS NULL THEN NULL ELSE ${openAlertColumns('a')} END AS open_alert,
      pacekeeper_now() AS now
    FROM c
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    LEFT JOIN helm_sync_jobs h ON h.organization_id = g.organization_id AND h.id = g.helm_sync_job_id
    LEFT JOIN alerts a ON a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL
    ORDER BY c.organization_id, c.id`.execute(tx);
  return { rows: rows.map(({ now: _now, ...row }) => row), now: rows[0]!.now };
}

/** Of the organization `o`: this program has evaluated all of its configurations that were evaluated before. */
export const isEvaluatedByThisReading = sql<boolean>`NOT EXISTS (
  SELECT FROM alert_configs
  WHERE alert_configs.organization_id = o.id AND alert_configs.last_evaluated_at IS NOT NULL
    AND alert_configs.version_reading IS DISTINCT FROM ${sql.lit(versionReading)})`;

export interface ConfigWrite {
  organizationId: number;
  id: number;
  after: ConfigEvaluation;
}

/** Writes what evaluations made of configurations, in one statement. */
export async function writeConfigEvaluations(tx: Tx, writes: readonly ConfigWrite[]): Promise<void> {
  if (writes.length === 0) return;
  const rows = writes.map(({ organizationId, id, after }) => ({
    organization_id: organizationId,
    id,
    state: after.state,
    state_reason: after.stateReason,
    severity: after.severity,
    deployed_version: after.deployedVersion,
    latest_version: after.latestVersion,
    latest_stable_version: after.latestStableVersion,
    behind_by: after.behindBy,
    behind_since: after.behindSinceMs === null ? null : new Date(after.behindSinceMs).toISOString(),
    crossed_at: after.crossedAtMs === null ? null : new Date(after.crossedAtMs).toISOString(),
    quiet_version: after.mutedVersion,
    quiet_severity: after.mutedSeverity,
    is_reconfigured: after.isReconfigured,
    explanation_fingerprint: after.explanationFingerprint,
  }));
  await sql`
    UPDATE alert_configs c
    SET state = w.state, state_reason = w.state_reason, severity = w.severity, deployed_version = w.deployed_version,
        latest_version = w.latest_version, latest_stable_version = w.latest_stable_version, behind_by = w.behind_by,
        behind_since = w.behind_since, crossed_at = w.crossed_at, quiet_version = w.quiet_version, quiet_severity = w.quiet_severity,
        is_reconfigured = w.is_reconfigured, explanation_fingerprint = w.explanation_fingerprint
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w (
      organization_id bigint, id bigint, state text, state_reason text, severity text, deployed_version text,
      latest_version text, latest_stable_version text, behind_by integer, behind_since timestamptz, crossed_at timestamptz,
      quiet_version text, quiet_severity text, is_reconfigured boolean, explanation_fingerprint text)
    WHERE c.organization_id = w.organization_id AND c.id = w.id`.execute(tx);
}

export async function writeExplanations(
  tx: Tx,
  explanations: readonly { organizationId: number; id: number; explanation: Explanation }[],
): Promise<void> {
  if (explanations.length === 0) return;
  const rows = explanations.map(({ organizationId, id, explanation }) => ({
    organization_id: organizationId,
    alert_config_id: id,
    explanation,
  }));
  await sql`
    INSERT INTO alert_config_explanations (organization_id, alert_config_id, explanation)
    SELECT organization_id, alert_config_id, explanation
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS e (organization_id bigint, alert_config_id bigint, explanation jsonb)
    ON CONFLICT (organization_id, alert_config_id)
    DO UPDATE SET explanation = EXCLUDED.explanation, updated_at = pacekeeper_now()`.execute(tx);
}

export interface Finish {
  organizationId: number;
  id: number;
  /** When time alone changes something; null for never. */
  nextEvaluationAtMs: number | null;
  /** Of what was compared, when that changed nothing. */
  unchangedFingerprint: string | null;
}

/**
 * Handled as of now, which is after the lock: what is wanted by then has been seen. A claim of the loop that came before
 * and waited for the lock finds its lease gone.
 */
export async function finishConfigs(tx: Tx, finishes: readonly Finish[]): Promise<void> {
  if (finishes.length === 0) return;
  await sql`
    UPDATE alert_configs
    SET done = wanted, attempts = 0, lease_token = NULL, lease_until = NULL, last_evaluated_at = pacekeeper_now(),
        version_reading = ${versionReading}, due_at = finished.next_due_at, steady_fingerprint = finished.fingerprint,
        steady_until = CASE WHEN finished.fingerprint IS NOT NULL THEN finished.next_due_at END
    FROM unnest(
      ${finishes.map(({ organizationId }) => organizationId)}::bigint[], ${finishes.map(({ id }) => id)}::bigint[],
      ${finishes.map(({ nextEvaluationAtMs }) => toInstant(nextEvaluationAtMs))}::timestamptz[],
      ${finishes.map(({ unchangedFingerprint }) => unchangedFingerprint)}::text[]
    ) AS finished (organization_id, id, next_due_at, fingerprint)
    WHERE alert_configs.organization_id = finished.organization_id AND alert_configs.id = finished.id`.execute(
    tx,
  );
}

function toInstant(ms: number | null): string {
  return ms === null ? 'infinity' : new Date(ms).toISOString();
}
