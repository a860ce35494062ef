import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { type AlertState, alertChange, noSnooze } from '../../src/domain/alerts/open-alert.ts';
import { systemActor } from '../../src/domain/audit/actor.ts';
import type { AlertSeverity } from '../../src/domain/rules/severity.ts';
import { type SendingHours, weekdays } from '../../src/domain/scheduling/sending-hours.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { lockAlerts, toSubject } from '../../src/modules/alerts/alert-queries.ts';
import { applyAlertChanges, toAlertState } from '../../src/modules/alerts/index.ts';
import { applySendingHours } from '../../src/modules/notifications/deliveries/worker/hold-for-hours.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { createDeliveryWorld } from '../helpers/delivery-world.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createNotificationsServer } from '../helpers/notifications-fixture.ts';

const { db, connection, call, makeOrganization } = await createNotificationsServer();
const world = createDeliveryWorld({ db, connection });
afterAll(() => world.close());

type Simulation = Schemas['NotificationRuleSimulationResult'];

const severityNames = ['moderate', 'high', 'critical'] as const;
const eventTypes = [
  'alert.created',
  'alert.escalated',
  'alert.acknowledged',
  'alert.unacknowledged',
  'alert.resolved',
  'alert.reminder',
] as const;
const silenceKinds = ['matching', 'other label', 'other severity', 'ended', 'scheduled'] as const;
const labelNames = ['team', 'env', 'tier'];
const labelValues = ['payments', 'search', 'web-1', ''];
const ownerValues = [
  'acme/payments',
  '@ACME/Search',
  'acme/search, acme/payments',
  'acme/payments acme/web',
  'Team A',
  'nobody',
];
const labelPatterns = [...labelValues, 'pay.*', 'web-[0-9]', 'payments|search', '.+', '.*'];

/** Generates a list of values. Often the list is empty, which matches everything. */
const someOf = <T>(values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.subarray([...values]) },
  );
const channelIndex = fc.nat({ max: 2 });

const matcher = fc.oneof(
  fc.record({
    label: fc.constantFrom(...labelNames),
    operator: fc.constantFrom('=', '!='),
    value: fc.constantFrom(...labelValues),
  }),
  fc.record({
    label: fc.constantFrom(...labelNames),
    operator: fc.constantFrom('=~', '!~'),
    value: fc.constantFrom(...labelPatterns),
  }),
);

const rule = fc.record({
  priority: fc.constantFrom(0, 10, 100),
  severities: someOf(severityNames),
  eventTypes: someOf(eventTypes),
  /** Index 0 refers to the rule or configuration of the alert, index 1 to another one. */
  ruleIndexes: someOf([0, 1]),
  configIndexes: someOf([0, 1]),
  labelMatchers: fc.oneof(fc.constant([]), fc.array(matcher, { maxLength: 2 })),
  /** `null` for the default channel. */
  channelIndexes: fc.option(fc.uniqueArray(channelIndex, { minLength: 1, maxLength: 3 }), { freq: 2 }),
  routesToOwner: fc.boolean(),
  stopProcessing: fc.boolean(),
  isActive: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
});

const worlds = fc.record({
  channelsAreActive: fc.array(
    fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
    { minLength: 3, maxLength: 3 },
  ),
  channelsCollect: fc.array(
    fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
    { minLength: 3, maxLength: 3 },
  ),
  /** True for channels whose sending hours begin later. Other channels always send. */
  channelsAreClosed: fc.array(
    fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
    { minLength: 3, maxLength: 3 },
  ),
  owners: fc.array(fc.subarray(['@acme/payments', 'acme/search', 'Acme/Web', 'team a']), {
    minLength: 3,
    maxLength: 3,
  }),
  /** `null` if the setting has no override. */
  ownerLabel: fc.constantFrom(null, null, 'team'),
  defaultIndex: fc.option(channelIndex, { freq: 3 }),
  fallbackToDefault: fc.integer({ min: 0, max: 2 }).map((number) => number > 0),
  /** Index of a channel that is deleted after the rules are created. */
  deletedIndex: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: channelIndex }),
  rules: fc.array(rule, { maxLength: 5 }),
  severity: fc.constantFrom(...severityNames),
  /** Resolutions are more frequent because they are sent even if a silence matches. */
  eventType: fc.constantFrom(...eventTypes, 'alert.resolved', 'alert.resolved', 'alert.resolved'),
  labels: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...labelNames), fc.constantFrom(...labelValues), { maxKeys: 3 }),
      fc.option(fc.constantFrom(...ownerValues), { freq: 3 }),
    )
    .map(([labels, owner]) => (owner === null ? labels : { ...labels, owner })),
  /**
   * True if the simulation request contains labels. Otherwise, the simulation uses the labels of the
   * configuration.
   */
  namesLabels: fc.boolean(),
  /** Silences that match the alert, don't match it, have ended, or have not started. */
  silences: fc.oneof(
    { weight: 4, arbitrary: fc.subarray([...silenceKinds], { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant([silenceKinds[0]]) },
  ),
  /** True if the creation of the alert was silenced and its notification is pending. */
  isOpeningDeferred: fc.integer({ min: 0, max: 11 }).map((number) => number === 0),
  /** Snooze of the open alert. */
  snooze: fc.oneof(
    { weight: 5, arbitrary: fc.constant('none') },
    {
      weight: 4,
      arbitrary: fc.constantFrom('for an hour', 'until a version changes', 'until an hour ago'),
    },
  ),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** Number of runs in which each case occurred. If a case never occurs, the test proves less than it claims. */
const seen = {
  severalRules: 0,
  stopped: 0,
  byDefault: 0,
  fallback: 0,
  inactive: 0,
  digest: 0,
  closed: 0,
  nobody: 0,
  noDefault: 0,
  toOwner: 0,
  ownerFallback: 0,
  noOwnerChannel: 0,
  allInactive: 0,
  snoozed: 0,
  silenced: 0,
  sentThoughSilenced: 0,
  snoozeIsOver: 0,
  deleted: 0,
};

const runs = isLong ? 700 : 120;

test('the simulation of a notification rule predicts the outcome of an event, for generated alerts and rule sets', {
  timeout: 240_000,
}, async () => {
  await fc.assert(fc.asyncProperty(worlds, tryOne), { numRuns: runs, seed: 20_260_315, endOnFailure: true });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(isLong ? 20 : 0);
});

/**
 * Outcome for a channel that an event is routed to: whether the channel is notified, the reason if not,
 * whether the event waits for a digest, the end of the wait for sending hours, and the reason for a fallback.
 * Events in a digest wait for the sending hours when the digest is sent.
 */
type Outcome = [
  isNotified: boolean,
  reason: string | null,
  waitsForDigest: boolean,
  waitsUntil: string | null,
  fallbackReason: string | null,
];

async function tryOne(given: World): Promise<void> {
  const as = await makeOrganization();
  const { organizationId } = as;
  const channelIds: number[] = [];
  for (const [index, is_active] of given.channelsAreActive.entries()) {
    const { body } = await call<{ id: number }>(as, 'POST /notification-channels', {
      name: `Operations ${index}`,
      url: 'https://hooks.example.com/',
      digest_minutes: given.channelsCollect[index] ? 60 : null,
      sending_hours: given.channelsAreClosed[index] ? hoursOfTomorrow() : [],
      owners: given.owners[index],
      is_active,
    });
    channelIds.push(body.id);
  }
  const defaultId = given.defaultIndex === null ? null : channelIds[given.defaultIndex]!;
  const { status } = await call(as, 'PUT /notification-settings', {
    default_channel_id: defaultId,
    fallback_to_default: given.fallbackToDefault,
  });
  expect(status).toBe(200);
  if (given.ownerLabel !== null) {
    await sql`INSERT INTO settings (organization_id, key, value)
      VALUES (${organizationId}, 'notification.owner_label', ${JSON.stringify(given.ownerLabel)}::jsonb)`.execute(
      db,
    );
  }

  const { rows: parts } = await sql<{ alert_id: number; rule_id: number; alert_config_id: number }>`
    SELECT a.id AS alert_id, a.rule_id, a.alert_config_id FROM alerts a
    WHERE a.organization_id = ${organizationId}
      AND a.id = ANY(${[...(await world.createAlerts(organizationId)), ...(await world.createAlerts(organizationId))]}::bigint[])
    ORDER BY a.id`.execute(db);
  const alert = parts[0]!;
  await sql`
    UPDATE alert_configs SET labels = ${JSON.stringify(given.labels)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${alert.alert_config_id}`.execute(db);
  await sql`
    UPDATE alerts SET labels = ${JSON.stringify(given.labels)}::jsonb,
      is_snoozed_until_version_changes = ${given.snooze === 'until a version changes'},
      snoozed_until = pacekeeper_now() + CASE ${given.snooze}
        WHEN 'for an hour' THEN interval '1 hour' WHEN 'until an hour ago' THEN interval '-1 hour' END
    WHERE organization_id = ${organizationId} AND id = ${alert.alert_id}`.execute(db);

  for (const kind of given.silences) await createSilence(organizationId, kind, given);
  if (given.isOpeningDeferred) {
    await sql`INSERT INTO silenced_alerts (organization_id, alert_id, due_at)
      VALUES (${organizationId}, ${alert.alert_id}, pacekeeper_now() + interval '1 hour')`.execute(db);
  }

  const ruleIds: number[] = [];
  for (const made of given.rules) {
    const { status, body } = await call<{ id: number }>(as, 'POST /notification-rules', {
      name: 'A rule',
      priority: made.priority,
      severities: made.severities,
      event_types: made.eventTypes,
      rule_ids: made.ruleIndexes.map((index) => parts[index]!.rule_id),
      alert_config_ids: made.configIndexes.map((index) => parts[index]!.alert_config_id),
      label_matchers: made.labelMatchers,
      channel_ids: made.channelIndexes?.map((index) => channelIds[index]!) ?? null,
      route_to_owner: made.routesToOwner,
      stop_processing: made.stopProcessing,
      is_active: made.isActive,
    });
    expect(status).toBe(201);
    ruleIds.push(body.id);
  }
  if (given.deletedIndex !== null) {
    await call(as, `DELETE /notification-channels/${channelIds[given.deletedIndex]!}`);
  }

  const simulations = await simulateAll(as, given, alert.alert_config_id, ruleIds);
  await raiseEvent(organizationId, alert.alert_id, given);
  await passClosedChannels(organizationId);
  const real = await outcomesOf(organizationId);
  const skipped = (await world.trail(organizationId))
    .filter(({ action }) => action === 'notification_skipped')
    .map(({ to_value }) => to_value);
  const matches = await db
    .selectFrom('notification_rule_matches')
    .select('notification_rule_id')
    .where('organization_id', '=', organizationId)
    .execute();

  const wouldMatch = new Set<number>();
  for (const [id, simulation] of simulations) {
    const { event, reason } = simulation;
    expect(skipped).toEqual(event.skipped_reason === null ? [] : [event.skipped_reason]);
    const isSilenced = event.skipped_reason === 'snoozed' || event.skipped_reason === 'silenced';
    expect(real).toEqual(isSilenced ? new Map() : toOutcomes(event.channels));
    checkRule(simulation);
    if (reason === null || matchedReasons.has(reason)) wouldMatch.add(id);
    for (const { id: channelId, would_notify, reason } of simulation.channels) {
      if (would_notify) expect(real.get(channelId)?.[0]).toBe(true);
      const chosenBy =
        event.channels.find((channel) => channel.id === channelId)?.notification_rule_ids ?? [];
      const isChosen = reason === null || ['channel_inactive', 'snoozed', 'silenced'].includes(reason);
      expect(chosenBy.includes(id)).toBe(isChosen);
    }
  }
  expect(new Set(matches.map((match) => match.notification_rule_id))).toEqual(wouldMatch);
  count(given, simulations, real);
}

async function simulateAll(
  as: { organizationId: number },
  given: World,
  alertConfigId: number,
  ruleIds: readonly number[],
): Promise<Map<number, Simulation>> {
  const simulations = await Promise.all(
    ruleIds.map(async (id) => {
      let simulation: Simulation | undefined;
      // A busy server responds with 503, and clients then send the request again.
      await expect
        .poll(
          async () => {
            const { status, body } = await call<Simulation>(as, `POST /notification-rules/${id}/simulate`, {
              severity: given.severity,
              event_type: given.eventType,
              alert_config_id: alertConfigId,
              ...(given.namesLabels && { labels: given.labels }),
            });
            simulation = body;
            return status;
          },
          { timeout: 60_000 },
        )
        .toBe(200);
      return [id, simulation!] as const;
    }),
  );
  return new Map(simulations);
}

/** Reasons why a rule that matches the event notifies no channel. */
const matchedReasons: ReadonlySet<Simulation['reason']> = new Set([
  'channel_inactive',
  'no_default_channel',
  'no_owner_channel',
  'channels_deleted',
]);

/** Checks the invariants of a single simulation. */
function checkRule({ matched, mismatches, channels, reason, stopped_by }: Simulation): void {
  expect(matched).toBe(mismatches.length === 0);
  expect(matched).toBe(reason !== 'not_matched');
  expect(stopped_by !== null).toBe(reason === 'stopped_by_earlier_rule');
  expect(channels.some(({ would_notify }) => would_notify)).toBe(reason === null);
}

async function createSilence(
  organizationId: number,
  kind: World['silences'][number],
  { severity, labels }: World,
): Promise<void> {
  const value = kind === 'other label' ? 'of no alert' : (labels['team'] ?? '');
  const severities =
    kind === 'other severity' ? severityNames.filter((each) => each !== severity) : [severity];
  const starts = { ended: '-2 hours', scheduled: '1 hour' }[kind as string] ?? '-1 hour';
  await sql`
    INSERT INTO silences
      (organization_id, label_matchers, severities, starts_at, ends_at, reason, created_by_type, created_by_name)
    VALUES (${organizationId}, ${JSON.stringify([{ label: 'team', operator: '=', value }])}::jsonb, ${severities},
      pacekeeper_now() + ${starts}::interval, pacekeeper_now() + ${kind === 'ended' ? '-1 hour' : '2 hours'}::interval,
      'Maintenance', 'user', 'Ana')`.execute(db);
}

/** Records the event as evaluations and user actions do. */
async function raiseEvent(organizationId: number, alertId: number, given: World): Promise<void> {
  await transaction(db, async (tx) => {
    const [locked] = await lockAlerts(tx, organizationId, sql`a.id = ${alertId}`);
    const before = toAlertState(locked!.alert);
    const after: AlertState = { ...before, ...noSnooze, severity: given.severity };
    const change = alertChange(before, locked!.now.getTime(), systemActor, {
      action: 'updated',
      eventType: given.eventType,
      from: null,
      to: null,
    });
    const alert = { id: alertId, lastSequence: locked!.alert.last_sequence, before };
    const changes = { subject: toSubject(locked!), alert, write: { after, changes: [change] } };
    await applyAlertChanges(tx, organizationId, [changes], locked!.now);
  });
}

/** Holds channels until their sending hours, as the loop does before sending. This test sends nothing. */
async function passClosedChannels(organizationId: number): Promise<void> {
  const rows = await db
    .selectFrom('notification_channels')
    .select(['organization_id', 'id', 'timezone', 'held_until', 'digest_minutes', 'digest_schedule'])
    .select([
      sql<Date>`pacekeeper_now()`.as('now'),
      sql<SendingHours[]>`sending_hours`.as('sending_hours'),
      sql<AlertSeverity[]>`always_for`.as('always_for'),
    ])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`sending_hours <> '[]'`)
    .execute();
  for (const { now, ...channel } of rows) await applySendingHours(db, channel, now);
}

/** Returns sending hours that begin in twelve hours, on the hour. */
function hoursOfTomorrow(): SendingHours[] {
  const hour = (new Date(performance.timeOrigin + performance.now()).getUTCHours() + 12) % 24;
  const text = (at: number) => `${String(at % 24).padStart(2, '0')}:00`;
  return [{ days: [...weekdays], from: text(hour), to: text(hour + 1) }];
}

async function outcomesOf(organizationId: number): Promise<Map<number, Outcome>> {
  const deliveries = await world.deliveries(organizationId);
  const outcomes = deliveries.map((delivery): [number, Outcome] => {
    expect(delivery.status).toBe(delivery.reason === null ? 'pending' : 'canceled');
    const waits = delivery.next_attempt_at !== null && delivery.next_attempt_at > delivery.created_at;
    const { channel_id, reason, fallback_reason, waits_for_hours, next_attempt_at } = delivery;
    if (waits_for_hours)
      return [channel_id!, [true, null, false, next_attempt_at!.toISOString(), fallback_reason]];
    return [channel_id!, [reason === null, reason, waits, null, fallback_reason]];
  });
  expect(new Set(outcomes.map(([id]) => id)).size).toBe(outcomes.length);
  return new Map(outcomes);
}

function toOutcomes(channels: Simulation['event']['channels']): Map<number, Outcome> {
  return new Map(
    channels.map(({ id, would_notify, reason, waits_for_digest, waits_until, fallback_reason }) => [
      id,
      [would_notify, reason, waits_for_digest, waits_for_digest ? null : waits_until, fallback_reason],
    ]),
  );
}

function count(given: World, simulations: Map<number, Simulation>, real: Map<number, Outcome>): void {
  const [first] = simulations.values();
  if (!first) return;
  const all = [...simulations.values()];
  const outcomes = [...real.values()];
  const isWalked = all.filter(({ reason }) => reason === null);
  if (isWalked.length > 1) seen.severalRules += 1;
  if (all.some(({ reason }) => reason === 'stopped_by_earlier_rule')) seen.stopped += 1;
  if (given.rules.some(({ channelIndexes }) => channelIndexes === null) && isWalked.length > 0)
    seen.byDefault += 1;
  if (first.event.channels.some((channel) => channel.notification_rule_ids.length === 0)) seen.fallback += 1;
  if (outcomes.some(([, reason]) => reason === 'channel_inactive')) seen.inactive += 1;
  if (outcomes.some(([, , waitsForDigest]) => waitsForDigest)) seen.digest += 1;
  if (outcomes.some(([, , , waitsUntil]) => waitsUntil !== null)) seen.closed += 1;
  const { skipped_reason: skipped } = first.event;
  if (skipped === 'no_channel' || skipped === 'fallback_off') seen.nobody += 1;
  if (skipped === 'no_default_channel') seen.noDefault += 1;
  if (skipped === 'no_owner_channel') seen.noOwnerChannel += 1;
  if (outcomes.some(([, , , , fallbackReason]) => fallbackReason !== null)) seen.ownerFallback += 1;
  const isByOwner = (made: World['rules'][number], at: number) =>
    made.routesToOwner &&
    all[at]?.channels.some(({ would_notify, fallback_reason }) => would_notify && fallback_reason === null);
  if (given.rules.some(isByOwner)) seen.toOwner += 1;
  if (skipped === 'all_channels_inactive') seen.allInactive += 1;
  if (skipped === 'snoozed') seen.snoozed += 1;
  if (skipped === 'silenced') seen.silenced += 1;
  if (given.silences.includes('matching') && real.size > 0) seen.sentThoughSilenced += 1;
  if (given.snooze === 'until an hour ago' && real.size > 0) seen.snoozeIsOver += 1;
  if (given.deletedIndex !== null) seen.deleted += 1;
}
