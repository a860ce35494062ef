import type { Actor } from '../audit/actor.ts';
import {
  type AlertEventType,
  type AlertResolution,
  type AlertStatus,
  isSentWhileSnoozed,
} from '../routing/notification-event.ts';
import type { AlertReason } from '../rules/rule-type.ts';
import type { AlertSeverity } from '../rules/severity.ts';

/** Fields of an alert that decisions depend on. Times are milliseconds since 1970, UTC. */
export interface AlertState {
  readonly severity: AlertSeverity;
  readonly reason: AlertReason;
  readonly discoveredVersion: string;
  readonly latestVersion: string | null;
  readonly releaseUrl: string | null;
  /** `null` if the lag is in days, which are counted from `behindSinceMs`, or if it can't be counted. */
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
  /** End of support, if the date is known. Only for rules about support. */
  readonly endsAtMs: number | null;
  /**
   * Time at which the threshold of `severity` was crossed, or at which the violation was found if its lag can't be
   * determined.
   */
  readonly crossedAtMs: number | null;
  readonly isEstimate: boolean;
  readonly acknowledgedAtMs: number | null;
  readonly acknowledgedBy: Actor | null;
  readonly escalatedAtMs: number | null;
  readonly snoozedUntilMs: number | null;
  readonly isSnoozedUntilVersionChanges: boolean;
  readonly resolvedAtMs: number | null;
  readonly resolvedBy: Actor | null;
  readonly resolution: AlertResolution | null;
}

export function alertStatus(alert: Pick<AlertState, 'acknowledgedAtMs' | 'resolvedAtMs'>): AlertStatus {
  if (alert.resolvedAtMs !== null) return 'resolved';
  return alert.acknowledgedAtMs === null ? 'unacknowledged' : 'acknowledged';
}

export type AlertAction =
  | 'created'
  | 'updated'
  | 'escalated'
  | 'deescalated'
  | 'acknowledged'
  | 'unacknowledged'
  | 'snoozed'
  | 'unsnoozed'
  | 'unsilenced'
  | 'resolved'
  | 'commented'
  | 'assigned';

/**
 * - `reading_changed`: the only known change is that this version of Pacekeeper parses versions differently.
 * - `silence_ended`: the change occurred while a silence matched the alert, so it's reported at the end of
 *   the silence.
 */
export type ChangeCause = 'reading_changed' | 'silence_ended';

/** Entry of the audit trail, and the event that it triggers. */
export interface AlertChange {
  readonly action: AlertAction;
  /** `null` if the change is only recorded in the audit trail. */
  readonly eventType: AlertEventType | null;
  /** True if the alert is snoozed, so that the event is recorded without notifying anyone. */
  readonly isSnoozed: boolean;
  readonly actor: Actor;
  readonly from: string | null;
  readonly to: string | null;
  readonly detail: string | null;
  /** `null` for ordinary changes, such as a new version, release, or setting. */
  readonly cause: ChangeCause | null;
}

/** Result of a decision for one alert: the new row, and the entries of the audit trail in order. */
export interface AlertWrite {
  readonly after: AlertState;
  /** Empty if none of the changed values appear in the audit trail or in notifications. */
  readonly changes: readonly AlertChange[];
}

/**
 * True if a snooze is active. A snooze with an end time ends then, even if it's also set to last until a version
 * changes.
 */
export function isSnoozed(
  alert: Pick<AlertState, 'snoozedUntilMs' | 'isSnoozedUntilVersionChanges'>,
  nowMs: number,
): boolean {
  return alert.snoozedUntilMs === null ? alert.isSnoozedUntilVersionChanges : alert.snoozedUntilMs > nowMs;
}

/** True if a snooze is set, even if it has expired. */
export function hasSnooze(alert: AlertState): boolean {
  return alert.snoozedUntilMs !== null || alert.isSnoozedUntilVersionChanges;
}

export const noSnooze = { snoozedUntilMs: null, isSnoozedUntilVersionChanges: false } as const;
export const noAcknowledgment = { acknowledgedAtMs: null, acknowledgedBy: null } as const;

/** @param alert State of the alert at the time of the event. If it's snoozed, most events are silenced. */
export function alertChange(
  alert: AlertState,
  nowMs: number,
  actor: Actor,
  change: Pick<AlertChange, 'action' | 'eventType' | 'from' | 'to'> & { detail?: string | null },
): AlertChange {
  const { action, eventType, from, to, detail = null } = change;
  const isSnoozedEvent = eventType !== null && isSnoozed(alert, nowMs) && !isSentWhileSnoozed(eventType);
  return { action, eventType, isSnoozed: isSnoozedEvent, actor, from, to, detail, cause: null };
}

export function resolveAlert(
  alert: AlertState,
  resolution: AlertResolution,
  actor: Actor,
  nowMs: number,
): AlertWrite {
  return {
    after: { ...alert, resolvedAtMs: nowMs, resolvedBy: actor, resolution },
    changes: [
      alertChange(alert, nowMs, actor, {
        action: 'resolved',
        eventType: 'alert.resolved',
        from: alertStatus(alert),
        to: 'resolved',
        detail: resolution,
      }),
    ],
  };
}
