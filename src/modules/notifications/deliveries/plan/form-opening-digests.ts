import { type RawBuilder, sql } from 'kysely';
import { maxAttempts } from '../../../../domain/scheduling/retry-schedule.ts';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import { triggerSharedRows } from '../../../../platform/due-rows/index.ts';
import { channelsDue } from '../claim/channels-due.ts';
import { collectsDigests } from '../claim/delivery-lines.ts';
import { dropOutdated } from '../claim/drop-deliveries.ts';
import { deliverySettingsAcrossOrganizations } from './delivery-settings.ts';
import { writeDigest } from './form-digests.ts';
import { neverCombines } from './never-combined.ts';

/**
 * Maximum number of events in one digest. Events that don't fit into its text are counted there. Events above
 * the maximum go into another digest.
 */
const maxEvents = 1_000;
export const openingDigestBatchSize = 100;

interface WaitingGroup {
  organization_id: number;
  id: number;
  name: string;
  cause: string;
  is_separate: boolean;
}

/**
 * Combines the alerts that one cause opened into one message per channel, the most severe first, once the cause can open
 * no further alerts. An alert that is alone is sent on its own. The alerts are new, so no earlier message about them
 * can be waiting.
 *
 * @param isOver True if the cause of delivery `d` can open no further alerts.
 * @param causes Causes to check, or `null` for all.
 * @returns The number of groups processed. If it reaches `openingDigestBatchSize`, call again.
 */
export async function formOpeningDigestsAcrossOrganizations(
  tx: Tx,
  wakeUps: WakeUps,
  isOver: RawBuilder<boolean>,
  causes: readonly { organizationId: number; cause: string }[] | null,
): Promise<number> {
  const isWanted =
    causes === null
      ? sql`true`
      : sql`(d.organization_id, d.waits_for_cause) IN (SELECT * FROM unnest(
          ${causes.map(({ organizationId }) => organizationId)}::bigint[], ${causes.map(({ cause }) => cause)}::text[]))`;
  const { rows: groups } = await sql<WaitingGroup>`
    SELECT c.organization_id, c.id, c.name, waiting.cause,
      waiting.count = 1 OR ${neverCombines} OR ${collectsDigests} AS is_separate
    FROM (
      SELECT d.organization_id, d.channel_id, d.waits_for_cause AS cause, count(*) FROM notification_deliveries d
      WHERE d.waits_for_cause IS NOT NULL AND d.waits_for_cause <> 'reading_changed' AND ${isWanted}
      GROUP BY d.organization_id, d.channel_id, d.waits_for_cause
    ) AS waiting
    JOIN notification_channels c ON c.organization_id = waiting.organization_id AND c.id = waiting.channel_id
    WHERE (SELECT ${isOver} FROM (SELECT waiting.organization_id, waiting.cause AS waits_for_cause) AS d)
    ORDER BY c.organization_id, c.id, waiting.cause LIMIT ${openingDigestBatchSize} FOR KEY SHARE OF c`.execute(
    tx,
  );
  if (groups.length === 0) return 0;
  // In one statement, because many causes can open a single alert each.
  await sendSeparately(
    tx,
    groups.filter((group) => group.is_separate),
  );
  const together = groups.filter((group) => !group.is_separate);
  const settings = await deliverySettingsAcrossOrganizations(tx, [
    ...new Set(together.map(({ organization_id }) => organization_id)),
  ]);
  for (const group of together) {
    const { organization_id: organizationId, cause } = group;
    await dropOutdated(tx, group, sql`d.waits_for_cause = ${cause}`);
    const attempts = maxAttempts(settings.get(organizationId)!.retryScheduleSeconds);
    let deliveryIds: number[];
    do {
      deliveryIds = await lockWaiting(tx, group);
      if (deliveryIds.length === 1) await sendSeparately(tx, [group]);
      else if (deliveryIds.length > 1)
        await writeDigest(tx, organizationId, {
          channel: group,
          deliveryIds,
          maxAttempts: attempts,
          cause: 'opened_together',
        });
    } while (deliveryIds.length === maxEvents);
  }
  await triggerSharedRows(
    tx,
    channelsDue,
    groups.map(({ organization_id, id }) => ({ organization_id, id })),
  );
  wakeUps.wakeAfterCommit(tx, channelsDue.name);
  return groups.length;
}

async function lockWaiting(tx: Tx, { organization_id, id, cause }: WaitingGroup): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM notification_deliveries d
    JOIN audit_entries e ON e.organization_id = d.organization_id AND e.id = d.audit_entry_id
    WHERE d.organization_id = ${organization_id} AND d.waits_for_cause = ${cause} AND d.channel_id = ${id}
    ORDER BY array_position(ARRAY['critical', 'high', 'moderate'], e.data #>> '{alert,severity}'), d.audit_entry_id
    LIMIT ${maxEvents} FOR UPDATE OF d`.execute(tx);
  return rows.map((row) => row.id);
}

async function sendSeparately(tx: Tx, groups: readonly WaitingGroup[]): Promise<void> {
  if (groups.length === 0) return;
  await sql`
    UPDATE notification_deliveries d
    SET waits_for_cause = NULL, next_attempt_at = pacekeeper_now(), series_started_at = pacekeeper_now(),
      updated_at = pacekeeper_now()
    FROM unnest(${groups.map(({ organization_id }) => organization_id)}::bigint[],
      ${groups.map(({ id }) => id)}::bigint[], ${groups.map(({ cause }) => cause)}::text[]) AS sent (organization_id, id, cause)
    WHERE d.organization_id = sent.organization_id AND d.channel_id = sent.id AND d.waits_for_cause = sent.cause`.execute(
    tx,
  );
}
