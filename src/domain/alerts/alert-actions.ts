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

/** What a person, a key or a link does to an alert. Pure: what is to be written, or why it is refused. */
export type ActionResult =
  | {
      readonly outcome: 'changed';
      readonly alert: AlertWrite;
      readonly config: Partial<ConfigEvaluation> | null;
    }
  /** It was so already: answered as a success, and nothing is written. */
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
 * Resolves an alert while its configuration may still be behind: that stays quiet until the version changes
 * or it gets worse than what was resolved.
 */
export function resolveAlertByHand(
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

/** Member IDs and names; `null` for no one. Only the trail is decided here, since no verdict depends on the assignee. */
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

/** The result of an action with a comment after it, if there is one. */
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
  /** Also ends when the deployed or the latest version changes. */
  readonly isUntilVersionChanges: boolean;
}

/** A second snooze takes the place of the first. The configuration is to be evaluated at `untilMs`. */
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

/** The configuration is to be evaluated afterwards: it may have had another reason beneath the snooze. */
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
 * What is told before an alert is deleted with its rule, configuration or job: those who were notified of it
 * hear that it is over; `null` when nobody was.
 */
export function announceDeletion(
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

/** `null` for none, RFC 3339 for a time, `version_change` for the flag. */
function describeSnooze(alert: AlertState, nowMs: number): string | null {
  if (!isSnoozed(alert, nowMs)) return null;
  const parts = alert.snoozedUntilMs === null ? [] : [new Date(alert.snoozedUntilMs).toISOString()];
  if (alert.isSnoozedUntilVersionChanges) parts.push('version_change');
  return parts.join(' or ');
}
