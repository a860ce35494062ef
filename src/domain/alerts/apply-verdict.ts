import { systemActor } from '../audit/actor.ts';
import type { Verdict } from '../rules/judge.ts';
import { isHigherSeverity } from '../rules/severity.ts';
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
} from './open-alert.ts';
import { type DeployedVersionParser, isDifferentVersion, isUpgrade } from './version-change.ts';

type Violation = Extract<Verdict, { state: 'alerting' }>;

/**
 * Updates the open alert to match a verdict that is still a violation. Returns `null` if the alert already
 * matches. A higher severity escalates the alert, with a single event, and clears the acknowledgment and the
 * snooze. A lower severity is only recorded in the audit trail.
 *
 * @param options.added New vulnerabilities of the same version that are at least as severe as the alert, or
 * new changes to its release. They escalate the alert like a higher severity does, unless the severity has
 * fallen.
 * @param options.isReadingChanged True if nothing but the parsing of versions has changed. An escalation then
 * keeps the acknowledgment and the snooze.
 */
export function applyVerdict(
  alert: AlertState,
  verdict: Violation,
  reading: DeployedVersionParser,
  nowMs: number,
  { isReadingChanged = false, added = [] }: { isReadingChanged?: boolean; added?: readonly string[] } = {},
): AlertWrite | null {
  const discoveredVersion = verdict.deployedVersion ?? alert.discoveredVersion;
  const hasFallen = isHigherSeverity(alert.severity, verdict.severity);
  const isEscalated = isHigherSeverity(verdict.severity, alert.severity) || (added.length > 0 && !hasFallen);
  const isOtherDeployed = isDifferentVersion(reading, alert.discoveredVersion, discoveredVersion);
  const changes: AlertChange[] = [];
  let after: AlertState = { ...alert, ...contentOf(verdict, discoveredVersion) };
  const record = (change: Parameters<typeof alertChange>[3]) =>
    changes.push(alertChange(after, nowMs, systemActor, change));

  const updates = listUpdates(alert, after);
  if (updates !== null) record({ action: 'updated', eventType: null, ...updates });

  if (isEscalated) {
    const isKept = isReadingChanged && !isOtherDeployed;
    after = { ...after, ...(!isKept && { ...noAcknowledgment, ...noSnooze }), escalatedAtMs: nowMs };
    record({
      action: 'escalated',
      eventType: 'alert.escalated',
      from: alert.severity,
      to: after.severity,
      detail: added.length === 0 ? null : listIds(added),
    });
    return { after, changes };
  }
  if (after.severity !== alert.severity) {
    record({ action: 'deescalated', eventType: null, from: alert.severity, to: after.severity });
  }

  const latestChanged = after.latestVersion !== alert.latestVersion && !isReadingChanged;
  const isAwaited = alert.isSnoozedUntilVersionChanges && (isOtherDeployed || latestChanged);
  if (hasSnooze(alert) && (isAwaited || !isSnoozed(alert, nowMs))) {
    after = { ...after, ...noSnooze };
    record({ ...snoozeEnd, detail: isSnoozed(alert, nowMs) ? 'version_changed' : 'time_came' });
  }

  if (
    alert.acknowledgedAtMs !== null &&
    isOtherDeployed &&
    !isUpgrade(reading, alert.discoveredVersion, discoveredVersion)
  ) {
    after = { ...after, ...noAcknowledgment };
    record({
      action: 'unacknowledged',
      eventType: 'alert.unacknowledged',
      from: alertStatus(alert),
      to: alertStatus(after),
      detail: `${alert.discoveredVersion} → ${discoveredVersion}`,
    });
  }
  return changes.length === 0 && isSameContent(alert, after) ? null : { after, changes };
}

/** @param isEnabledAgain True if the rule or the configuration was disabled at the last evaluation. */
export function createAlert(verdict: Violation, nowMs: number, isEnabledAgain = false): AlertWrite {
  const reason = isEnabledAgain ? '; its rule or alert configuration was enabled' : '';
  const after: AlertState = {
    // A violation always has a deployed version. Without one, the state is `no_data`.
    ...contentOf(verdict, verdict.deployedVersion ?? ''),
    ...noAcknowledgment,
    ...noSnooze,
    escalatedAtMs: null,
    resolvedAtMs: null,
    resolvedBy: null,
    resolution: null,
  };
  return {
    after,
    changes: [
      alertChange(after, nowMs, systemActor, {
        action: 'created',
        eventType: 'alert.created',
        from: null,
        to: after.severity,
        detail: `${after.discoveredVersion} → ${after.latestVersion ?? '?'}${reason}`,
      }),
    ],
  };
}

/** Removes an expired snooze. Returns `null` if there's no expired snooze. */
export function expireSnooze(alert: AlertState, nowMs: number): AlertWrite | null {
  if (!hasSnooze(alert) || isSnoozed(alert, nowMs)) return null;
  const after = { ...alert, ...noSnooze };
  return { after, changes: [alertChange(after, nowMs, systemActor, { ...snoozeEnd, detail: 'time_came' })] };
}

const snoozeEnd = { action: 'unsnoozed', eventType: null, from: 'snoozed', to: null } as const;

function contentOf(verdict: Violation, discoveredVersion: string) {
  return {
    severity: verdict.severity,
    reason: verdict.reason,
    discoveredVersion,
    latestVersion: verdict.latestVersion,
    releaseUrl: verdict.releaseUrl,
    behindBy: verdict.behindSinceMs === null ? verdict.behindBy : null,
    behindSinceMs: verdict.behindSinceMs,
    endsAtMs: verdict.endsAtMs,
    crossedAtMs: verdict.crossedAtMs,
    isEstimate: verdict.isEstimate,
  };
}

/** Lists at most the 10 worst IDs, because there can be hundreds. */
function listIds(ids: readonly string[]): string {
  const shown = ids.slice(0, 10).join(', ');
  return ids.length > 10 ? `${shown}, …` : shown;
}

/**
 * Compares the four fields that the audit trail records. The first changed field sets `from` and `to`, and
 * `detail` lists all changed fields.
 */
function listUpdates(
  before: AlertState,
  after: AlertState,
): { from: string | null; to: string | null; detail: string } | null {
  const fields = [
    ['discovered_version', before.discoveredVersion, after.discoveredVersion],
    ['latest_version', before.latestVersion, after.latestVersion],
    ['reason', before.reason, after.reason],
    ['is_estimate', String(before.isEstimate), String(after.isEstimate)],
  ] as const;
  const changed = fields.filter(([, from, to]) => from !== to);
  const [first] = changed;
  if (first === undefined) return null;
  const detail = changed
    .map(([field, from, to]) => `${field}: ${from ?? 'none'} → ${to ?? 'none'}`)
    .join('; ');
  return { from: first[1], to: first[2], detail };
}

/** Compares the fields that are updated without an entry in the audit trail. */
function isSameContent(a: AlertState, b: AlertState): boolean {
  return (
    a.behindBy === b.behindBy &&
    a.behindSinceMs === b.behindSinceMs &&
    a.endsAtMs === b.endsAtMs &&
    a.crossedAtMs === b.crossedAtMs &&
    a.releaseUrl === b.releaseUrl
  );
}
