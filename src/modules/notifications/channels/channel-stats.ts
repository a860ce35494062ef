import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';

type StatusCounts = Schemas['DeliveryStatusCounts'];

/** Delivery statistics of a channel, counted from the rows of its deliveries. */
export interface ChannelDeliveryStats {
  byStatus: StatusCounts;
  /** Latency of successful attempts in milliseconds. `null` if no attempt succeeded. */
  latencyMs: Schemas['LatencyPercentiles'] | null;
}

/** Reads statistics of the deliveries created in the last `windowDays` days, in one statement. */
export async function readChannelStats(
  db: Database,
  organizationId: number,
  channelId: number,
  windowDays: number,
): Promise<ChannelDeliveryStats> {
  // Deliveries inside a digest have no latency, because they're sent together with the digest.
  const { rows } = await sql<StatusCounts & { p50: number | null; p95: number | null }>`
    SELECT ${statusCounts},
      percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE ${hasLatency}) AS p50,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE ${hasLatency}) AS p95
    FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId}
      AND created_at >= pacekeeper_now() - ${windowDays}::integer * interval '1 day'`.execute(db);
  const { p50, p95, ...byStatus } = rows[0]!;
  return { byStatus, latencyMs: p50 === null || p95 === null ? null : { p50, p95 } };
}

const hasLatency = sql`status = 'succeeded' AND digest_delivery_id IS NULL`;

/** Counts the selected deliveries by status. */
export const statusCounts = sql`
  count(*) FILTER (WHERE status = 'pending') AS pending,
  count(*) FILTER (WHERE status = 'in_progress') AS in_progress,
  count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
  count(*) FILTER (WHERE status = 'failed') AS failed,
  count(*) FILTER (WHERE status = 'dead_letter') AS dead_letter,
  count(*) FILTER (WHERE status = 'canceled') AS canceled`;
