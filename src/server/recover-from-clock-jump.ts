import { sql } from 'kysely';
import { jobKinds } from '../modules/agents/index.ts';
import { dueAuditExportsTable } from '../modules/audit-exports/index.ts';
import { dueFreshnessTable } from '../modules/freshness/index.ts';
import { recoverHookedJobsAcrossOrganizations } from '../modules/hooks/index.ts';
import { dueEvaluationsTable } from '../modules/monitoring/index.ts';
import { dueOwnerMailsTable, dueSilencedAlertsTable } from '../modules/notifications/index.ts';
import { dueSchedulesTable, recoverRunsAcrossOrganizations } from '../modules/runs/index.ts';
import { dueDigestFanOutsTable, dueFanOutsTable, dueReleaseMovesTable } from '../modules/upstream/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { recoverDueRows, triggerDueRows } from '../platform/due-rows/index.ts';

/**
 * Recovers due work after the clock was set back by `backMs`. Schedules, leases, and triggers continue from the current
 * time instead of waiting until the clock reaches its previous time. Configurations whose last evaluation is now in the
 * future are evaluated again. Deliveries are recovered separately.
 */
export async function recoverDueWorkAcrossOrganizations(tx: Tx, backMs: number): Promise<void> {
  for (const kind of Object.values(jobKinds)) {
    await recoverDueRows(tx, dueSchedulesTable(kind), { backMs, isSchedule: true });
  }
  await recoverRunsAcrossOrganizations(tx, backMs);
  await recoverHookedJobsAcrossOrganizations(tx, backMs);
  await recoverDueRows(tx, dueFanOutsTable, { backMs, isSchedule: false });
  await recoverDueRows(tx, dueDigestFanOutsTable, { backMs, isSchedule: false });
  await recoverDueRows(tx, dueReleaseMovesTable, { backMs, isSchedule: true });
  await recoverDueRows(tx, dueFreshnessTable, { backMs, isSchedule: true });
  await recoverDueRows(tx, dueSilencedAlertsTable, { backMs, isSchedule: false });
  await recoverDueRows(tx, dueOwnerMailsTable, { backMs, isSchedule: true });
  await recoverDueRows(tx, dueAuditExportsTable, { backMs, isSchedule: true });
  await recoverDueRows(tx, dueEvaluationsTable, { backMs, isSchedule: false });
  await triggerDueRows(tx, dueEvaluationsTable, sql`last_evaluated_at > pacekeeper_now()`);
}
