import { sql } from 'kysely';
import { jobKinds } from '../modules/agents/index.ts';
import { auditExportsDue } from '../modules/audit-exports/index.ts';
import { freshnessDue } from '../modules/freshness/index.ts';
import { recoverHookedJobsAcrossOrganizations } from '../modules/hooks/index.ts';
import { evaluationsDue } from '../modules/monitoring/index.ts';
import { ownerMailsDue, silencedAlertsDue } from '../modules/notifications/index.ts';
import { recoverRunsAcrossOrganizations, schedulesDue } from '../modules/runs/index.ts';
import { digestFanOutsDue, fanOutsDue, releaseMovesDue } from '../modules/upstream/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { recoverDueRows, triggerDueRows } from '../platform/due-rows/index.ts';

/**
 * Recovers due work after the clock was set back by `backMs`. Schedules, leases, and triggers continue from the current
 * time instead of waiting until the clock reaches its previous time. Configurations whose last evaluation is now in the
 * future are evaluated again. Deliveries are recovered separately.
 */
export async function recoverDueWorkAcrossOrganizations(tx: Tx, backMs: number): Promise<void> {
  for (const kind of Object.values(jobKinds)) {
    await recoverDueRows(tx, schedulesDue(kind), { backMs, isSchedule: true });
  }
  await recoverRunsAcrossOrganizations(tx, backMs);
  await recoverHookedJobsAcrossOrganizations(tx, backMs);
  await recoverDueRows(tx, fanOutsDue, { backMs, isSchedule: false });
  await recoverDueRows(tx, digestFanOutsDue, { backMs, isSchedule: false });
  await recoverDueRows(tx, releaseMovesDue, { backMs, isSchedule: true });
  await recoverDueRows(tx, freshnessDue, { backMs, isSchedule: true });
  await recoverDueRows(tx, silencedAlertsDue, { backMs, isSchedule: false });
  await recoverDueRows(tx, ownerMailsDue, { backMs, isSchedule: true });
  await recoverDueRows(tx, auditExportsDue, { backMs, isSchedule: true });
  await recoverDueRows(tx, evaluationsDue, { backMs, isSchedule: false });
  await triggerDueRows(tx, evaluationsDue, sql`last_evaluated_at > pacekeeper_now()`);
}
