import type { ConfigEvaluation } from '../../../domain/alerts/config-evaluation.ts';
import { type Decision, decideAlerts } from '../../../domain/alerts/decide-alerts.ts';
import { judge } from '../../../domain/rules/judge.ts';
import type { ReleaseSet } from '../../../domain/rules/release-set.ts';
import { versionReading } from '../../../domain/versions/versions.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { type AlertChanges, applyAlertChanges, toAlertState } from '../../alerts/index.ts';
import { candidatePattern } from './candidate-pattern.ts';
import {
  type EvaluationRow,
  finishConfigs,
  writeConfigEvaluations,
  writeExplanations,
} from './evaluation-queries.ts';
import type { GatherJobKey, ReleaseCache } from './release-cache.ts';
import { fingerprintOf, isSteady } from './steady-config.ts';

export interface Evaluated {
  row: EvaluationRow;
  decision: Decision;
}

/**
 * Evaluates configurations that the caller has locked and finishes them: reads the releases, decides in pure code, and
 * writes only what has changed. What is compared with the very same as last time, when that changed nothing, is not
 * compared again, and its releases are not read: most of a call for all of an organization.
 */
export async function evaluateConfigs(
  tx: Tx,
  { rows, now }: { rows: readonly EvaluationRow[]; now: Date },
  releaseCache: ReleaseCache,
  wakeUps: WakeUps,
): Promise<Evaluated[]> {
  const looked = rows.map((row) => ({ row, fingerprint: fingerprintOf(row) }));
  const toDecide = new Set(looked.filter(({ row, fingerprint }) => !isSteady(row, fingerprint, now)));
  const releasesOf = await releaseCache.load(
    tx,
    [...toDecide].map(({ row }) => gatherJobOf(row)),
  );
  const evaluated = looked.map((each) => {
    const { row, fingerprint } = each;
    const decision = toDecide.has(each)
      ? decide(row, releasesOf(gatherJobOf(row)), now)
      : skipped(toConfigEvaluation(row), row.steady_until_ms!);
    return { row, fingerprint, decision };
  });

  const changed = evaluated.filter(({ decision }) => decision.isConfigChanged);
  await writeConfigEvaluations(
    tx,
    changed.map(({ row, decision }) => ({
      organizationId: row.organization_id,
      id: row.id,
      after: decision.config,
    })),
  );
  await writeExplanations(
    tx,
    evaluated.flatMap(({ row, decision: { explanation } }) =>
      explanation ? { organizationId: row.organization_id, id: row.id, explanation } : [],
    ),
  );
  for (const [organizationId, ofOne] of Map.groupBy(evaluated, ({ row }) => row.organization_id)) {
    await applyChangesOfOneOrganization(tx, organizationId, ofOne, now, wakeUps);
  }
  await finishConfigs(
    tx,
    evaluated.map(({ row, fingerprint, decision }) => ({
      organizationId: row.organization_id,
      id: row.id,
      nextEvaluationAtMs: decision.nextEvaluationAtMs,
      unchangedFingerprint: decision.isUnchanged ? fingerprint : null,
    })),
  );
  for (const { row } of changed)
    wakeUps.wakeAfterCommit(tx, `changes:${row.organization_id}/alert_config/${row.id}`);
  return evaluated;
}

function skipped(config: ConfigEvaluation, untilMs: number): Decision {
  return {
    isUnchanged: true,
    config,
    isConfigChanged: false,
    explanation: null,
    openAlert: null,
    newAlert: null,
    nextEvaluationAtMs: Number.isFinite(untilMs) ? untilMs : null,
  };
}

function gatherJobOf(row: EvaluationRow): GatherJobKey {
  return {
    organizationId: row.gather_organization_id,
    id: row.gather_job_id,
    scheme: row.version_scheme,
    isImage: row.is_image,
    revision: row.releases_revision,
  };
}

function decide(row: EvaluationRow, releases: ReleaseSet, now: Date): Decision {
  const nowMs = now.getTime();
  const isActive = row.is_active && row.rule_is_active;
  const verdict = isActive
    ? judge({
        rule: {
          type: row.rule_type,
          thresholds: {
            moderate: row.threshold_moderate,
            high: row.threshold_high,
            critical: row.threshold_critical,
          },
          stableOnly: row.stable_only,
          daysBasis: row.days_basis,
          minReleaseAgeDays: row.min_release_age_days,
        },
        options: {
          candidatePattern: candidatePattern(row.candidate_pattern),
          ignoredVersions: row.ignored_versions,
          countedVersions: row.counted_versions.map((version, index) => ({
            version,
            sinceMs: row.counted_since[index]?.getTime() ?? nowMs,
          })),
        },
        deployedVersion: row.scraped_version,
        releases,
        nowMs,
      })
    : null;
  return decideAlerts({
    verdict,
    staleSinceMs: row.stale_since?.getTime() ?? null,
    scheme: releases.scheme,
    config: toConfigEvaluation(row),
    openAlert: row.open_alert ? toAlertState(row.open_alert) : null,
    isReadingChanged: row.last_evaluated_at !== null && row.version_reading !== versionReading,
    nowMs,
  });
}

function toConfigEvaluation(row: EvaluationRow): ConfigEvaluation {
  return {
    state: row.state,
    stateReason: row.state_reason,
    severity: row.severity,
    deployedVersion: row.deployed_version,
    latestVersion: row.latest_version,
    latestStableVersion: row.latest_stable_version,
    behindBy: row.behind_by,
    behindSinceMs: row.behind_since?.getTime() ?? null,
    crossedAtMs: row.crossed_at?.getTime() ?? null,
    mutedVersion: row.quiet_version,
    mutedSeverity: row.quiet_severity,
    isReconfigured: row.is_reconfigured,
    explanationFingerprint: row.explanation_fingerprint,
  };
}

async function applyChangesOfOneOrganization(
  tx: Tx,
  organizationId: number,
  evaluated: readonly Evaluated[],
  now: Date,
  wakeUps: WakeUps,
): Promise<void> {
  const toOpen: AlertChanges[] = [];
  const toFollow: AlertChanges[] = [];
  for (const { row, decision } of evaluated) {
    const subject = {
      alertConfigId: row.id,
      configName: row.name,
      ruleId: row.rule_id,
      ruleName: row.rule_name,
      ruleType: row.rule_type,
      artifactName: row.artifact_name,
      repositoryUrl: row.repository_url,
      targetFile: row.target_file,
      labels: row.labels,
    };
    if (decision.openAlert && row.open_alert) {
      const alert = {
        id: row.open_alert.id,
        lastSequence: row.open_alert.last_sequence,
        before: toAlertState(row.open_alert),
      };
      toFollow.push({ subject, alert, write: decision.openAlert });
    }
    if (decision.newAlert) toOpen.push({ subject, alert: null, write: decision.newAlert });
  }
  // The open alert of a configuration is closed before its new one is opened: there is at most one.
  await applyAlertChanges(tx, organizationId, toFollow, now, wakeUps);
  await applyAlertChanges(tx, organizationId, toOpen, now, wakeUps);
}
