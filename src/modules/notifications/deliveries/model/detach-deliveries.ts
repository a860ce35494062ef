import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';

/**
 * Locks open deliveries before the resolutions of alerts are planned. Planning locks channels, and all code
 * locks deliveries before channels to avoid deadlocks.
 */
export async function lockOpenDeliveries(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<void> {
  await sql`
    SELECT FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND alert_id = ANY(${[...alertIds]}::bigint[])
      AND status IN ('pending', 'failed', 'in_progress')
    ORDER BY id FOR UPDATE`.execute(tx);
}

/**
 * Detaches deliveries from alerts that are about to be deleted, after their resolutions were planned. Waiting
 * deliveries are canceled, and deliveries in progress aren't retried. Only channels that were notified of an
 * alert receive its resolution, after any delivery in progress. The deliveries remain after their alerts are
 * deleted.
 */
export async function detachDeliveries(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<void> {
  if (alertIds.length === 0) return;
  // Deliveries inside a digest are excluded, because the digest is still sent.
  await sql`
    UPDATE notification_deliveries d
    SET reason = 'alert_deleted', updated_at = pacekeeper_now(),
        status = CASE WHEN status = 'in_progress' THEN status ELSE 'canceled' END,
        completed_at = CASE WHEN status = 'in_progress' THEN NULL ELSE pacekeeper_now() END,
        waits_for_channel = false, waits_for_cause = NULL, waits_for_hours = false,
        next_attempt_at = CASE WHEN status = 'in_progress' THEN next_attempt_at END
    WHERE organization_id = ${organizationId} AND alert_id = ANY(${[...alertIds]}::bigint[])
      AND status IN ('pending', 'failed', 'in_progress') AND digest_delivery_id IS NULL
      -- Retention may have removed the notifications of an old alert.
      AND NOT (event_type = 'alert.resolved' AND coalesce((
        SELECT bool_or(sent.attempt_count > 0 OR sent.digest_delivery_id IS NOT NULL) FROM notification_deliveries sent
        WHERE sent.organization_id = d.organization_id AND sent.alert_id = d.alert_id
          AND sent.channel_id = d.channel_id AND sent.id <> d.id), true))`.execute(tx);
  await sql`
    UPDATE notification_deliveries SET alert_id = NULL
    WHERE organization_id = ${organizationId} AND alert_id = ANY(${[...alertIds]}::bigint[])`.execute(tx);
}
