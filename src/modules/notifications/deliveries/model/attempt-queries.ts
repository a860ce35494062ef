import { type RawBuilder, sql } from 'kysely';
import type { SendingPace } from '../../../../domain/channels/sending-pace.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import {
  collectsDigests,
  hasOpenDigest,
  heldResolutions,
  isNextInLine,
  isOpen,
  waitsForDigest,
} from './delivery-lines.ts';

/** The stored result of one attempt. Times are RFC 3339. */
export interface AttemptRow {
  organization_id: number;
  id: number;
  lease_token: string;
  status: 'succeeded' | 'failed' | 'dead_letter';
  next_attempt_at: string | null;
  /** True if the receiver rejected the message because of a rate limit. */
  is_rate_limited: boolean;
  reason: string | null;
  started_at: string;
  duration_ms: number;
  response_status: number | null;
  /** Sealed response body, in base64. */
  response_body_sealed: string | null;
  error_code: string | null;
  error_message: string | null;
  /** Recipients that an email reached. Empty for other channel types. */
  accepted_recipients: readonly string[];
}

export interface RecordedAttempt {
  organization_id: number;
  id: number;
  status: 'succeeded' | 'failed' | 'dead_letter' | 'canceled';
  was_brought_forward: boolean;
}

/**
 * Returns the time of the database and the IDs of the given alerts that still exist. The alerts can't be
 * deleted until the transaction ends.
 */
export async function readNowAndLockAlerts(
  tx: Tx,
  alerts: readonly { organizationId: number; alertId: number }[],
): Promise<{ now: Date; alertIds: Set<number> }> {
  const { rows } = await sql<{ now: Date; id: number | null }>`
    SELECT pacekeeper_now() AS now, alert.id
    FROM (SELECT 1) AS one
    LEFT JOIN LATERAL (
      SELECT id FROM alerts
      WHERE (organization_id, id) IN (SELECT * FROM unnest(
        ${alerts.map((alert) => alert.organizationId)}::bigint[], ${alerts.map((alert) => alert.alertId)}::bigint[]))
      ORDER BY organization_id, id FOR KEY SHARE
    ) AS alert ON true`.execute(tx);
  return { now: rows[0]!.now, alertIds: new Set(rows.flatMap((row) => row.id ?? [])) };
}

/**
 * Writes attempts and updates their deliveries. Attempts without a current lease are ignored.
 * @returns The recorded attempts.
 */
export async function recordAttemptRows(tx: Tx, attempts: readonly AttemptRow[]): Promise<RecordedAttempt[]> {
  // If the alert was deleted during the attempt, a failed delivery is canceled instead of retried.
  const { rows } = await sql<RecordedAttempt>`
    WITH attempt AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) AS attempt (
        organization_id bigint, id bigint, lease_token uuid, status text, next_attempt_at timestamptz, is_rate_limited boolean, reason text,
        started_at timestamptz, duration_ms integer, response_status integer, response_body_sealed text,
        error_code text, error_message text, accepted_recipients text[])
    ), recorded AS (
      UPDATE notification_deliveries d
      SET status = CASE WHEN a.status = 'failed' AND d.reason = 'alert_deleted' THEN 'canceled' ELSE a.status END,
        next_attempt_at = CASE WHEN d.reason = 'alert_deleted' THEN NULL ELSE a.next_attempt_at END,
        completed_at = CASE WHEN a.status = 'failed' AND d.reason IS DISTINCT FROM 'alert_deleted' THEN NULL
          ELSE pacekeeper_now() END,
        reason = CASE WHEN a.status = 'succeeded' AND d.reason = 'alert_deleted' THEN a.reason
          ELSE coalesce(a.reason, d.reason) END,
        accepted_recipients = d.accepted_recipients || a.accepted_recipients,
        -- An attempt that a rate limit rejected doesn't count.
        series_attempt_count = d.series_attempt_count - a.is_rate_limited::integer,
        max_attempts = d.max_attempts + a.is_rate_limited::integer, is_rate_limited = a.is_rate_limited,
        response_status = a.response_status, duration_ms = a.duration_ms, error_code = a.error_code,
        error_message = a.error_message, lease_token = NULL, lease_until = NULL, updated_at = pacekeeper_now()
      FROM attempt a
      WHERE d.organization_id = a.organization_id AND d.id = a.id AND d.lease_token = a.lease_token
      RETURNING d.organization_id, d.id, d.status, d.attempt_count, d.was_brought_forward
    ), written AS (
      INSERT INTO delivery_attempts
        (organization_id, notification_delivery_id, number, started_at, duration_ms, response_status,
         response_body_sealed, error_code, error_message)
      SELECT r.organization_id, r.id, r.attempt_count, a.started_at, a.duration_ms, a.response_status,
        decode(a.response_body_sealed, 'base64'), a.error_code, a.error_message
      FROM recorded r JOIN attempt a ON a.organization_id = r.organization_id AND a.id = r.id
    )
    SELECT organization_id, id, status, was_brought_forward FROM recorded`.execute(tx);
  return rows;
}

export interface ClosedDelivery {
  organization_id: number;
  id: number;
  alert_id: number | null;
  channel_name: string;
  event_type: string;
}

/** Copies the result of completed digests to the deliveries that they contain. */
export async function completeDigestedDeliveries(
  tx: Tx,
  digests: readonly Pick<RecordedAttempt, 'organization_id' | 'id'>[],
): Promise<(ClosedDelivery & { digest_id: number })[]> {
  if (digests.length === 0) return [];
  const { rows } = await sql<ClosedDelivery & { digest_id: number }>`
    UPDATE notification_deliveries d
    SET status = digest.status, attempt_count = digest.attempt_count, max_attempts = digest.max_attempts, last_attempt_at = digest.last_attempt_at,
      response_status = digest.response_status, duration_ms = digest.duration_ms, error_code = digest.error_code,
      error_message = digest.error_message, reason = digest.reason, next_attempt_at = NULL,
      completed_at = pacekeeper_now(), updated_at = pacekeeper_now()
    FROM notification_deliveries digest
    WHERE (digest.organization_id, digest.id) IN (SELECT * FROM unnest(
        ${digests.map((digest) => digest.organization_id)}::bigint[], ${digests.map((digest) => digest.id)}::bigint[]))
      AND d.organization_id = digest.organization_id AND d.digest_delivery_id = digest.id
      AND d.status IN ('pending', 'failed', 'in_progress')
    RETURNING d.organization_id, d.id, d.alert_id, d.channel_name, d.event_type, digest.id AS digest_id`.execute(
    tx,
  );
  // Sort in event order, because the order of the returned rows depends on the query plan.
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Effect of the attempts of one pass on the health of a channel. The attempts are evaluated in order. */
export interface HealthRow {
  organization_id: number;
  id: number;
  has_succeeded: boolean;
  /** Number of failures after the last success. */
  failures: number;
  /** Number of accepted messages. */
  accepted: number;
  /** Duration of the last attempt that indicates how fast the receiver is. `null` if no attempt does. */
  last_duration_ms: number | null;
}

export interface ChannelHealth {
  organization_id: number;
  id: number;
  consecutive_failures: number;
  probe_count: number;
  last_failure_at: Date | null;
  next_send_at: Date | null;
  send_interval_ms: number;
  send_interval_floor_ms: number;
  rate_limited_at: Date | null;
  accepted_since: Date | null;
  accepted_count: number;
}

/** Columns of `ChannelHealth`, selected from the table alias `c`. */
const healthColumns = sql`c.organization_id, c.id, c.consecutive_failures, c.probe_count, c.last_failure_at, c.next_send_at,
  c.send_interval_ms, c.send_interval_floor_ms, c.rate_limited_at, c.accepted_since, c.accepted_count`;

/**
 * Updates the health of channels. A channel that accepts a message after probes has recovered. A drop in the
 * number of failures alone doesn't mean a recovery, because the receiver may reject only some messages. A
 * manual retry ends the probing without a success, so the number of probes is checked too. A channel that has
 * recovered is due now, even if another server has already scheduled its next probe.
 */
export async function updateChannelHealth(
  tx: Tx,
  channels: readonly HealthRow[],
  probeFrom: number,
): Promise<(ChannelHealth & { has_recovered: boolean })[]> {
  if (channels.length === 0) return [];
  // Lock channels in the order of their keys, the same order as when they're triggered, to avoid deadlocks.
  const sorted = channels.toSorted((a, b) => a.organization_id - b.organization_id || a.id - b.id);
  const { rows } = await sql<ChannelHealth & { has_recovered: boolean }>`
    WITH health AS (
      SELECT h.*, h.has_succeeded AND (c.consecutive_failures >= ${probeFrom} OR c.probe_count > 0) AS has_recovered
      FROM jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb) AS h (
        organization_id bigint, id bigint, has_succeeded boolean, failures integer, accepted integer, last_duration_ms integer)
      JOIN notification_channels c ON c.organization_id = h.organization_id AND c.id = h.id
      ORDER BY c.organization_id, c.id FOR NO KEY UPDATE OF c
    )
    UPDATE notification_channels c
    SET consecutive_failures = h.failures + CASE WHEN h.has_succeeded THEN 0 ELSE c.consecutive_failures END,
      probe_count = CASE WHEN h.has_succeeded OR c.consecutive_failures < ${probeFrom} THEN 0
        ELSE c.probe_count + h.failures END,
      last_success_at = CASE WHEN h.has_succeeded THEN pacekeeper_now() ELSE c.last_success_at END,
      last_failure_at = CASE WHEN h.failures > 0 THEN pacekeeper_now() ELSE c.last_failure_at END,
      failing_since = CASE WHEN h.failures = 0 THEN CASE WHEN h.has_succeeded THEN NULL ELSE c.failing_since END
        WHEN h.has_succeeded THEN pacekeeper_now() ELSE coalesce(c.failing_since, pacekeeper_now()) END,
      last_duration_ms = coalesce(h.last_duration_ms, c.last_duration_ms),
      due_at = CASE WHEN h.has_recovered THEN least(c.due_at, pacekeeper_now()) ELSE c.due_at END,
      accepted_since = CASE WHEN ${isSameWindow} OR h.accepted = 0 THEN c.accepted_since ELSE pacekeeper_now() END,
      accepted_count = CASE WHEN ${isSameWindow} THEN c.accepted_count ELSE 0 END + h.accepted
    FROM health h
    WHERE c.organization_id = h.organization_id AND c.id = h.id
    RETURNING ${healthColumns}, h.has_recovered`.execute(tx);
  return rows;
}

/**
 * Numbers of failed deliveries that become due early: `first` after a recovery, and `perAccepted` for each of
 * these deliveries that the receiver then accepts. A working receiver accepts them all, so the number doubles
 * each time. If the receiver rejects certain messages, the number stops growing. There are then too few
 * failures to start probes, which would delay the other messages of the channel.
 */
const broughtForward = { first: 5, perAccepted: 2 };

/**
 * Makes failed deliveries due now, for channels that have recovered and for channels that accepted deliveries
 * that this function made due earlier. Otherwise, these deliveries and later messages about the same alerts
 * would wait for as long as the outage had lasted.
 *
 * The attempt that failed during the outage isn't counted, unless it was the first one, because the first
 * attempt starts the series. The function makes each delivery due early only once, so a message that the
 * receiver always rejects keeps its schedule. An email that reached some of its recipients also keeps its
 * schedule, because its mail server works.
 */
export async function makeFailedDeliveriesDue(
  tx: Tx,
  channels: readonly { organizationId: number; channelId: number; hasRecovered: boolean; accepted: number }[],
): Promise<void> {
  if (channels.length === 0) return;
  const { first, perAccepted } = broughtForward;
  const counts = channels.map(
    ({ hasRecovered, accepted }) => (hasRecovered ? first : 0) + perAccepted * accepted,
  );
  const isRepeated = sql`(d.series_attempt_count > 1)::integer`;
  await sql`
    UPDATE notification_deliveries d
    SET next_attempt_at = pacekeeper_now(), series_attempt_count = d.series_attempt_count - ${isRepeated},
      max_attempts = d.max_attempts + ${isRepeated}, was_brought_forward = true, updated_at = pacekeeper_now()
    FROM unnest(
      ${channels.map(({ organizationId }) => organizationId)}::bigint[],
      ${channels.map(({ channelId }) => channelId)}::bigint[], ${counts}::bigint[]
    ) AS channel (organization_id, id, max_count)
    CROSS JOIN LATERAL (
      SELECT d.id FROM notification_deliveries d
      WHERE d.organization_id = channel.organization_id AND d.channel_id = channel.id AND ${isOpen}
        AND d.status = 'failed' AND d.next_attempt_at > pacekeeper_now()
        AND NOT (d.waits_for_channel OR d.waits_for_hours OR d.waits_for_limit OR d.was_brought_forward)
        AND d.accepted_recipients = '{}'
      ORDER BY d.next_attempt_at, d.id LIMIT channel.max_count
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS failed
    WHERE d.organization_id = channel.organization_id AND d.id = failed.id`.execute(tx);
}

/** Records that deliveries of channels became dead letters. The caller must have locked the channels. */
export async function recordDeadLetters(
  tx: Tx,
  channels: readonly { organizationId: number; channelId: number }[],
): Promise<void> {
  if (channels.length === 0) return;
  await sql`
    UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now()
    WHERE (organization_id, id) IN (SELECT * FROM unnest(
      ${channels.map(({ organizationId }) => organizationId)}::bigint[],
      ${channels.map(({ channelId }) => channelId)}::bigint[]))`.execute(tx);
}

/**
 * True if a message belongs to the current window of accepted messages. A message after a minute without messages
 * starts a new window.
 */
const isSameWindow = sql<boolean>`
  (c.last_success_at > pacekeeper_now() - interval '1 minute' OR c.accepted_since > pacekeeper_now() - interval '1 minute')`;

/** Stores the pace of channels. The caller must have locked the channels. */
export async function updateChannelPace(
  tx: Tx,
  channels: readonly ({ organization_id: number; id: number } & SendingPace)[],
): Promise<void> {
  if (channels.length === 0) return;
  await sql`
    UPDATE notification_channels c
    SET next_send_at = p."nextSendAt", send_interval_ms = p."intervalMs", send_interval_floor_ms = p."floorMs",
      rate_limited_at = p."limitedAt", accepted_since = p."acceptedSince", accepted_count = p."acceptedCount"
    FROM jsonb_to_recordset(${JSON.stringify(channels)}::jsonb) AS p (
      organization_id bigint, id bigint, "nextSendAt" timestamptz, "intervalMs" integer, "floorMs" integer,
      "limitedAt" timestamptz, "acceptedSince" timestamptz, "acceptedCount" integer)
    WHERE c.organization_id = p.organization_id AND c.id = p.id`.execute(tx);
}

/**
 * Locks channels in the order of their keys, the same order that evaluations use when they trigger them, and returns
 * their current health. A transaction that changes channels in several statements must lock all of them first.
 */
export async function lockChannels(
  tx: Tx,
  channels: readonly { organization_id: number; id: number }[],
): Promise<ChannelHealth[]> {
  const { rows } = await sql<ChannelHealth>`
    SELECT ${healthColumns} FROM unnest(
      ${channels.map((channel) => channel.organization_id)}::bigint[], ${channels.map(({ id }) => id)}::bigint[]
    ) AS wanted (organization_id, id)
    JOIN notification_channels c ON c.organization_id = wanted.organization_id AND c.id = wanted.id
    ORDER BY c.organization_id, c.id FOR NO KEY UPDATE OF c`.execute(tx);
  return rows;
}

/** A channel whose pass has ended. */
export interface FinishedChannel {
  organization_id: number;
  id: number;
  lease_token: string;
  requested_seq: string;
  /** Earliest time of the next pass after repeated failures or because of the pace, in RFC 3339. */
  not_before: string | null;
}

/**
 * Releases channels. Each is due again when its next delivery is due, or immediately if a delivery was
 * planned during the pass. A due time in the past becomes the current time, so that channels take turns.
 */
export async function finishChannels(tx: Tx, channels: readonly FinishedChannel[]): Promise<void> {
  if (channels.length === 0) return;
  const nextOf = (condition: RawBuilder<unknown>) => sql`
    SELECT d.next_attempt_at AS at FROM notification_deliveries d
    WHERE d.organization_id = c.organization_id AND d.channel_id = c.id AND ${condition}
    ORDER BY d.next_attempt_at LIMIT 1`;
  await sql`
    WITH finished AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(channels)}::jsonb) AS finished (
        organization_id bigint, id bigint, lease_token uuid, requested_seq bigint, not_before timestamptz)
    ), next AS (
      SELECT f.*, least(line.at, digest.at) AS next_at
      FROM finished f
      JOIN notification_channels c ON c.organization_id = f.organization_id AND c.id = f.id
      CROSS JOIN ${heldResolutions}
      LEFT JOIN LATERAL (${nextOf(sql`${isOpen} AND ${isNextInLine}`)}) AS line ON true
      -- The conditions on the channel are in the subquery. As conditions of the join, they would be checked
      -- after the deliveries were read.
      LEFT JOIN LATERAL (
        ${nextOf(sql`${collectsDigests} AND NOT ${hasOpenDigest} AND ${waitsForDigest}`)}) AS digest ON true
      ORDER BY c.organization_id, c.id FOR NO KEY UPDATE OF c
    )
    UPDATE notification_channels c
    SET processed_seq = n.requested_seq, attempts = 0, lease_token = NULL, lease_until = NULL,
      due_at = CASE WHEN c.requested_seq <> n.requested_seq THEN pacekeeper_now()
        ELSE greatest(coalesce(n.next_at, 'infinity'), n.not_before, pacekeeper_now()) END
    FROM next n
    WHERE c.organization_id = n.organization_id AND c.id = n.id AND c.lease_token = n.lease_token`.execute(
    tx,
  );
}
