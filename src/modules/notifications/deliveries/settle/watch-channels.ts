import { type RawBuilder, sql } from 'kysely';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import { planServiceEvent } from '../plan/plan-service-event.ts';

interface TroubledChannel {
  id: number;
  name: string;
}

/** Time without a success, and number of failures, after which a channel is reported as failing. */
const minFailingAge = sql`interval '30 minutes'`;
const minFailures = 3;
/** Further dead letters of a channel are part of the reported trouble for this long. */
const deadLetterPause = sql`interval '1 day'`;

const isFailing = sql`(failing_since <= pacekeeper_now() - ${minFailingAge} AND failing_notified_at IS NULL
  AND is_active AND consecutive_failures >= ${minFailures})`;
const isRecovered = sql`(failing_notified_at IS NOT NULL AND failing_since IS NULL
  AND last_success_at > failing_notified_at)`;
const hasDeadLetters = sql`(is_active
  AND last_dead_letter_at >= coalesce(dead_letters_notified_at + ${deadLetterPause}, '-infinity'))`;

/**
 * Notifies an organization of channels that fail, of their recovery, and of dead letters: once for each trouble,
 * through other channels or by email to the owners. A failing channel is reported once until it succeeds again, and
 * dead letters at most once a day for each channel.
 *
 * @returns True if an organization was found. Call again, in another transaction, until none is.
 */
export async function notifyChannelTroubleAcrossOrganizations(tx: Tx, wakeUps: WakeUps): Promise<boolean> {
  const organizationId = await findTroubleAcrossOrganizations(tx);
  if (organizationId === null) return false;
  // Routed events trigger any of the channels, and recorded attempts lock channels in key order.
  await sql`
    SELECT FROM notification_channels WHERE organization_id = ${organizationId}
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  // All failing channels are marked before the first event is routed, so that none of them gets it.
  const failing = await mark(tx, organizationId, {
    column: sql`failing_notified_at`,
    value: sql`pacekeeper_now()`,
    where: isFailing,
  });
  const recovered = await mark(tx, organizationId, {
    column: sql`failing_notified_at`,
    value: sql`NULL`,
    where: isRecovered,
  });
  const withDeadLetters = await mark(tx, organizationId, {
    column: sql`dead_letters_notified_at`,
    value: sql`pacekeeper_now()`,
    where: hasDeadLetters,
  });
  const kinds = [
    ['channel.failing', failing],
    ['channel.recovered', recovered],
    ['delivery.failed', withDeadLetters],
  ] as const;
  for (const [type, channels] of kinds) {
    for (const { id, name } of channels) {
      const reason = type === 'channel.recovered' ? null : await readLastError(tx, organizationId, id, type);
      await planServiceEvent(tx, organizationId, { type, data: { channel: { id, name, reason } } }, wakeUps);
    }
  }
  return true;
}

/** Each part uses its own index. */
async function findTroubleAcrossOrganizations(tx: Tx): Promise<number | null> {
  const { rows } = await sql<{ organization_id: number }>`
    (SELECT organization_id FROM notification_channels WHERE ${isFailing} LIMIT 1)
    UNION ALL (SELECT organization_id FROM notification_channels WHERE ${isRecovered} LIMIT 1)
    UNION ALL (SELECT organization_id FROM notification_channels WHERE ${hasDeadLetters} LIMIT 1)
    LIMIT 1`.execute(tx);
  return rows[0]?.organization_id ?? null;
}

async function mark(
  tx: Tx,
  organizationId: number,
  { column, value, where }: Record<'column' | 'value' | 'where', RawBuilder<unknown>>,
): Promise<TroubledChannel[]> {
  const { rows } = await sql<TroubledChannel>`
    UPDATE notification_channels SET ${column} = ${value}
    WHERE organization_id = ${organizationId} AND ${where}
    RETURNING id, name`.execute(tx);
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Returns the message of the newest error of a channel, or of its newest dead letter. */
async function readLastError(
  tx: Tx,
  organizationId: number,
  channelId: number,
  type: 'channel.failing' | 'delivery.failed',
): Promise<string | null> {
  const { rows } = await sql<{ error_message: string | null }>`
    SELECT error_message FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND error_message IS NOT NULL
      AND ${type === 'delivery.failed' ? sql`status = 'dead_letter'` : sql`status <> 'succeeded'`}
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(tx);
  return rows[0]?.error_message ?? null;
}
