import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import {
  type ClosedDelivery,
  completeDigestedDeliveries,
  recordDeadLetters,
} from '../model/attempt-queries.ts';
import { deliveryAuditEntry } from '../model/delivery-audit-entry.ts';
import { collectsDigests, hasOpenDigest, rateLimitWaitMs } from '../model/delivery-lines.ts';
import { maxRateLimitWaitMs } from '../send/attempt-outcome.ts';

const expiryBatchSize = 500;

/**
 * Dead-letters up to 500 deliveries that have waited behind a failing target for longer than the total of the retry
 * schedule. The caller skips healthy channels, so their delayed deliveries are still sent, for example after a long
 * server outage. An event that waits for a digest never expires before the planned time of the digest. After that time,
 * it expires only while another digest is open.
 */
export async function expireDeliveries(
  tx: Tx,
  organizationId: number,
  channelId: number,
  maxAgeMs: number,
): Promise<void> {
  const tooOld = sql`pacekeeper_now() - ${maxAgeMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<ClosedDelivery>`
    UPDATE notification_deliveries d
    SET status = 'dead_letter', reason = 'expired', next_attempt_at = NULL, completed_at = pacekeeper_now(),
      updated_at = pacekeeper_now()
    WHERE d.organization_id = ${organizationId} AND d.id IN (
      SELECT d.id FROM notification_deliveries d
      JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
      WHERE d.organization_id = ${organizationId} AND d.channel_id = ${channelId} AND d.status IN ('pending', 'failed')
        AND d.digest_delivery_id IS NULL AND NOT d.waits_for_channel AND d.waits_for_cause IS NULL AND NOT d.waits_for_hours
        AND NOT d.waits_for_limit
        AND CASE WHEN ${isForDigest} THEN ${hasOpenDigest} AND d.next_attempt_at < ${tooOld}
          ELSE d.series_started_at + least(${rateLimitWaitMs}, ${maxRateLimitWaitMs}) * interval '1 millisecond' < ${tooOld} END
      ORDER BY d.id LIMIT ${expiryBatchSize} FOR UPDATE OF d SKIP LOCKED)
    RETURNING d.organization_id, d.id, d.alert_id, d.channel_name, d.event_type`.execute(tx);
  if (rows.length > 0) await recordDeadLetters(tx, [{ organizationId, channelId }]);
  const carried = await completeDigestedDeliveries(
    tx,
    rows.filter(({ event_type }) => event_type === 'digest'),
  );
  const outcome = { status: 'dead_letter', reason: 'expired' } as const;
  const entries = [...rows, ...carried].flatMap(({ alert_id, channel_name, event_type }) =>
    alert_id === null ? [] : deliveryAuditEntry(alert_id, channel_name, event_type, outcome),
  );
  await writeEntries(tx, organizationId, entries);
}

/** True for deliveries that wait for a digest. Their attempt series starts only with the digest that includes them. */
const isForDigest = sql<boolean>`(${collectsDigests} AND d.attempt_count = 0 AND d.event_type <> 'digest')`;
