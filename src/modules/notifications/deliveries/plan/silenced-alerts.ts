import { sql } from 'kysely';
import {
  type DeferredReport,
  deferReport,
  type Silence,
  silencedOutcome,
  silenceFinder,
} from '../../../../domain/routing/silence.ts';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import type { DueTable } from '../../../../platform/due-rows/index.ts';
import { isActiveSilence, silenceColumns } from '../../silences/active-silences.ts';
import type { PlannedEvent } from './plan-deliveries.ts';

/** Open alerts of which something is yet to be reported, due when the last silence that matches them ends. */
export const silencedAlertsDue = {
  name: 'silenced_alerts',
  keys: { organization_id: 'bigint', alert_id: 'bigint' },
} as const satisfies DueTable;

/** Why a silence keeps an event from being sent; null for those that are routed. */
export type SilencedBy = { silence: Silence | null } | null;

interface State {
  silences: Silence[];
  deferred: { alert_id: number; reported_severity: AlertSeverity | null }[];
  now: Date;
}

/**
 * Decides which events silences keep from being sent, and stores what is to be reported when they end. Two statements at
 * most, besides the one that reads.
 */
export async function applySilences(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  wakeUps: WakeUps,
): Promise<SilencedBy[]> {
  const alertIds = [...new Set(events.flatMap(({ alertId }) => alertId ?? []))];
  if (alertIds.length === 0) return events.map(() => null);
  const { silences, deferred, now } = await lockSilences(tx, organizationId, alertIds);
  if (silences.length === 0 && deferred.length === 0) return events.map(() => null);

  const findSilence = silenceFinder(silences, now.getTime());
  const before = new Map(
    deferred.map((row) => [row.alert_id, { reportedSeverity: row.reported_severity }] as const),
  );
  const after = new Map<number, DeferredReport | null>(before);
  const endsAtMs = new Map<number, number>();
  const silencedBy = events.map((event): SilencedBy => {
    const { alertId, subject, eventType, isSilenced: isSnoozed, previousSeverity = null } = event;
    if (alertId === null || isSnoozed) return null;
    const silence = findSilence(subject);
    const current = after.get(alertId) ?? null;
    const isOpeningDeferred = current !== null && current.reportedSeverity === null;
    const outcome = silencedOutcome(eventType, { isSilenced: silence !== null, isOpeningDeferred });
    after.set(alertId, deferReport(current, outcome, { eventType, previousSeverity }));
    if (outcome === 'defer') endsAtMs.set(alertId, silence!.endsAtMs);
    return outcome === 'send' ? null : { silence };
  });
  await writeDeferred(tx, organizationId, after, endsAtMs);
  const settled = [...before.keys()].filter((alertId) => after.get(alertId) === null);
  if (settled.length > 0) {
    await sql`
      DELETE FROM silenced_alerts
      WHERE organization_id = ${organizationId} AND alert_id = ANY(${settled}::bigint[])`.execute(tx);
  }
  if (endsAtMs.size > 0) wakeUps.wakeAfterCommit(tx, silencedAlertsDue.name);
  return silencedBy;
}

/**
 * The active silences and what is deferred of these alerts. Whoever ends or changes a silence waits until this
 * transaction has stored what it defers, and then has it compared again.
 */
async function lockSilences(tx: Tx, organizationId: number, alertIds: readonly number[]): Promise<State> {
  const { rows } = await sql<State>`
    WITH active AS (
      SELECT ${silenceColumns} FROM silences
      WHERE organization_id = ${organizationId} AND ${isActiveSilence} FOR SHARE
    )
    SELECT pacekeeper_now() AS now, coalesce((SELECT jsonb_agg(to_jsonb(active)) FROM active), '[]') AS silences,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('alert_id', alert_id, 'reported_severity', reported_severity))
        FROM silenced_alerts
        WHERE organization_id = ${organizationId} AND alert_id = ANY(${[...alertIds]}::bigint[])), '[]') AS deferred`.execute(
    tx,
  );
  return rows[0]!;
}

async function writeDeferred(
  tx: Tx,
  organizationId: number,
  reports: ReadonlyMap<number, DeferredReport | null>,
  endsAtMs: ReadonlyMap<number, number>,
): Promise<void> {
  const deferred = [...endsAtMs].flatMap(([alertId, ms]) => {
    const report = reports.get(alertId);
    return report
      ? { alert_id: alertId, reported_severity: report.reportedSeverity, due_at: new Date(ms) }
      : [];
  });
  if (deferred.length === 0) return;
  await sql`
    INSERT INTO silenced_alerts (organization_id, alert_id, reported_severity, due_at)
    SELECT ${organizationId}, d.alert_id, d.reported_severity, d.due_at
    FROM jsonb_to_recordset(${JSON.stringify(deferred)}::jsonb)
      AS d (alert_id bigint, reported_severity text, due_at timestamptz)
    ORDER BY d.alert_id
    ON CONFLICT (organization_id, alert_id) DO UPDATE SET due_at = excluded.due_at`.execute(tx);
}
