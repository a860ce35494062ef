import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { createNotificationsServer } from '../../../../tests/helpers/notifications-fixture.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { listDeliveries } from '../deliveries/delivery-queries.ts';

const { db, connection, call, makeOrganization } = await createNotificationsServer();
const world = createDeliveryWorld({ db, connection });
afterAll(() => world.close());
type Channel = Schemas['NotificationChannel'];
type As = Awaited<ReturnType<typeof makeOrganization>>;

const hours = [{ days: ['mon', 'fri'], from: '08:00', to: '18:00' }];
const url = 'https://hooks.example.com/';

async function create(as: As, body: object) {
  return call<Channel & Schemas['ErrorResponse']>(as, 'POST /notification-channels', {
    name: 'Ops',
    url,
    ...body,
  });
}

test('a channel stores its sending hours, time zone, and exceptions', async () => {
  const as = await makeOrganization();
  expect((await create(as, {})).body).toMatchObject({
    sending_hours: [],
    timezone: 'UTC',
    always_for: ['critical'],
    digest_schedule: null,
    opens_at: null,
  });
  const { body } = await create(as, { sending_hours: hours, timezone: 'Europe/Berlin', always_for: [] });
  expect(body).toMatchObject({ sending_hours: hours, timezone: 'Europe/Berlin', always_for: [] });
  const { body: changed } = await call<Channel>(as, `PUT /notification-channels/${body.id}`, {
    sending_hours: [],
  });
  expect(changed).toMatchObject({ sending_hours: [], opens_at: null, revision: body.revision + 1 });
});

test.each<[string, object, string]>([
  [
    'sending hours that end when they start',
    { sending_hours: [{ ...hours[0], to: '08:00' }] },
    'sending_hours.0.to',
  ],
  [
    'sending hours that start at 24:00',
    { sending_hours: [{ ...hours[0], from: '24:00' }] },
    'sending_hours.0.from',
  ],
  ["a time zone that doesn't exist", { timezone: 'Europe/Nowhere' }, 'timezone'],
  ['an invalid digest schedule', { digest_schedule: '61 * * * *' }, 'digest_schedule'],
  [
    'a digest schedule combined with a digest interval',
    { digest_schedule: '@weekly', digest_minutes: 5 },
    'digest_schedule',
  ],
])('a channel rejects %s', async (_, body, field) => {
  const as = await makeOrganization();
  const answer = await create(as, body);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(`"${field}"`);
});

test('a digest schedule can replace an interval only if the same request clears the interval', async () => {
  const as = await makeOrganization();
  const { body } = await create(as, { digest_minutes: 5 });
  const put = (change: object) => call<Channel>(as, `PUT /notification-channels/${body.id}`, change);
  expect((await put({ digest_schedule: '@weekly' })).status).toBe(400);
  expect((await put({ digest_schedule: '@weekly', digest_minutes: null })).body).toMatchObject({
    digest_schedule: '@weekly',
    digest_minutes: null,
  });
});

describe('a PagerDuty channel', () => {
  const pagerduty = { preset: 'pagerduty', preset_options: { routing_key: 'R'.repeat(32) } };

  test.each([{ digest_minutes: 5 }, { digest_schedule: '@weekly' }])(
    "can't have a digest: %j",
    async (digest) => {
      const as = await makeOrganization();
      const [field] = Object.keys(digest) as [string];
      const message =
        "can't be used with the preset `pagerduty`, which sends each alert separately; set this field to null";
      const refusals = [
        await create(as, { ...pagerduty, ...digest }),
        await put(as, (await create(as, pagerduty)).body.id, digest),
        await put(as, (await create(as, digest)).body.id, pagerduty),
      ];
      for (const { status, body } of refusals)
        expect([status, body.errors]).toEqual([400, [{ field, message }]]);
      const { id } = (await create(as, digest)).body;
      const answer = await put(as, id, { ...pagerduty, [field]: null });
      expect(answer.body).toMatchObject({ preset: 'pagerduty', [field]: null });
    },
  );

  async function put(as: As, id: number, body: object) {
    return call<Channel & Schemas['ErrorResponse']>(as, `PUT /notification-channels/${id}`, body);
  }
});

test('changed sending hours apply to pending deliveries', async () => {
  const as = await makeOrganization();
  const { rows } = await clock();
  const at = (plus: number) => `${String((rows[0]!.hour + plus) % 24).padStart(2, '0')}:00`;
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const { body } = await create(as, { sending_hours: [{ days, from: at(6), to: at(7) }] });
  await call(as, 'PUT /notification-settings', { default_channel_id: body.id });
  const [alertId] = await world.createAlerts(as.organizationId);
  const loop = world.startLoop();
  await world.raiseEvents(as.organizationId, [{ alertId: alertId! }]);
  const waitsUntil = () =>
    pollUntil(async () => {
      const [delivery] = await world.deliveries(as.organizationId);
      return delivery!.waits_for_hours && delivery!.next_attempt_at!.toISOString().slice(11, 16);
    });
  expect(await waitsUntil()).toBe(at(6));
  await call(as, `PUT /notification-channels/${body.id}`, {
    sending_hours: [{ days, from: at(9), to: at(10) }],
  });
  await pollUntil(async () => (await waitsUntil()) === at(9));
  const list = await listDeliveries(db, as.organizationId, {}, { limit: 50, offset: 0 });
  expect(list.items).toMatchObject([{ status: 'pending', waiting_for: 'sending_hours' }]);
  await loop.stop();
});

test('a changed schedule or time zone applies to deliveries that are waiting for the digest', async () => {
  const as = await makeOrganization();
  const { body } = await create(as, { digest_schedule: '0 0 1 1 *' });
  await call(as, 'PUT /notification-settings', { default_channel_id: body.id });
  const [alertId] = await world.createAlerts(as.organizationId);
  await world.raiseEvents(as.organizationId, [{ alertId: alertId! }]);
  const due = async () => (await world.deliveries(as.organizationId))[0]!.next_attempt_at!.toISOString();
  expect(await due()).toMatch(/-01-01T00:00:00/);
  await call(as, `PUT /notification-channels/${body.id}`, { timezone: 'Asia/Tokyo' });
  expect(await due()).toMatch(/-12-31T15:00:00/);
  await setClockOffset(db, '1 hour');
  await call(as, `PUT /notification-channels/${body.id}`, { name: 'Renamed', digest_schedule: '0 0 1 1 *' });
  expect(await due()).toMatch(/-12-31T15:00:00/);
  await setClockOffset(db, '0 hours');
});

function clock() {
  return sql<{
    hour: number;
  }>`SELECT extract(hour FROM pacekeeper_now() AT TIME ZONE 'UTC')::integer AS hour`.execute(db);
}
