import type { Actor } from '../audit/actor.ts';
import type { ConfigEvaluation } from './config-evaluation.ts';
import {
  type AlertChange,
  type AlertState,
  type AlertWrite,
  alertChange,
  alertStatus,
  hasSnooze,
  isSnoozed,
  noAcknowledgment,
  noSnooze,
  resolveAlert,
} from './open-alert.ts';

/**
 * Result of an action that a person, a key, or a link performs on an alert. Contains the data to store, or
 * the reason why the action is rejected. The functions are pure.
 */
export type ActionResult =
  | {
      readonly outcome: 'changed';
      readonly alert: AlertWrite;
      readonly config: Partial<ConfigEvaluation> | null;
    }
  /** The alert was already in the requested state. The action succeeds without a write. */
  | { readonly outcome: 'unchanged' }
  | {
      readonly outcome: 'refused';
      readonly reason: 'alert_resolved' | 'snooze_without_end' | 'snooze_in_the_past';
    };

export function acknowledgeAlert(alert: AlertState, actor: Actor, nowMs: number): ActionResult {
  if (alert.resolvedAtMs !== null) return refusedAsResolved;
  if (alert.acknowledgedAtMs !== null) return unchanged;
  const after = { ...alert, acknowledgedAtMs: nowMs, acknowledgedBy: actor };
  const change = {
    action: 'acknowledged',
    eventType: 'alert.acknowledged',
    from: alertStatus(alert),
    to: alertStatus(after),
  } as const;
  return changed(after, alertChange(after, nowMs, actor, change));
}

export function unacknowledgeAlert(alert: AlertState, actor: Actor, nowMs: number): ActionResult {
  if (alert.resolvedAtMs !== null) return refusedAsResolved;
  if (alert.acknowledgedAtMs === null) return unchanged;
  const after = { ...alert, ...noAcknowledgment };
  const change = {
    action: 'unacknowledged',
    eventType: 'alert.unacknowledged',
    from: alertStatus(alert),
    to: alertStatus(after),
  } as const;
  return changed(after, alertChange(after, nowMs, actor, change));
}

/**
 * Resolves an alert even though the deployed version may still be behind. The configuration opens no new alert until
 * the version changes or the severity exceeds that of the resolved alert.
 */
export function resolveAlertManually(
  alert: AlertState,
  config: Pick<ConfigEvaluation, 'state' | 'stateReason'>,
  actor: Actor,
  nowMs: number,
): ActionResult {
  if (alert.resolvedAtMs !== null) return unchanged;
  return {
    outcome: 'changed',
    alert: resolveAlert(alert, 'manual', actor, nowMs),
    config: {
      mutedVersion: alert.discoveredVersion,
      mutedSeverity: alert.severity,
      stateReason: config.state === 'alerting' ? 'resolved_by_hand' : config.stateReason,
    },
  };
}

/** A comment can also be added to a resolved alert. It notifies no one. */
export function commentOnAlert(
  alert: AlertState,
  comment: string,
  actor: Actor,
  nowMs: number,
): ActionResult {
  const change = { action: 'commented', eventType: null, from: null, to: null, detail: comment } as const;
  return changed(alert, alertChange(alert, nowMs, actor, change));
}

/**
 * Records a change of assignee. `from` and `to` are member IDs and names, or `null` for no assignee. The
 * assignee affects no verdict, so only the audit entry is returned.
 */
export function assignAlert(
  alert: AlertState,
  from: { id: number; name: string } | null,
  to: { id: number; name: string } | null,
  actor: Actor,
  nowMs: number,
): ActionResult {
  if (alert.resolvedAtMs !== null) return refusedAsResolved;
  if (from?.id === to?.id) return unchanged;
  const change = {
    action: 'assigned',
    eventType: null,
    from: from?.name ?? null,
    to: to?.name ?? null,
  } as const;
  return changed(alert, alertChange(alert, nowMs, actor, change));
}

/** Appends a comment, if there is one, to the changes of an action. */
export function withComment(
  result: ActionResult,
  comment: string | undefined,
  actor: Actor,
  nowMs: number,
): ActionResult {
  if (comment === undefined || result.outcome !== 'changed') return result;
  const { after, changes } = result.alert;
  const change = { action: 'commented', eventType: null, from: null, to: null, detail: comment } as const;
  return {
    ...result,
    alert: { after, changes: [...changes, alertChange(after, nowMs, actor, change)] },
  };
}

export interface SnoozeRequest {
  readonly untilMs: number | null;
  /** True if the snooze also ends when the deployed or the latest version changes. */
  readonly isUntilVersionChanges: boolean;
}

/**
 * Snoozes an alert. A second snooze replaces the first. The caller schedules an evaluation of the
 * configuration at `untilMs`.
 */
export function snoozeAlert(
  alert: AlertState,
  config: Pick<ConfigEvaluation, 'state'>,
  request: SnoozeRequest,
  actor: Actor,
  nowMs: number,
): ActionResult {
  const { untilMs, isUntilVersionChanges } = request;
  if (alert.resolvedAtMs !== null) return refusedAsResolved;
  if (untilMs === null && !isUntilVersionChanges) return { outcome: 'refused', reason: 'snooze_without_end' };
  if (untilMs !== null && untilMs <= nowMs) return { outcome: 'refused', reason: 'snooze_in_the_past' };
  const isSame =
    alert.snoozedUntilMs === untilMs && alert.isSnoozedUntilVersionChanges === isUntilVersionChanges;
  if (isSame) return unchanged;
  const after = {
    ...alert,
    snoozedUntilMs: untilMs,
    isSnoozedUntilVersionChanges: isUntilVersionChanges,
  };
  const change = {
    action: 'snoozed',
    eventType: null,
    from: describeSnooze(alert, nowMs),
    to: describeSnooze(after, nowMs),
  } as const;
  return changed(
    after,
    alertChange(after, nowMs, actor, change),
    config.state === 'alerting' ? { stateReason: 'snoozed' } : null,
  );
}

/**
 * Ends a snooze. The caller then evaluates the configuration, because the state reason `snoozed` can hide another
 * reason.
 */
export function unsnoozeAlert(
  alert: AlertState,
  config: Pick<ConfigEvaluation, 'stateReason'>,
  actor: Actor,
  nowMs: number,
): ActionResult {
  if (alert.resolvedAtMs !== null) return refusedAsResolved;
  if (!hasSnooze(alert)) return unchanged;
  const after = { ...alert, ...noSnooze };
  const change = {
    action: 'unsnoozed',
    eventType: null,
    from: describeSnooze(alert, nowMs),
    to: null,
  } as const;
  const reason = alert.reason === 'behind' ? null : alert.reason;
  return changed(
    after,
    alertChange(after, nowMs, actor, change),
    config.stateReason === 'snoozed' ? { stateReason: reason } : null,
  );
}

/**
 * Returns the resolution event to publish before an alert is deleted with its rule, configuration, or job.
 * Channels that were notified of the alert receive its resolution through this event. Returns `null` if no
 * channel was notified.
 */
export function resolutionOnDeletion(
  alert: AlertState,
  wasNotified: boolean,
  actor: Actor,
  nowMs: number,
): AlertChange | null {
  if (alert.resolvedAtMs !== null || !wasNotified) return null;
  return alertChange(alert, nowMs, actor, {
    action: 'resolved',
    eventType: 'alert.resolved',
    from: alertStatus(alert),
    to: 'resolved',
    detail: 'deleted',
  });
}

const unchanged: ActionResult = { outcome: 'unchanged' };
const refusedAsResolved: ActionResult = { outcome: 'refused', reason: 'alert_resolved' };

function changed(
  after: AlertState,
  change: AlertChange,
  config: Partial<ConfigEvaluation> | null = null,
): ActionResult {
  return { outcome: 'changed', alert: { after, changes: [change] }, config };
}

/**
 * Returns `null` if the alert isn't snoozed, an RFC 3339 time for a snooze until a time, and `version_change` for a
 * snooze until a version changes.
 */
function describeSnooze(alert: AlertState, nowMs: number): string | null {
  if (!isSnoozed(alert, nowMs)) return null;
  const parts = alert.snoozedUntilMs === null ? [] : [new Date(alert.snoozedUntilMs).toISOString()];
  if (alert.isSnoozedUntilVersionChanges) parts.push('version_change');
  return parts.join(' or ');
}
