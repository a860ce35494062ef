import { describe, expect, test } from 'vitest';
import {
  createNotificationsServer,
  type TestCaller,
} from '../../../../tests/helpers/notifications-fixture.ts';

const { call, makeOrganization, statementsOf } = await createNotificationsServer();
const read = async (as: TestCaller) => (await call(as, 'GET /notification-settings')).body;
const write = (as: TestCaller, body: object) => call(as, 'PUT /notification-settings', body);
const makeChannel = async (as: TestCaller) =>
  (
    await call<{ id: number }>(as, 'POST /notification-channels', {
      name: 'Ops',
      url: 'https://hooks.chat.example/x',
    })
  ).body.id;

const noEmail = { is_email_available: false, email_domains: [] };

describe('the notification settings', () => {
  test('contain no default channel, an enabled fallback, and no reminders by default', async () => {
    const as = { ...(await makeOrganization()), role: 'viewer' as const };
    expect(await read(as)).toEqual({
      ...noEmail,
      default_channel_id: null,
      fallback_to_default: true,
      reminder_interval_hours: null,
      revision: 0,
    });
    expect(await statementsOf(() => read(as))).toHaveLength(1);
  });

  test('share their values with the general settings', async () => {
    const as = await makeOrganization();
    const id = await makeChannel(as);
    const all = { default_channel_id: id, fallback_to_default: false, reminder_interval_hours: 24 };
    expect(await write(as, all)).toMatchObject({ status: 200, body: all });
    const overrides = await call<{ items: { key: string; value: unknown }[] }>(
      as,
      'GET /settings/org-overrides',
    );
    expect(overrides.body.items.map(({ key, value }) => [key, value])).toEqual([
      ['default_notification_channel_id', id],
      ['notification.fallback_to_default', false],
      ['notification.reminder_interval_hours', 24],
    ]);
    await call(as, 'PUT /settings/org-overrides/notification.reminder_interval_hours', { value: 48 });
    await call(as, 'DELETE /settings/org-overrides/default_notification_channel_id');
    expect(await read(as)).toEqual({
      ...noEmail,
      default_channel_id: null,
      fallback_to_default: false,
      reminder_interval_hours: 48,
      revision: 5,
    });
  });

  test('that an update omits keep their values, and null clears a value', async () => {
    const as = await makeOrganization();
    const id = await makeChannel(as);
    await write(as, { default_channel_id: id, reminder_interval_hours: 24 });
    await write(as, { reminder_interval_hours: null });
    expect(await read(as)).toMatchObject({ default_channel_id: id, reminder_interval_hours: null });
    await write(as, { default_channel_id: null });
    expect(await read(as)).toMatchObject({ default_channel_id: null });
  });

  test('reject a channel of another organization like a missing channel, and stay unchanged', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const foreign = await makeChannel(other);
    const refusals = [];
    for (const id of [foreign, 999_999]) {
      const refused = await write(one, { fallback_to_default: false, default_channel_id: id });
      refusals.push([
        refused.status,
        JSON.stringify({ ...refused.body, request_id: '' }).replaceAll(String(id), 'N'),
      ]);
    }
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]![0]).toBe(400);
    expect(await read(one)).toMatchObject({ fallback_to_default: true, default_channel_id: null });
  });

  test("can't be changed by members or in the Global organization", async () => {
    const as = await makeOrganization();
    expect((await write({ ...as, role: 'member' }, { fallback_to_default: false })).status).toBe(403);
    expect((await write({ organizationId: 1 }, { fallback_to_default: false })).status).toBe(403);
  });
});
