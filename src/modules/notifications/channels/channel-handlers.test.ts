import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  createNotificationsServer,
  type TestCaller,
} from '../../../../tests/helpers/notifications-fixture.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { createSigningSecret } from '../../../platform/secrets/index.ts';
import { listDeliveries } from '../deliveries/delivery-queries.ts';
import { type SealedChannel, unsealChannelSecrets } from '../deliveries/secrets/channel-secrets.ts';

const server = await createNotificationsServer();
const { db, secretBox, call, makeOrganization, meetingAt, statementsOf } = server;
type Channel = Schemas['NotificationChannel'];
type Rule = Schemas['NotificationRule'];
interface Refusal {
  detail: string;
  errors: { field: string; message: string }[];
}

const url = 'https://hooks.chat.example/services/T0/B0/secret-path';
const masked = 'https://hooks.chat.example/…';
const create = (as: TestCaller, body: object = {}) =>
  call<Channel>(as, 'POST /notification-channels', { name: 'Operations', url, ...body });
const update = (as: TestCaller, id: number, body: object) =>
  call<Channel>(as, `PUT /notification-channels/${id}`, body);
const get = (as: TestCaller, id: number) => call<Channel>(as, `GET /notification-channels/${id}`);
const makeRule = async (as: TestCaller, body: object) =>
  (await call<Rule>(as, 'POST /notification-rules', { name: 'A rule', ...body })).body.id;
const getRule = async (as: TestCaller, id: number) =>
  (await call<Rule>(as, `GET /notification-rules/${id}`)).body;

async function stored(id: number) {
  return db.selectFrom('notification_channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function secretsOf(id: number) {
  const row = await stored(id);
  return unsealChannelSecrets(secretBox, row.organization_id, id, row as SealedChannel);
}

/** Inserts a delivery in the same form as the code that plans deliveries. */
async function makeDelivery(
  { organizationId }: TestCaller,
  channelId: number,
  values: object = {},
): Promise<number> {
  const eventId = randomUUID();
  const entry = await db
    .insertInto('audit_entries')
    .values({
      organization_id: organizationId,
      action: 'created',
      event_type: 'alert.created',
      event_id: eventId,
      actor_type: 'system',
      actor_name: 'Pacekeeper',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await db
    .insertInto('notification_deliveries')
    .values({
      organization_id: organizationId,
      channel_id: channelId,
      channel_name: 'Operations',
      audit_entry_id: entry.id,
      event_id: eventId,
      event_type: 'alert.created',
      max_attempts: 4,
      next_attempt_at: sql`pacekeeper_now()`,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const delivery = (id: number) =>
  db.selectFrom('notification_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a notification channel', () => {
  test('is created with the defaults of the API contract', async () => {
    const as = await makeOrganization();
    const { status, body } = await create(as);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Operations',
      channel_type: 'webhook',
      url,
      template: null,
      templates: {},
      preset: 'generic',
      headers: {},
      has_signing_secret: false,
      digest_minutes: null,
      require_login_to_acknowledge: true,
      is_active: true,
      is_default: false,
      health: {
        status: 'unknown',
        consecutive_failures: 0,
        last_success_at: null,
        last_failure_at: null,
        error: null,
      },
    });
    expect((await get(as, body.id)).body).toEqual(body);
  });

  test('stores all given fields, and an update changes only the fields it contains', async () => {
    const as = await makeOrganization();
    const { body } = await create(as, {
      template: '{"text": {{ event | json }}}',
      templates: { resolved: '{"text": "over"}' },
      preset: 'telegram',
      preset_options: { chat_id: '-1001234567' },
      headers: { 'X-Team': 'payments' },
      digest_minutes: 15,
      require_login_to_acknowledge: false,
      is_active: false,
    });
    const { body: after } = await update(as, body.id, {
      name: 'Others',
      digest_minutes: null,
      template: null,
    });
    expect(after).toEqual({
      ...body,
      name: 'Others',
      digest_minutes: null,
      template: null,
      updated_at: after.updated_at,
      revision: 2,
    });
    expect(await secretsOf(body.id)).toMatchObject({
      url,
      presetOptions: { chat_id: '-1001234567' },
      headers: { 'X-Team': 'payments' },
    });
  });

  test('shows its full URL to roles that can edit it, and only the host to viewers', async () => {
    const as = await makeOrganization();
    const { body } = await create(as, { url: 'https://hooks.chat.example:8443/secret-path?token=x' });
    const seenBy = async (role: TestCaller['role']) => {
      const one = await get({ ...as, ...(role && { role }) }, body.id);
      const list = await call<{ items: Channel[] }>(
        { ...as, ...(role && { role }) },
        'GET /notification-channels',
      );
      return [one.body.url, list.body.items[0]!.url];
    };
    const full = 'https://hooks.chat.example:8443/secret-path?token=x';
    const masked = 'https://hooks.chat.example:8443/…';
    expect(await seenBy('viewer')).toEqual([masked, masked]);
    for (const role of ['member', 'admin', 'owner'] as const)
      expect(await seenBy(role)).toEqual([full, full]);
    expect((await update({ ...as, role: 'viewer' }, body.id, { name: 'x' })).status).toBe(403);
  });

  test('keeps its closing path as secret as the path of its URL', async () => {
    const as = await makeOrganization();
    const closing_path = '/close/key-of-mine/{{ alert.id }}';
    const { body } = await create(as, { closing_path });
    expect(body).toMatchObject({ closing_path, revision: 1 });
    expect((await get({ ...as, role: 'viewer' }, body.id)).body).toMatchObject({
      url: masked,
      closing_path: '/…',
    });
    expect(JSON.stringify(await stored(body.id))).not.toContain('key-of-mine');
    expect(await secretsOf(body.id)).toMatchObject({ closingPath: closing_path });
    expect((await update(as, body.id, { closing_path })).body).toMatchObject({ revision: 1 });

    const elsewhere = 'https://elsewhere.example/hook';
    expect(await update(as, body.id, { url: elsewhere })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'closing_path' }] },
    });
    const other = await update(as, body.id, { url: elsewhere, closing_path: '/other' });
    expect(other.body).toMatchObject({ url: elsewhere, closing_path: '/other', revision: 2 });
    const removed = await update(as, body.id, { closing_path: null });
    expect(removed.body).toMatchObject({ closing_path: null, revision: 3 });
    const { body: log } = await call<{ items: { changes: object[] }[] }>(as, 'GET /audit-log');
    expect(JSON.stringify(log)).not.toContain('key-of-mine');
    expect(log.items.flatMap(({ changes }) => changes)).toEqual(
      expect.arrayContaining([
        { field: 'closing_path', from: '/…', to: '/…', is_secret: true },
        { field: 'closing_path', from: '/…', to: null, is_secret: true },
      ]),
    );
  });

  test('never returns its header values, preset options, or signing secret, and stores them encrypted', async () => {
    const as = await makeOrganization();
    const secret = createSigningSecret();
    const { body } = await create(as, {
      url: 'https://hooks.chat.example/path-of-mine',
      preset: 'pagerduty',
      preset_options: { routing_key: 'R0123456789abcdef0123456789abcde' },
      headers: { Authorization: 'Bearer value-of-mine' },
      signing_secret: secret,
    });
    expect(body).toMatchObject({ headers: { Authorization: null }, has_signing_secret: true });
    const plain = ['path-of-mine', 'R0123456789abcdef0123456789abcde', 'value-of-mine', secret];
    const answers = JSON.stringify([
      await get({ ...as, role: 'viewer' }, body.id),
      await call(as, 'GET /audit-log'),
    ]);
    expect(plain.filter((text) => answers.includes(text))).toEqual([]);
    expect(JSON.stringify(body)).not.toContain(secret);
    const row = await stored(body.id);
    const bytes = Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value),
    );
    expect(plain.filter((text) => bytes.some((value) => value.includes(text)))).toEqual([]);
    expect(await secretsOf(body.id)).toMatchObject({
      signingSecret: secret,
      headers: { Authorization: 'Bearer value-of-mine' },
    });
  });

  test('stores secrets that can be decrypted only in their own row and column', async () => {
    const as = await makeOrganization();
    const [one, other] = [await create(as), await create(as)];
    const row = (await stored(one.body.id)) as SealedChannel;
    expect(() => unsealChannelSecrets(secretBox, as.organizationId, other.body.id, row)).toThrow();
    expect(() =>
      unsealChannelSecrets(secretBox, as.organizationId, one.body.id, {
        ...row,
        headers_sealed: row.url_sealed,
      }),
    ).toThrow();
  });

  test("reports that its secrets can't be decrypted and how to fix it, and accepts new ones", async () => {
    const as = await makeOrganization();
    const { body: channel } = await create(as, { headers: { 'X-Team': 'payments' } });
    await create(as, { name: 'Other' });
    expect(channel.health.error).toBeNull();
    await sql`UPDATE notification_channels SET url_sealed = 'of another key', headers_sealed = 'too'
      WHERE id = ${channel.id}`.execute(db);

    const failing = {
      status: 'failing',
      error: { code: 'secrets_unreadable', message: expect.stringContaining('Enter them again') },
    };
    const { body: list } = await call<{ items: Channel[] }>(as, 'GET /notification-channels?sort=name');
    expect(list.items.map(({ name, url, health }) => ({ name, url, health }))).toMatchObject([
      { name: 'Operations', url: 'https://hooks.chat.example/…', health: failing },
      { name: 'Other', url, health: { status: 'unknown', error: null } },
    ]);
    const tested = await call(as, `POST /notification-channels/${channel.id}/test`);
    expect(tested.body).toMatchObject({ success: false, error: failing.error });

    const repaired = await update(as, channel.id, { url, headers: { 'X-Team': 'payments' } });
    expect(repaired.body).toMatchObject({ url, health: { status: 'unknown', error: null } });
    expect(await secretsOf(channel.id)).toMatchObject({ url, headers: { 'X-Team': 'payments' } });
  });

  test("rejects a new URL that would keep the old secrets when the current URL can't be decrypted", async () => {
    const as = await makeOrganization();
    const { body: channel } = await create(as, {
      headers: { 'X-Team': 'payments' },
      signing_secret: createSigningSecret(),
    });
    const before = await stored(channel.id);
    await sql`UPDATE notification_channels SET url_sealed = 'of another key' WHERE id = ${channel.id}`.execute(
      db,
    );

    const elsewhere = 'https://elsewhere.example/hook';
    const moved = await update(as, channel.id, { url: elsewhere });
    expect(moved.status).toBe(400);
    expect(moved.body).toMatchObject({
      errors: [{ field: 'headers.X-Team' }, { field: 'signing_secret' }],
    });
    const kept = await update(as, channel.id, {
      url: elsewhere,
      headers: { 'X-Team': null },
      signing_secret: null,
    });
    expect(kept.body).toMatchObject({ errors: [{ field: 'headers.X-Team' }] });
    expect(await stored(channel.id)).toMatchObject({
      headers_sealed: before.headers_sealed,
      signing_secret_sealed: before.signing_secret_sealed,
    });

    const removed = await update(as, channel.id, { url: elsewhere, headers: {}, signing_secret: null });
    expect(removed.body).toMatchObject({ url: elsewhere, headers: {}, has_signing_secret: false });
    expect(await secretsOf(channel.id)).toMatchObject({
      url: elsewhere,
      headers: {},
      signingSecret: null,
      previousSigningSecret: null,
    });
  });

  test("that creates issues can be updated if its token can't be decrypted, and requires its URL together with a new token", async () => {
    const as = await makeOrganization();
    const created = await call<Channel>(as, 'POST /notification-channels', {
      name: 'Tickets',
      channel_type: 'gitlab_issues',
      url: 'https://git.acme.example',
      project: 'acme/web',
      token: 'token-of-acme',
    });
    const { id } = created.body;
    await sql`UPDATE notification_channels SET tracker_sealed = 'of another key' WHERE id = ${id}`.execute(
      db,
    );

    const renamed = await update(as, id, { name: 'Renamed', is_active: false });
    expect(renamed.body).toMatchObject({ name: 'Renamed', is_active: false, has_token: true });
    expect(renamed.body.health.status).toBe('failing');
    const halves = [{ token: 'new-token' }, { url: 'https://git.acme.example' }];
    const refused = await Promise.all(halves.map((half) => update(as, id, half)));
    expect(refused.map(({ body }) => body)).toMatchObject([
      { errors: [{ field: 'url' }] },
      { errors: [{ field: 'token' }] },
    ]);
    await update(as, id, { ...halves[0], ...halves[1] });
    expect(await secretsOf(id)).toMatchObject({ url: 'https://git.acme.example', token: 'new-token' });
  });

  test("can be deleted if its secrets can't be decrypted", async () => {
    const as = await makeOrganization();
    const { body: channel } = await create(as);
    await sql`UPDATE notification_channels SET url_sealed = 'of another key' WHERE id = ${channel.id}`.execute(
      db,
    );
    expect((await call(as, `DELETE /notification-channels/${channel.id}`)).status).toBe(204);
    expect((await get(as, channel.id)).status).toBe(404);
  });

  test('keeps the value of a header that an update sets to null, regardless of the case of its name', async () => {
    const as = await makeOrganization();
    const { body } = await create(as, { headers: { 'X-Team': 'payments', 'X-Old': 'gone' } });
    const { body: after } = await update(as, body.id, {
      headers: { 'x-team': null, 'X-Stage': 'production' },
    });
    expect(after.headers).toEqual({ 'x-team': null, 'X-Stage': null });
    expect((await secretsOf(body.id)).headers).toEqual({ 'x-team': 'payments', 'X-Stage': 'production' });
    const refused = await update(as, body.id, { headers: { 'X-New': null } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'headers.X-New' }] } });
    await update(as, body.id, { headers: {} });
    expect(await stored(body.id)).toMatchObject({ headers_sealed: null, header_names: [] });
  });

  test('keeps the previous signing secret valid for 24 hours after a change, and removes both on removal', async () => {
    const as = await makeOrganization();
    const [first, second] = [createSigningSecret(), createSigningSecret()];
    const { body } = await create(as, { signing_secret: first });
    expect(await secretsOf(body.id)).toMatchObject({ signingSecret: first, previousSigningSecret: null });

    await update(as, body.id, { signing_secret: second });
    expect(await secretsOf(body.id)).toMatchObject({ signingSecret: second, previousSigningSecret: first });
    const { rows } = await sql<{ hours: number }>`
      SELECT extract(epoch FROM previous_signing_secret_until - updated_at)::float8 / 3600 AS hours
      FROM notification_channels WHERE id = ${body.id}`.execute(db);
    expect(rows[0]!.hours).toBeCloseTo(24, 3);

    await update(as, body.id, { signing_secret: second, name: 'The same secret again' });
    expect(await secretsOf(body.id)).toMatchObject({ signingSecret: second, previousSigningSecret: first });
    const removed = await update(as, body.id, { signing_secret: null });
    expect(removed.body.has_signing_secret).toBe(false);
    expect(await secretsOf(body.id)).toMatchObject({ signingSecret: null, previousSigningSecret: null });
    expect((await stored(body.id)).previous_signing_secret_until).toBeNull();
  });

  test('never reuses the options of the previous preset when its preset changes', async () => {
    const as = await makeOrganization();
    const { body } = await create(as, { preset: 'telegram', preset_options: { chat_id: '-1001234567' } });
    const refused = await update(as, body.id, { preset: 'ntfy' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'preset_options' }] } });
    const without = { preset: 'slack', preset_options: {} };
    expect((await update(as, body.id, without)).status).toBe(200);
    expect((await secretsOf(body.id)).presetOptions).toEqual({});
  });

  test.each<[object, string, string]>([
    [{ url: 'ftp://hooks.chat.example/x' }, 'url', 'must be an https:// URL'],
    [{ url: 'hooks.chat.example' }, 'url', 'must be an https:// URL'],
    [{ url: ' https://hooks.chat.example/x' }, 'url', 'must be an https:// URL'],
    [{ url: 'http://hooks.chat.example/x' }, 'url', 'PACEKEEPER_ALLOW_HTTP_WEBHOOKS=true'],
    [{ url: 'https://me:password@hooks.chat.example/x' }, 'url', 'user name or password'],
    [
      { url: 'https://127.0.0.1/x' },
      'url',
      'a loopback address. An operator can add it to PACEKEEPER_EGRESS_ALLOW',
    ],
    [{ url: 'https://0x7f.1/x' }, 'url', 'a loopback address'],
    [{ url: 'https://127%2e1/x' }, 'url', 'a loopback address'],
    [{ url: 'https://[::ffff:10.0.0.1]/x' }, 'url', 'a private address'],
    [{ url: 'https://169.254.169.254/x' }, 'url', 'a cloud metadata address'],
    [{ url: 'https://db.internal/x' }, 'url', 'a local network name'],
    [{ url: 'https://localhost/x' }, 'url', 'a loopback address'],
    [{ template: '{{ nothing }}' }, 'template', 'line 1, column 4'],
    [{ templates: { new_alert: '{% if %}' } }, 'templates.new_alert', 'line 1'],
    [
      { templates: { resolved: '{{ events }}' } },
      'templates.resolved',
      "“events” isn't available for this template's events",
    ],
    [{ url: 'https://a.example/{{ alert.id }}' }, 'url', "events other than alerts don't have it"],
    [{ url: 'https://{{ event_id }}.example/' }, 'url', 'only after the host'],
    [{ url: 'https://a.example/{{ event_id | upcase }}' }, 'url', 'percent-encoded automatically'],
    [{ closing_path: '//evil.example/' }, 'closing_path', 'must be a path that starts with one slash'],
    [{ closing_path: '/{{ alert.labels.x }}' }, 'closing_path', "can't contain {{ alert.labels.x }}"],
    [{ closing_path: '/x', digest_minutes: 5 }, 'digest_minutes', '`closing_path`, which closes each alert'],
    [{ closing_method: 'DELETE' }, 'closing_method', 'requires `closing_path`'],
    [{ preset: 'slack', request_method: 'PUT' }, 'request_method', "can't be used with the preset `slack`"],
    [{ preset: 'slack', body_format: 'form' }, 'body_format', 'set this field to "json"'],
    [{ preset: 'slack', closing_path: '/x' }, 'closing_path', 'set this field to null'],
    [{ preset: 'telegram' }, 'preset_options.chat_id', 'required by Telegram'],
    [{ preset_options: { chat_id: '1' } }, 'preset_options.chat_id', 'not supported by'],
    [{ headers: { Host: 'elsewhere' } }, 'headers.Host', "can't be overridden"],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a', 'duplicate header'],
    [{ signing_secret: 'whsec_short' }, 'signing_secret', '24 to 64 bytes'],
  ])('is rejected with %j, and the error states the reason', async (body, field, reason) => {
    const as = await makeOrganization();
    const { body: own } = await create(as);
    for (const refused of [await create(as, body), await update(as, own.id, body)]) {
      const { errors } = refused.body as unknown as Refusal;
      expect([refused.status, errors[0]!.field]).toEqual([400, field]);
      expect(errors[0]!.message).toContain(reason);
    }
    expect((await get(as, own.id)).body).toEqual(own);
    expect((await call<{ total: number }>(as, 'GET /notification-channels')).body.total).toBe(1);
  });

  test('never includes a secret in an error', async () => {
    const as = await makeOrganization();
    const refused = await create(as, {
      preset: 'pagerduty',
      preset_options: { routing_key: 'too-short-key' },
      headers: { 'Content-Type': 'hidden-value' },
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toMatch(/too-short-key|hidden-value/);
  });
});

describe('the health of a channel', () => {
  test.each<[object, string]>([
    [{ last_failure_at: null }, 'unknown'],
    [{ last_success_at: new Date() }, 'healthy'],
    [{ last_success_at: new Date(), consecutive_failures: 1 }, 'degraded'],
    [{ consecutive_failures: 9 }, 'degraded'],
    [{ consecutive_failures: 10 }, 'failing'],
  ])('with %j is %s', async (values, status) => {
    const as = await makeOrganization();
    const { body } = await create(as);
    await db.updateTable('notification_channels').set(values).where('id', '=', body.id).execute();
    expect((await get(as, body.id)).body.health.status).toBe(status);
  });
});

describe('disabling and enabling a channel', () => {
  test('cancels its pending deliveries, then clears its failures and makes it due', async () => {
    const as = await makeOrganization();
    const { body } = await create(as);
    const waiting = await makeDelivery(as, body.id);
    const broken = {
      consecutive_failures: 12,
      probe_count: 3,
      last_duration_ms: 9_000,
      inactive_reason: 'gone',
    };
    await db.updateTable('notification_channels').set(broken).where('id', '=', body.id).execute();

    const off = await call<Channel>(as, `POST /notification-channels/${body.id}/toggle`);
    expect(off).toMatchObject({
      status: 200,
      body: { is_active: false, health: { consecutive_failures: 12 } },
    });
    expect(await delivery(waiting)).toMatchObject({ status: 'canceled', reason: 'channel_inactive' });

    await db
      .updateTable('notification_channels')
      .set({ due_at: sql`'infinity'` })
      .where('id', '=', body.id)
      .execute();
    const on = await call<Channel>(as, `POST /notification-channels/${body.id}/toggle`);
    expect(on.body).toMatchObject({
      is_active: true,
      health: { status: 'unknown', consecutive_failures: 0 },
    });
    const row = await stored(body.id);
    expect(row).toMatchObject({ probe_count: 0, last_duration_ms: null, inactive_reason: null });
    expect(Number.isFinite(row.due_at.valueOf())).toBe(true);
  });

  test('applies every one of several concurrent toggles', async () => {
    const as = await makeOrganization();
    const { body } = await create(as);
    const toggle = () => call<Channel>(as, `POST /notification-channels/${body.id}/toggle`);
    const toggles = await meetingAt('notification_channels', body.id, () =>
      Promise.all([toggle(), toggle(), toggle(), toggle()]),
    );
    expect(toggles.filter((each) => each.body.is_active)).toHaveLength(2);
    expect((await get(as, body.id)).body.is_active).toBe(true);
  });

  test('works the same through an update, and a new URL also clears the failures', async () => {
    const as = await makeOrganization();
    const { body } = await create(as);
    const waiting = await makeDelivery(as, body.id);
    const fail = () =>
      db
        .updateTable('notification_channels')
        .set({ consecutive_failures: 12 })
        .where('id', '=', body.id)
        .execute();
    await fail();
    await update(as, body.id, { name: 'Still broken' });
    expect((await stored(body.id)).consecutive_failures).toBe(12);
    await update(as, body.id, { url: 'https://hooks.chat.example/other' });
    expect((await stored(body.id)).consecutive_failures).toBe(0);
    await fail();
    await update(as, body.id, { is_active: false });
    expect((await delivery(waiting)).status).toBe('canceled');
    await update(as, body.id, { is_active: true });
    expect((await stored(body.id)).consecutive_failures).toBe(0);
  });
});

describe('the owners of a channel', () => {
  test('are stored as given, increase its revision, and appear in the audit log', async () => {
    const as = await makeOrganization();
    const { body } = await create(as);
    expect(body).toMatchObject({ owners: [] });
    const owners = ['@acme/payments', 'Team A', 'docs@example.org'];
    const { body: after } = await update(as, body.id, { owners });
    expect(after).toMatchObject({ owners, revision: 2 });
    expect((await update(as, body.id, { owners })).body).toMatchObject({ owners, revision: 2 });
    expect((await create(as, { owners })).body).toMatchObject({ owners });
    const { body: log } = await call<{ items: object[] }>(as, 'GET /audit-log?limit=200');
    expect(log.items).toContainEqual(
      expect.objectContaining({
        action: 'notification_channel.updated',
        changes: [{ field: 'owners', from: [], to: owners, is_secret: false }],
      }),
    );
  });

  test.each([
    ['too many owners', Array.from({ length: 101 }, (_, n) => `acme/team-${n}`), 'owners'],
    ['a duplicate owner', ['acme/web', 'acme/web'], 'owners'],
    ['an empty owner', ['acme/web', ''], 'owners.1'],
    ['only an @', ['@'], 'owners.0'],
    ['an owner that begins with a separator', [', acme/web'], 'owners.0'],
    ['an owner that ends with a separator', ['Team A,'], 'owners.0'],
    ['an owner that is too long', ['a'.repeat(201)], 'owners.0'],
  ])('are rejected: %s', async (_what, owners, field) => {
    const as = await makeOrganization();
    expect(await create(as, { owners })).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });
});

describe('deleting a channel', () => {
  test('removes it from every rule, and disables a rule that had no other channel', async () => {
    const as = await makeOrganization();
    const [gone, stays] = [(await create(as)).body.id, (await create(as)).body.id];
    const both = await makeRule(as, { channel_ids: [gone, stays] });
    const only = await makeRule(as, { channel_ids: [gone] });
    const toDefault = await makeRule(as, { channel_ids: null });
    const off = await makeRule(as, { channel_ids: [gone], is_active: false });
    const toOwner = await makeRule(as, { channel_ids: [gone], route_to_owner: true });

    expect((await call(as, `DELETE /notification-channels/${gone}`)).status).toBe(204);
    expect(await getRule(as, both)).toMatchObject({
      channel_ids: [stays],
      is_active: true,
      inactive_reason: null,
    });
    expect(await getRule(as, only)).toMatchObject({
      channel_ids: [],
      is_active: false,
      inactive_reason: 'channel_deleted',
    });
    expect(await getRule(as, toDefault)).toMatchObject({ channel_ids: null, is_active: true });
    // The rule routes to the channels of owners, so it stays enabled. Events without an owner's channel go to
    // the default channel.
    expect(await getRule(as, toOwner)).toMatchObject({
      channel_ids: null,
      is_active: true,
      inactive_reason: null,
      revision: 2,
    });
    expect(await getRule(as, off)).toMatchObject({
      channel_ids: [],
      is_active: false,
      inactive_reason: null,
    });
    const { body } = await call<{ items: object[] }>(as, 'GET /audit-log?limit=1');
    expect(body.items[0]).toMatchObject({
      action: 'notification_channel.deleted',
      detail: {
        was_default: false,
        left_rule_ids: expect.arrayContaining([both, only, off, toOwner]),
        turned_off_rule_ids: [only],
      },
    });
  });

  test('clears the default channel, cancels open deliveries, and keeps only its name in all deliveries', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as)).body;
    await call(as, 'PUT /notification-settings', { default_channel_id: id });
    expect((await get(as, id)).body.is_default).toBe(true);
    const open = await Promise.all([
      makeDelivery(as, id),
      makeDelivery(as, id, { status: 'failed' }),
      makeDelivery(as, id, { status: 'in_progress', lease_token: randomUUID() }),
    ]);
    const done = await makeDelivery(as, id, { status: 'succeeded', next_attempt_at: null });

    expect((await call(as, `DELETE /notification-channels/${id}`)).status).toBe(204);
    expect((await get(as, id)).status).toBe(404);
    expect((await call(as, 'GET /notification-settings')).body).toMatchObject({ default_channel_id: null });
    const canceled = {
      channel_name: 'Operations',
      status: 'canceled',
      reason: 'channel_deleted',
      lease_token: null,
    };
    for (const each of open) expect(await delivery(each)).toMatchObject(canceled);
    expect(await delivery(done)).toMatchObject({
      channel_name: 'Operations',
      status: 'succeeded',
      reason: null,
    });
    // Deliveries no longer refer to the deleted channel and keep only its name.
    const { items } = await listDeliveries(db, as.organizationId, {}, { limit: 50, offset: 0 });
    expect(items.map((item) => item.channel_id)).toEqual([null, null, null, null]);
    expect(items.map((item) => item.channel_name)).toEqual(Array(4).fill('Operations'));
  });

  test('leaves no reference to it in rules or settings that are updated at the same time', async () => {
    const as = await makeOrganization();
    for (let round = 0; round < 10; round++) {
      const { id } = (await create(as)).body;
      const rule = await makeRule(as, { channel_ids: null });
      await Promise.all([
        call(as, `DELETE /notification-channels/${id}`),
        call(as, `PUT /notification-rules/${rule}`, { channel_ids: [id] }),
        call(as, 'PUT /notification-settings', { default_channel_id: id }),
      ]);
      expect([null, []]).toContainEqual((await getRule(as, rule)).channel_ids);
      expect((await call(as, 'GET /notification-settings')).body).toMatchObject({ default_channel_id: null });
    }
  });
});

describe('channels of other organizations', () => {
  test('return the same error as channels that never existed, and stay unchanged', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const { body: foreign } = await create(other);
    const operations: [string, object?][] = [
      ['GET /notification-channels/ID'],
      ['PUT /notification-channels/ID', { name: 'Mine' }],
      ['DELETE /notification-channels/ID'],
      ['POST /notification-channels/ID/toggle'],
      ['POST /notification-channels/ID/test'],
      ['GET /notification-channels/ID/stats'],
    ];
    for (const [operation, body] of operations) {
      const [taken, never] = [
        await call(one, operation.replace('ID', String(foreign.id)), body),
        await call(one, operation.replace('ID', '999999'), body),
      ];
      expect([operation, taken.status]).toEqual([operation, 404]);
      expect({ ...taken.body, request_id: '' }).toEqual({ ...never.body, request_id: '' });
    }
    expect((await call<{ items: unknown[] }>(one, 'GET /notification-channels')).body.items).toEqual([]);
    expect((await call(one, 'GET /dropdowns/notification-channels')).body).toEqual([]);
    expect((await get(other, foreign.id)).body).toEqual(foreign);
  });
});

describe('the list of channels', () => {
  test('is filtered and sorted, and takes one statement regardless of its length', async () => {
    const as = await makeOrganization();
    const [b, a, c] = [
      (await create(as, { name: 'b ops' })).body.id,
      (await create(as, { name: 'a ops' })).body.id,
      (await create(as, { name: 'c', is_active: false })).body.id,
    ];
    const ids = async (query: string) =>
      (await call<{ items: Channel[] }>(as, `GET /notification-channels${query}`)).body.items.map(
        (item) => item.id,
      );
    expect(await ids('')).toEqual([c, a, b]);
    expect(await ids('?sort=name')).toEqual([a, b, c]);
    expect(await ids('?q=OPS&sort=name')).toEqual([a, b]);
    expect(await ids('?is_active=false')).toEqual([c]);
    expect(await ids('?limit=1&offset=1')).toEqual([a]);
    const few = await statementsOf(() => call(as, 'GET /notification-channels'));
    for (let count = 0; count < 5; count++) await create(as);
    const many = await statementsOf(() => call(as, 'GET /notification-channels'));
    expect([few.length, many.length]).toEqual([1, 1]);
  });

  test('for a dropdown contains all channels by name, and marks the default and the disabled ones', async () => {
    const as = await makeOrganization();
    const b = (await create(as, { name: 'b', is_active: false })).body.id;
    const a = (await create(as, { name: 'A' })).body.id;
    await call(as, 'PUT /notification-settings', { default_channel_id: b });
    expect((await call(as, 'GET /dropdowns/notification-channels')).body).toEqual([
      { id: a, name: 'A', channel_type: 'webhook', is_active: true, is_default: false },
      { id: b, name: 'b', channel_type: 'webhook', is_active: false, is_default: true },
    ]);
  });
});

describe('the statistics of a channel', () => {
  test('count the deliveries of the last 30 days in two statements', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as)).body;
    const succeeded = (duration_ms: number) => makeDelivery(as, id, { status: 'succeeded', duration_ms });
    await Promise.all([100, 200, 300].map(succeeded));
    await makeDelivery(as, id, { status: 'dead_letter', duration_ms: 15_000 });
    await makeDelivery(as, id, { status: 'canceled' });
    await makeDelivery(as, id);
    await makeDelivery(as, id, {
      status: 'succeeded',
      created_at: sql`pacekeeper_now() - interval '31 days'`,
    });
    await makeDelivery(as, (await create(as)).body.id, { status: 'succeeded' });

    const read = () => call(as, `GET /notification-channels/${id}/stats`);
    expect((await read()).body).toEqual({
      total: 6,
      by_status: { pending: 1, in_progress: 0, succeeded: 3, failed: 0, dead_letter: 1, canceled: 1 },
      success_rate: 0.75,
      latency_ms: { p50: 200, p95: 290 },
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      window_days: 30,
    });
    expect(await statementsOf(read)).toHaveLength(2);
  });

  test('contain no success rate and no latency if it has no deliveries', async () => {
    const as = await makeOrganization();
    const { id } = (await create(as)).body;
    const { body } = await call(as, `GET /notification-channels/${id}/stats`);
    expect(body).toMatchObject({ total: 0, success_rate: null, latency_ms: null });
  });
});
