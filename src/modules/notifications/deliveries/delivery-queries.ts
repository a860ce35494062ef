import { sql } from 'kysely';
import type { DeliveryErrorCode } from '../../../domain/channels/delivery-codes.ts';
import type { FallbackReason } from '../../../domain/routing/route-event.ts';
import { maxAttempts } from '../../../domain/scheduling/retry-schedule.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import { deliverySettings, type InstallationDefaults } from './model/delivery-settings.ts';

export interface DeliveryRow {
  id: number;
  /** `null` if the channel was deleted. */
  channel_id: number | null;
  channel_name: string;
  alert_id: number | null;
  /** Name of the alert's configuration. `null` without an alert. */
  alert_name: string | null;
  event_id: string;
  event_type: Schemas['NotificationEventType'];
  status: Schemas['NotificationDeliveryStatus'];
  attempt_count: number;
  /** Attempts in the current series. Always 0 for a delivery inside a digest. */
  series_attempt_count: number;
  digest_delivery_id: number | null;
  max_attempts: number;
  next_attempt_at: Date | null;
  /**
   * True for a manual retry while the channel is inactive. The next attempt starts when the channel is
   * enabled.
   */
  waits_for_channel: boolean;
  waits_for_cause: string | null;
  waits_for_hours: boolean;
  waits_for_limit: boolean;
  /** Time until which the channel sends nothing, because its receiver requested a lower rate. */
  paused_until: Date | null;
  last_attempt_at: Date | null;
  response_status: number | null;
  duration_ms: number | null;
  error_code: DeliveryErrorCode | null;
  error_message: string | null;
  reason: DeliveryErrorCode | null;
  fallback_reason: FallbackReason | null;
  completed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'd.id',
  sql<number | null>`(
    SELECT c.id FROM notification_channels c WHERE c.organization_id = d.organization_id AND c.id = d.channel_id)`.as(
    'channel_id',
  ),
  'd.channel_name',
  'd.alert_id',
  sql<string | null>`(
    SELECT c.name FROM alerts a JOIN alert_configs c ON c.organization_id = a.organization_id AND c.id = a.alert_config_id
    WHERE a.organization_id = d.organization_id AND a.id = d.alert_id)`.as('alert_name'),
  'd.event_id',
  sql<DeliveryRow['event_type']>`d.event_type`.as('event_type'),
  sql<DeliveryRow['status']>`d.status`.as('status'),
  'd.attempt_count',
  'd.series_attempt_count',
  'd.digest_delivery_id',
  'd.max_attempts',
  'd.next_attempt_at',
  'd.waits_for_channel',
  'd.waits_for_cause',
  'd.waits_for_hours',
  'd.waits_for_limit',
  sql<Date | null>`(
    SELECT c.next_send_at FROM notification_channels c
    WHERE c.organization_id = d.organization_id AND c.id = d.channel_id AND c.next_send_at > pacekeeper_now()
      AND c.next_send_at < pacekeeper_now() + interval '2 hours')`.as('paused_until'),
  'd.last_attempt_at',
  'd.response_status',
  'd.duration_ms',
  sql<DeliveryRow['error_code']>`d.error_code`.as('error_code'),
  'd.error_message',
  sql<DeliveryRow['reason']>`d.reason`.as('reason'),
  sql<DeliveryRow['fallback_reason']>`d.fallback_reason`.as('fallback_reason'),
  'd.completed_at',
  'd.created_at',
  'd.updated_at',
] as const;

const sorts = { created_at: 'd.created_at' };

export interface DeliveryFilters {
  channel_id?: number | undefined;
  alert_id?: number | undefined;
  status?: string | undefined;
  event_type?: string | undefined;
  since?: string | undefined;
  sort?: string | undefined;
}

export async function listDeliveries(
  db: Database,
  organizationId: number,
  filters: DeliveryFilters,
  page: PageRequest,
  defaults?: InstallationDefaults,
): Promise<Page<Schemas['NotificationDelivery']>> {
  const { channel_id, alert_id, status, event_type, since, sort = '-created_at' } = filters;
  const query = db
    .selectFrom('notification_deliveries as d')
    .select(columns)
    .where('d.organization_id', '=', organizationId)
    .$if(channel_id !== undefined, (query) => query.where('d.channel_id', '=', channel_id!))
    .$if(alert_id !== undefined, (query) => query.where('d.alert_id', '=', alert_id!))
    .$if(status !== undefined, (query) => query.where('d.status', '=', status!))
    .$if(event_type !== undefined, (query) => query.where('d.event_type', '=', event_type!))
    .$if(since !== undefined, (query) => query.where('d.created_at', '>=', new Date(since!)));
  const result = await readPage(db, query, page, sortOrder(sort, sorts, 'd.id'));
  return { ...result, items: await toDeliveries(db, organizationId, result.items, defaults) };
}

/** Returns the deliveries of one alert, newest first. */
export async function listDeliveriesOfAlert(
  db: Database,
  organizationId: number,
  alertId: number,
  page: PageRequest,
  defaults?: InstallationDefaults,
): Promise<Page<Schemas['NotificationDelivery']>> {
  return listDeliveries(db, organizationId, { alert_id: alertId }, page, defaults);
}

export async function findDelivery(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('notification_deliveries as d')
    .select(columns)
    .where('d.organization_id', '=', organizationId)
    .where('d.id', '=', id)
    .executeTakeFirst();
}

/** The stored body of a delivery. Both values are `null` before the first attempt. */
export interface StoredBody {
  body_sealed: Buffer | null;
  /** Positions of secrets in the body. */
  body_hidden: number[] | null;
}

export async function readStoredBody(
  db: Database,
  organizationId: number,
  id: number,
): Promise<StoredBody | undefined> {
  return db
    .selectFrom('notification_deliveries')
    .select(['body_sealed', 'body_hidden'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface StoredAttempt {
  number: number;
  started_at: Date;
  duration_ms: number;
  response_status: number | null;
  response_body_sealed: Buffer | null;
  error_code: DeliveryErrorCode | null;
  error_message: string | null;
}

/** Number of attempts that are shown. A delivery behind a rate limit can have thousands. */
const shownAttempts = 100;

/** Returns the latest attempts of a delivery in chronological order. */
export async function listAttempts(
  db: Database,
  organizationId: number,
  deliveryId: number,
): Promise<StoredAttempt[]> {
  const newest = await db
    .selectFrom('delivery_attempts')
    .select(['number', 'started_at', 'duration_ms', 'response_status', 'response_body_sealed'])
    .select(['error_message', sql<DeliveryErrorCode | null>`error_code`.as('error_code')])
    .where('organization_id', '=', organizationId)
    .where('notification_delivery_id', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(shownAttempts)
    .execute();
  return newest.reverse();
}

export async function toDeliveries(
  db: Database | Tx,
  organizationId: number,
  rows: readonly DeliveryRow[],
  defaults?: InstallationDefaults,
): Promise<Schemas['NotificationDelivery'][]> {
  const { retryScheduleSeconds } = await deliverySettings(db, organizationId, defaults);
  const granted = maxAttempts(retryScheduleSeconds);
  return rows.map((row) =>
    toDelivery(hasSeriesNotStarted(row) ? { ...row, max_attempts: row.attempt_count + granted } : row),
  );
}

/**
 * True if the first attempt of the series hasn't started. The maximum number of attempts is read from the
 * settings when that attempt starts, because planning a delivery doesn't read the defaults of the
 * installation.
 */
function hasSeriesNotStarted({ status, series_attempt_count, digest_delivery_id }: DeliveryRow): boolean {
  return series_attempt_count === 0 && (status === 'pending' || digest_delivery_id === null);
}

function toDelivery({
  error_code,
  error_message,
  waits_for_channel,
  waits_for_cause,
  waits_for_hours,
  waits_for_limit,
  paused_until,
  series_attempt_count: _series,
  digest_delivery_id: _digest,
  ...row
}: DeliveryRow): Schemas['NotificationDelivery'] {
  // During an attempt, `next_attempt_at` is the end of the lease, not the time of the next attempt.
  const isWaiting = row.status === 'pending' || row.status === 'failed';
  const { next_attempt_at } = row;
  const isPaused =
    isWaiting && next_attempt_at !== null && paused_until !== null && next_attempt_at < paused_until;
  const nextAt = isPaused ? paused_until : next_attempt_at;
  return {
    ...row,
    next_attempt_at: isWaiting ? (nextAt?.toISOString() ?? null) : null,
    waiting_for: waits_for_channel
      ? 'channel'
      : waits_for_cause !== null
        ? 'evaluation'
        : waits_for_hours
          ? 'sending_hours'
          : waits_for_limit && isWaiting
            ? 'email_limit'
            : isPaused
              ? 'rate_limit'
              : null,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
  };
}
