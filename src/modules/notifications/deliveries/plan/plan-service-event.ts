import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { systemActor } from '../../../../domain/audit/actor.ts';
import { collectsDigests } from '../../../../domain/replay/message-queue.ts';
import type {
  AgentOfflineEventData,
  ChannelEventData,
  FreshnessReportEventData,
  JobFailingEventData,
  TargetEventData,
} from '../../../../domain/routing/notification-event.ts';
import { nextOpening } from '../../../../domain/scheduling/sending-hours.ts';
import type { Tx, WakeUps } from '../../../../platform/database/index.ts';
import type { DueTable } from '../../../../platform/due-rows/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import {
  type DeliveryPlan,
  type PlannedEvent,
  planDeliveries,
  type RoutedEvents,
  routeEvents,
} from './plan-deliveries.ts';
import type { RoutingChannel } from './routing-queries.ts';

/**
 * An event about Pacekeeper itself. The default channel receives it, or the channels of notification rules
 * that include its type.
 */
export type ServiceEvent =
  | { type: 'job.failing'; data: { job: Omit<JobFailingEventData['job'], 'url'> } }
  | { type: 'agent.offline'; data: Pick<AgentOfflineEventData, 'agent'> }
  | { type: 'target.missed' | 'target.met'; data: { target: Omit<TargetEventData['target'], 'url'> } }
  | { type: 'freshness.report'; data: { report: Omit<FreshnessReportEventData['report'], 'url'> } }
  | { type: ChannelEventData['event']; data: Pick<ChannelEventData, 'channel'> };

export type StoredServiceEvent = ServiceEvent['data'];

/** Writes a service event and its deliveries in the transaction that caused the event. */
export async function planServiceEvent(
  tx: Tx,
  organizationId: number,
  { type, data }: ServiceEvent,
  wakeUps: WakeUps,
): Promise<DeliveryPlan> {
  const eventId = randomUUID();
  const [entry] = await writeEntries(tx, organizationId, [
    { alertId: null, action: type, actor: systemActor, event: { type, id: eventId, sequence: null, data } },
  ]);
  const subject = { eventType: type, severity: null, ruleId: null, alertConfigId: null, labels: {} };
  const event = {
    entryId: entry!.id,
    eventId,
    eventType: type,
    alertId: null,
    sequence: null,
    subject,
    isSilenced: false,
  };
  if ('channel' in data) return planElsewhere(tx, organizationId, event, data.channel.id, wakeUps);
  const [plan] = await planDeliveries(tx, organizationId, [event], wakeUps);
  return plan!;
}

/** Plans an event about a channel again whose deliveries were canceled or rejected, unless another remains. */
export async function planChannelEventAgain(
  tx: Tx,
  organizationId: number,
  entryId: number,
  wakeUps: WakeUps,
): Promise<void> {
  const { rows } = await sql<{ eventId: string; eventType: ChannelEventData['event']; channelId: number }>`
    SELECT e.event_id AS "eventId", e.event_type AS "eventType", (e.data->'channel'->>'id')::bigint AS "channelId"
    FROM audit_entries e
    WHERE e.organization_id = ${organizationId} AND e.id = ${entryId} AND NOT EXISTS (
      SELECT FROM notification_deliveries d
      WHERE d.organization_id = e.organization_id AND d.audit_entry_id = e.id
        AND d.status IN ('pending', 'in_progress', 'failed', 'succeeded'))`.execute(tx);
  const [lost] = rows;
  if (!lost) return;
  const { eventId, eventType, channelId } = lost;
  const subject = { eventType, severity: null, ruleId: null, alertConfigId: null, labels: {} };
  const event = { entryId, eventId, eventType, alertId: null, sequence: null, subject, isSilenced: false };
  await planElsewhere(tx, organizationId, event, channelId, wakeUps);
}

/** Plans an event about a channel for other channels. Emails the owners if no other channel sends it immediately. */
async function planElsewhere(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  channelId: number,
  wakeUps: WakeUps,
): Promise<DeliveryPlan> {
  const { isTold, ...routed } = await routeElsewhere(tx, organizationId, event, channelId);
  const [plan] = await planDeliveries(tx, organizationId, [event], wakeUps, routed);
  if (!isTold) {
    await sql`
      INSERT INTO owner_mails (organization_id, audit_entry_id) VALUES (${organizationId}, ${event.entryId})`.execute(
      tx,
    );
    wakeUps.wakeAfterCommit(tx, ownerMailsDue.name);
  }
  return plan!;
}

export const ownerMailsDue = {
  name: 'owner_mails',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;

/**
 * Routes an event about a channel to other channels that work. If notification rules and the default channel
 * lead to none, another working channel gets the event, because otherwise no one would know that messages are
 * lost. Channels that send later come last, and channels for incidents after other immediate ones, because they
 * can wake people up. A recovery also goes to the channels that got the report of the failure.
 */
async function routeElsewhere(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  channelId: number,
): Promise<RoutedEvents & { isTold: boolean }> {
  const routed = await routeEvents(tx, organizationId, [event]);
  const [route] = routed.routes;
  const { channels, now } = routed.routing;
  const working = [...channels.byId.values()]
    .filter(
      ({ id, isActive, isFailing, createsTickets }) =>
        id !== channelId && isActive && !isFailing && !createsTickets,
    )
    .toSorted(
      (a, b) =>
        Number(sendsLater(a, now)) - Number(sendsLater(b, now)) ||
        disturbance(a) - disturbance(b) ||
        a.id - b.id,
    );
  const ids = new Set(working.map(({ id }) => id));
  const chosen = route!.targets.filter((target) => ids.has(target.channelId));
  const add = (id: number) => {
    if (chosen.some(({ channelId: known }) => known === id)) return;
    chosen.push({ channelId: id, isActive: true, viaRuleIds: [], fallbackReason: null });
  };
  if (event.eventType === 'channel.recovered') {
    for (const id of await readChannelsOfFailure(tx, organizationId, channelId)) if (ids.has(id)) add(id);
  }
  const isSoon = () =>
    chosen.some(
      // A rule of the organization decides for itself that a channel which sends later is soon enough.
      ({ channelId: id, viaRuleIds }) => viaRuleIds.length > 0 || !sendsLater(channels.byId.get(id)!, now),
    );
  const [other] = working;
  if (other && (chosen.length === 0 || (!isSoon() && !sendsLater(other, now)))) add(other.id);
  return {
    ...routed,
    isTold: isSoon(),
    routes: [{ ...route!, targets: chosen }],
    plans: [{ isNotified: chosen.length > 0, skippedReason: chosen.length > 0 ? null : 'no_channel' }],
  };
}

/** Returns the channels that got the latest report that the channel fails. */
async function readChannelsOfFailure(tx: Tx, organizationId: number, channelId: number): Promise<number[]> {
  const { rows } = await sql<{ channel_id: number }>`
    SELECT d.channel_id FROM notification_deliveries d
    WHERE d.organization_id = ${organizationId} AND d.channel_id IS NOT NULL AND d.audit_entry_id = (
      SELECT failing.audit_entry_id FROM notification_deliveries failing
      JOIN audit_entries e ON e.organization_id = failing.organization_id AND e.id = failing.audit_entry_id
      WHERE failing.organization_id = ${organizationId} AND failing.event_type = 'channel.failing'
        AND (e.data->'channel'->>'id')::bigint = ${channelId}
      ORDER BY failing.created_at DESC, failing.id DESC LIMIT 1)
    ORDER BY d.channel_id`.execute(tx);
  return rows.map((row) => row.channel_id);
}

/** True if the channel collects a digest, or is outside its sending hours. */
function sendsLater(channel: RoutingChannel, now: Date): boolean {
  return collectsDigests(channel) || nextOpening(channel.sendingHours, channel.timezone, now) !== null;
}

function disturbance({ channelType, preset }: RoutingChannel): number {
  if (channelType === 'email') return 0;
  return preset === 'pagerduty' ? 2 : 1;
}
