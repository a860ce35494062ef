import type { Actor } from '../audit/actor.ts';
import { type AlertEventType, type AlertStatus, isSentWhileSnoozed } from '../routing/notification-event.ts';
import type { AlertReason } from '../rules/rule-type.ts';
import type { AlertSeverity } from '../rules/severity.ts';

export type AlertResolution = 'caught_up' | 'manual' | 'disabled' | 'reconfigured';

/** An alert as far as it is decided on. Instants are milliseconds since 1970, UTC. */
export interface AlertState {
  readonly severity: AlertSeverity;
  readonly reason: AlertReason;
  readonly discoveredVersion: string;
  readonly latestVersion: string | null;
  readonly releaseUrl: string | null;
  /** `null` for days, which are counted from `behindSinceMs`, and for what cannot be counted. */
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
  /** For rules about support: when it ends, if the day is known. */
  readonly endsAtMs: number | null;
  /**
   * When the threshold of `severity` was crossed; where nothing can be counted, when that was found. `null` only for
   * what an earlier version of Pacekeeper wrote.
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
 * - `reading_changed`: nothing else is known to have changed than how this program reads versions.
 * - `silence_ended`: it happened while a silence matched the alert, and is reported at its end.
 */
export type ChangeCause = 'reading_changed' | 'silence_ended';

/** One entry of the audit trail, and the event that it raises. */
export interface AlertChange {
  readonly action: AlertAction;
  /** `null`: the trail alone tells of it. */
  readonly eventType: AlertEventType | null;
  /** The alert is snoozed, so that the event is recorded and nobody is notified. */
  readonly isSilenced: boolean;
  readonly actor: Actor;
  readonly from: string | null;
  readonly to: string | null;
  readonly detail: string | null;
  /** `null` for everything that happens in the world. */
  readonly cause: ChangeCause | null;
}

/** What one decision makes of one alert: the row as it shall be, and the entries in their order. */
export interface AlertWrite {
  readonly after: AlertState;
  /** None when only figures were refreshed that nobody is told of. */
  readonly changes: readonly AlertChange[];
}

/** A time that has come ends a snooze, also one that waits for another version. */
export function isSnoozed(
  alert: Pick<AlertState, 'snoozedUntilMs' | 'isSnoozedUntilVersionChanges'>,
  nowMs: number,
): boolean {
  return alert.snoozedUntilMs === null ? alert.isSnoozedUntilVersionChanges : alert.snoozedUntilMs > nowMs;
}

/** Whether a snooze is set at all; it may have run out. */
export function hasSnooze(alert: AlertState): boolean {
  return alert.snoozedUntilMs !== null || alert.isSnoozedUntilVersionChanges;
}

export const noSnooze = { snoozedUntilMs: null, isSnoozedUntilVersionChanges: false } as const;
export const noAcknowledgment = { acknowledgedAtMs: null, acknowledgedBy: null } as const;

/** @param alert As it is when the event happens: tells whether it is snoozed. */
export function alertChange(
  alert: AlertState,
  nowMs: number,
  actor: Actor,
  change: Pick<AlertChange, 'action' | 'eventType' | 'from' | 'to'> & { detail?: string | null },
): AlertChange {
  const { action, eventType, from, to, detail = null } = change;
  const isSilenced = eventType !== null && isSnoozed(alert, nowMs) && !isSentWhileSnoozed(eventType);
  return { action, eventType, isSilenced, actor, from, to, detail, cause: null };
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
