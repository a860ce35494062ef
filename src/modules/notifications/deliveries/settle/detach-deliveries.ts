import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';

/**
 * For alerts that are about to be deleted. With a reason, what still waits is canceled, and what is being sent
 * at this moment is not tried again, except for resolutions: nothing else would report that the alert is over. Without
 * one, the deliveries outlive their alerts.
 */
export async function detachDeliveries(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
  cancelReason: 'alert_deleted' | null,
): Promise<void> {
  if (alertIds.length === 0) return;
  if (cancelReason === null) {
    await sql`
      UPDATE notification_deliveries SET alert_id = NULL
      WHERE organization_id = ${organizationId} AND alert_id = ANY(${alertIds}::bigint[])`.execute(tx);
    return;
  }
  // What a digest carries is told with it.
  await sql`
    UPDATE notification_deliveries
    SET reason = ${cancelReason}, updated_at = pacekeeper_now(),
        status = CASE WHEN status = 'in_progress' THEN status ELSE 'canceled' END,
        completed_at = CASE WHEN status = 'in_progress' THEN NULL ELSE pacekeeper_now() END,
        waits_for_channel = false, waits_for_reading = false, waits_for_hours = false,
        next_attempt_at = CASE WHEN status = 'in_progress' THEN next_attempt_at END
    WHERE organization_id = ${organizationId} AND alert_id = ANY(${alertIds}::bigint[])
      AND status IN ('pending', 'failed', 'in_progress') AND digest_delivery_id IS NULL
      AND event_type <> 'alert.resolved'`.execute(tx);
}
