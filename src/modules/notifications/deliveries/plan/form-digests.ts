import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { systemActor } from '../../../../domain/audit/actor.ts';
import { supersededMessages, type WaitingMessage } from '../../../../domain/channels/waiting-messages.ts';
import { type DigestCause, maxEventsOfDigest } from '../../../../domain/routing/notification-event.ts';
import { type Database, type Tx, transaction } from '../../../../platform/database/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import { hasOpenDigest, waitsForDigest } from '../model/delivery-lines.ts';
import { cancelOutdatedDeliveries, dropDeliveries } from '../model/drop-deliveries.ts';

/**
 * Maximum number of waiting deliveries whose alerts are checked for redundant messages. It limits the work, because the
 * events of a week can be waiting. All waiting deliveries of these alerts are checked.
 */
const maxDeduplicated = 20 * maxEventsOfDigest;

/**
 * Combines the deliveries that wait for a channel's digest into one delivery when the digest is due and the
 * channel has no open digest. Outdated and redundant messages are canceled first, and no digest is created if
 * none are left. The caller must hold the lease of the channel.
 *
 * @param options.onlyIds IDs of the deliveries that can be sent outside the sending hours. `null` allows all.
 * @returns The ID of the digest, or `null` if none was created.
 */
export async function createDigest(
  db: Database,
  organizationId: number,
  channelId: number,
  { maxAttempts, onlyIds }: { maxAttempts: number; onlyIds: readonly number[] | null },
): Promise<number | null> {
  const isOffered = onlyIds === null ? sql`true` : sql`d.id = ANY(${onlyIds}::bigint[])`;
  const waits = sql`
    FROM notification_deliveries d
    JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    WHERE d.organization_id = ${organizationId} AND d.channel_id = ${channelId}
      AND ${waitsForDigest} AND ${isOffered} AND NOT ${hasOpenDigest}`;
  const isDue = sql`d.next_attempt_at <= pacekeeper_now()`;
  return transaction(db, async (tx) => {
    // Most passes run before the digest is due and need only this query.
    const { rows: due } = await sql`SELECT ${waits} AND ${isDue} LIMIT 1`.execute(tx);
    if (due.length === 0) return null;

    const channel = { organization_id: organizationId, id: channelId };
    await cancelOutdatedDeliveries(tx, channel, sql`${waitsForDigest} AND ${isOffered}`);
    const { rows: first } = await sql<WaitingMessage>`
      SELECT d.id, d.alert_id AS "alertId", d.sequence, d.event_type AS "eventType", false AS "isUrgent", false AS "wasTried"
      ${waits} AND d.alert_id IN (SELECT alert_id FROM (
        SELECT d.alert_id ${waits} ORDER BY d.audit_entry_id LIMIT ${maxDeduplicated}) AS first)`.execute(tx);
    const superseded = supersededMessages(first);
    await dropDeliveries(tx, channel, [...superseded]);
    const { rows: stillDue } = await sql`SELECT ${waits} AND ${isDue} LIMIT 1`.execute(tx);
    if (stillDue.length === 0) return null;

    const { rows: waiting } = await sql<{ id: number; channel_name: string }>`
      SELECT d.id, c.name AS channel_name ${waits}
      -- Locks the channel against deletion, because no pass would send the digest of a deleted channel.
      ORDER BY d.audit_entry_id LIMIT ${maxEventsOfDigest} FOR UPDATE OF d FOR KEY SHARE OF c`.execute(tx);
    const [next] = waiting;
    if (!next) return null;
    return writeDigest(tx, organizationId, {
      channel: { id: channelId, name: next.channel_name },
      deliveryIds: waiting.map(({ id }) => id),
      maxAttempts,
      cause: null,
    });
  });
}

interface NewDigest {
  channel: { id: number; name: string };
  deliveryIds: readonly number[];
  maxAttempts: number;
  /** Stored in the audit entry of the digest. */
  cause: DigestCause | null;
}

/** Creates a delivery that contains the given deliveries. The caller must have locked them. */
export async function writeDigest(
  tx: Tx,
  organizationId: number,
  { channel, deliveryIds, maxAttempts, cause }: NewDigest,
): Promise<number> {
  const eventId = randomUUID();
  const event = { type: 'digest', id: eventId, sequence: null, data: { cause } };
  const [entry] = await writeEntries(tx, organizationId, [
    { alertId: null, action: 'digest', actor: systemActor, event },
  ]);
  const { rows } = await sql<{ id: number }>`
    WITH digest AS (
      INSERT INTO notification_deliveries
        (organization_id, channel_id, channel_name, audit_entry_id, event_id, event_type, max_attempts, next_attempt_at)
      VALUES (${organizationId}, ${channel.id}, ${channel.name}, ${entry!.id}, ${eventId}, 'digest',
        ${maxAttempts}, pacekeeper_now())
      RETURNING id
    ), carried AS (
      UPDATE notification_deliveries d
      SET digest_delivery_id = digest.id, waits_for_cause = NULL, next_attempt_at = NULL, updated_at = pacekeeper_now()
      FROM digest
      WHERE d.organization_id = ${organizationId} AND d.id = ANY(${[...deliveryIds]}::bigint[])
    )
    SELECT id FROM digest`.execute(tx);
  return rows[0]!.id;
}
