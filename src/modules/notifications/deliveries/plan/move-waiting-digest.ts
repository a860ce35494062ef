import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';
import { isOpen } from '../claim/delivery-lines.ts';

/**
 * What waits for the next digest of a channel goes out by `at`, such as the next time of a new schedule. What waits for
 * its sending hours or for something else keeps waiting.
 *
 * @param at null: now
 */
export async function moveWaitingDigest(
  tx: Tx,
  organizationId: number,
  channelId: number,
  at: Date | null,
): Promise<void> {
  await sql`
    UPDATE notification_deliveries d
    SET next_attempt_at = coalesce(${at?.toISOString() ?? null}::timestamptz, pacekeeper_now()), updated_at = pacekeeper_now()
    WHERE d.organization_id = ${organizationId} AND d.channel_id = ${channelId} AND ${isOpen}
      AND d.attempt_count = 0 AND d.digest_delivery_id IS NULL AND d.event_type <> 'digest'
      AND d.next_attempt_at > pacekeeper_now() AND NOT d.waits_for_hours`.execute(tx);
}
