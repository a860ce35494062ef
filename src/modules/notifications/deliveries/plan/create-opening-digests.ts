import { type RawBuilder, sql } from 'kysely';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import { maxAttempts } from '../../../../domain/scheduling/retry-schedule.ts';
import { dueTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import { triggerSharedRows } from '../../../../platform/due-rows/index.ts';
import { collectsDigests } from '../model/delivery-lines.ts';
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
export const openingDigestBatchSize = 100;
/** Longest wait for the end of a cause. Housekeeping runs every 5 seconds, so a delivery waits for at most a minute. */
const longestWait = sql`interval '55 seconds'`;

interface WaitingGroup {
  organization_id: number;
  id: number;
  name: string;
  cause: string;
  is_separate: boolean;
  /** Severities that are sent outside the sending hours. `null` if the channel has no sending hours. */
  always_for: AlertSeverity[] | null;
}

/**
 * Combines the alerts that one cause opened into one message per channel, the most severe first, when the cause can
 * open no further alerts. A single alert is sent as an individual message. Earlier messages don't need to be
 * considered, because the alerts are new. If a channel has sending hours, the alerts that it also sends outside these
 * hours are sent in a separate message, so that they don't wait with the others.
 *
 * @param isOver True if the cause of delivery `d` can open no further alerts.
 * @param causes Causes to check, or `null` for all causes and for deliveries that have waited for too long.
 * @returns The number of groups processed. If it reaches `openingDigestBatchSize`, call again.
 */
export async function createOpeningDigestsAcrossOrganizations(
  tx: Tx,
  isOver: RawBuilder<boolean>,
  causes: readonly { organizationId: number; cause: string }[] | null,
): Promise<number> {
  const { rows: groups } = await sql<WaitingGroup>`
    WITH RECURSIVE ${causes === null ? allEnded(isOver) : endedOf(causes, isOver)}
    SELECT c.organization_id, c.id, c.name, ended.cause,
      NOT EXISTS (
        SELECT FROM notification_deliveries d
        WHERE d.organization_id = ended.organization_id AND d.waits_for_cause = ended.cause AND d.channel_id = ended.channel_id
        OFFSET 1)
      OR ${neverCombines} OR ${collectsDigests} AS is_separate,
      CASE WHEN c.sending_hours <> '[]' THEN c.always_for END AS always_for
    FROM ended
    JOIN notification_channels c ON c.organization_id = ended.organization_id AND c.id = ended.channel_id
    ORDER BY c.organization_id, c.id, ended.cause LIMIT ${openingDigestBatchSize} FOR KEY SHARE OF c`.execute(
    tx,
  );
  if (groups.length === 0) return 0;
  // Use one statement for all groups, because many causes can open a single alert each.
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
    await cancelOutdatedDeliveries(tx, group, sql`d.waits_for_cause = ${cause}`);
    const attempts = maxAttempts(settings.get(organizationId)!.retryScheduleSeconds);
    // Messages that become due together are sent in the order of their IDs, so the urgent digest is written first.
    for (const isUrgent of group.always_for === null ? [null] : [true, false]) {
      let deliveryIds: number[];
      do {
        deliveryIds = await lockWaiting(tx, group, isUrgent);
        if (deliveryIds.length === 1) await sendAlone(tx, organizationId, deliveryIds[0]!);
        else if (deliveryIds.length > 1)
          await writeDigest(tx, organizationId, {
            channel: group,
            deliveryIds,
            maxAttempts: attempts,
            cause: 'opened_together',
          });
      } while (deliveryIds.length === maxEvents);
    }
  }
  await triggerSharedRows(
    tx,
    dueChannelsTable,
    groups.map(({ organization_id, id }) => ({ organization_id, id })),
  );
  wake(tx, dueTopic(dueChannelsTable.name));
  return groups.length;
}

/**
 * Returns the query `ended` for `WITH RECURSIVE`, which selects the groups of these causes. It reads the deliveries of
 * a cause only if the cause can open no further alerts, because the evaluation of a large change checks its cause after
 * each step.
 */
function endedOf(
  causes: readonly { organizationId: number; cause: string }[],
  isOver: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`over_causes AS MATERIALIZED (
      SELECT d.organization_id, d.waits_for_cause
      FROM unnest(${causes.map(({ organizationId }) => organizationId)}::bigint[], ${causes.map(({ cause }) => cause)}::text[])
        AS d (organization_id, waits_for_cause)
      WHERE (SELECT ${isOver})
    ), ended AS (
      SELECT DISTINCT waiting.* FROM over_causes CROSS JOIN LATERAL (
        SELECT d.organization_id, d.waits_for_cause AS cause, d.channel_id FROM notification_deliveries d
        WHERE d.organization_id = over_causes.organization_id AND d.waits_for_cause = over_causes.waits_for_cause
        OFFSET 0) AS waiting
    )`;
}

/**
 * Returns the query `ended` for `WITH RECURSIVE`, which selects all groups whose cause can open no further
 * alerts or whose oldest delivery has waited for too long. A creation time in the future means that the clock
 * was set back, so the group is selected too. The query reads one delivery of each group.
 */
function allEnded(isOver: RawBuilder<boolean>): RawBuilder<unknown> {
  const oldestAfter = (position: RawBuilder<unknown>) => sql`
    SELECT organization_id, waits_for_cause, channel_id, created_at FROM notification_deliveries
    WHERE waits_for_cause IS NOT NULL AND ${position}
    ORDER BY organization_id, waits_for_cause, channel_id, created_at LIMIT 1`;
  return sql`oldest AS (
      (${oldestAfter(sql`true`)})
      UNION ALL
      SELECT following.* FROM oldest CROSS JOIN LATERAL (${oldestAfter(sql`(organization_id, waits_for_cause, channel_id)
        > (oldest.organization_id, oldest.waits_for_cause, oldest.channel_id)`)}) AS following
    ), ended AS (
      SELECT d.organization_id, d.waits_for_cause AS cause, d.channel_id FROM oldest AS d
      WHERE d.waits_for_cause <> 'reading_changed'
        AND (d.created_at NOT BETWEEN pacekeeper_now() - ${longestWait} AND pacekeeper_now() + ${longestWait} OR (SELECT ${isOver}))
    )`;
}

/** @param isUrgent True for the alerts that are sent outside the sending hours, false for the others, or `null` for all. */
async function lockWaiting(
  tx: Tx,
  { organization_id, id, cause, always_for }: WaitingGroup,
  isUrgent: boolean | null,
): Promise<number[]> {
  const isWanted =
    isUrgent === null
      ? sql`true`
      : sql`(coalesce(e.data #>> '{alert,severity}', '') = ANY(${always_for}::text[])) = ${isUrgent}`;
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM notification_deliveries d
    JOIN audit_entries e ON e.organization_id = d.organization_id AND e.id = d.audit_entry_id
    WHERE d.organization_id = ${organization_id} AND d.waits_for_cause = ${cause} AND d.channel_id = ${id} AND ${isWanted}
    ORDER BY array_position(ARRAY['critical', 'high', 'moderate'], e.data #>> '{alert,severity}'), d.audit_entry_id
    LIMIT ${maxEvents} FOR UPDATE OF d`.execute(tx);
  return rows.map((row) => row.id);
}

const isSentNow = sql`
  waits_for_cause = NULL, next_attempt_at = pacekeeper_now(), series_started_at = pacekeeper_now(),
  updated_at = pacekeeper_now()`;

async function sendAlone(tx: Tx, organizationId: number, deliveryId: number): Promise<void> {
  await sql`
    UPDATE notification_deliveries SET ${isSentNow}
    WHERE organization_id = ${organizationId} AND id = ${deliveryId}`.execute(tx);
}

async function sendSeparately(tx: Tx, groups: readonly WaitingGroup[]): Promise<void> {
  if (groups.length === 0) return;
  await sql`
    UPDATE notification_deliveries d
    SET ${isSentNow}
    FROM unnest(${groups.map(({ organization_id }) => organization_id)}::bigint[],
      ${groups.map(({ id }) => id)}::bigint[], ${groups.map(({ cause }) => cause)}::text[]) AS sent (organization_id, id, cause)
    WHERE d.organization_id = sent.organization_id AND d.channel_id = sent.id AND d.waits_for_cause = sent.cause`.execute(
    tx,
  );
}
