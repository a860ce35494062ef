import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createNotificationsServer } from '../../src/modules/notifications/notifications-fixture.ts';
import { createDeliveryWorld } from '../helpers/delivery-world.ts';

const { db, connection, call, makeOrganization } = await createNotificationsServer();
const world = createDeliveryWorld({ db, connection });
afterAll(() => world.close());

type Simulation = Schemas['NotificationRuleSimulationResult'];

const severities = ['moderate', 'high', 'critical'] as const;
const eventTypes = [
  'alert.created',
  'alert.escalated',
  'alert.acknowledged',
  'alert.unacknowledged',
  'alert.resolved',
  'alert.reminder',
] as const;
const labelNames = ['team', 'env', 'tier'];
const labelValues = ['payments', 'search', 'web-1', ''];
const labelPatterns = [...labelValues, 'pay.*', 'web-[0-9]', 'payments|search', '.+', '.*'];

/** Often nothing, which lets everything through. */
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
  severities: someOf(severities),
  eventTypes: someOf(eventTypes),
  /** Of the alert, and of another one. */
  ruleIndexes: someOf([0, 1]),
  configIndexes: someOf([0, 1]),
  labelMatchers: fc.oneof(fc.constant([]), fc.array(matcher, { maxLength: 2 })),
  /** Null: the default channel. */
  channelIndexes: fc.option(fc.uniqueArray(channelIndex, { minLength: 1, maxLength: 3 }), { freq: 4 }),
  stopProcessing: fc.boolean(),
  isActive: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
});

const worlds = fc.record({
  channelsAreActive: fc.array(
    fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
    { minLength: 3, maxLength: 3 },
  ),
  defaultIndex: fc.option(channelIndex, { freq: 3 }),
  fallbackToDefault: fc.boolean(),
  /** Deleted after the rules were made. */
  deletedIndex: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: channelIndex }),
  rules: fc.array(rule, { maxLength: 5 }),
  severity: fc.constantFrom(...severities),
  eventType: fc.constantFrom(...eventTypes),
  labels: fc.dictionary(fc.constantFrom(...labelNames), fc.constantFrom(...labelValues), { maxKeys: 3 }),
  /** Else the simulation takes those of the configuration. */
  namesLabels: fc.boolean(),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** What the 500 were, so that it shows when they no longer try what they are for. */
const seen = { severalRules: 0, stopped: 0, byDefault: 0, fallback: 0, inactive: 0, nobody: 0, deleted: 0 };

test('of 500 invented alerts and rule sets, each goes where the simulation of every rule, walked in order, says', {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(worlds, tryOne), { numRuns: 500, seed: 20_260_315, endOnFailure: true });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});

async function tryOne(given: World): Promise<void> {
  const as = await makeOrganization();
  const { organizationId } = as;
  const channels = await db
    .insertInto('notification_channels')
    .values(
      given.channelsAreActive.map((is_active) => ({
        organization_id: organizationId,
        name: 'Operations',
        url_sealed: Buffer.alloc(0),
        url_masked: 'https://hooks.example.com/…',
        is_active,
      })),
    )
    .returning('id')
    .execute();
  const channelIds = channels.map(({ id }) => id).toSorted((one, other) => one - other);
  const defaultId = given.defaultIndex === null ? null : channelIds[given.defaultIndex]!;
  const { status } = await call(as, 'PUT /notification-settings', {
    default_channel_id: defaultId,
    fallback_to_default: given.fallbackToDefault,
  });
  expect(status).toBe(200);

  const { rows: parts } = await sql<{ alert_id: number; rule_id: number; alert_config_id: number }>`
    SELECT a.id AS alert_id, a.rule_id, a.alert_config_id FROM alerts a
    WHERE a.organization_id = ${organizationId}
      AND a.id = ANY(${[...(await world.createAlerts(organizationId)), ...(await world.createAlerts(organizationId))]}::bigint[])
    ORDER BY a.id`.execute(db);
  const [alert] = parts;
  await sql`
    UPDATE alert_configs SET labels = ${JSON.stringify(given.labels)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${alert!.alert_config_id}`.execute(db);

  const rules: { id: number; priority: number; stopProcessing: boolean }[] = [];
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
      stop_processing: made.stopProcessing,
      is_active: made.isActive,
    });
    expect(status).toBe(201);
    rules.push({ id: body.id, ...made });
  }
  if (given.deletedIndex !== null) {
    await call(as, `DELETE /notification-channels/${channelIds[given.deletedIndex]!}`);
  }

  const expected = await walk(as, given, alert!.alert_config_id, rules);
  const [plan] = await world.raiseEvents(organizationId, [
    {
      alertId: alert!.alert_id,
      eventType: given.eventType,
      severity: given.severity,
      labels: given.labels,
    },
  ]);

  const deliveries = await world.deliveries(organizationId);
  const real = new Map(deliveries.map(({ channel_id, status, reason }) => [channel_id, [status, reason]]));
  expect(real.size).toBe(deliveries.length);
  const outcome = (isNotified: boolean) =>
    isNotified ? ['pending', null] : ['canceled', 'channel_inactive'];
  expect(real).toEqual(new Map([...expected].map(([id, isNotified]) => [id, outcome(isNotified)])));
  expect(plan).toMatchObject({
    isNotified: [...expected.values()].includes(true),
    skippedReason: expected.size === 0 ? 'no_channel' : null,
  });
  const skipped = (await world.trail(organizationId)).filter(
    ({ action }) => action === 'notification_skipped',
  );
  expect(skipped.map(({ to_value }) => to_value)).toEqual(expected.size === 0 ? ['no_channel'] : []);
}

/**
 * Rules in ascending priority, of equal ones the older first; one that matches adds its channels, and may end the
 * walk; when none matches the default channel is told if the organization wants it.
 * @returns the channels, and whether each would be notified
 */
async function walk(
  as: { organizationId: number },
  given: World,
  alertConfigId: number,
  rules: readonly { id: number; priority: number; stopProcessing: boolean }[],
): Promise<Map<number, boolean>> {
  const channels = new Map<number, boolean>();
  const sorted = rules.toSorted((a, b) => a.priority - b.priority || a.id - b.id);
  const simulations = await Promise.all(
    sorted.map(({ id }) =>
      call<Simulation>(as, `POST /notification-rules/${id}/simulate`, {
        severity: given.severity,
        event_type: given.eventType,
        alert_config_id: alertConfigId,
        ...(given.namesLabels && { labels: given.labels }),
      }),
    ),
  );
  let matchCount = 0;
  for (const [index, { body }] of simulations.entries()) {
    expect(body.matched).toBe(body.mismatches.length === 0);
    if (!body.matched) {
      expect(body.channels.filter((channel) => channel.would_notify)).toEqual([]);
      continue;
    }
    matchCount += 1;
    for (const { id, would_notify } of body.channels) channels.set(id, would_notify);
    if (!sorted[index]!.stopProcessing) continue;
    if (index < sorted.length - 1) seen.stopped += 1;
    break;
  }

  const { body: settings } = await call<Schemas['NotificationSettings']>(as, 'GET /notification-settings');
  const defaultId = settings.default_channel_id;
  if (matchCount > 1) seen.severalRules += 1;
  if (matchCount > 0 && defaultId !== null && channels.has(defaultId)) seen.byDefault += 1;
  if (matchCount === 0 && settings.fallback_to_default && defaultId !== null) {
    channels.set(defaultId, (await world.channel(as.organizationId, defaultId)).is_active);
    seen.fallback += 1;
  }
  if ([...channels.values()].includes(false)) seen.inactive += 1;
  if (channels.size === 0) seen.nobody += 1;
  if (given.deletedIndex !== null) seen.deleted += 1;
  return channels;
}
