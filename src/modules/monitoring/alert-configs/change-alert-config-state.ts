import { sql } from 'kysely';
import type { ConfigEvaluation } from '../../../domain/alerts/config-evaluation.ts';
import { changeTopic, dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { dueEvaluationsTable } from '../trigger-evaluation.ts';

/** Time of the evaluation that an action on an alert requires. Null if the action doesn't require one. */
type EvaluateAt = 'now' | Date | null;

/**
 * Stores the changes that an action on an alert makes to its configuration, and schedules the evaluation. The
 * caller must have locked the configuration.
 */
export async function changeAlertConfigState(
  tx: Tx,
  organizationId: number,
  id: number,
  change: Partial<Pick<ConfigEvaluation, 'stateReason' | 'mutedVersion' | 'mutedSeverity'>> | null,
  evaluateAt: EvaluateAt,
): Promise<void> {
  await tx
    .updateTable('alert_configs')
    .set({
      ...(change?.stateReason !== undefined && { state_reason: change.stateReason }),
      ...(change?.mutedVersion !== undefined && { muted_version: change.mutedVersion }),
      ...(change?.mutedSeverity !== undefined && { muted_severity: change.mutedSeverity }),
      ...(evaluateAt === 'now' && {
        requested_seq: sql<number>`requested_seq + 1`,
        due_at: sql<Date>`least(due_at, pacekeeper_now())`,
      }),
      // Change only the due time, because no evaluation is required before it. An evaluation in progress
      // waits for the lock of the configuration, and then reads the changed alert.
      ...(evaluateAt instanceof Date && {
        due_at: sql<Date>`least(due_at, ${evaluateAt.toISOString()}::timestamptz)`,
      }),
      updated_at: sql`updated_at`,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  if (evaluateAt) wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
  wake(tx, changeTopic(organizationId, 'alert_config', id));
}
