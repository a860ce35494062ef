import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { systemActor } from '../../../../domain/audit/actor.ts';
import type {
  AgentOfflineEventData,
  ChannelEventData,
  FreshnessReportEventData,
  JobFailingEventData,
  TargetEventData,
} from '../../../../domain/routing/notification-event.ts';
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
  const routed =
    'channel' in data ? await routeElsewhere(tx, organizationId, event, data.channel.id) : undefined;
  const [plan] = await planDeliveries(tx, organizationId, [event], wakeUps, routed);
  if (routed && !plan!.isNotified) {
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
 * lost. Channels for incidents come last, because they can wake people up.
 */
async function routeElsewhere(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  channelId: number,
): Promise<RoutedEvents> {
  const routed = await routeEvents(tx, organizationId, [event]);
  const [route] = routed.routes;
  const working = [...routed.routing.channels.byId.values()]
    .filter(
      ({ id, isActive, isFailing, createsTickets }) =>
        id !== channelId && isActive && !isFailing && !createsTickets,
    )
    .toSorted((a, b) => disturbance(a) - disturbance(b) || a.id - b.id);
  const ids = new Set(working.map(({ id }) => id));
  const chosen = route!.targets.filter((target) => ids.has(target.channelId));
  const [other] = working;
  if (chosen.length === 0 && other)
    chosen.push({ channelId: other.id, isActive: true, viaRuleIds: [], fallbackReason: null });
  return {
    ...routed,
    routes: [{ ...route!, targets: chosen }],
    plans: [{ isNotified: chosen.length > 0, skippedReason: chosen.length > 0 ? null : 'no_channel' }],
  };
}

function disturbance({ channelType, preset }: RoutingChannel): number {
  if (channelType === 'email') return 0;
  return preset === 'pagerduty' ? 2 : 1;
}
