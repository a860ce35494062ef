import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { systemActor } from '../../../../domain/audit/actor.ts';
import type { AlertData } from '../../../../domain/routing/notification-event.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { systemOrganizationId } from '../../../accounts/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import { readActiveSilences, toAlertSilence } from '../model/active-silences.ts';
import { toAlertEvent } from '../model/alert-event.ts';
import type { AddedField, StoredAlertEvent } from '../model/stored-events.ts';
import { planDeliveries } from './plan-deliveries.ts';

/**
 * An alert with a reminder that was sent, or skipped because of a silence. Only the alerts module can write
 * `last_sequence` and `last_notified_at`.
 */
export interface RemindedAlert {
  organizationId: number;
  alertId: number;
  /** Sequence of the reminder, or of the last event if the alert is silenced. */
  sequence: number;
}

interface DueAlert
  extends Omit<
    AlertData,
    | 'url'
    | AddedField
    | 'known_exploited'
    | 'status'
    | 'previous_severity'
    | 'resolution'
    | 'resolved_version'
    | 'behind_by'
    | 'days_left'
  > {
  organization_id: number;
  rule_id: number;
  alert_config_id: number;
  last_sequence: number;
  behind_by: number | null;
  behind_since: Date | null;
  ends_at: Date | null;
  now: Date;
}

const reminderBatchSize = 200;

/**
 * Sends reminders of open, unacknowledged alerts if no notification about them was sent during the reminder
 * interval of their organization. Snoozed alerts are excluded. A reminder during a silence is skipped until
 * the next interval, because sending all of them when the silence ends would flood the channels. In the same
 * transaction, the caller must store each returned sequence as `last_sequence` and the current time as
 * `last_notified_at`. Otherwise, the next call repeats the reminders.
 *
 * @returns The reminded alerts, at most 200. If it returns 200, call again.
 */
export async function sendRemindersAcrossOrganizations(tx: Tx): Promise<RemindedAlert[]> {
  const key = 'notification.reminder_interval_hours';
  const { rows } = await sql<DueAlert>`
    WITH interval_of AS (
      SELECT o.id AS organization_id, (coalesce(own.value, global.value) #>> '{}')::float8 AS hours
      FROM organizations o
      LEFT JOIN settings own ON own.organization_id = o.id AND own.key = ${key}
      LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}
      WHERE coalesce(own.value, global.value) <> 'null'::jsonb
    )
    SELECT a.organization_id, a.id, a.severity, a.reason, a.discovered_version, a.latest_version, a.behind_by,
      a.behind_since, a.ends_at, a.rule_id, a.rule_type, a.alert_config_id, a.artifact_name, a.repository_url, a.target_file,
      a.release_url, a.labels, a.last_sequence, c.name AS config_name, r.name AS rule_name, pacekeeper_now() AS now
    FROM interval_of i
    -- Searches each organization with reminders separately. With a plain join, PostgreSQL read all alerts.
    CROSS JOIN LATERAL (
      SELECT alerts.* FROM alerts
      -- Skips alerts whose configuration is locked: every change to an alert locks the configuration first,
      -- and has already read the sequence that the next event gets.
      JOIN alert_configs held ON held.organization_id = alerts.organization_id AND held.id = alerts.alert_config_id
      WHERE alerts.organization_id = i.organization_id AND resolved_at IS NULL AND acknowledged_at IS NULL
        AND last_notified_at <= pacekeeper_now() - i.hours * interval '1 hour'
        AND CASE WHEN snoozed_until IS NULL THEN NOT is_snoozed_until_version_changes
          ELSE snoozed_until <= pacekeeper_now() END
      ORDER BY last_notified_at LIMIT ${reminderBatchSize}
      FOR UPDATE OF alerts SKIP LOCKED FOR NO KEY UPDATE OF held SKIP LOCKED
    ) a
    JOIN alert_configs c ON c.organization_id = a.organization_id AND c.id = a.alert_config_id
    JOIN rules r ON r.organization_id = a.organization_id AND r.id = a.rule_id
    LIMIT ${reminderBatchSize}`.execute(tx);

  const byOrganization = Map.groupBy(rows, (row) => row.organization_id);
  const reminded = new Set<DueAlert>();
  for (const [organizationId, alerts] of byOrganization) {
    const active = await readActiveSilences(tx, organizationId);
    const unsilenced = alerts.filter((alert) => toAlertSilence(active, alert) === null);
    await remind(tx, organizationId, unsilenced);
    for (const alert of unsilenced) reminded.add(alert);
  }
  return rows.map((row) => ({
    organizationId: row.organization_id,
    alertId: row.id,
    sequence: reminded.has(row) ? row.last_sequence + 1 : row.last_sequence,
  }));
}

async function remind(tx: Tx, organizationId: number, alerts: readonly DueAlert[]): Promise<void> {
  const eventType = 'alert.reminder';
  const events = alerts.map((alert) => ({ alert, eventId: randomUUID(), sequence: alert.last_sequence + 1 }));
  const entries = await writeEntries(
    tx,
    organizationId,
    events.map(({ alert, eventId, sequence }) => ({
      alertId: alert.id,
      action: 'reminded',
      actor: systemActor,
      event: { type: eventType, id: eventId, sequence, data: eventData(alert) },
    })),
  );
  const planned = events.map(
    ({ alert, eventId, sequence }, index) =>
      ({
        entryId: entries[index]!.id,
        eventId,
        eventType,
        alertId: alert.id,
        sequence,
        subject: {
          eventType,
          severity: alert.severity,
          ruleId: alert.rule_id,
          alertConfigId: alert.alert_config_id,
          labels: alert.labels,
        },
        isSnoozed: false,
      }) as const,
  );
  await planDeliveries(tx, organizationId, planned);
}

function eventData({ behind_by, behind_since, ends_at, now, ...row }: DueAlert): StoredAlertEvent {
  const { organization_id: _organization, rule_id: _rule, alert_config_id: _config, ...rest } = row;
  const { last_sequence: _sequence, ...alert } = rest;
  const lag = { behindBy: behind_by, behindSinceMs: behind_since?.getTime() ?? null };
  const endsAtMs = ends_at?.getTime() ?? null;
  return toAlertEvent({ ...alert, status: 'unacknowledged', lag, endsAtMs }, now.getTime());
}
