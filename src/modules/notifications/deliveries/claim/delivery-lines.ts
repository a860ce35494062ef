import { type RawBuilder, sql } from 'kysely';

/**
 * Which open deliveries of a channel may go out, as conditions on `d` (notification_deliveries) and `c`
 * (its channel). While a delivery is being sent, its `next_attempt_at` is the end of its lease, so that one
 * column says when something is to be done about it.
 */

export const isOpen: RawBuilder<boolean> = sql<boolean>`d.status IN ('pending', 'failed', 'in_progress')`;

/** Whether the channel combines events into digests. */
export const collectsDigests: RawBuilder<boolean> = sql<boolean>`
  (c.digest_minutes IS NOT NULL OR c.digest_schedule IS NOT NULL)`;

/**
 * The first open one of its alert, and not one that goes out with a digest. Needs `heldEnds` of the channel.
 * `OFFSET 0` keeps PostgreSQL from joining all open rows of the channel with each other (seen: 120 ms instead of 5
 * for 60 channels), which it does when its statistics know few open rows.
 */
export const isNextInLine: RawBuilder<boolean> = sql<boolean>`
  d.digest_delivery_id IS NULL AND d.next_attempt_at IS NOT NULL
  AND (NOT ${collectsDigests} OR d.event_type = 'digest' OR d.attempt_count > 0)
  AND NOT EXISTS (
    SELECT FROM notification_deliveries earlier
    WHERE earlier.organization_id = d.organization_id AND earlier.channel_id = d.channel_id
      AND earlier.alert_id = d.alert_id AND earlier.sequence < d.sequence
      AND earlier.status IN ('pending', 'failed', 'in_progress')
    OFFSET 0)
  AND NOT (d.alert_id IS NULL AND d.event_type = 'alert.resolved' AND ends.are_held)`;

/**
 * Waits to be put into a digest of its channel: it was never tried, which says more than its status does. That one
 * names the rows of the whole organization to PostgreSQL, where `isOpen` names those of the channel. What waits for
 * the digest of a new reading of versions goes out with that, and whatever came later of the same alert after it. It
 * also waits for earlier messages about the same alert that are sent on their own, for example after a manual retry.
 */
export const waitsForDigest: RawBuilder<boolean> = sql<boolean>`
  ${isOpen} AND d.attempt_count = 0 AND d.digest_delivery_id IS NULL AND d.event_type <> 'digest'
  AND NOT d.waits_for_reading AND NOT EXISTS (
    SELECT FROM notification_deliveries earlier
    WHERE earlier.organization_id = d.organization_id AND earlier.channel_id = d.channel_id
      AND earlier.alert_id = d.alert_id AND earlier.sequence < d.sequence
      AND earlier.status IN ('pending', 'failed', 'in_progress')
      AND (earlier.waits_for_reading OR earlier.attempt_count > 0)
    OFFSET 0)`;

/** Digests of a channel go out one after the other, so that the events of an alert keep their order. */
export const hasOpenDigest: RawBuilder<boolean> = sql<boolean>`
  EXISTS (
    SELECT FROM notification_deliveries digest
    WHERE digest.organization_id = c.organization_id AND digest.channel_id = c.id AND digest.event_type = 'digest'
      AND digest.status IN ('pending', 'failed', 'in_progress')
    OFFSET 0)`;

/**
 * For a join with `c`: whether the ends of deleted alerts have to wait. Without its alert, an end no longer knows what is
 * before it, which can be any digest, or anything that is being sent of a deleted alert. Asked once for a channel: of a rule
 * that is deleted, thousands can wait.
 */
export const heldEnds: RawBuilder<unknown> = sql`
  LATERAL (SELECT ${hasOpenDigest} OR EXISTS (
    SELECT FROM notification_deliveries sending
    WHERE sending.organization_id = c.organization_id AND sending.channel_id = c.id
      AND sending.status = 'in_progress' AND sending.reason = 'alert_deleted'
    OFFSET 0) AS are_held OFFSET 0) AS ends`;
