import { sql } from 'kysely';
import type { ChangeCause } from '../../../../domain/alerts/open-alert.ts';
import { systemActor } from '../../../../domain/audit/actor.ts';
import { deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { nextDigestAt } from '../../../../domain/channels/sending-times.ts';
import type { RoutingSubject } from '../../../../domain/routing/match-rule.ts';
import type { EventType } from '../../../../domain/routing/notification-event.ts';
import {
  type NotifiedChannel,
  openAlertEvents,
  receivesResolution,
} from '../../../../domain/routing/notified-channels.ts';
import { type Route, routeEvent, type SkippedReason } from '../../../../domain/routing/route-event.ts';
import type { AlertSeverity } from '../../../../domain/rules/severity.ts';
import { maxAttempts } from '../../../../domain/scheduling/retry-schedule.ts';
import { dueTopic, type Tx, wake } from '../../../../platform/database/index.ts';
import { triggerSharedRows } from '../../../../platform/due-rows/index.ts';
import { type NewEntry, writeEntries } from '../../../audit/index.ts';
import { collectsDigests, isOpen, waitsForDigest } from '../model/delivery-lines.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import { readTicketChannels } from '../model/ticket-queries.ts';
import { markParserChanged } from './form-reading-digests.ts';
import { createSilenceDigests } from './form-silence-digests.ts';
import { neverCombines } from './never-combined.ts';
import { type Routing, readRouting } from './routing-queries.ts';
import {
  decideSilencedEvents,
  type SilenceDecision,
  type SilencedBy,
  storeDeferredReports,
} from './silenced-alerts.ts';

/** The properties of an event that determine its routing. */
export interface RoutedEvent {
  eventType: EventType;
  /** Negative for an alert that isn't stored yet. */
  alertId: number | null;
  subject: RoutingSubject;
  /** True if the alert is snoozed. No one is notified, and the alert's activity records the reason. */
  isSnoozed: boolean;
  /** Severity before an escalation. */
  previousSeverity?: AlertSeverity | null;
}

/** An event whose audit entry was just written. */
export interface PlannedEvent extends RoutedEvent {
  entryId: number;
  eventId: string;
  sequence: number | null;
  /**
   * Key of the problem that the event reports or ends. Each channel gets the events with this key in order.
   */
  trouble?: string | null;
  /** Events with the same cause wait for each other, so that each channel receives all of them together. */
  cause?: ChangeCause | null;
  /**
   * Key of the change that opened the alert. Deliveries with the same key wait until
   * `createOpeningDigestsAcrossOrganizations` combines them.
   */
  openingCause?: string | null;
}

export interface DeliveryPlan {
  /** True if an active channel receives the event. */
  isNotified: boolean;
  skippedReason: SkippedReason | 'snoozed' | 'silenced' | null;
}

/**
 * Creates the deliveries of events, one per notified channel, in the transaction that wrote the events. A
 * second call with the same event creates nothing. The number of statements doesn't depend on the number of
 * events.
 *
 * @param routed Routing result of these events, if the same transaction determined it before writing them.
 * @returns The plans, in the order of the events.
 */
export async function planDeliveries(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  routed?: RoutingResult,
): Promise<DeliveryPlan[]> {
  if (events.length === 0) return [];
  const { routing, silenced, routes, plans } = routed ?? (await routeEvents(tx, organizationId, events));
  const { channels, settings, now } = routing;
  await storeDeferredReports(tx, organizationId, events, silenced);

  // Tickets are closed with their alert, regardless of rules, silences, and snoozes.
  const hasTickets = [...channels.byId.values()].some((channel) => channel.createsTickets);
  const resolved = events.flatMap(({ eventType, alertId }) =>
    hasTickets && eventType === 'alert.resolved' && alertId !== null ? alertId : [],
  );
  const ticketChannels = await readTicketChannels(tx, organizationId, resolved);
  const notifiedChannels = await readResolutionChannels(tx, organizationId, events, { routing, routes });
  const targets = events.map(({ eventType, alertId }, index) => {
    const routed: readonly DeliveryTarget[] = routes[index]?.targets ?? [];
    if (eventType !== 'alert.resolved' || alertId === null) return routed;
    const others = new Set([
      ...(ticketChannels.get(alertId) ?? []),
      ...(notifiedChannels.get(alertId) ?? []),
    ]);
    for (const { channelId } of routed) others.delete(channelId);
    return [
      ...routed,
      ...[...others].flatMap((channelId) =>
        channels.byId.has(channelId) ? { channelId, fallbackReason: null } : [],
      ),
    ];
  });

  const channelIds = [...new Set(targets.flat().map(({ channelId }) => channelId))];
  if (channelIds.length > 0) {
    if (events.some((event) => event.cause === 'reading_changed'))
      await markParserChanged(tx, organizationId);
    const digests = channelIds.map((id) => ({ id, at: nextDigestAt(channels.byId.get(id)!, now) }));
    await insertDeliveries(
      tx,
      organizationId,
      events,
      targets,
      digests,
      maxAttempts(settings.retryScheduleSeconds),
    );
    await createSilenceDigests(tx, organizationId, events, maxAttempts(settings.retryScheduleSeconds));
    await triggerSharedRows(
      tx,
      dueChannelsTable,
      channelIds.map((id) => ({ organization_id: organizationId, id })),
    );
    wake(tx, dueTopic(dueChannelsTable.name));
  }
  await insertRuleMatches(tx, organizationId, events, routes);

  await writeEntries(
    tx,
    organizationId,
    events.flatMap((event, index) => {
      const isNotifiedAnyway = event.alertId !== null && notifiedChannels.has(event.alertId);
      return isNotifiedAnyway ? [] : skippedEntry(event, plans[index]!, silenced.silencedBy[index]!);
    }),
  );
  return plans;
}

/**
 * Returns, by alert ID, the channels that must receive the resolution of an alert because they were notified
 * of the alert. Silenced and snoozed alerts are excluded.
 */
async function readResolutionChannels(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  { routing: { rules, settings, channels }, routes }: Pick<RoutingResult, 'routing' | 'routes'>,
): Promise<Map<number, number[]>> {
  const ended = events.flatMap(({ eventType, alertId }, index) => {
    const route = routes[index];
    // Skip the query if the route already contains all channels, as it usually does.
    const isForAll = route && route.targets.length === channels.byId.size;
    return route && !isForAll && eventType === 'alert.resolved' && alertId !== null ? alertId : [];
  });
  const notified = await readNotifiedChannels(tx, organizationId, ended);
  return new Map(
    [...notified].flatMap(([alertId, channelsOfAlert]) => {
      const ofEnd = channelsOfAlert.filter(
        (each) => channels.byId.get(each.channelId)?.isActive && receivesResolution(each, rules, settings),
      );
      return ofEnd.length === 0 ? [] : [[alertId, ofEnd.map(({ channelId }) => channelId)] as const];
    }),
  );
}

/** Routing result of events. */
export interface RoutingResult {
  routing: Routing;
  silenced: SilenceDecision;
  /** Routes in the order of the events. `null` for snoozed and silenced alerts. */
  routes: (Route | null)[];
  plans: DeliveryPlan[];
}

/** Determines which channels receive events. The events don't need to be stored yet. */
export async function routeEvents(
  tx: Tx,
  organizationId: number,
  events: readonly RoutedEvent[],
): Promise<RoutingResult> {
  const routing = await readRouting(tx, organizationId, events);
  const { rules, channels, settings } = routing;
  const silenced = decideSilencedEvents(routing, events);
  const { silencedBy } = silenced;
  const routes = events.map(({ subject, isSnoozed }, index) =>
    isSnoozed || silencedBy[index] ? null : routeEvent(rules, subject, settings, channels),
  );
  const plans = routes.map((route, index): DeliveryPlan => {
    if (route === null)
      return { isNotified: false, skippedReason: silencedBy[index] ? 'silenced' : 'snoozed' };
    return {
      isNotified: route.targets.some((target) => target.isActive),
      skippedReason: route.skippedReason,
    };
  });
  return { routing, silenced, routes, plans };
}

type DeliveryTarget = Pick<Route['targets'][number], 'channelId' | 'fallbackReason'>;

function skippedEntry(
  event: PlannedEvent,
  { skippedReason }: DeliveryPlan,
  silencedBy: SilencedBy,
): NewEntry[] {
  if (skippedReason === null || event.alertId === null) return [];
  const sentence = silencedBy === null ? deliveryCodes[skippedReason][0] : silencedSentence(silencedBy);
  const { alertId, eventType } = event;
  return [
    {
      alertId,
      action: 'notification_skipped',
      actor: systemActor,
      to: skippedReason,
      detail: `${eventType}: ${sentence}`,
    },
  ];
}

function silencedSentence({ silence }: NonNullable<SilencedBy>): string {
  return silence === null
    ? 'The alert was silenced when it opened, and its opening was never reported.'
    : `The alert is silenced until ${new Date(silence.endsAtMs).toISOString()}: ${silence.reason}`;
}

/**
 * Returns the key of the cause that the delivery of an event waits for, or `null` if it's sent on its own.
 */
function causeOf({ cause, openingCause }: PlannedEvent): string | null {
  return cause === 'reading_changed' ? cause : (openingCause ?? null);
}

/**
 * Time between events with the same cause for a channel that sends each event individually. PagerDuty accepts 120
 * events per minute.
 */
const spacing = sql`interval '500 milliseconds'`;
/** Maximum number of open deliveries of a channel, latest first, that are searched for its last planned event. */
const maxQueued = 5_000;

/**
 * Inserts the planned deliveries. A deleted channel gets none, and an inactive channel gets a delivery that
 * is canceled immediately.
 */
async function insertDeliveries(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  /** Channels of each event. */
  targets: readonly (readonly DeliveryTarget[])[],
  /** Time of the next digest of each channel, for channels without a waiting digest. */
  digests: readonly { id: number; at: Date | null }[],
  attempts: number,
): Promise<void> {
  const planned = events.flatMap((event, index) =>
    targets[index]!.map(({ channelId, fallbackReason }) => ({
      channel_id: channelId,
      alert_id: event.alertId,
      audit_entry_id: event.entryId,
      event_id: event.eventId,
      event_type: event.eventType,
      sequence: event.sequence,
      trouble: event.trouble ?? null,
      waits_for_cause: causeOf(event),
      severity: event.subject.severity,
      fallback_reason: fallbackReason,
    })),
  );
  // A delivery for a digest gets the time of the first delivery that waits for the same digest. Deliveries
  // held for sending hours are ignored, because urgent deliveries don't wait for the hours. If events are
  // sent at intervals, a critical event waits only for the planned critical events of its channel, and any
  // other event waits for all planned events of its channel. Events that another transaction plans at the
  // same time aren't visible here, so they aren't spaced. Only the receiver's rate limit restricts them.
  await sql`
    WITH planned AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) AS planned
        (channel_id bigint, alert_id bigint, audit_entry_id bigint, event_id uuid, event_type text, sequence integer,
         trouble text, waits_for_cause text, severity text, fallback_reason text)
    ), placed AS (
      SELECT *, severity IS NOT DISTINCT FROM 'critical' AS is_critical,
        row_number() OVER (
          PARTITION BY channel_id, waits_for_cause IS NULL, severity IS NOT DISTINCT FROM 'critical'
          ORDER BY array_position(ARRAY['critical', 'high', 'moderate'], severity), audit_entry_id) - 1 AS place,
        count(*) FILTER (WHERE severity = 'critical') OVER (PARTITION BY channel_id, waits_for_cause IS NULL) AS critical_count
      FROM planned
    ), queue AS (
      SELECT c.id AS channel_id, max(d.next_attempt_at) + ${spacing} AS next_at,
        max(d.next_attempt_at) FILTER (WHERE a.severity = 'critical') + ${spacing} AS next_critical_at
      FROM notification_channels c
      CROSS JOIN LATERAL (
        SELECT * FROM notification_deliveries d
        WHERE d.organization_id = c.organization_id AND d.channel_id = c.id AND ${isOpen}
          AND d.next_attempt_at > pacekeeper_now()
        ORDER BY d.next_attempt_at DESC LIMIT ${maxQueued}) AS d
      JOIN alerts a ON a.organization_id = d.organization_id AND a.id = d.alert_id
      WHERE c.organization_id = ${organizationId} AND ${neverCombines}
        AND c.id IN (SELECT channel_id FROM planned WHERE waits_for_cause IS NOT NULL)
        AND d.status = 'pending' AND d.attempt_count = 0 AND NOT d.waits_for_hours AND NOT d.waits_for_limit
      GROUP BY c.id
    ), next_digest AS (
      SELECT c.id AS channel_id, min(d.next_attempt_at) AS at
      FROM notification_channels c
      JOIN notification_deliveries d ON d.organization_id = c.organization_id AND d.channel_id = c.id
      WHERE c.organization_id = ${organizationId} AND ${collectsDigests}
        AND c.id IN (SELECT channel_id FROM planned)
        AND ${waitsForDigest} AND NOT d.waits_for_hours AND d.next_attempt_at > pacekeeper_now()
      GROUP BY c.id
    )
    INSERT INTO notification_deliveries
      (organization_id, channel_id, channel_name, alert_id, audit_entry_id, event_id, event_type, sequence,
       trouble, status, reason, completed_at, max_attempts, fallback_reason, waits_for_cause, next_attempt_at)
    SELECT c.organization_id, c.id, c.name, p.alert_id, p.audit_entry_id, p.event_id, p.event_type, p.sequence,
      p.trouble, CASE WHEN c.is_active THEN 'pending' ELSE 'canceled' END,
      CASE WHEN c.is_active THEN NULL ELSE 'channel_inactive' END,
      CASE WHEN c.is_active THEN NULL ELSE pacekeeper_now() END,
      ${attempts}, p.fallback_reason, CASE WHEN c.is_active AND waits.for_others THEN p.waits_for_cause END,
      CASE WHEN NOT c.is_active OR waits.for_others THEN NULL
        ELSE coalesce(n.at, begun.at, CASE WHEN p.waits_for_cause IS NULL THEN pacekeeper_now()
          WHEN p.is_critical THEN critical.start_at + p.place * ${spacing}
          ELSE greatest(critical.start_at + p.critical_count * ${spacing}, q.next_at) + p.place * ${spacing} END) END
    FROM placed p
    JOIN notification_channels c ON c.organization_id = ${organizationId} AND c.id = p.channel_id
    CROSS JOIN LATERAL (SELECT p.waits_for_cause IS NOT NULL AND NOT ${neverCombines}
      -- A channel with digests includes opened alerts in its next digest.
      AND (p.waits_for_cause = 'reading_changed' OR NOT ${collectsDigests}) AS for_others) AS waits
    LEFT JOIN next_digest n ON n.channel_id = c.id
    LEFT JOIN queue q ON q.channel_id = c.id
    CROSS JOIN LATERAL (SELECT greatest(pacekeeper_now(), q.next_critical_at) AS start_at) AS critical
    LEFT JOIN unnest(${digests.map(({ id }) => id)}::bigint[], ${digests.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[])
      AS begun (channel_id, at) ON begun.channel_id = c.id
    -- A reminder adds nothing to a message about the alert that still waits, for example for a weekly digest.
    WHERE p.event_type <> 'alert.reminder' OR NOT EXISTS (
      SELECT FROM notification_deliveries waiting
      WHERE waiting.organization_id = c.organization_id AND waiting.channel_id = c.id AND waiting.alert_id = p.alert_id
        AND waiting.status IN ('pending', 'failed', 'in_progress') AND waiting.attempt_count = 0
        AND waiting.digest_delivery_id IS NULL)
    ORDER BY p.audit_entry_id, c.id
    -- Locks the channels against deletion until the transaction ends. A channel that was already deleted gets
    -- no delivery. Other transactions can plan deliveries for the same channels.
    FOR KEY SHARE OF c
    ON CONFLICT (organization_id, event_id, channel_id) DO NOTHING`.execute(tx);
}

async function insertRuleMatches(
  tx: Tx,
  organizationId: number,
  events: readonly PlannedEvent[],
  routes: readonly (Route | null)[],
): Promise<void> {
  const matches = events.flatMap((event, index) =>
    (routes[index]?.matchedRuleIds ?? []).map((rule_id) => ({ rule_id, event_id: event.eventId })),
  );
  if (matches.length === 0) return;
  // The join skips rules that were deleted in the meantime.
  await sql`
    INSERT INTO notification_rule_matches (organization_id, notification_rule_id, event_id)
    SELECT r.organization_id, r.id, m.event_id
    FROM jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) AS m (rule_id bigint, event_id uuid)
    JOIN notification_rules r ON r.organization_id = ${organizationId} AND r.id = m.rule_id
    WHERE NOT EXISTS (
      SELECT FROM notification_rule_matches old
      WHERE old.organization_id = r.organization_id AND old.event_id = m.event_id AND old.notification_rule_id = r.id)
    FOR KEY SHARE OF r`.execute(tx);
}

/**
 * Returns the channels that were notified of open alerts, by alert ID, with the rules that matched at the
 * time. Channels whose first message still waits for a digest or for the sending hours are excluded, because
 * that message isn't sent after the alert is resolved.
 */
async function readNotifiedChannels(
  tx: Tx,
  organizationId: number,
  alertIds: readonly number[],
): Promise<Map<number, NotifiedChannel[]>> {
  if (alertIds.length === 0) return new Map();
  const { rows } = await sql<NotifiedChannel & { alertId: number }>`
    SELECT d.alert_id AS "alertId", d.channel_id AS "channelId",
      coalesce(jsonb_agg(DISTINCT m.notification_rule_id) FILTER (WHERE m.notification_rule_id IS NOT NULL), '[]') AS "ruleIds"
    FROM notification_deliveries d
    JOIN notification_channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    LEFT JOIN notification_rule_matches m ON m.organization_id = d.organization_id AND m.event_id = d.event_id
    WHERE d.organization_id = ${organizationId} AND d.alert_id = ANY(${alertIds}::bigint[])
      AND d.event_type IN (${sql.join(openAlertEvents.map((type) => sql.lit(type)))})
      AND d.status NOT IN ('canceled', 'dead_letter')
      AND (d.attempt_count > 0 OR d.digest_delivery_id IS NOT NULL OR NOT (d.waits_for_hours OR d.waits_for_cause IS NOT NULL OR ${collectsDigests}))
    GROUP BY d.alert_id, d.channel_id ORDER BY d.alert_id, d.channel_id`.execute(tx);
  return Map.groupBy(rows, ({ alertId }) => alertId);
}
