import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';
import { collectsDigests } from '../model/delivery-lines.ts';
import { writeDigest } from './form-digests.ts';
import { neverCombines } from './never-combined.ts';
import type { PlannedEvent } from './plan-deliveries.ts';

/**
 * Combines the alerts that are reported at the end of silences into one message per channel. A channel that
 * collects digests includes them in its next digest. Deliveries that must wait for an earlier message about
 * the same alert are sent individually.
 */
export async function createSilenceDigests(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  maxAttempts: number,
): Promise<void> {
  const ended = events.filter(({ cause }) => cause === 'silence_ended');
  if (ended.length < 2) return;
  const eventIds = ended.map(({ eventId }) => eventId);
  const alertIds = ended.map(({ alertId }) => alertId);
  const { rows } = await sql<{ id: number; name: string; delivery_ids: number[] }>`
    SELECT c.id, c.name, jsonb_agg(d.id ORDER BY d.audit_entry_id) AS delivery_ids
    FROM notification_deliveries d
    JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    WHERE d.organization_id = ${organizationId} AND d.event_id = ANY(${eventIds}::uuid[]) AND d.completed_at IS NULL
      AND NOT ${collectsDigests} AND NOT ${neverCombines}
      -- Reads all earlier open deliveries once. Checking them one by one took a second per thousand if
      -- thousands were open. The alerts are locked, so no later deliveries exist.
      AND (d.channel_id, d.alert_id) NOT IN (
        SELECT earlier.channel_id, earlier.alert_id FROM notification_deliveries earlier
        WHERE earlier.organization_id = ${organizationId} AND earlier.alert_id = ANY(${alertIds}::bigint[])
          AND earlier.event_id <> ALL(${eventIds}::uuid[]) AND earlier.completed_at IS NULL
          AND earlier.channel_id IS NOT NULL)
    GROUP BY c.id, c.name HAVING count(*) > 1 ORDER BY c.id`.execute(tx);
  for (const { id, name, delivery_ids } of rows) {
    await writeDigest(tx, organizationId, {
      channel: { id, name },
      deliveryIds: delivery_ids,
      maxAttempts,
      cause: 'silence_ended',
    });
  }
}
