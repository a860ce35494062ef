import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/database/index.ts';
import type { ReceivedWebhook } from '../helpers/webhook-inbox.ts';
import { until } from './fault-world.ts';

/**
 * Number of times that each delivery, by ID, was in flight when a server died. Each time allows one
 * duplicate.
 */
export type InFlightCounts = Map<number, number>;

/**
 * Records the deliveries in flight. Call it after a server has died and before its leases expire.
 * @returns The number of deliveries in flight.
 */
export async function recordInFlight(
  db: Database,
  organizationId: number,
  noted: InFlightCounts,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND status = 'in_progress' AND lease_until > pacekeeper_now()`.execute(
    db,
  );
  for (const { id } of rows) noted.set(id, (noted.get(id) ?? 0) + 1);
  return rows.length;
}

/**
 * Waits until the organization has no open deliveries and no other pending work. On timeout, throws an error that lists
 * the remaining work.
 */
export async function waitUntilNothingPending(
  db: Database,
  organizationId: number,
  timeoutMs = 60_000,
): Promise<void> {
  let left: object[] = [];
  const isQuiet = async () => {
    const { rows } = await sql<object>`
      SELECT 'alert_configs' AS kind, id, to_jsonb(due_at) AS due, requested_seq > processed_seq AS is_wanted, lease_token IS NOT NULL AS is_leased, pacekeeper_now() AS now
      FROM alert_configs
      WHERE organization_id = ${organizationId} AND (due_at <= pacekeeper_now() OR requested_seq > processed_seq OR lease_token IS NOT NULL)
      UNION ALL
      SELECT 'release_fan_outs', gather_job_id, to_jsonb(due_at), requested_seq > processed_seq, lease_token IS NOT NULL, pacekeeper_now()
      FROM release_fan_outs WHERE due_at < 'infinity' OR requested_seq > processed_seq OR lease_token IS NOT NULL
      UNION ALL
      SELECT 'notification_deliveries ' || status || ' ' || attempt_count, id, to_jsonb(coalesce(next_attempt_at, lease_until)), true, lease_token IS NOT NULL, pacekeeper_now()
      FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND status IN ('pending', 'failed', 'in_progress')`.execute(
      db,
    );
    left = rows;
    return rows.length === 0;
  };
  await until('everything is done', isQuiet, timeoutMs).catch((error: unknown) => {
    throw new Error(`${left.length} left, such as ${JSON.stringify(left.slice(0, 5))}`, { cause: error });
  });
}

interface Sent {
  delivery_id: number;
  channel_name: string;
  event_id: string;
  event_type: string;
  alert_id: number | null;
  sequence: number | null;
  status: string;
  attempt_count: number;
  /** The digest that contains the event, or null if the event has its own message. */
  digest_delivery_id: number | null;
}

/**
 * Checks that every event of an alert reached each of these channels at least once, in its own message or in one
 * digest, always with the same `webhook-id`. Duplicates are allowed only for deliveries that were in flight when a
 * server died. A channel has the name of its inbox path.
 */
export async function checkEveryEventArrived(
  db: Database,
  organizationId: number,
  channelNames: readonly string[],
  requests: readonly ReceivedWebhook[],
  inFlightAtDeath: InFlightCounts = new Map(),
): Promise<{ events: number; deliveries: number; duplicates: number }> {
  const { rows: events } = await sql<{ event_id: string }>`
    SELECT event_id FROM audit_entries WHERE organization_id = ${organizationId} AND event_type LIKE 'alert.%'`.execute(
    db,
  );
  const { rows: sent } = await sql<Sent>`
    SELECT id AS delivery_id, channel_name, event_id, event_type, alert_id, sequence, status, attempt_count,
      digest_delivery_id
    FROM notification_deliveries WHERE organization_id = ${organizationId}`.execute(db);
  const ofAlerts = sent.filter((delivery) => delivery.event_type !== 'digest');
  expect(ofAlerts.length, 'one delivery for each event and channel').toBe(
    events.length * channelNames.length,
  );
  expect(sent.filter((delivery) => delivery.status !== 'succeeded')).toEqual([]);

  const came = Map.groupBy(requests, (request) => `${request.path} ${request.id}`);
  const lost: Sent[] = [];
  const tooOften: (Sent & { times: number })[] = [];
  let duplicates = 0;
  for (const delivery of sent) {
    // Skip deliveries that were sent in a digest, because the digest is also a delivery in this list.
    if (delivery.digest_delivery_id !== null) continue;
    const key = `${delivery.channel_name} msg_${delivery.event_id}`;
    const times = came.get(key)?.length ?? 0;
    came.delete(key);
    if (times === 0) lost.push(delivery);
    duplicates += Math.max(0, times - 1);
    if (times > 1 + (inFlightAtDeath.get(delivery.delivery_id) ?? 0)) tooOften.push({ ...delivery, times });
  }
  expect(lost).toEqual([]);
  expect(tooOften).toEqual([]);
  expect([...came.keys()], 'requests that belong to no event').toEqual([]);
  checkOrder(sent, requests);
  return { events: events.length, deliveries: ofAlerts.length, duplicates };
}

/** Checks that the events of each alert reached each channel in order. Ignores duplicates. */
function checkOrder(sent: readonly Sent[], requests: readonly ReceivedWebhook[]): void {
  const byId = new Map(sent.map((delivery) => [delivery.delivery_id, delivery]));
  const byKey = Map.groupBy(sent, (delivery) => {
    const message = byId.get(delivery.digest_delivery_id ?? delivery.delivery_id)!;
    return `${message.channel_name} msg_${message.event_id}`;
  });
  const last = new Map<string, number>();
  const seen = new Set<string>();
  const disordered: unknown[] = [];
  for (const request of requests) {
    const key = `${request.path} ${request.id}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const delivery of byKey.get(key) ?? []) {
      if (delivery.alert_id === null) continue;
      const alert = `${request.path} ${delivery.alert_id}`;
      if ((last.get(alert) ?? 0) > delivery.sequence!) disordered.push(delivery);
      last.set(alert, delivery.sequence!);
    }
  }
  expect(disordered).toEqual([]);
}
