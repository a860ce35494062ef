import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, eventually } from '../../../../tests/helpers/delivery-world.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { listDeliveries } from '../deliveries/delivery-queries.ts';
import { createNotificationsServer } from '../notifications-fixture.ts';

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

test('a channel keeps its hours, and says when they begin', async () => {
  const as = await makeOrganization();
  expect((await create(as, {})).body).toMatchObject({
    ...{
      sending_hours: [],
      timezone: 'UTC',
      always_for: ['critical'],
      digest_schedule: null,
      opens_at: null,
    },
  });
  const { body } = await create(as, { sending_hours: hours, timezone: 'Europe/Berlin', always_for: [] });
  expect(body).toMatchObject({ sending_hours: hours, timezone: 'Europe/Berlin', always_for: [] });
  const { body: changed } = await call<Channel>(as, `PUT /notification-channels/${body.id}`, {
    sending_hours: [],
  });
  expect(changed).toMatchObject({ sending_hours: [], opens_at: null, revision: body.revision + 1 });
});

test.each<[string, object, string]>([
  ['hours that end when they begin', { sending_hours: [{ ...hours[0], to: '08:00' }] }, 'sending_hours.0.to'],
  ['a time that no clock shows', { sending_hours: [{ ...hours[0], from: '24:00' }] }, 'sending_hours.0.from'],
  ['a time zone that does not exist', { timezone: 'Europe/Nowhere' }, 'timezone'],
  ['a schedule that cannot be read', { digest_schedule: '61 * * * *' }, 'digest_schedule'],
  ['two digests', { digest_schedule: '@weekly', digest_minutes: 5 }, 'digest_schedule'],
])('%s is refused', async (_, body, field) => {
  const as = await makeOrganization();
  const answer = await create(as, body);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(`"${field}"`);
});

test('a schedule takes the place of an interval in one request, not in two halves', async () => {
  const as = await makeOrganization();
  const { body } = await create(as, { digest_minutes: 5 });
  const put = (change: object) => call<Channel>(as, `PUT /notification-channels/${body.id}`, change);
  expect((await put({ digest_schedule: '@weekly' })).status).toBe(400);
  expect((await put({ digest_schedule: '@weekly', digest_minutes: null })).body).toMatchObject({
    ...{ digest_schedule: '@weekly', digest_minutes: null },
  });
});

test('other hours apply to what waits already', async () => {
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
    eventually(async () => {
      const [delivery] = await world.deliveries(as.organizationId);
      return delivery!.waits_for_hours && delivery!.next_attempt_at!.toISOString().slice(11, 16);
    });
  expect(await waitsUntil()).toBe(at(6));
  await call(as, `PUT /notification-channels/${body.id}`, {
    sending_hours: [{ days, from: at(9), to: at(10) }],
  });
  await eventually(async () => (await waitsUntil()) === at(9));
  const list = await listDeliveries(db, as.organizationId, {}, { limit: 50, offset: 0 });
  expect(list.items).toMatchObject([{ status: 'pending', waiting_for: 'sending_hours' }]);
  await loop.stop();
});

test('another schedule applies to what waits for the digest already', async () => {
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
