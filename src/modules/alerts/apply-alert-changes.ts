import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  type AlertChange,
  type AlertState,
  type AlertWrite,
  alertStatus,
} from '../../domain/alerts/open-alert.ts';
import type { RuleTypeId } from '../../domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import { changeTopic, type Tx, wake } from '../../platform/database/index.ts';
import { type NewEntry, writeEntries } from '../audit/index.ts';
import {
  planDeliveries,
  type RoutedEvent,
  type RoutingResult,
  routeEvents,
  type StoredAlertEvent,
  toAlertEvent,
} from '../notifications/index.ts';
import { toAlertColumns } from './alert-row.ts';

/**
 * Origin of an alert: its configuration, rule, and artifact. A new alert stores a copy, because the
 * configuration can change later.
 */
export interface AlertSubject {
  alertConfigId: number;
  configName: string;
  ruleId: number;
  ruleName: string;
  ruleType: RuleTypeId;
  artifactName: string;
  repositoryUrl: string | null;
  targetFile: string | null;
  labels: Record<string, string>;
}

export interface AlertChanges {
  subject: AlertSubject;
  /** Null if the change opens a new alert. */
  alert: { id: number; lastSequence: number; before: AlertState } | null;
  write: AlertWrite;
  /** Currently deployed version, if the change compared it. */
  deployedVersion?: string | null;
  /** IDs of the vulnerabilities that are known to be exploited, if the change evaluated them. */
  knownExploited?: readonly string[];
  /**
   * Key of the change that opens the alert. Set if all alerts that the change opens are reported together.
   */
  openingCause?: string | null;
}

/**
 * Writes all changes to alerts. Stores the alerts, their trails, their events, and the deliveries of these
 * events in the caller's transaction. The caller must have locked the configuration of each alert.
 */
export async function applyAlertChanges(
  tx: Tx,
  organizationId: number,
  changes: readonly AlertChanges[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  const alerts = changes.map(
    (
      { subject, alert, write, deployedVersion = null, knownExploited = [], openingCause = null },
      index,
    ): RecordedAlert => ({
      subject,
      knownExploited,
      deployedVersion,
      openingCause,
      alertId: alert?.id ?? -1 - index,
      lastSequence: alert?.lastSequence ?? 0,
      before: alert?.before ?? null,
      after: write.after,
      changes: write.changes,
    }),
  );
  // Route the events before writing the alerts, so that the notification time is part of the same write. The
  // notification time is indexed, so updating it later would rewrite each alert and all of its index entries.
  const events = alerts.flatMap((alert) =>
    alert.changes.flatMap((change) => routedEvent(alert, change) ?? []),
  );
  const routed = events.length === 0 ? undefined : await routeEvents(tx, organizationId, events);
  const notified = new Set(
    events.flatMap(({ alertId }, index) => (routed?.plans[index]?.isNotified ? alertId : [])),
  );
  const isNotified = alerts.map(({ alertId }) => notified.has(alertId));
  const alertIds = await writeAlerts(tx, organizationId, changes, isNotified, now);
  const recorded = alerts.map((alert, index) => ({ ...alert, alertId: alertIds[index]! }));
  await recordChanges(tx, organizationId, recorded, now, routed);
  for (const id of alertIds) wake(tx, changeTopic(organizationId, 'alert', id));
}

export interface RecordedAlert {
  subject: AlertSubject;
  /** Currently deployed version, or null if the change didn't compare it. */
  deployedVersion?: string | null;
  knownExploited?: readonly string[];
  openingCause?: string | null;
  /** Negative for an alert that hasn't been written yet. */
  alertId: number;
  lastSequence: number;
  before: AlertState | null;
  after: AlertState;
  changes: readonly AlertChange[];
}

/**
 * Records the trail, events, and deliveries of changes to alerts.
 *
 * @param routed the routing results of the events, if they were already determined in the same transaction
 */
export async function recordChanges(
  tx: Tx,
  organizationId: number,
  alerts: readonly RecordedAlert[],
  now: Date,
  routed?: RoutingResult,
): Promise<void> {
  const planned: { entry: NewEntry; alert: RecordedAlert; change: AlertChange }[] = alerts.flatMap(
    (alert) => {
      let sequence = alert.lastSequence;
      return alert.changes.map((change) => {
        const { action, actor, from, to, detail, cause, eventType } = change;
        const event = eventType && {
          type: eventType,
          id: randomUUID(),
          sequence: ++sequence,
          data: eventData(alert, change, now),
        };
        return {
          entry: { alertId: alert.alertId, action, actor, from, to, detail, cause, ...(event && { event }) },
          alert,
          change,
        };
      });
    },
  );
  const entries = await writeEntries(
    tx,
    organizationId,
    planned.map(({ entry }) => entry),
  );
  const events = planned.flatMap(({ alert, change }, index) => {
    const entry = entries[index]!;
    const event = routedEvent(alert, change);
    if (!entry.event || event === null) return [];
    const { id: eventId, sequence } = entry.event;
    return {
      ...event,
      entryId: entry.id,
      eventId,
      sequence,
      cause: change.cause,
      openingCause: alert.openingCause ?? null,
    };
  });
  await planDeliveries(tx, organizationId, events, routed);
}

/** Returns the event of a change as routing evaluates it, or null if the change has no event. */
function routedEvent(
  { alertId, after, subject: { ruleId, alertConfigId, labels } }: RecordedAlert,
  change: AlertChange,
): RoutedEvent | null {
  const { eventType, isSnoozed } = change;
  if (eventType === null) return null;
  const subject = { eventType, severity: after.severity, ruleId, alertConfigId, labels };
  return { eventType, alertId, subject, isSnoozed, previousSeverity: previousSeverity(change) };
}

/** Maximum number of known exploited vulnerabilities in an event. */
const maxExploited = 5;

function eventData(alert: RecordedAlert, change: AlertChange, now: Date): StoredAlertEvent {
  const { subject, after, deployedVersion = null, knownExploited = [] } = alert;
  const isOver = change.action === 'resolved';
  return toAlertEvent(
    {
      id: alert.alertId,
      config_name: subject.configName,
      rule_name: subject.ruleName,
      rule_type: subject.ruleType,
      severity: after.severity,
      previous_severity: previousSeverity(change),
      status: isOver ? 'resolved' : alertStatus(after),
      // An alert that ends because it is deleted has no resolution.
      resolution: isOver ? (after.resolution ?? 'deleted') : null,
      reason: after.reason,
      discovered_version: after.discoveredVersion,
      resolved_version: isOver ? deployedVersion : null,
      latest_version: after.latestVersion,
      lag: after,
      endsAtMs: after.endsAtMs,
      ...(knownExploited.length > 0 && { known_exploited: knownExploited.slice(0, maxExploited).join(', ') }),
      artifact_name: subject.artifactName,
      repository_url: subject.repositoryUrl,
      target_file: subject.targetFile,
      release_url: after.releaseUrl,
      labels: subject.labels,
    },
    now.getTime(),
    {
      isAcknowledged: after.acknowledgedAtMs !== null,
      actorName: change.actor.type === 'system' ? null : change.actor.name,
    },
  );
}

/** Returns the severity before an escalation, or null for other events. */
function previousSeverity({ eventType, from }: AlertChange): AlertSeverity | null {
  return eventType === 'alert.escalated'
    ? (alertSeverities.find((severity) => severity === from) ?? null)
    : null;
}

/**
 * Inserts the new alerts and updates the others, with at most two statements. Returns their IDs in the order
 * of `changes`.
 */
async function writeAlerts(
  tx: Tx,
  organizationId: number,
  changes: readonly AlertChanges[],
  isNotified: readonly boolean[],
  now: Date,
): Promise<number[]> {
  const written = changes.map(({ subject, alert, write }, index) => ({
    subject,
    id: alert?.id,
    columns: {
      ...toAlertColumns(write.after),
      last_sequence:
        (alert?.lastSequence ?? 0) + write.changes.filter((change) => change.eventType !== null).length,
      last_notified_at: isNotified[index] ? now.toISOString() : null,
    },
  }));
  const toInsert = written.filter(({ id }) => id === undefined);
  const inserted =
    toInsert.length === 0
      ? []
      : await tx
          .insertInto('alerts')
          .values(
            toInsert.map(({ subject, columns }) => ({
              organization_id: organizationId,
              alert_config_id: subject.alertConfigId,
              rule_id: subject.ruleId,
              rule_type: subject.ruleType,
              artifact_name: subject.artifactName,
              repository_url: subject.repositoryUrl,
              target_file: subject.targetFile,
              labels: JSON.stringify(subject.labels),
              ...columns,
              created_at: now,
              updated_at: now,
            })),
          )
          .returning(['id', 'alert_config_id'])
          .execute();
  const idByConfig = new Map(inserted.map((row) => [row.alert_config_id, row.id]));

  const toUpdate = written.flatMap(({ id, columns }) => (id === undefined ? [] : { id, ...columns }));
  if (toUpdate.length > 0) {
    await sql`
      UPDATE alerts SET
        severity = w.severity, reason = w.reason, discovered_version = w.discovered_version,
        latest_version = w.latest_version, release_url = w.release_url, behind_by = w.behind_by,
        behind_since = w.behind_since, ends_at = w.ends_at, crossed_at = w.crossed_at, is_estimate = w.is_estimate, acknowledged_at = w.acknowledged_at,
        acknowledged_by_type = w.acknowledged_by_type, acknowledged_by_id = w.acknowledged_by_id,
        acknowledged_by_name = w.acknowledged_by_name, escalated_at = w.escalated_at,
        snoozed_until = w.snoozed_until, is_snoozed_until_version_changes = w.is_snoozed_until_version_changes,
        resolved_at = w.resolved_at, resolved_by_type = w.resolved_by_type, resolved_by_id = w.resolved_by_id,
        resolved_by_name = w.resolved_by_name, resolution = w.resolution, last_sequence = w.last_sequence,
        last_notified_at = coalesce(w.last_notified_at, alerts.last_notified_at), updated_at = pacekeeper_now()
      FROM jsonb_populate_recordset(NULL::alerts, ${JSON.stringify(toUpdate)}::jsonb) AS w
      WHERE alerts.organization_id = ${organizationId} AND alerts.id = w.id`.execute(tx);
  }
  return written.map(({ id, subject }) => id ?? idByConfig.get(subject.alertConfigId)!);
}
