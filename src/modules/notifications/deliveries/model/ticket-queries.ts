import { sql } from 'kysely';
import { trackerTypes } from '../../../../domain/tickets/trackers.ts';
import type { Schemas } from '../../../../generated/client-api.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import type { TrackerTicket } from '../trackers/tracker.ts';

/**
 * Columns of a channel that are required to create tickets. The nullable fields are `null` for other channel
 * types.
 */
export interface TrackerFields {
  channel_type: Schemas['NotificationChannelType'];
  url_masked: string;
  project: string | null;
  issue_type: string | null;
  account_email: string | null;
  ticket_labels: string[];
}

/** True if channel `c` creates tickets. */
export const createsTickets = sql<boolean>`c.channel_type IN (${sql.join(trackerTypes.map((type) => sql.lit(type)))})`;

/** Identifies the ticket of an alert in the tracker of a channel. */
export interface TicketKey {
  organizationId: number;
  alertId: number;
  channelId: number;
}

export interface StoredTicket {
  target: string;
  project: string;
  marker: string;
  opening_count: number;
  started_at: Date;
  /** `null` until the tracker returns the ticket. */
  ticket_id: string | null;
  state: Schemas['AlertTicketState'];
}

const columns = sql`t.target, t.project, t.marker, t.opening_count, t.started_at, t.ticket_id, t.state`;

/** Location and marker of a ticket to create. */
export interface NewTicket {
  channelName: string;
  channelType: string;
  target: string;
  project: string;
  marker: string;
}

/**
 * Records that a ticket is about to be created, if the alert is open and has no recorded ticket. Later
 * attempts keep the marker and the location of the first one.
 *
 * @returns `null` if there's nothing to create.
 */
export async function beginTicket(
  db: Database,
  { organizationId, alertId, channelId }: TicketKey,
  { channelName, channelType, target, project, marker }: NewTicket,
): Promise<StoredTicket | null> {
  const { rows } = await sql<StoredTicket>`
    INSERT INTO alert_tickets AS t (organization_id, alert_id, channel_id, channel_name, channel_type, target, project, marker)
    SELECT a.organization_id, a.id, ${channelId}, ${channelName}, ${channelType}, ${target}, ${project}, ${marker}
    FROM alerts a WHERE a.organization_id = ${organizationId} AND a.id = ${alertId} AND a.resolved_at IS NULL
    FOR KEY SHARE
    ON CONFLICT (organization_id, alert_id, channel_id) DO UPDATE SET opening_count = t.opening_count + 1
    WHERE t.ticket_id IS NULL
    RETURNING ${columns}`.execute(db);
  return rows[0] ?? null;
}

export async function findTicket(
  db: Database,
  { organizationId, alertId, channelId }: TicketKey,
): Promise<StoredTicket | null> {
  const { rows } = await sql<StoredTicket>`
    SELECT ${columns} FROM alert_tickets t
    WHERE t.organization_id = ${organizationId} AND t.alert_id = ${alertId} AND t.channel_id = ${channelId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Deletes the record of a ticket that the first attempt couldn't create. After a second attempt, only a search shows
 * whether the ticket exists, so the record stays.
 */
export async function deleteTicketRecord(
  db: Database,
  { organizationId, alertId, channelId }: TicketKey,
  marker: string,
): Promise<void> {
  await sql`
    DELETE FROM alert_tickets
    WHERE organization_id = ${organizationId} AND alert_id = ${alertId} AND channel_id = ${channelId}
      AND marker = ${marker} AND opening_count = 1 AND ticket_id IS NULL`.execute(db);
}

/**
 * Stores the ID, key, URL, and state of a created ticket.
 *
 * @returns True if the ticket was stored. False if the alert already has another ticket, created at the same
 * time, which is kept.
 */
export async function recordTicket(
  db: Database,
  { organizationId, alertId, channelId }: TicketKey,
  { id, key, url, isOpen }: TrackerTicket,
): Promise<boolean> {
  const result = await sql`
    UPDATE alert_tickets t
    SET ticket_id = ${id}, key = ${key}, url = ${url}, created_at = pacekeeper_now(),
      state = CASE WHEN ${isOpen} THEN 'open' ELSE 'closed' END,
      closed_at = CASE WHEN ${isOpen} THEN NULL ELSE pacekeeper_now() END
    WHERE t.organization_id = ${organizationId} AND t.alert_id = ${alertId} AND t.channel_id = ${channelId}
      AND (t.ticket_id IS NULL OR t.ticket_id = ${id})`.execute(db);
  return Number(result.numAffectedRows ?? 0) > 0;
}

export async function recordTicketEnd(
  db: Database,
  { organizationId, alertId, channelId }: TicketKey,
  state: 'closed' | 'missing',
): Promise<void> {
  await sql`
    UPDATE alert_tickets SET state = ${state}, closed_at = coalesce(closed_at, pacekeeper_now())
    WHERE organization_id = ${organizationId} AND alert_id = ${alertId} AND channel_id = ${channelId}`.execute(
    db,
  );
}

/** Returns the tickets of an alert in the format of the API. */
export async function listTicketsOfAlert(
  db: Database,
  organizationId: number,
  alertId: number,
): Promise<Schemas['AlertTicket'][]> {
  const { rows } = await sql<{
    channel_id: number | null;
    channel_name: string;
    channel_type: Schemas['NotificationChannelType'];
    key: string;
    url: string;
    state: Schemas['AlertTicketState'];
    created_at: Date;
    closed_at: Date | null;
  }>`
    SELECT c.id AS channel_id, coalesce(c.name, t.channel_name) AS channel_name, t.channel_type, t.key, t.url, t.state,
      t.created_at, t.closed_at
    FROM alert_tickets t
    LEFT JOIN notification_channels c ON c.organization_id = t.organization_id AND c.id = t.channel_id
    WHERE t.organization_id = ${organizationId} AND t.alert_id = ${alertId} AND t.ticket_id IS NOT NULL
    ORDER BY t.created_at, t.channel_id`.execute(db);
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
  }));
}

/**
 * Returns the channels that have tickets of the alerts, or pending deliveries that can create one. These
 * tickets must be closed even if the notification rules no longer match.
 */
export async function readTicketChannels(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (alertIds.length === 0) return new Map();
  const { rows } = await sql<{ alert_id: number; channel_id: number }>`
    SELECT t.alert_id, t.channel_id FROM alert_tickets t
    WHERE t.organization_id = ${organizationId} AND t.alert_id = ANY(${alertIds}::bigint[]) AND t.state <> 'missing'
    UNION
    SELECT d.alert_id, d.channel_id
    FROM notification_deliveries d
    JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    WHERE d.organization_id = ${organizationId} AND d.alert_id = ANY(${alertIds}::bigint[])
      AND d.completed_at IS NULL AND ${createsTickets}
    ORDER BY alert_id, channel_id`.execute(tx);
  const channels = new Map<number, number[]>();
  for (const { alert_id, channel_id } of rows)
    channels.set(alert_id, [...(channels.get(alert_id) ?? []), channel_id]);
  return channels;
}
