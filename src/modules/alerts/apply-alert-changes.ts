import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  type AlertChange,
  type AlertState,
  type AlertWrite,
  alertStatus,
} from '../../domain/alerts/open-alert.ts';
import { behindByAt } from '../../domain/rules/behind-days.ts';
import type { RuleTypeId } from '../../domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import { daysLeft } from '../../domain/verdicts/support-phases.ts';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import { type NewEntry, writeEntries } from '../audit/index.ts';
import { planDeliveries, type StoredAlertEvent } from '../notifications/index.ts';
import { toAlertColumns } from './alert-row.ts';

/** What an alert says about where it comes from. A new alert copies it: the configuration may point elsewhere later. */
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
  /** Null for an alert that is to be opened. */
  alert: { id: number; lastSequence: number; before: AlertState } | null;
  write: AlertWrite;
}

/**
 * The only way in which alerts change: the alert, its trail, its events and their deliveries, in the caller's
 * transaction. The caller has locked the configuration of each alert.
 */
export async function applyAlertChanges(
  tx: Tx,
  organizationId: number,
  changes: readonly AlertChanges[],
  now: Date,
  wakeUps: WakeUps,
): Promise<void> {
  if (changes.length === 0) return;
  const alertIds = await writeAlerts(tx, organizationId, changes, now);
  await recordChanges(
    tx,
    organizationId,
    changes.map(({ subject, alert, write }, index) => ({
      subject,
      alertId: alertIds[index]!,
      lastSequence: alert?.lastSequence ?? 0,
      before: alert?.before ?? null,
      after: write.after,
      changes: write.changes,
    })),
    now,
    wakeUps,
  );
  for (const id of alertIds) wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/alert/${id}`);
}

export interface RecordedAlert {
  subject: AlertSubject;
  alertId: number;
  lastSequence: number;
  before: AlertState | null;
  after: AlertState;
  changes: readonly AlertChange[];
}

/** Trail, events and deliveries of what has happened to alerts. */
export async function recordChanges(
  tx: Tx,
  organizationId: number,
  alerts: readonly RecordedAlert[],
  now: Date,
  wakeUps: WakeUps,
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
    if (!entry.event || !change.eventType) return [];
    return {
      entryId: entry.id,
      eventId: entry.event.id,
      eventType: change.eventType,
      alertId: alert.alertId,
      sequence: entry.event.sequence,
      subject: {
        eventType: change.eventType,
        severity: alert.after.severity,
        ruleId: alert.subject.ruleId,
        alertConfigId: alert.subject.alertConfigId,
        labels: alert.subject.labels,
      },
      isSilenced: change.isSilenced,
      previousSeverity: previousSeverity(change),
      cause: change.cause,
    };
  });
  if (events.length === 0) return;
  const plans = await planDeliveries(tx, organizationId, events, wakeUps);
  const notified = events.filter((_, index) => plans[index]!.isNotified).map((event) => event.alertId);
  if (notified.length === 0) return;
  await sql`
    UPDATE alerts SET last_notified_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${notified}::bigint[])`.execute(tx);
}

function eventData(alert: RecordedAlert, change: AlertChange, now: Date): StoredAlertEvent {
  const { subject, after } = alert;
  return {
    alert: {
      id: alert.alertId,
      config_name: subject.configName,
      rule_name: subject.ruleName,
      rule_type: subject.ruleType,
      severity: after.severity,
      previous_severity: previousSeverity(change),
      status: change.action === 'resolved' ? 'resolved' : alertStatus(after),
      reason: after.reason,
      discovered_version: after.discoveredVersion,
      latest_version: after.latestVersion,
      behind_by: behindByAt(after, now.getTime()),
      days_left: after.endsAtMs === null ? null : daysLeft(after.endsAtMs, now.getTime()),
      artifact_name: subject.artifactName,
      repository_url: subject.repositoryUrl,
      target_file: subject.targetFile,
      release_url: after.releaseUrl,
      labels: subject.labels,
    },
    is_acknowledged: after.acknowledgedAtMs !== null,
    actor: { name: change.actor.type === 'system' ? null : change.actor.name },
  };
}

/** An escalation is from one severity to another. */
function previousSeverity({ eventType, from }: AlertChange): AlertSeverity | null {
  return eventType === 'alert.escalated'
    ? (alertSeverities.find((severity) => severity === from) ?? null)
    : null;
}

/** Inserts the new alerts and updates the others, two statements at most. Answers their ids in the order of `changes`. */
async function writeAlerts(
  tx: Tx,
  organizationId: number,
  changes: readonly AlertChanges[],
  now: Date,
): Promise<number[]> {
  const columnsOf = ({ alert, write }: AlertChanges) => ({
    ...toAlertColumns(write.after),
    last_sequence:
      (alert?.lastSequence ?? 0) + write.changes.filter((change) => change.eventType !== null).length,
  });
  const toInsert = changes.filter((change) => change.alert === null);
  const inserted =
    toInsert.length === 0
      ? []
      : await tx
          .insertInto('alerts')
          .values(
            toInsert.map((change) => ({
              organization_id: organizationId,
              alert_config_id: change.subject.alertConfigId,
              rule_id: change.subject.ruleId,
              rule_type: change.subject.ruleType,
              artifact_name: change.subject.artifactName,
              repository_url: change.subject.repositoryUrl,
              target_file: change.subject.targetFile,
              labels: JSON.stringify(change.subject.labels),
              ...columnsOf(change),
              created_at: now,
              updated_at: now,
            })),
          )
          .returning(['id', 'alert_config_id'])
          .execute();
  const idByConfig = new Map(inserted.map((row) => [row.alert_config_id, row.id]));

  const toUpdate = changes.flatMap((change) =>
    change.alert ? { id: change.alert.id, ...columnsOf(change) } : [],
  );
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
        updated_at = pacekeeper_now()
      FROM jsonb_populate_recordset(NULL::alerts, ${JSON.stringify(toUpdate)}::jsonb) AS w
      WHERE alerts.organization_id = ${organizationId} AND alerts.id = w.id`.execute(tx);
  }
  return changes.map((change) => change.alert?.id ?? idByConfig.get(change.subject.alertConfigId)!);
}
