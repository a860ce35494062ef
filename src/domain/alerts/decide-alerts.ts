import { systemActor } from '../audit/actor.ts';
import { type Explanation, explain } from '../rules/explanation.ts';
import type { Verdict } from '../rules/judge.ts';
import { isCountedToward } from '../rules/judge-findings.ts';
import { type AlertSeverity, isHigherSeverity } from '../rules/severity.ts';
import { earlierTime } from '../scheduling/earlier-time.ts';
import { applyVerdict, createAlert, expireSnooze } from './apply-verdict.ts';
import {
  type ConfigEvaluation,
  type ConfigStateReason,
  initialEvaluation,
  type ListDoubt,
  notMuted,
} from './config-evaluation.ts';
import { type AlertState, type AlertWrite, type ChangeCause, isSnoozed, resolveAlert } from './open-alert.ts';
import { type DeployedVersionParser, isDifferentVersion, isUpgrade } from './version-change.ts';

export interface DecideInput {
  /** `null` if the rule or the configuration is disabled. */
  readonly verdict: Verdict | null;
  /** Set if a discovery job found that the deployment no longer exists or was replaced. */
  readonly endedBy?: 'gone' | 'replaced' | null;
  /**
   * Time since which a source of this configuration has been failing. `null` if no source has failed for longer than
   * the limit.
   */
  readonly staleSinceMs: number | null;
  /** Set if newer releases might be missing from the list. `null` if the list contains the newest releases. */
  readonly listDoubt?: ListDoubt | null;
  /** The gather job that provides the releases of the mirror in the verdict. `null` if there's no mirror. */
  readonly mirrorJobId?: number | null;
  /** Parses deployed versions in the context of the releases that the verdict is based on. */
  readonly reading: DeployedVersionParser;
  /** Configuration as stored by the last evaluation or by a later action. */
  readonly config: ConfigEvaluation;
  readonly openAlert: AlertState | null;
  /** True if the last evaluation ran in a release of Pacekeeper that parses versions differently. */
  readonly isReadingChanged?: boolean;
  readonly nowMs: number;
}

/**
 * Changes that result from an evaluation. Write them in one transaction, and write the open alert before the new one.
 */
export interface Decision {
  /** True if nothing must be written. `nextEvaluationAtMs` can still differ from the scheduled time. */
  readonly isUnchanged: boolean;
  readonly config: ConfigEvaluation;
  readonly isConfigChanged: boolean;
  /** Replaces the stored explanation; `null` if the stored one is still current. */
  readonly explanation: Explanation | null;
  /** The database write for the open alert, or `null` if that alert doesn't change. */
  readonly openAlert: AlertWrite | null;
  /** The database write that opens a new alert, or `null` if no alert opens. */
  readonly newAlert: AlertWrite | null;
  /** Time of the next change if nothing but time changes; `null` for never. */
  readonly nextEvaluationAtMs: number | null;
}

/**
 * Returns the changes that follow from a verdict. The function is pure and idempotent: applied to its result,
 * it changes nothing. The system is the actor of all these changes. Actions by people are in
 * `alert-actions.ts`.
 */
export function decideAlerts(input: DecideInput): Decision {
  const { config, nowMs } = input;
  if (input.verdict === null) return decideInactive(input);
  const verdict = { ...input.verdict, crossedAtMs: crossedAtMs(input.verdict, input) };

  const { listDoubt = null } = input;
  if (verdict.requiresCompleteList && listDoubt !== null) return decideUnconfirmed(input, verdict, listDoubt);

  const shouldResolveReconfigured = config.isReconfigured && input.openAlert !== null;
  const isParsingChanged = isOnlyParsingChanged(input);
  const moved = shouldResolveReconfigured
    ? resolveAlert(input.openAlert, 'reconfigured', systemActor, nowMs)
    : null;
  const openAlert = shouldResolveReconfigured ? null : input.openAlert;
  const mute = config.isReconfigured ? notMuted : config;

  const outcome = decideActive({ ...input, verdict, openAlert, isReadingChanged: isParsingChanged }, mute);
  const cause = isParsingChanged ? 'reading_changed' : null;
  const remaining = outcome.newAlert?.after ?? outcome.openAlert?.after ?? openAlert;
  const isStale = input.staleSinceMs !== null;
  const after: ConfigEvaluation = {
    state: isStale ? 'stale' : verdict.state,
    stateReason: isStale ? 'source_failing' : outcome.stateReason,
    severity: verdict.severity,
    deployedVersion: verdict.deployedVersion,
    latestVersion: verdict.latestVersion,
    latestStableVersion: verdict.latestStableVersion,
    mirrorJobId: input.mirrorJobId ?? null,
    mirrorVersion: verdict.mirrorVersion,
    behindBy: verdict.behindSinceMs === null ? verdict.behindBy : null,
    behindSinceMs: verdict.behindSinceMs,
    endsAtMs: verdict.endsAtMs,
    vulnerabilityIds:
      verdict.vulnerabilities?.map(({ id }) => id) ??
      (config.isReconfigured ? null : config.vulnerabilityIds),
    crossedAtMs: verdict.crossedAtMs,
    mutedVersion: outcome.mute.mutedVersion,
    mutedSeverity: outcome.mute.mutedSeverity,
    isReconfigured: false,
    explanationFingerprint: verdict.explanationFingerprint,
  };
  const isExplained = verdict.explanationFingerprint === config.explanationFingerprint;
  return toDecision(input, after, {
    openAlert: moved ?? withCause(outcome.openAlert, cause),
    newAlert: withCause(outcome.newAlert, cause),
    explanation: isExplained ? null : explain(verdict.evidence),
    nextEvaluationAtMs: earlierTime(verdict.nextCrossingAtMs, endOfSnooze(remaining, nowMs)),
  });
}

/**
 * Decides the state if only a complete list of releases could confirm the verdict. The last confirmed state
 * is kept until `doubt.untilMs` and then becomes `stale`. Without a confirmed state, the state is `no_data`.
 * An open alert always stays open.
 */
function decideUnconfirmed(input: DecideInput, verdict: Verdict, doubt: ListDoubt): Decision {
  const { nowMs, reading } = input;
  const isMoved = input.config.isReconfigured;
  const config = isMoved ? initialEvaluation : input.config;
  const { deployedVersion } = verdict;
  // A state that was confirmed for one deployed version also holds for higher versions.
  const isSameOrHigher =
    config.deployedVersion !== null &&
    deployedVersion !== null &&
    (!isDifferentVersion(reading, config.deployedVersion, deployedVersion) ||
      isUpgrade(reading, config.deployedVersion, deployedVersion));
  const known = isSameOrHigher ? confirmedState(config) : null;
  const isMirror = doubt.reason === 'mirror_only';
  // A list from a mirror can prove a violation but can't confirm `ok`, so a confirmed `ok` isn't kept. A
  // confirmed violation without an open alert isn't kept either, because a person has resolved its alert.
  const confirmed = isMirror && (known === 'ok' || input.openAlert === null) ? null : known;
  const untilMs = isMirror ? nowMs : doubt.untilMs;
  const kept = nowMs < untilMs ? confirmed : null;
  const isSameResult = kept !== null && kept === verdict.state;
  const isFailing = input.staleSinceMs !== null;
  const explanationFingerprint = isSameResult
    ? verdict.explanationFingerprint
    : kept !== null
      ? config.explanationFingerprint
      : `${verdict.explanationFingerprint} ${doubt.reason}`;
  const explanation = explain(verdict.evidence);
  const write =
    input.openAlert === null
      ? null
      : isMoved
        ? resolveAlert(input.openAlert, 'reconfigured', systemActor, nowMs)
        : expireSnooze(input.openAlert, nowMs);
  const openAlert = isMoved ? null : (write?.after ?? input.openAlert);
  const after: ConfigEvaluation = {
    ...config,
    ...(confirmed === null && withoutResult),
    ...(isSameResult && {
      behindBy: verdict.behindSinceMs === null ? verdict.behindBy : null,
      behindSinceMs: verdict.behindSinceMs,
    }),
    ...(isFailing
      ? { state: 'stale', stateReason: 'source_failing' }
      : kept === null
        ? { state: confirmed === null ? 'no_data' : 'stale', stateReason: doubt.reason }
        : {
            state: kept,
            stateReason: keptReason(kept, isSameResult ? verdict : null, config, openAlert, nowMs),
          }),
    deployedVersion,
    latestVersion: verdict.latestVersion,
    latestStableVersion: verdict.latestStableVersion,
    mirrorJobId: input.mirrorJobId ?? null,
    mirrorVersion: verdict.mirrorVersion,
    isReconfigured: false,
    explanationFingerprint,
  };
  return toDecision(input, after, {
    openAlert: write,
    newAlert: null,
    explanation:
      explanationFingerprint === input.config.explanationFingerprint || (kept !== null && !isSameResult)
        ? null
        : isSameResult
          ? explanation
          : {
              ...explanation,
              state: 'no_data',
              state_reason: doubt.reason,
              severity: null,
              reason: null,
            },
    nextEvaluationAtMs: earlierTime(
      kept !== null ? earlierTime(untilMs, verdict.nextCrossingAtMs) : verdict.nextCrossingAtMs,
      endOfSnooze(openAlert, nowMs),
    ),
  });
}

/** Cleared fields of a result, for a configuration without a confirmed result. */
const withoutResult = {
  severity: null,
  behindBy: null,
  behindSinceMs: null,
  endsAtMs: null,
  crossedAtMs: null,
} as const;

/**
 * Returns the state that was confirmed last, or `null` if none was. A stale configuration keeps the severity and
 * the lag of that state.
 */
function confirmedState(config: ConfigEvaluation): 'ok' | 'alerting' | null {
  if (config.state === 'ok' || config.state === 'alerting') return config.state;
  if (config.state !== 'stale') return null;
  if (config.severity !== null) return 'alerting';
  return config.behindBy !== null || config.behindSinceMs !== null ? 'ok' : null;
}

/**
 * @param verdict The verdict if its state equals the kept state, otherwise `null`. With `null`, the last confirmed
 * reason is kept.
 */
function keptReason(
  kept: 'ok' | 'alerting',
  verdict: Verdict | null,
  { state, stateReason, mutedVersion }: ConfigEvaluation,
  openAlert: AlertState | null,
  nowMs: number,
): ConfigStateReason | null {
  if (kept === 'ok') return verdict !== null ? verdict.stateReason : state === 'stale' ? null : stateReason;
  if (openAlert === null) return mutedVersion === null ? null : 'resolved_by_hand';
  if (isSnoozed(openAlert, nowMs)) return 'snoozed';
  return openAlert.reason === 'behind' ? null : openAlert.reason;
}

/**
 * True if the parsing of versions is the only known change. This requires an earlier evaluation with the same
 * references.
 */
function isOnlyParsingChanged({ isReadingChanged, config }: DecideInput): boolean {
  return isReadingChanged === true && !config.isReconfigured && config.state !== 'inactive';
}

function withCause(write: AlertWrite | null, cause: ChangeCause | null): AlertWrite | null {
  if (write === null || cause === null) return write;
  return { ...write, changes: write.changes.map((change) => ({ ...change, cause })) };
}

/**
 * Returns the time at which the threshold was crossed. If that time isn't known, returns the time of the first
 * evaluation that found this severity.
 */
function crossedAtMs(verdict: Verdict, { config, openAlert, nowMs }: DecideInput): number | null {
  if (verdict.severity === null) return null;
  const known = openAlert ?? config;
  const isSame = known.severity === verdict.severity && !config.isReconfigured;
  const foundAtMs = isSame ? known.crossedAtMs : null;
  return verdict.crossedAtMs ?? foundAtMs ?? nowMs;
}

/** Decides the state of a disabled rule or configuration: keeps the versions for display, and clears the result. */
function decideInactive({ config, openAlert, nowMs, ...input }: DecideInput): Decision {
  const after: ConfigEvaluation = {
    ...config,
    ...notMuted,
    state: 'inactive',
    stateReason: null,
    severity: null,
    behindBy: null,
    behindSinceMs: null,
    endsAtMs: null,
    vulnerabilityIds: null,
    crossedAtMs: null,
    isReconfigured: false,
  };
  return toDecision({ ...input, config, openAlert, nowMs }, after, {
    openAlert:
      openAlert === null ? null : resolveAlert(openAlert, input.endedBy ?? 'disabled', systemActor, nowMs),
    newAlert: null,
    explanation: null,
    nextEvaluationAtMs: null,
  });
}

type Mute = Pick<ConfigEvaluation, 'mutedVersion' | 'mutedSeverity'>;

interface Outcome {
  readonly stateReason: ConfigStateReason | null;
  readonly mute: Mute;
  readonly openAlert: AlertWrite | null;
  readonly newAlert: AlertWrite | null;
}

function decideActive(input: DecideInput & { readonly verdict: Verdict }, mute: Mute): Outcome {
  const { verdict, openAlert, reading, nowMs, config, isReadingChanged = false } = input;
  const nothing = { stateReason: verdict.stateReason, mute, openAlert: null, newAlert: null };
  switch (verdict.state) {
    case 'no_data':
      // Missing data must not resolve an alert, so an open alert stays open.
      return { ...nothing, openAlert: openAlert === null ? null : expireSnooze(openAlert, nowMs) };
    case 'ok':
      return {
        ...nothing,
        mute: notMuted,
        openAlert: openAlert === null ? null : resolveAlert(openAlert, 'caught_up', systemActor, nowMs),
      };
    case 'alerting': {
      const reason = verdict.reason === 'behind' ? null : verdict.reason;
      if (openAlert !== null) {
        // Existing vulnerabilities of a newly deployed version, and existing changes to its release, don't
        // count as new problems. After a version change, only a higher severity escalates the alert.
        const isVersionChanged = isDifferentVersion(
          reading,
          openAlert.discoveredVersion,
          verdict.deployedVersion,
        );
        const added = isVersionChanged ? [] : findNewProblems(verdict, config, openAlert.severity);
        const write = applyVerdict(openAlert, verdict, reading, nowMs, { isReadingChanged, added });
        const stateReason = isSnoozed(write?.after ?? openAlert, nowMs) ? 'snoozed' : reason;
        return { ...nothing, stateReason, mute: notMuted, openAlert: write };
      }
      const isSame = findNewProblems(verdict, config, mute.mutedSeverity).length === 0;
      if (isSame && isMuted(mute, verdict, reading)) return { ...nothing, stateReason: 'resolved_by_hand' };
      if (isReadingChanged && isMutedVersion(mute, verdict, reading)) {
        return {
          ...nothing,
          stateReason: 'resolved_by_hand',
          mute: { ...mute, mutedSeverity: verdict.severity },
        };
      }
      return {
        ...nothing,
        stateReason: reason,
        mute: notMuted,
        newAlert: createAlert(verdict, nowMs, wasInactive(input)),
      };
    }
  }
}

/**
 * Returns the vulnerabilities and the changes to the deployed release that are new since the last evaluation.
 */
function findNewProblems(
  verdict: Verdict,
  config: ConfigEvaluation,
  severity: AlertSeverity | null,
): string[] {
  return [...findNewVulnerabilities(verdict, config, severity), ...findNewReleaseChanges(verdict, config)];
}

/** True if the rule or the configuration was disabled at the last evaluation. */
function wasInactive({ config }: DecideInput): boolean {
  return config.state === 'inactive';
}

/** True if someone resolved the alert for this version at this severity or a higher one. */
function isMuted(mute: Mute, verdict: Verdict, reading: DeployedVersionParser): boolean {
  return isMutedVersion(mute, verdict, reading) && !isHigherSeverity(verdict.severity, mute.mutedSeverity);
}

function isMutedVersion({ mutedVersion }: Mute, verdict: Verdict, reading: DeployedVersionParser): boolean {
  return mutedVersion !== null && !isDifferentVersion(reading, mutedVersion, verdict.deployedVersion);
}

function toDecision(
  input: DecideInput,
  config: ConfigEvaluation,
  changes: Pick<Decision, 'openAlert' | 'newAlert' | 'explanation' | 'nextEvaluationAtMs'>,
): Decision {
  const isConfigChanged = !isEqual(config, input.config);
  const isUnchanged =
    !isConfigChanged &&
    changes.openAlert === null &&
    changes.newAlert === null &&
    changes.explanation === null;
  return { isUnchanged, config, isConfigChanged, ...changes };
}

/**
 * Returns the IDs of vulnerabilities that weren't found in the last evaluation and are at least as severe as
 * `severity`, worst first. A vulnerability whose ID has changed is recognized by its aliases.
 */
function findNewVulnerabilities(
  { vulnerabilities }: Pick<Verdict, 'vulnerabilities'>,
  { vulnerabilityIds, isReconfigured }: Pick<ConfigEvaluation, 'vulnerabilityIds' | 'isReconfigured'>,
  severity: AlertSeverity | null,
): string[] {
  if (vulnerabilities === null || vulnerabilityIds === null || isReconfigured || severity === null) return [];
  const known = new Set(vulnerabilityIds);
  return vulnerabilities
    .filter(({ id, aliases }) => ![id, ...aliases].some((name) => known.has(name)))
    .filter((finding) => isCountedToward(finding, severity))
    .map(({ id }) => id);
}

/**
 * Returns the commits or digests to which the deployed release changed since the last evaluation, oldest
 * first.
 */
function findNewReleaseChanges(
  { evidence: { moves } }: Pick<Verdict, 'evidence'>,
  { behindBy, isReconfigured }: Pick<ConfigEvaluation, 'behindBy' | 'isReconfigured'>,
): string[] {
  if (moves === null || behindBy === null || isReconfigured) return [];
  return moves.slice(behindBy).map(({ to }) => to);
}

function isEqual(a: ConfigEvaluation, b: ConfigEvaluation): boolean {
  return (
    a.state === b.state &&
    a.stateReason === b.stateReason &&
    a.severity === b.severity &&
    a.deployedVersion === b.deployedVersion &&
    a.latestVersion === b.latestVersion &&
    a.latestStableVersion === b.latestStableVersion &&
    a.mirrorJobId === b.mirrorJobId &&
    a.mirrorVersion === b.mirrorVersion &&
    a.behindBy === b.behindBy &&
    a.behindSinceMs === b.behindSinceMs &&
    a.endsAtMs === b.endsAtMs &&
    isSameList(a.vulnerabilityIds, b.vulnerabilityIds) &&
    a.crossedAtMs === b.crossedAtMs &&
    a.mutedVersion === b.mutedVersion &&
    a.mutedSeverity === b.mutedSeverity &&
    a.isReconfigured === b.isReconfigured &&
    a.explanationFingerprint === b.explanationFingerprint
  );
}

function isSameList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/**
 * Returns the end of an active snooze, because the state reason of the configuration changes at that time.
 */
function endOfSnooze(alert: AlertState | null, nowMs: number): number | null {
  return alert !== null && alert.resolvedAtMs === null && isSnoozed(alert, nowMs)
    ? alert.snoozedUntilMs
    : null;
}
