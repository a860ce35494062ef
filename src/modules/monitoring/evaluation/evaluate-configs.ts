import { hash, randomUUID } from 'node:crypto';
import packageJson from '../../../../package.json' with { type: 'json' };
import { type ConfigEvaluation, listDoubtAt } from '../../../domain/alerts/config-evaluation.ts';
import { type Decision, decideAlerts } from '../../../domain/alerts/decide-alerts.ts';
import { createDeployedVersionParser } from '../../../domain/alerts/version-change.ts';
import type { CountedVersion } from '../../../domain/rules/candidates.ts';
import { judge } from '../../../domain/rules/judge.ts';
import type { ReleaseSet } from '../../../domain/rules/release-set.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import {
  type AlertChanges,
  applyAlertChanges,
  readSubjectsLocked,
  toAlertState,
} from '../../alerts/index.ts';
import {
  createOpeningDigestsAcrossOrganizations,
  openingDigestBatchSize,
} from '../../notifications/index.ts';
import { isCauseOver, isChangeKey } from '../trigger-evaluation.ts';
import { candidatePattern } from './candidate-pattern.ts';
import { toComparedRule } from './compared-rule.ts';
import {
  type ChangedFinish,
  type EvaluationResult,
  type EvaluationRow,
  finishChangedConfigs,
  finishUnchangedConfigs,
} from './evaluation-queries.ts';
import { listDoubtOf } from './list-doubt.ts';
import type { GatherJobKey, ReleaseCache } from './release-cache.ts';
import type { SupportKey } from './support-cache.ts';
import { type SharedSupport, supportFacts } from './support-queries.ts';
import type { VulnerabilityKey } from './vulnerability-cache.ts';
import { type SharedVulnerabilities, vulnerabilityFacts } from './vulnerability-queries.ts';

export interface EvaluatedConfig {
  row: EvaluationRow;
  decision: Decision;
}

/**
 * Evaluates configurations that the caller has locked: reads the releases, decides in pure code, and writes
 * only changed values. If the last evaluation of a configuration changed nothing and its input is still the
 * same, its releases aren't loaded and it isn't compared. When a whole organization is evaluated, this
 * applies to most configurations.
 */
export async function evaluateConfigs(
  tx: Tx,
  { rows, now }: { rows: readonly EvaluationRow[]; now: Date },
  releaseCache: ReleaseCache,
): Promise<EvaluatedConfig[]> {
  const looked = rows.map((row) => ({ row, fingerprint: fingerprintOf(row) }));
  const toDecide = new Set(looked.filter(({ row, fingerprint }) => !isSteady(row, fingerprint, now)));
  const releasesOf = await releaseCache.load(
    tx,
    [...toDecide].flatMap(({ row }) =>
      row.mirror === null ? gatherJobOf(row) : [gatherJobOf(row), row.mirror],
    ),
  );
  const supportOf = await releaseCache.support.load(
    tx,
    [...toDecide].map(({ row }) => supportKeyOf(row)),
  );
  const vulnerabilitiesOf = await releaseCache.vulnerabilities.load(
    tx,
    [...toDecide].map(({ row }) => vulnerabilityKeyOf(row)),
  );
  const evaluated: (EvaluatedConfig & { fingerprint: string })[] = [];
  // Between slices, other requests and the evaluations of other organizations can continue.
  const slices = new TimeSlices();
  for (const each of looked) {
    const { row, fingerprint } = each;
    const decision = toDecide.has(each)
      ? decide(
          row,
          releasesOf(gatherJobOf(row)),
          {
            mirrored: row.mirror && releasesOf(row.mirror),
            support: supportOf(supportKeyOf(row)),
            vulnerabilities: vulnerabilitiesOf(vulnerabilityKeyOf(row)),
          },
          now,
        )
      : skipped(toConfigEvaluation(row), row.steady_until_ms!);
    evaluated.push({ row, fingerprint, decision });
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }

  for (const [organizationId, ofOne] of Map.groupBy(evaluated, ({ row }) => row.organization_id)) {
    nameSharedCause(ofOne);
    await applyChangesOfOneOrganization(tx, organizationId, ofOne, now);
  }
  const changed: ChangedFinish[] = [];
  const unchanged: EvaluationResult[] = [];
  for (const { row, fingerprint, decision } of evaluated) {
    const finish: EvaluationResult = {
      organizationId: row.organization_id,
      id: row.id,
      nextEvaluationAtMs: decision.nextEvaluationAtMs,
      unchangedFingerprint: decision.isUnchanged ? fingerprint : null,
      platformWords: row.platform_words,
      keepsOpeningCause: row.opening_cause !== null && decision.config.stateReason === 'no_release',
    };
    const { config: after, explanation } = decision;
    if (decision.isConfigChanged || explanation) changed.push({ ...finish, after, explanation });
    else unchanged.push(finish);
  }
  await finishChangedConfigs(tx, changed);
  await finishUnchangedConfigs(tx, unchanged);
  await sendOpenedTogether(tx, evaluated);
  for (const { organizationId, id } of changed) wake(tx, changeTopic(organizationId, 'alert_config', id));
  return evaluated;
}

/** Minimum number of alerts that one evaluation must open to send them together even if their causes differ. */
const togetherFrom = 4;

/**
 * If one evaluation opens many alerts with different causes, replaces the causes with a common one. Alerts
 * that were opened by a change to a resource keep their cause, because further evaluations can open more
 * alerts for the same change.
 */
function nameSharedCause(evaluated: readonly EvaluatedConfig[]): void {
  const opened = evaluated.flatMap(({ row, decision }) =>
    decision.newAlert && (row.opening_cause === null || !isChangeKey(row.opening_cause)) ? [row] : [],
  );
  const isOneRelease = new Set(opened.map((row) => row.opening_cause ?? row.id)).size < 2;
  if (opened.length < togetherFrom || isOneRelease) return;
  const cause = `evaluation ${randomUUID()}`;
  for (const row of opened) row.opening_cause = cause;
}

/** Sends the notifications of alerts with a common cause when the last alert of the cause has been opened. */
async function sendOpenedTogether(tx: Tx, evaluated: readonly EvaluatedConfig[]): Promise<void> {
  const causes = new Map(
    evaluated.flatMap(({ row: { organization_id: organizationId, opening_cause: cause } }) =>
      cause === null ? [] : [[`${organizationId} ${cause}`, { organizationId, cause }]],
    ),
  );
  if (causes.size === 0) return;
  let count: number;
  do {
    count = await createOpeningDigestsAcrossOrganizations(tx, isCauseOver, [...causes.values()]);
  } while (count === openingDigestBatchSize);
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
    isDeployed: row.is_deployed,
    platformWords: row.platform_words,
    revision: row.releases_revision,
  };
}

function supportKeyOf(row: EvaluationRow): SupportKey {
  return { gatherJob: gatherJobOf(row), lifecycle: row.lifecycle };
}

function vulnerabilityKeyOf(row: EvaluationRow): VulnerabilityKey {
  return { gatherJob: gatherJobOf(row), vulnerabilities: row.vulnerabilities };
}

/** Data about the upstream of a configuration, in addition to its releases. */
interface SharedFacts {
  /** The releases of a mirror. */
  mirrored: ReleaseSet | null;
  support: SharedSupport | null;
  vulnerabilities: SharedVulnerabilities | null;
}

function decide(row: EvaluationRow, releases: ReleaseSet, shared: SharedFacts, now: Date): Decision {
  const nowMs = now.getTime();
  const isActive = row.is_active && row.rule_is_active;
  const verdict = isActive
    ? judge({
        rule: toComparedRule(row),
        options: {
          candidatePattern: candidatePattern(row.candidate_pattern),
          ignoredVersions: [...row.job_ignored_versions, ...row.ignored_versions],
          countedVersions: [
            ...toCountedVersions(row.job_counted_versions, row.job_counted_since),
            ...toCountedVersions(row.counted_versions, row.counted_since),
          ],
        },
        deployedVersion: row.scraped_version,
        releases,
        mirrored: shared.mirrored,
        support: supportFacts(shared.support, row.lifecycle, row.lifecycle_override),
        vulnerabilities: vulnerabilityFacts(
          shared.vulnerabilities,
          row.vulnerabilities,
          row.ignored_vulnerabilities,
        ),
        dataGap: row.data_gap,
        isArchived: row.is_archived,
        hasReleases: row.has_releases,
        nowMs,
      })
    : null;
  return decideAlerts({
    verdict,
    staleSinceMs: row.stale_since?.getTime() ?? null,
    listDoubt: listDoubtAt(listDoubtOf(row), nowMs),
    mirrorJobId: row.mirror?.id ?? null,
    endedBy: row.ended_by,
    reading: createDeployedVersionParser(releases, candidatePattern(row.candidate_pattern)),
    config: toConfigEvaluation(row),
    openAlert: row.open_alert ? toAlertState(row.open_alert) : null,
    isReadingChanged: isReadingChanged(row),
    nowMs,
  });
}

function toCountedVersions(versions: readonly string[], since: readonly Date[]): CountedVersion[] {
  return versions.map((version, index) => ({ version, sinceMs: since[index]?.getTime() ?? 0 }));
}

/** True if the releases themselves are unchanged, but are interpreted differently than in the last evaluation. */
function isReadingChanged(row: EvaluationRow): boolean {
  if (row.last_evaluated_at === null) return false;
  // Platform words can differ if the configuration has another gather job, which isn't a different
  // interpretation.
  const hasOtherWords = !row.is_reconfigured && row.evaluated_platform_words !== row.platform_words;
  return row.version_reading !== parserVersion || hasOtherWords;
}

function toConfigEvaluation(row: EvaluationRow): ConfigEvaluation {
  return {
    state: row.state,
    stateReason: row.state_reason,
    severity: row.severity,
    deployedVersion: row.deployed_version,
    latestVersion: row.latest_version,
    latestStableVersion: row.latest_stable_version,
    mirrorJobId: row.mirror_job_id,
    mirrorVersion: row.mirror_version,
    behindBy: row.behind_by,
    behindSinceMs: row.behind_since?.getTime() ?? null,
    endsAtMs: row.ends_at?.getTime() ?? null,
    vulnerabilityIds: row.vulnerability_ids,
    crossedAtMs: row.crossed_at?.getTime() ?? null,
    mutedVersion: row.muted_version,
    mutedSeverity: row.muted_severity,
    isReconfigured: row.is_reconfigured,
    explanationFingerprint: row.explanation_fingerprint,
  };
}

async function applyChangesOfOneOrganization(
  tx: Tx,
  organizationId: number,
  evaluated: readonly EvaluatedConfig[],
  now: Date,
): Promise<void> {
  const toOpen: AlertChanges[] = [];
  const toFollow: AlertChanges[] = [];
  // If an alert ends because its configuration was changed to another comparison, the alert keeps its former
  // subject. People who were notified recognize it.
  const movedAlertIds = evaluated.flatMap(({ row, decision }) =>
    row.is_reconfigured && decision.openAlert && row.open_alert ? row.open_alert.id : [],
  );
  const subjectOfMoved = await readSubjectsLocked(tx, organizationId, movedAlertIds);
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
      toFollow.push({
        subject: subjectOfMoved.get(alert.id) ?? subject,
        alert,
        write: decision.openAlert,
        // The scraped version of a reconfigured configuration belongs to its new comparison, so don't store
        // it in the alert.
        deployedVersion: row.is_reconfigured ? null : row.scraped_version,
        knownExploited: knownExploitedIn(decision),
      });
    }
    if (decision.newAlert)
      toOpen.push({
        subject,
        alert: null,
        write: decision.newAlert,
        knownExploited: knownExploitedIn(decision),
        openingCause: row.opening_cause,
      });
  }
  // Close the open alert of a configuration before opening a new one, because a configuration can have only
  // one open alert.
  await applyAlertChanges(tx, organizationId, toFollow, now);
  await applyAlertChanges(tx, organizationId, toOpen, now);
}

/** Returns the IDs of the known exploited vulnerabilities. Every alert that opens or escalates has a new explanation. */
function knownExploitedIn({ explanation }: Decision): string[] {
  const findings = explanation?.vulnerabilities?.findings ?? [];
  return findings.flatMap(({ id, known_exploited_since: since }) => (since === undefined ? [] : [id]));
}

/**
 * Returns a fingerprint of all inputs of an evaluation. It includes the revision of the releases, the version of the
 * program, and the version of its parser.
 */
function fingerprintOf(row: EvaluationRow): string {
  const { steady_fingerprint: _is, steady_until_ms: _until, last_evaluated_at: _at, ...rest } = row;
  const { version_reading: _by, evaluated_platform_words: _words, ...compared } = rest;
  const how = [packageJson.version, parserVersion];
  return hash('sha256', JSON.stringify([how, compared]), 'base64url').slice(0, 22);
}

/**
 * True if an evaluation would change nothing: the last evaluation changed nothing, the data is still the
 * same, not enough time has passed to change the result, and the clock hasn't been set back.
 */
function isSteady(row: EvaluationRow, fingerprint: string, now: Date): boolean {
  if (row.steady_fingerprint !== fingerprint || row.last_evaluated_at === null) return false;
  return row.last_evaluated_at <= now && now.getTime() < (row.steady_until_ms ?? 0);
}
