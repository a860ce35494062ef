import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';
import { isOpen } from './delivery-lines.ts';

/**
 * Reschedules the deliveries that wait for the next digest of a channel to `at`, for example the next time of
 * a new schedule. Deliveries that wait for sending hours or for other reasons keep waiting. The attempt
 * series restarts. If the channel no longer creates digests, it sends each delivery individually, and the
 * time spent waiting must not count toward the series.
 *
 * @param at `null` means now.
 */
export async function moveWaitingDigest(
  tx: Tx,
  organizationId: number,
  channelId: number,
  at: Date | null,
): Promise<void> {
  await sql`
    UPDATE notification_deliveries d
    SET next_attempt_at = CASE WHEN d.next_attempt_at > pacekeeper_now()
        THEN coalesce(${at?.toISOString() ?? null}::timestamptz, pacekeeper_now()) ELSE d.next_attempt_at END,
      series_started_at = pacekeeper_now(), updated_at = pacekeeper_now()
    WHERE d.organization_id = ${organizationId} AND d.channel_id = ${channelId} AND ${isOpen}
      AND d.attempt_count = 0 AND d.digest_delivery_id IS NULL AND d.event_type <> 'digest'
      AND d.next_attempt_at IS NOT NULL AND NOT d.waits_for_hours`.execute(tx);
}
