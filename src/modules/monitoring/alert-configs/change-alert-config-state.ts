import { sql } from 'kysely';
import type { ConfigEvaluation } from '../../../domain/alerts/config-evaluation.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { evaluationsDue } from '../trigger-evaluation.ts';

/** When a configuration is to be evaluated because of an action on its alert; null: not because of it. */
type EvaluateAt = 'now' | Date | null;

/**
 * What an action on an alert changes of its configuration, and when that is to be evaluated because of it.
 * The caller has locked the configuration.
 */
export async function changeAlertConfigState(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  id: number,
  change: Partial<Pick<ConfigEvaluation, 'stateReason' | 'mutedVersion' | 'mutedSeverity'>> | null,
  evaluateAt: EvaluateAt,
): Promise<void> {
  await tx
    .updateTable('alert_configs')
    .set({
      ...(change?.stateReason !== undefined && { state_reason: change.stateReason }),
      ...(change?.mutedVersion !== undefined && { quiet_version: change.mutedVersion }),
      ...(change?.mutedSeverity !== undefined && { quiet_severity: change.mutedSeverity }),
      ...(evaluateAt === 'now' && {
        wanted: sql<number>`wanted + 1`,
        due_at: sql<Date>`least(due_at, pacekeeper_now())`,
      }),
      // Nothing is wanted before that time. An evaluation that is under way waits for our lock and then sees the alert.
      ...(evaluateAt instanceof Date && {
        due_at: sql<Date>`least(due_at, ${evaluateAt.toISOString()}::timestamptz)`,
      }),
      updated_at: sql`updated_at`,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  if (evaluateAt) wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
  wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/alert_config/${id}`);
}
