import { type RawBuilder, sql } from 'kysely';
import {
  createSilenceFinder,
  type DeferredReport,
  nextDeferredReport,
  type Silence,
  silencedOutcome,
} from '../../../../domain/routing/silence.ts';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import { dueTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import type { DueTable } from '../../../../platform/due-rows/index.ts';
import { isActiveSilence, silenceColumns } from '../model/active-silences.ts';
import type { PlannedEvent, RoutedEvent } from './plan-deliveries.ts';

/** Open alerts with deferred reports, due when the last silence that matches them ends. */
export const dueSilencedAlertsTable = {
  name: 'silenced_alerts',
  keys: { organization_id: 'bigint', alert_id: 'bigint' },
} as const satisfies DueTable;

/** The silence that keeps an event from being sent. `null` for routed events. */
export type SilencedBy = { silence: Silence | null } | null;

/** Data that determines whether silences keep events from being sent. */
export interface SilenceState {
  /** Active silences. */
  silences: Silence[];
  /** Deferred reports of the requested alerts. */
  deferred: { alert_id: number; reported_severity: AlertSeverity | null }[];
}

export interface SilenceDecision {
  /** Results in the order of the events. */
  silencedBy: SilencedBy[];
  /** Reports to defer, with the index of the alert's last deferred event. */
  deferred: { eventIndex: number; report: DeferredReport; endsAtMs: number }[];
  /** IDs of alerts with no report left to send. */
  settledAlertIds: number[];
}

/** Determines which events are silenced, and what to report when the silences end. */
export function decideSilencedEvents(
  { silences, deferred, now }: SilenceState & { now: Date },
  events: readonly RoutedEvent[],
): SilenceDecision {
  if (silences.length === 0 && deferred.length === 0)
    return { silencedBy: events.map(() => null), deferred: [], settledAlertIds: [] };

  const findSilence = createSilenceFinder(silences, now.getTime());
  const before = new Map(
    deferred.map((row) => [row.alert_id, { reportedSeverity: row.reported_severity }] as const),
  );
  const after = new Map<number, DeferredReport | null>(before);
  const lastDeferred = new Map<number, { eventIndex: number; endsAtMs: number }>();
  const silencedBy = events.map((event, eventIndex): SilencedBy => {
    const { alertId, subject, eventType, isSnoozed, previousSeverity = null } = event;
    if (alertId === null || isSnoozed) return null;
    const silence = findSilence(subject);
    const current = after.get(alertId) ?? null;
    const isOpeningDeferred = current !== null && current.reportedSeverity === null;
    const outcome = silencedOutcome(eventType, { isSilenced: silence !== null, isOpeningDeferred });
    after.set(alertId, nextDeferredReport(current, outcome, { eventType, previousSeverity }));
    if (outcome === 'defer') lastDeferred.set(alertId, { eventIndex, endsAtMs: silence!.endsAtMs });
    return outcome === 'send' ? null : { silence };
  });
  return {
    silencedBy,
    deferred: [...lastDeferred].flatMap(([alertId, last]) => {
      const report = after.get(alertId);
      return report ? { ...last, report } : [];
    }),
    settledAlertIds: [...before.keys()].filter((alertId) => after.get(alertId) === null),
  };
}

/** Stores deferred reports and deletes settled ones, with one statement each. */
export async function storeDeferredReports(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  { deferred, settledAlertIds }: SilenceDecision,
): Promise<void> {
  if (deferred.length > 0) {
    const rows = deferred.map(({ eventIndex, report, endsAtMs }) => ({
      alert_id: events[eventIndex]!.alertId,
      reported_severity: report.reportedSeverity,
      due_at: new Date(endsAtMs),
    }));
    await sql`
      INSERT INTO silenced_alerts (organization_id, alert_id, reported_severity, due_at)
      SELECT ${organizationId}, d.alert_id, d.reported_severity, d.due_at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS d (alert_id bigint, reported_severity text, due_at timestamptz)
      ORDER BY d.alert_id
      ON CONFLICT (organization_id, alert_id) DO UPDATE SET due_at = excluded.due_at`.execute(tx);
    wake(tx, dueTopic(dueSilencedAlertsTable.name));
  }
  if (settledAlertIds.length > 0) {
    await sql`
      DELETE FROM silenced_alerts
      WHERE organization_id = ${organizationId} AND alert_id = ANY(${settledAlertIds}::bigint[])`.execute(tx);
  }
}

/**
 * Selects the active silences as JSON, for use in larger statements. A transaction that ends or changes a
 * silence waits for this transaction, so that it also evaluates the reports that this transaction defers.
 */
export function lockedSilencesSql(
  organizationId: number,
  where: RawBuilder<unknown>,
): RawBuilder<SilenceState['silences']> {
  return sql`(
    SELECT coalesce(jsonb_agg(to_jsonb(active)), '[]') FROM (
      SELECT ${silenceColumns} FROM silences
      WHERE organization_id = ${organizationId} AND ${isActiveSilence} AND ${where} FOR SHARE) AS active)`;
}

/** Selects the deferred reports of alerts as JSON, for use in larger statements. */
export function deferredReportsSql(
  organizationId: number,
  alertIds: readonly number[],
): RawBuilder<SilenceState['deferred']> {
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('alert_id', alert_id, 'reported_severity', reported_severity)), '[]')
    FROM silenced_alerts
    WHERE organization_id = ${organizationId} AND alert_id = ANY(${[...alertIds]}::bigint[]))`;
}
