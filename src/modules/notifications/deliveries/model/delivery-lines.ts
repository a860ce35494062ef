import { type RawBuilder, sql } from 'kysely';

/**
 * SQL conditions that determine which open deliveries of a channel can be sent, with the aliases `d`
 * (notification_deliveries) and `c` (its channel). During an attempt, `next_attempt_at` is the end of the
 * lease, so that one column contains the time of the next action.
 */

export const isOpen: RawBuilder<boolean> = sql<boolean>`d.status IN ('pending', 'failed', 'in_progress')`;

/** Time that a delivery has waited after rejections because of a rate limit, including the current wait. */
export const rateLimitWaitMs: RawBuilder<number> = sql<number>`(
  d.rate_limit_wait_ms + CASE WHEN d.is_rate_limited
    THEN greatest(0, extract(epoch FROM pacekeeper_now() - d.last_attempt_at) * 1000)::bigint ELSE 0 END)`;

/** True if the channel combines events into digests. */
export const collectsDigests: RawBuilder<boolean> = sql<boolean>`
  (c.digest_minutes IS NOT NULL OR c.digest_schedule IS NOT NULL)`;

/**
 * True for the first open delivery of an alert, or of a problem of Pacekeeper itself, unless a digest includes
 * it. Requires `heldResolutions` of the channel. `OFFSET 0` keeps PostgreSQL from joining all open rows of the
 * channel with each other when its statistics expect few open rows (measured: 120 ms instead of 5 ms for 60
 * channels).
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
  AND (d.trouble IS NULL OR NOT EXISTS (
    SELECT FROM notification_deliveries earlier
    WHERE earlier.organization_id = d.organization_id AND earlier.channel_id = d.channel_id
      AND earlier.trouble = d.trouble AND earlier.id < d.id
      AND earlier.status IN ('pending', 'failed', 'in_progress')
    OFFSET 0))
  AND NOT (d.alert_id IS NULL AND d.event_type = 'alert.resolved' AND ends.are_held)`;

/**
 * True for a delivery that waits for a digest of its channel. Excludes a delivery with `waits_for_cause`,
 * because it joins the digest of its cause. Also excludes a delivery that must follow an earlier message
 * about the same alert: a message that waits for its cause, or one that is sent individually, for example
 * after a manual retry. The condition uses `attempt_count = 0` instead of a status. With a status, PostgreSQL
 * would search the rows of the whole organization, while `isOpen` limits the search to the channel.
 */
export const waitsForDigest: RawBuilder<boolean> = sql<boolean>`
  ${isOpen} AND d.attempt_count = 0 AND d.digest_delivery_id IS NULL AND d.event_type <> 'digest'
  AND d.waits_for_cause IS NULL AND NOT EXISTS (
    SELECT FROM notification_deliveries earlier
    WHERE earlier.organization_id = d.organization_id AND earlier.channel_id = d.channel_id
      AND earlier.alert_id = d.alert_id AND earlier.sequence < d.sequence
      AND earlier.status IN ('pending', 'failed', 'in_progress')
      AND (earlier.waits_for_cause IS NOT NULL OR earlier.attempt_count > 0)
    OFFSET 0)`;

/**
 * True if the channel has an open digest. A channel sends one digest at a time, so that the events of an
 * alert keep their order.
 */
export const hasOpenDigest: RawBuilder<boolean> = sql<boolean>`
  EXISTS (
    SELECT FROM notification_deliveries digest
    WHERE digest.organization_id = c.organization_id AND digest.channel_id = c.id AND digest.event_type = 'digest'
      AND digest.status IN ('pending', 'failed', 'in_progress')
    OFFSET 0)`;

/**
 * For a join with `c`: true if resolutions of deleted alerts must wait. Without the alert, a resolution can't
 * be matched with earlier messages about it. Such an earlier message can be in any digest, or in any delivery
 * of a deleted alert that is in progress. The condition is evaluated once per channel, because thousands of
 * resolutions can wait after a rule is deleted.
 */
export const heldResolutions: RawBuilder<unknown> = sql`
  LATERAL (SELECT ${hasOpenDigest} OR EXISTS (
    SELECT FROM notification_deliveries sending
    WHERE sending.organization_id = c.organization_id AND sending.channel_id = c.id
      AND sending.status = 'in_progress' AND sending.reason = 'alert_deleted'
    OFFSET 0) AS are_held OFFSET 0) AS ends`;
