import { type RawBuilder, sql } from 'kysely';
import { maxAttempts } from '../../../../domain/scheduling/retry-schedule.ts';
import { dueTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import { triggerSharedRows } from '../../../../platform/due-rows/index.ts';
import { hasOpenDigest, isOpen } from '../model/delivery-lines.ts';
import { deliverySettingsAcrossOrganizations } from '../model/delivery-settings.ts';
import { cancelOutdatedDeliveries } from '../model/drop-deliveries.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import { writeDigest } from './form-digests.ts';
import { neverCombines } from './never-combined.ts';

/**
 * Maximum number of events in one digest. Events above the maximum go into another digest. The text of a digest shows
 * as many events as fit, and counts the rest.
 */
const maxEvents = 1_000;
const channelBatchSize = 100;
/**
 * Longest wait for the evaluation of all configurations. It ensures that a configuration whose evaluation
 * keeps failing doesn't delay notifications about the others.
 */
const longestWait = sql`interval '1 hour'`;

/**
 * Records that deliveries of the organization wait until all its configurations are evaluated with the new
 * version parser.
 */
export async function markParserChanged(tx: Tx, organizationId: number): Promise<void> {
  await sql`
    UPDATE organizations SET reading_changed_at = pacekeeper_now()
    WHERE id = ${organizationId} AND reading_changed_at IS NULL`.execute(tx);
}

/**
 * Creates one message per channel about all changes that a new version parser caused, after all
 * configurations of the organization have been evaluated. Earlier messages about the same alerts are sent
 * first.
 *
 * @param isEvaluated True if all configurations of the organization `o` have been evaluated.
 * @returns The number of channels processed. If it reaches 100, call again.
 */
export async function createParsingChangeDigestsAcrossOrganizations(
  tx: Tx,
  isEvaluated: RawBuilder<boolean>,
): Promise<number> {
  const { rows: channels } = await sql<{
    organization_id: number;
    id: number;
    name: string;
    never_combines: boolean;
  }>`
    SELECT c.organization_id, c.id, c.name, ${neverCombines} AS never_combines
    FROM organizations o
    JOIN notification_channels c ON c.organization_id = o.id AND c.is_active
    WHERE o.reading_changed_at IS NOT NULL
      AND (o.reading_changed_at <= pacekeeper_now() - ${longestWait} OR ${isEvaluated})
      AND EXISTS (SELECT FROM notification_deliveries d WHERE ${isOfChannel} AND ${waitsForReading})
      AND NOT ${hasOpenDigest}
      AND NOT EXISTS (
        SELECT FROM notification_deliveries d
        JOIN notification_deliveries earlier ON earlier.organization_id = d.organization_id
          AND earlier.channel_id = d.channel_id AND earlier.alert_id = d.alert_id AND earlier.sequence < d.sequence
          AND earlier.status IN ('pending', 'failed', 'in_progress') AND earlier.waits_for_cause IS DISTINCT FROM 'reading_changed'
        WHERE ${isOfChannel} AND ${waitsForReading})
    ORDER BY c.organization_id, c.id LIMIT ${channelBatchSize} FOR KEY SHARE OF c`.execute(tx);
  const settings = await deliverySettingsAcrossOrganizations(tx, [
    ...new Set(channels.map((channel) => channel.organization_id)),
  ]);
  for (const channel of channels) {
    if (channel.never_combines) {
      await releaseWaiting(tx, channel);
      continue;
    }
    await cancelOutdatedDeliveries(tx, channel, sql`d.waits_for_cause = 'reading_changed'`);
    const { rows: waiting } = await sql<{ id: number }>`
      SELECT d.id FROM notification_deliveries d
      WHERE d.organization_id = ${channel.organization_id} AND d.channel_id = ${channel.id} AND ${waitsForReading}
      ORDER BY d.audit_entry_id LIMIT ${maxEvents} FOR UPDATE`.execute(tx);
    if (waiting.length === 0) continue;
    await writeDigest(tx, channel.organization_id, {
      channel,
      deliveryIds: waiting.map(({ id }) => id),
      maxAttempts: maxAttempts(settings.get(channel.organization_id)!.retryScheduleSeconds),
      cause: 'reading_changed',
    });
  }
  if (channels.length > 0) {
    await triggerSharedRows(
      tx,
      dueChannelsTable,
      channels.map(({ organization_id, id }) => ({ organization_id, id })),
    );
    wake(tx, dueTopic(dueChannelsTable.name));
  }
  // No further deliveries can start to wait, because `isEvaluated` isn't true while a configuration is still
  // being evaluated.
  await sql`
    UPDATE organizations o SET reading_changed_at = NULL
    WHERE o.reading_changed_at IS NOT NULL AND ${isEvaluated}
      AND NOT EXISTS (
        SELECT FROM notification_deliveries d WHERE d.organization_id = o.id AND ${waitsForReading})`.execute(
    tx,
  );
  return channels.length;
}

/**
 * Releases waiting deliveries of a channel that now sends each event individually, because its type or preset
 * changed in the meantime.
 */
async function releaseWaiting(
  tx: Tx,
  { organization_id, id }: { organization_id: number; id: number },
): Promise<void> {
  await sql`
    UPDATE notification_deliveries d
    SET waits_for_cause = NULL, next_attempt_at = pacekeeper_now(), series_started_at = pacekeeper_now(),
      updated_at = pacekeeper_now()
    WHERE d.organization_id = ${organization_id} AND d.channel_id = ${id} AND ${waitsForReading}`.execute(tx);
}

const isOfChannel = sql`d.organization_id = c.organization_id AND d.channel_id = c.id`;
const waitsForReading = sql`${isOpen} AND d.waits_for_cause = 'reading_changed'`;
