import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';

type StatusCounts = Schemas['DeliveryStatusCounts'];

/** How the deliveries of a channel went, counted from their rows. */
export interface ChannelDeliveryStats {
  byStatus: StatusCounts;
  /** Milliseconds of the attempts that succeeded; null when none did. */
  latencyMs: Schemas['LatencyPercentiles'] | null;
}

/** Deliveries that were made in the last `windowDays`, in one statement. */
export async function readChannelStats(
  db: Database,
  organizationId: number,
  channelId: number,
  windowDays: number,
): Promise<ChannelDeliveryStats> {
  // What a digest carried was sent with it, and took no time of its own.
  const { rows } = await sql<StatusCounts & { p50: number | null; p95: number | null }>`
    SELECT ${statusCounts},
      percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE ${wasAnswered}) AS p50,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE ${wasAnswered}) AS p95
    FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
      AND created_at >= pacekeeper_now() - ${windowDays}::integer * interval '1 day'`.execute(db);
  const { p50, p95, ...byStatus } = rows[0]!;
  return { byStatus, latencyMs: p50 === null || p95 === null ? null : { p50, p95 } };
}

const wasAnswered = sql`status = 'succeeded' AND digest_delivery_id IS NULL`;

/** One count for each status, of the deliveries that a query reads. */
export const statusCounts = sql`
  count(*) FILTER (WHERE status = 'pending') AS pending,
  count(*) FILTER (WHERE status = 'in_progress') AS in_progress,
  count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
  count(*) FILTER (WHERE status = 'failed') AS failed,
  count(*) FILTER (WHERE status = 'dead_letter') AS dead_letter,
  count(*) FILTER (WHERE status = 'canceled') AS canceled`;
