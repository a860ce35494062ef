import { sql } from 'kysely';
import { type AlertChange, alertChange } from '../../domain/alerts/open-alert.ts';
import { systemActor } from '../../domain/audit/actor.ts';
import { eventTypeAfterSilence } from '../../domain/routing/silence.ts';
import { ruleTypes } from '../../domain/rules/rule-types.ts';
import type { AlertSeverity } from '../../domain/rules/severity.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  finishDueRows,
  startDueLoop,
  withDeferredTriggers,
} from '../../platform/due-rows/index.ts';
import { createLimit } from '../../platform/fairness/index.ts';
import type { Log } from '../../platform/log.ts';
import { dueSilencedAlertsTable, readActiveSilences } from '../notifications/index.ts';
import { type LockedAlert, lockAlerts, toSubject } from './alert-queries.ts';
import { toAlertState } from './alert-row.ts';
import { type AlertChanges, applyAlertChanges } from './apply-alert-changes.ts';

interface SilencedAlert {
  organization_id: number;
  alert_id: number;
}

/** Maximum number of alerts reported together, in one message per channel. */
const reportBatchSize = 1_000;
/** Maximum number of concurrent transactions, because other tasks also require connections from the pool. */
const maxTransactions = 4;

/**
 * When silences end, reports the alerts that opened or changed during the silences and are still open. If
 * several servers run, only one of them reports each alert.
 */
export function startSilenceEndLoop(deps: { db: Database; log: Log }): DueLoop {
  const { db } = deps;
  const limit = createLimit(maxTransactions);
  /**
   * Organizations already processed in this round. Alerts of other organizations are claimed first. If alerts
   * were claimed only by due time, an organization would get many messages with a few alerts each.
   */
  let served: number[] = [];
  return startDueLoop<SilencedAlert>({
    ...deps,
    table: dueSilencedAlertsTable,
    batchSize: reportBatchSize,
    maxInFlight: reportBatchSize,
    leaseMs: 60_000,
    orderBy: () => sql`organization_id = ANY(${served}::bigint[]), due_at`,
    async handle(claims) {
      const byOrganization = Map.groupBy(claims, ({ row }) => row.organization_id);
      const isNextRound = served.some((organizationId) => byOrganization.has(organizationId));
      served = [...(isNextRound ? [] : served), ...byOrganization.keys()];
      const outcomes = await Promise.allSettled(
        [...byOrganization].map(([organizationId, ofOrganization]) =>
          limit.run(() =>
            transaction(db, (tx) =>
              withDeferredTriggers(tx, () => reportSilencedAlerts(tx, organizationId, ofOrganization)),
            ),
          ),
        ),
      );
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
  });
}

/**
 * Reports the alerts of one organization. Alerts that now match another silence wait for its end. The number
 * of statements doesn't depend on the number of alerts.
 */
async function reportSilencedAlerts(
  tx: Tx,
  organizationId: number,
  claims: readonly Claim<SilencedAlert>[],
): Promise<void> {
  const alertIds = claims.map(({ row }) => row.alert_id);
  // Locks configurations before alerts, like all other transactions.
  await sql`
    SELECT FROM alert_configs c
    WHERE c.organization_id = ${organizationId} AND c.id IN (
      SELECT alert_config_id FROM alerts WHERE organization_id = ${organizationId} AND id = ANY(${alertIds}::bigint[]))
    ORDER BY c.id FOR NO KEY UPDATE`.execute(tx);
  const locked = await lockAlerts(
    tx,
    organizationId,
    sql`a.id = ANY(${alertIds}::bigint[]) AND a.resolved_at IS NULL`,
  );
  const { findSilence, nowMs } = await readActiveSilences(tx, organizationId);

  const waitsUntil = new Map(
    locked.flatMap(({ alert, rule_id, labels }) => {
      const silence = findSilence({ severity: alert.severity, ruleId: rule_id, labels });
      return silence === null ? [] : [[alert.id, new Date(silence.endsAtMs)] as const];
    }),
  );
  await finishDueRows(
    tx,
    dueSilencedAlertsTable,
    claims.flatMap((claim) => {
      const nextDueAt = waitsUntil.get(claim.row.alert_id);
      return nextDueAt === undefined ? [] : { claim, nextDueAt };
    }),
  );

  const ended = claims.filter(({ row }) => !waitsUntil.has(row.alert_id));
  const deferred = await takeDeferred(tx, organizationId, ended);
  const changes = locked.flatMap((row) => {
    const report = deferred.get(row.alert.id);
    return report === undefined ? [] : (toChanges(row, report.reported_severity) ?? []);
  });
  await applyAlertChanges(tx, organizationId, changes, new Date(nowMs));
}

/**
 * Deletes the claimed rows and returns them. Excludes alerts that were reported, resolved, or deleted after
 * the claim, and those that another server has claimed.
 */
async function takeDeferred(
  tx: Tx,
  organizationId: number,
  claims: readonly Claim<SilencedAlert>[],
): Promise<Map<number, { reported_severity: AlertSeverity | null }>> {
  const { rows } = await sql<{ alert_id: number; reported_severity: AlertSeverity | null }>`
    DELETE FROM silenced_alerts s
    USING unnest(${claims.map(({ row }) => row.alert_id)}::bigint[], ${claims.map(({ leaseToken }) => leaseToken)}::uuid[])
      AS claimed (alert_id, lease_token)
    WHERE s.organization_id = ${organizationId} AND s.alert_id = claimed.alert_id AND s.lease_token = claimed.lease_token
    RETURNING s.alert_id, s.reported_severity`.execute(tx);
  return new Map(rows.map((row) => [row.alert_id, row]));
}

/** Returns null if someone acknowledged the alert, or if it's no worse than the severity that was already reported. */
function toChanges(row: LockedAlert, reportedSeverity: AlertSeverity | null): AlertChanges | null {
  const state = toAlertState(row.alert);
  const { kind } = ruleTypes[row.rule_type];
  const eventType = eventTypeAfterSilence({ reportedSeverity }, state.severity, {
    countsNews: kind === 'vulnerabilities' || kind === 'release_moves',
    isAcknowledged: state.acknowledgedAtMs !== null,
  });
  if (eventType === null) return null;
  const change: AlertChange = {
    ...alertChange(state, row.now.getTime(), systemActor, {
      action: 'unsilenced',
      eventType,
      from: reportedSeverity,
      to: state.severity,
    }),
    cause: 'silence_ended',
  };
  return {
    subject: toSubject(row),
    alert: { id: row.alert.id, lastSequence: row.alert.last_sequence, before: state },
    write: { after: state, changes: [change] },
  };
}
