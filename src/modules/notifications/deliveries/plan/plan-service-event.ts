import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { systemActor } from '../../../../domain/audit/actor.ts';
import { collectsDigests } from '../../../../domain/channels/sending-times.ts';
import { type EventType, problemKey, reportsProblem } from '../../../../domain/routing/notification-event.ts';
import { nextOpening } from '../../../../domain/scheduling/sending-hours.ts';
import { dueTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import type { DueTable } from '../../../../platform/due-rows/index.ts';
import { writeEntries } from '../../../audit/index.ts';
import type { ProblemData, ServiceEvent, StoredServiceEvent } from '../model/stored-events.ts';
import {
  type DeliveryPlan,
  type PlannedEvent,
  planDeliveries,
  type RoutingResult,
  routeEvents,
} from './plan-deliveries.ts';
import type { RoutingChannel } from './routing-queries.ts';

/** The receivers of the report of a problem. */
interface ReportReceivers {
  channelIds: readonly number[];
  /** True if the owners got an email. */
  isMailed: boolean;
}

/**
 * Writes a service event and its deliveries in the transaction that caused the event.
 *
 * @param report Receivers of the report, for an event about the end of a problem.
 */
export async function planServiceEvent(
  tx: Tx,
  organizationId: number,
  serviceEvent: ServiceEvent,
  report: ReportReceivers | null = null,
): Promise<DeliveryPlan> {
  const { type, data } = serviceEvent;
  const eventId = randomUUID();
  const [entry] = await writeEntries(tx, organizationId, [
    { alertId: null, action: type, actor: systemActor, event: { type, id: eventId, sequence: null, data } },
  ]);
  const event = plannedEvent({
    entryId: entry!.id,
    eventId,
    eventType: type,
    trouble: problemKey(type, data),
  });
  const plan = await planEvent(tx, organizationId, event, data, report);
  if (reportsProblem(type)) await recordProblem(tx, organizationId, event, serviceEvent);
  return plan;
}

function plannedEvent(
  event: Pick<PlannedEvent, 'entryId' | 'eventId' | 'eventType'> & { trouble: string | null },
): PlannedEvent {
  const { eventType } = event;
  const subject = { eventType, severity: null, ruleId: null, alertConfigId: null, labels: {} };
  return { ...event, alertId: null, sequence: null, subject, isSnoozed: false };
}

async function planEvent(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  data: StoredServiceEvent,
  report: ReportReceivers | null,
): Promise<DeliveryPlan> {
  if (report !== null) return planEnd(tx, organizationId, event, report);
  if ('channel' in data) return planElsewhere(tx, organizationId, event, data.channel.id);
  const [plan] = await planDeliveries(tx, organizationId, [event]);
  return plan!;
}

/**
 * Plans the event about the end of a problem for the channels that received its report, even while these
 * channels fail. Otherwise, an incident would stay open. Other channels get the event only if a notification
 * rule lists it.
 */
async function planEnd(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  { channelIds, isMailed }: ReportReceivers,
): Promise<DeliveryPlan> {
  const routed = await routeEvents(tx, organizationId, [event]);
  const route = routed.routes[0]!;
  const targets = route.targets.filter(({ viaRuleIds }) => viaRuleIds.length > 0);
  for (const channelId of channelIds) {
    const channel = routed.routing.channels.byId.get(channelId);
    if (channel === undefined || targets.some((target) => target.channelId === channelId)) continue;
    targets.push({ channelId, isActive: channel.isActive, viaRuleIds: [], fallbackReason: null });
  }
  const isNotified = targets.some(({ isActive }) => isActive);
  const [plan] = await planDeliveries(tx, organizationId, [event], {
    ...routed,
    routes: [{ ...route, targets }],
    plans: [{ isNotified, skippedReason: isNotified ? null : 'no_channel' }],
  });
  if (isMailed) await mailOwners(tx, organizationId, event.entryId);
  return plan!;
}

/** Stores the receivers of a report until the problem is over. A repeated report adds to them. */
async function recordProblem(
  tx: Tx,
  organizationId: number,
  { entryId, trouble }: PlannedEvent,
  event: ServiceEvent,
): Promise<void> {
  const { type, data } = event;
  const [kind, subject] = subjectOf(data);
  const subjectOrganizationId =
    ('subjectOrganizationId' in event && event.subjectOrganizationId) || organizationId;
  await sql`
    INSERT INTO reported_troubles AS t
      (organization_id, key, event_type, subject_kind, subject_organization_id, subject_id, data, channel_ids, is_mailed)
    SELECT ${organizationId}, ${trouble}, ${type}, ${kind}, ${subjectOrganizationId}, ${subject.id}, ${JSON.stringify(data)}::jsonb, ${receiversOf(organizationId, entryId)}
    ON CONFLICT (organization_id, key) DO UPDATE
    SET data = EXCLUDED.data, ${addedReceivers}`.execute(tx);
}

/**
 * SQL columns: the channels with a delivery of the event that wasn't canceled, and true if the owners get an
 * email about the event.
 */
function receiversOf(organizationId: number, entryId: number): RawBuilder<unknown> {
  return sql`ARRAY(
      SELECT channel_id FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND audit_entry_id = ${entryId} AND channel_id IS NOT NULL
        AND status <> 'canceled' ORDER BY channel_id) AS channel_ids,
    EXISTS (SELECT FROM owner_mails WHERE organization_id = ${organizationId} AND audit_entry_id = ${entryId}) AS is_mailed`;
}

const addedReceivers = sql`
  channel_ids = ARRAY(SELECT DISTINCT unnest(t.channel_ids || EXCLUDED.channel_ids) ORDER BY 1),
  is_mailed = t.is_mailed OR EXCLUDED.is_mailed`;

/**
 * Returns the kind and the subject of an event. A login provider has no numeric ID, because it's a setting of
 * the installation.
 */
function subjectOf(data: StoredServiceEvent): [kind: string, subject: { id: number | null }] {
  if ('job' in data) return [data.job.kind, data.job];
  if ('agent' in data) return ['agent', data.agent];
  if ('target' in data) return ['target', data.target];
  if ('channel' in data) return ['channel', data.channel];
  if ('provider' in data) return ['login_provider', { id: null }];
  throw new TypeError('The event has no subject');
}

/**
 * Plans an event about a channel again after its deliveries were canceled or rejected, unless another delivery of the
 * event remains.
 */
export async function replanChannelEvent(tx: Tx, organizationId: number, entryId: number): Promise<void> {
  const { rows } = await sql<{ eventId: string; eventType: EventType; data: ProblemData<'channel'> }>`
    SELECT e.event_id AS "eventId", e.event_type AS "eventType", e.data
    FROM audit_entries e
    WHERE e.organization_id = ${organizationId} AND e.id = ${entryId} AND NOT EXISTS (
      SELECT FROM notification_deliveries d
      WHERE d.organization_id = e.organization_id AND d.audit_entry_id = e.id
        AND d.status IN ('pending', 'in_progress', 'failed', 'succeeded'))`.execute(tx);
  const [lost] = rows;
  if (!lost) return;
  const { eventId, eventType, data } = lost;
  const trouble = problemKey(eventType, data);
  const event = plannedEvent({ entryId, eventId, eventType, trouble });
  await planElsewhere(tx, organizationId, event, data.channel.id);
  if (!reportsProblem(eventType)) return;
  await sql`
    UPDATE reported_troubles t SET ${addedReceivers}
    FROM (SELECT ${receiversOf(organizationId, entryId)}) AS EXCLUDED
    WHERE t.organization_id = ${organizationId} AND t.key = ${trouble}`.execute(tx);
}

/** Plans an event about a channel for other channels. Emails the owners if no other channel sends it immediately. */
async function planElsewhere(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  channelId: number,
): Promise<DeliveryPlan> {
  const { isTold, ...routed } = await routeElsewhere(tx, organizationId, event, channelId);
  const [plan] = await planDeliveries(tx, organizationId, [event], routed);
  if (!isTold) await mailOwners(tx, organizationId, event.entryId);
  return plan!;
}

async function mailOwners(tx: Tx, organizationId: number, entryId: number): Promise<void> {
  await sql`
    INSERT INTO owner_mails (organization_id, audit_entry_id) VALUES (${organizationId}, ${entryId})`.execute(
    tx,
  );
  wake(tx, dueTopic(dueOwnerMailsTable.name));
}

export const dueOwnerMailsTable = {
  name: 'owner_mails',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;

/**
 * Routes an event about a channel to other channels that work. If neither the notification rules nor the
 * default channel lead to a working channel, any other working channel gets the event. Otherwise, no one
 * would know that messages are lost. Channels that send immediately are preferred, and among them channels
 * that create no incidents, because incidents can wake people up. Channels for CDEvents are the last choice,
 * because programs receive them.
 */
async function routeElsewhere(
  tx: Tx,
  organizationId: number,
  event: PlannedEvent,
  channelId: number,
): Promise<RoutingResult & { isTold: boolean }> {
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
  const isSoon = () =>
    chosen.some(
      // If a notification rule selects a channel that sends later, the organization accepts the delay.
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

/** True if the channel collects a digest, or is outside its sending hours. */
function sendsLater(channel: RoutingChannel, now: Date): boolean {
  return collectsDigests(channel) || nextOpening(channel.sendingHours, channel.timezone, now) !== null;
}

function disturbance({ channelType, preset }: RoutingChannel): number {
  if (channelType === 'email') return 0;
  if (preset === 'cdevents') return 3;
  return preset === 'pagerduty' ? 2 : 1;
}
