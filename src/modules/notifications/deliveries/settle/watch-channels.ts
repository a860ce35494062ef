import { type RawBuilder, sql } from 'kysely';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import { planServiceEvent } from '../plan/plan-service-event.ts';

interface TroubledChannel {
  organization_id: number;
  id: number;
  name: string;
}

/** Time without a success, and number of failures, after which a channel is reported as failing. */
const minFailingAge = sql`interval '30 minutes'`;
const minFailures = 3;
/** Further dead letters of a channel are part of the same trouble for this long. */
const deadLetterPause = sql`interval '1 day'`;

/**
 * Notifies of channels that fail, of their recovery, and of dead letters: once for each trouble, through other
 * channels or by email to the owners. A failing channel is reported once until it succeeds again, and dead letters
 * once a day for each channel.
 *
 * @returns The number of events. If it reaches `limit`, call again.
 */
export async function notifyChannelTroubleAcrossOrganizations(
  tx: Tx,
  wakeUps: WakeUps,
  limit: number,
): Promise<number> {
  // All failing channels are marked before the first event is routed, so that none of them gets it.
  const failing = await mark(tx, limit, {
    column: sql`failing_notified_at`,
    value: sql`pacekeeper_now()`,
    where: sql`failing_since <= pacekeeper_now() - ${minFailingAge} AND failing_notified_at IS NULL AND is_active
      AND consecutive_failures >= ${minFailures}`,
    orderBy: sql`failing_since`,
  });
  const recovered = await mark(tx, limit, {
    column: sql`failing_notified_at`,
    value: sql`NULL`,
    where: sql`failing_notified_at IS NOT NULL AND failing_since IS NULL AND last_success_at > failing_notified_at`,
    orderBy: sql`failing_notified_at`,
  });
  const withDeadLetters = await mark(tx, limit, {
    column: sql`dead_letters_notified_at`,
    value: sql`pacekeeper_now()`,
    where: sql`last_dead_letter_at > coalesce(dead_letters_notified_at, '-infinity') AND is_active
      AND coalesce(dead_letters_notified_at, '-infinity') <= pacekeeper_now() - ${deadLetterPause}`,
    orderBy: sql`last_dead_letter_at`,
  });
  const kinds = [
    ['channel.failing', failing],
    ['channel.recovered', recovered],
    ['delivery.failed', withDeadLetters],
  ] as const;
  for (const [type, channels] of kinds) {
    for (const { organization_id, id, name } of channels) {
      const reason = type === 'channel.recovered' ? null : await readLastError(tx, organization_id, id, type);
      await planServiceEvent(tx, organization_id, { type, data: { channel: { id, name, reason } } }, wakeUps);
    }
  }
  return Math.max(...kinds.map(([, channels]) => channels.length));
}

async function mark(
  tx: Tx,
  limit: number,
  parts: Record<'column' | 'value' | 'where' | 'orderBy', RawBuilder<unknown>>,
): Promise<TroubledChannel[]> {
  const { rows } = await sql<TroubledChannel>`
    WITH chosen AS (
      SELECT organization_id, id FROM notification_channels WHERE ${parts.where}
      ORDER BY ${parts.orderBy} LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE notification_channels c SET ${parts.column} = ${parts.value} FROM chosen
    WHERE c.organization_id = chosen.organization_id AND c.id = chosen.id
    RETURNING c.organization_id, c.id, c.name`.execute(tx);
  return rows.toSorted((a, b) => a.organization_id - b.organization_id || a.id - b.id);
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
