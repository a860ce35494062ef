import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import type { SuccessCondition } from '../../../../domain/channels/receiver-response.ts';
import type { RequestFormat } from '../../../../domain/channels/request-format.ts';
import type {
  EventType,
  NotificationTemplateCategory,
} from '../../../../domain/routing/notification-event.ts';
import type { PresetId } from '../../../../domain/templates/presets.ts';
import { type Database, transaction } from '../../../../platform/database/index.ts';
import type { SealedChannel } from '../secrets/channel-secrets.ts';
import { heldResolutions, isNextInLine, isOpen, rateLimitWaitMs } from './delivery-lines.ts';
import type { StoredEvent } from './stored-events.ts';
import type { TrackerFields } from './ticket-queries.ts';

/** A channel, and how many of its deliveries to read. */
export interface ChannelTurn {
  organizationId: number;
  channelId: number;
  maxCount: number;
  /** IDs of the deliveries that can be sent outside the sending hours. `null` allows all. */
  onlyIds?: readonly number[] | null;
}

/** A delivery that can be attempted now, with all data that is required to create and send its message. */
export interface DueDelivery {
  organizationId: number;
  organizationName: string;
  channelId: number;
  channelName: string;
  deliveryId: number;
  alertId: number | null;
  event: StoredEvent;
  attemptCount: number;
  seriesAttemptCount: number;
  seriesStartedAt: Date;
  /** Total wait after rejections because of a rate limit in this series. */
  rateLimitWaitMs: number;
  /** `next_attempt_at` before the attempt. */
  dueAt: Date;
  /** True if the worker of the last attempt was lost before it recorded a result. */
  isLost: boolean;
  lastAttemptAt: Date | null;
  /** `null` before the first attempt, and if the stored body was created for another target. */
  bodySealed: Buffer | null;
  /** Current target of a body: the preset and the origin of the URL. */
  bodyTarget: string;
  /** Recipients that earlier attempts of an email reached. Empty for other channel types. */
  acceptedRecipients: string[];
  channel: SealedChannel &
    TrackerFields &
    RequestFormat & {
      recipients: string[];
      /** Time zone in which messages show times. */
      timezone: string;
      template: string | null;
      templates: Partial<Record<NotificationTemplateCategory, string | null>>;
      preset: PresetId;
      success_condition: SuccessCondition | null;
      /** True if the previous signing secret is still valid, so messages must also be signed with it. */
      has_previous_secret: boolean;
    };
}

interface DueRow extends Omit<DueDelivery, 'event' | 'channel'>, TrackerFields, RequestFormat {
  eventId: string;
  eventType: EventType;
  sequence: number | null;
  at: Date;
  data: StoredEvent['data'];
  channel_url_sealed: Buffer;
  channel_closing_path_sealed: Buffer | null;
  channel_preset_options_sealed: Buffer | null;
  channel_headers_sealed: Buffer | null;
  channel_signing_secret_sealed: Buffer | null;
  channel_previous_signing_secret_sealed: Buffer | null;
  channel_tracker_sealed: Buffer | null;
  has_previous_secret: boolean;
  recipients: string[];
  timezone: string;
  template: string | null;
  templates: Partial<Record<NotificationTemplateCategory, string | null>>;
  preset: PresetId;
  success_condition: SuccessCondition | null;
}

/**
 * Returns the next deliveries of the given channels, longest due first. Each alert contributes only its
 * delivery with the lowest sequence. The caller must hold the leases of the channels, so that no other worker
 * claims these deliveries.
 */
export async function readDueDeliveriesAcrossOrganizations(
  db: Database,
  turns: readonly ChannelTurn[],
): Promise<DueDelivery[]> {
  if (turns.length === 0) return [];
  // Most channels have no sending hours, so this condition is added only when it's needed.
  const isClosed = turns.some(({ onlyIds }) => onlyIds != null);
  const canBeSent = isClosed
    ? sql`(NOT turn.is_closed OR d.status = 'in_progress'
        OR d.id = ANY(${turns.flatMap(({ onlyIds }) => onlyIds ?? [])}::bigint[]))`
    : sql`true`;
  const { rows } = await sql<DueRow>`
    SELECT d.organization_id AS "organizationId", o.name AS "organizationName", c.id AS "channelId",
      c.name AS "channelName", d.id AS "deliveryId", d.alert_id AS "alertId", d.event_id AS "eventId",
      d.event_type AS "eventType", d.sequence, e.created_at AS at, e.data, d.attempt_count AS "attemptCount",
      d.series_attempt_count AS "seriesAttemptCount", ${seriesStartedAt} AS "seriesStartedAt",
      ${rateLimitWaitMs} AS "rateLimitWaitMs", d.next_attempt_at AS "dueAt", d.status = 'in_progress' AS "isLost", d.last_attempt_at AS "lastAttemptAt", ${bodyTarget} AS "bodyTarget",
      d.accepted_recipients AS "acceptedRecipients", c.channel_type, c.recipients, c.timezone,
      c.url_masked, c.project, c.issue_type, c.account_email, c.ticket_labels, c.tracker_sealed AS channel_tracker_sealed,
      -- A body that was created for one target can contain secrets that another target must not receive.
      CASE WHEN d.body_target = ${bodyTarget} THEN d.body_sealed END AS "bodySealed",
      c.url_sealed AS channel_url_sealed, c.preset_options_sealed AS channel_preset_options_sealed,
      c.headers_sealed AS channel_headers_sealed, c.signing_secret_sealed AS channel_signing_secret_sealed,
      c.previous_signing_secret_sealed AS channel_previous_signing_secret_sealed,
      coalesce(c.previous_signing_secret_until > pacekeeper_now(), false) AS has_previous_secret, c.template, c.templates, c.preset,
      c.success_condition, c.request_method, c.body_format, c.closing_path_sealed AS channel_closing_path_sealed,
      c.closing_method
    FROM unnest(
      ${turns.map((turn) => turn.organizationId)}::bigint[], ${turns.map((turn) => turn.channelId)}::bigint[],
      ${turns.map((turn) => turn.maxCount)}::bigint[], ${turns.map((turn) => turn.onlyIds != null)}::boolean[]
    ) AS turn (organization_id, channel_id, max_count, is_closed)
    JOIN notification_channels c ON c.organization_id = turn.organization_id AND c.id = turn.channel_id
    JOIN organizations o ON o.id = c.organization_id
    CROSS JOIN ${heldResolutions}
    CROSS JOIN LATERAL (
      SELECT d.* FROM notification_deliveries d
      WHERE d.organization_id = c.organization_id AND d.channel_id = c.id AND ${isOpen}
        AND d.next_attempt_at <= pacekeeper_now() AND ${isNextInLine} AND ${canBeSent}
      -- Sorts by the columns of the index, so that PostgreSQL doesn't sort thousands of deliveries that
      -- became due in one transaction to select four.
      ORDER BY d.next_attempt_at, d.id LIMIT turn.max_count
    ) d
    JOIN audit_entries e ON e.organization_id = d.organization_id AND e.id = d.audit_entry_id
    ORDER BY d.next_attempt_at, d.id`.execute(db);
  return rows.map(
    ({
      eventId,
      eventType,
      sequence,
      at,
      data,
      channel_type,
      recipients,
      timezone,
      url_masked,
      project,
      issue_type,
      account_email,
      ticket_labels,
      template,
      templates,
      preset,
      success_condition,
      request_method,
      body_format,
      closing_method,
      ...row
    }) => ({
      ...row,
      event: { eventId, eventType, sequence, alertId: row.alertId, at, data },
      channel: {
        url_sealed: row.channel_url_sealed,
        closing_path_sealed: row.channel_closing_path_sealed,
        preset_options_sealed: row.channel_preset_options_sealed,
        headers_sealed: row.channel_headers_sealed,
        signing_secret_sealed: row.channel_signing_secret_sealed,
        previous_signing_secret_sealed: row.channel_previous_signing_secret_sealed,
        tracker_sealed: row.channel_tracker_sealed,
        has_previous_secret: row.has_previous_secret,
        channel_type,
        recipients,
        timezone,
        url_masked,
        project,
        issue_type,
        account_email,
        ticket_labels,
        template,
        templates,
        preset,
        success_condition,
        request_method,
        body_format,
        closing_method,
      },
    }),
  );
}

/** Preset and origin of a channel. `url_masked` contains only the origin. */
const bodyTarget = sql`c.preset || ' ' || c.url_masked`;

/**
 * Start of the attempt series, which is the time of its first attempt. The time that a delivery waits behind other
 * messages, or for the email budget, doesn't count toward the age of the series. An attempt that was rejected because
 * of a rate limit starts the series but isn't counted.
 */
const seriesStartedAt = sql`CASE
  WHEN d.waits_for_limit
    OR (d.series_attempt_count = 0 AND d.rate_limit_wait_ms = 0 AND NOT d.is_rate_limited)
  THEN pacekeeper_now() ELSE d.series_started_at END`;

/** Returns the events of digests by digest ID, in chronological order. */
export async function readDigestEventsAcrossOrganizations(
  db: Database,
  digests: readonly Pick<DueDelivery, 'organizationId' | 'deliveryId'>[],
): Promise<Map<number, StoredEvent[]>> {
  const events = new Map<number, StoredEvent[]>();
  if (digests.length === 0) return events;
  const { rows } = await sql<StoredEvent & { digestId: number }>`
    SELECT d.digest_delivery_id AS "digestId", d.event_id AS "eventId", d.event_type AS "eventType", d.sequence,
      d.alert_id AS "alertId", e.created_at AS at, e.data
    FROM unnest(
      ${digests.map((digest) => digest.organizationId)}::bigint[],
      ${digests.map((digest) => digest.deliveryId)}::bigint[]) AS digest (organization_id, id)
    JOIN notification_deliveries d ON d.organization_id = digest.organization_id AND d.digest_delivery_id = digest.id
    JOIN audit_entries e ON e.organization_id = d.organization_id AND e.id = d.audit_entry_id
    ORDER BY d.audit_entry_id`.execute(db);
  for (const { digestId, ...event } of rows) events.set(digestId, [...(events.get(digestId) ?? []), event]);
  return events;
}

/** Data to store when an attempt starts. */
export interface AttemptStart {
  delivery: DueDelivery;
  /** The body created for the first attempt. `null` if the stored body is sent. */
  body: { sealed: Buffer; hidden: readonly number[]; usedTemplate: string; hasFailed: boolean } | null;
  maxAttempts: number;
  leaseMs: number;
}

/** The lease of one attempt. */
export interface DeliveryLease {
  token: string;
  startedAt: Date;
}

/**
 * Leases deliveries for one attempt each: counts the attempt, stores the body, and sets the lease. If the
 * previous worker was lost, its attempt is recorded as lost, and the delivery is canceled if its alert was
 * deleted during that attempt. Deliveries that were canceled in the meantime, or that now wait for their
 * channel, aren't leased.
 *
 * @returns The leases by delivery ID.
 */
export async function leaseDeliveriesAcrossOrganizations(
  db: Database,
  starts: readonly AttemptStart[],
): Promise<Map<number, DeliveryLease>> {
  if (starts.length === 0) return new Map();
  const lost = starts.map(({ delivery }) => delivery).filter((delivery) => delivery.isLost);
  const token = randomUUID();
  const lease = sql<{ id: number; now: Date }>`
    UPDATE notification_deliveries d
    SET status = 'in_progress', attempt_count = d.attempt_count + 1, series_attempt_count = d.series_attempt_count + 1,
      last_attempt_at = pacekeeper_now(), lease_token = ${token}, lease_until = pacekeeper_now() + start.lease,
      next_attempt_at = pacekeeper_now() + start.lease, series_started_at = ${seriesStartedAt}, waits_for_limit = false,
      rate_limit_wait_ms = ${rateLimitWaitMs}, is_rate_limited = false,
      -- Number of attempts that were granted: those of earlier series, those of this series, and one more for
      -- an interrupted attempt.
      max_attempts = greatest(d.attempt_count - d.series_attempt_count + start.max_attempts, d.attempt_count + 1),
      body_sealed = coalesce(start.body_sealed, d.body_sealed),
      body_hidden = CASE WHEN start.body_sealed IS NULL THEN d.body_hidden ELSE start.body_hidden END,
      body_target = coalesce(start.body_target, d.body_target),
      used_template = coalesce(start.used_template, d.used_template),
      reason = CASE WHEN start.has_failed THEN 'template_failed'
        WHEN start.body_sealed IS NOT NULL THEN nullif(d.reason, 'template_failed') ELSE d.reason END,
      updated_at = pacekeeper_now()
    FROM (
      SELECT organization_id, id, attempt_count, max_attempts, lease_ms * interval '1 millisecond' AS lease,
        body_sealed, body_hidden::integer[], body_target, used_template, has_failed
      FROM unnest(
        ${starts.map(({ delivery }) => delivery.organizationId)}::bigint[],
        ${starts.map(({ delivery }) => delivery.deliveryId)}::bigint[],
        ${starts.map(({ delivery }) => delivery.attemptCount)}::integer[],
        ${starts.map((start) => start.maxAttempts)}::integer[],
        ${starts.map((start) => start.leaseMs)}::float8[],
        ${starts.map((start) => start.body?.sealed ?? null)}::bytea[],
        ${starts.map((start) => start.body && `{${start.body.hidden.join(',')}}`)}::text[],
        ${starts.map((start) => start.body && start.delivery.bodyTarget)}::text[],
        ${starts.map((start) => start.body?.usedTemplate ?? null)}::text[],
        ${starts.map((start) => start.body?.hasFailed ?? false)}::boolean[]
      ) AS start (organization_id, id, attempt_count, max_attempts, lease_ms, body_sealed, body_hidden, body_target,
        used_template, has_failed)
    ) AS start
    WHERE d.organization_id = start.organization_id AND d.id = start.id AND d.attempt_count = start.attempt_count
      AND ${isOpen} AND NOT d.waits_for_channel
    RETURNING d.id, pacekeeper_now() AS now`;
  const { rows } =
    lost.length === 0
      ? await lease.execute(db)
      : await transaction(db, async (tx) => {
          await sql`
            INSERT INTO delivery_attempts
              (organization_id, notification_delivery_id, number, started_at, duration_ms, error_code, error_message)
            SELECT d.organization_id, d.id, d.attempt_count, d.last_attempt_at,
              greatest(0, least(extract(epoch FROM d.lease_until - d.last_attempt_at) * 1000, 2e9))::integer,
              'worker_lost', ${deliveryCodes.worker_lost[0]}
            FROM unnest(
              ${lost.map((delivery) => delivery.organizationId)}::bigint[],
              ${lost.map((delivery) => delivery.deliveryId)}::bigint[],
              ${lost.map((delivery) => delivery.attemptCount)}::integer[]) AS lost (organization_id, id, attempt_count)
            JOIN notification_deliveries d ON d.organization_id = lost.organization_id AND d.id = lost.id
            WHERE d.status = 'in_progress' AND d.attempt_count = lost.attempt_count
            ON CONFLICT DO NOTHING`.execute(tx);
          // Cancel lost deliveries whose alert was deleted during the attempt.
          await sql`
            UPDATE notification_deliveries d
            SET status = 'canceled', completed_at = pacekeeper_now(), next_attempt_at = NULL, lease_token = NULL,
              lease_until = NULL, updated_at = pacekeeper_now()
            FROM unnest(
              ${lost.map((delivery) => delivery.organizationId)}::bigint[],
              ${lost.map((delivery) => delivery.deliveryId)}::bigint[],
              ${lost.map((delivery) => delivery.attemptCount)}::integer[]) AS lost (organization_id, id, attempt_count)
            WHERE d.organization_id = lost.organization_id AND d.id = lost.id AND d.status = 'in_progress'
              AND d.attempt_count = lost.attempt_count AND d.reason = 'alert_deleted'`.execute(tx);
          return lease.execute(tx);
        });
  return new Map(rows.map((row) => [row.id, { token, startedAt: row.now }]));
}
