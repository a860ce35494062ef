import { describe, expect, test } from 'vitest';
import { createNotificationsServer, type TestCaller } from '../../../tests/helpers/notifications-fixture.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { ApiError } from '../../platform/errors.ts';
import { setGlobalSetting } from './change-settings.ts';
import { settingKeyNames } from './setting-keys.ts';
import { readSettings, readSettingsAcrossOrganizations } from './setting-queries.ts';

const server = await createNotificationsServer();
const { db, sandbox, call, makeOrganization, statementsOf } = server;
type Setting = Schemas['Setting'];
type List = { items: Setting[] };

async function effective(as: TestCaller, key: string): Promise<Setting> {
  const { body } = await call<List>(as, 'GET /settings/effective');
  return body.items.find((item) => item.key === key)!;
}

const override = (as: TestCaller, key: string, value: unknown) =>
  call<Setting>(as, `PUT /settings/org-overrides/${key}`, { value });

describe('settings', () => {
  test('are all listed with their built-in defaults until one is changed', async () => {
    const as = await makeOrganization();
    for (const path of ['/settings', '/settings/effective']) {
      const { body } = await call<List>({ ...as, role: 'viewer' }, `GET ${path}`);
      expect(body.items.map((item) => item.key)).toEqual(settingKeyNames);
      expect(body.items.every((item) => item.scope === 'global')).toBe(true);
    }
    expect((await effective(as, 'delivery.timeout_seconds')).value).toBe(15);
    expect((await call<List>(as, 'GET /settings/org-overrides')).body.items).toEqual([]);
  });

  test('use the retry schedule of the environment as a built-in default', async () => {
    const as = await makeOrganization();
    expect((await effective(as, 'delivery.retry_schedule_seconds')).value).toEqual([1, 2, 3]);
  });

  test('use the override of an organization, and fall back to the global value when the override is removed', async () => {
    const as = await makeOrganization();
    const key = 'task.max_attempts';
    await setGlobalSetting({ db, sandbox }, key, 5);
    expect(await effective(as, key)).toMatchObject({ value: 5, default_value: 5, scope: 'global' });
    expect(await override(as, key, 7)).toMatchObject({
      status: 200,
      body: { key, value: 7, default_value: 5, scope: 'organization' },
    });
    expect((await call<List>(as, 'GET /settings/org-overrides')).body.items.map((item) => item.key)).toEqual([
      key,
    ]);
    expect((await call<List>(as, 'GET /settings')).body.items.find((item) => item.key === key)).toMatchObject(
      { value: 5 },
    );
    expect((await readSettings(db, as.organizationId))[key]).toBe(7);

    expect((await call(as, `DELETE /settings/org-overrides/${key}`)).status).toBe(204);
    expect(await effective(as, key)).toMatchObject({ value: 5, scope: 'global' });
    await setGlobalSetting({ db, sandbox }, key, undefined);
    expect(await effective(as, key)).toMatchObject({ value: 3, scope: 'global' });
  });

  test('can be overridden with null if null is a valid value, and such an override differs from no override', async () => {
    const as = await makeOrganization();
    const key = 'notification.reminder_interval_hours';
    await setGlobalSetting({ db, sandbox }, key, 24);
    expect((await override(as, key, null)).body).toMatchObject({
      value: null,
      default_value: 24,
      scope: 'organization',
    });
    await setGlobalSetting({ db, sandbox }, key, undefined);
  });

  test.each([
    ['delivery.timeout_seconds', 31, 'value: must be at most 30'],
    ['delivery.timeout_seconds', 0, 'value: must be at least 1'],
    ['delivery.timeout_seconds', 1.5, 'value: must be a whole number'],
    ['delivery.timeout_seconds', null, 'value: must be a whole number'],
    ['delivery.timeout_seconds', '15', 'value: must be a whole number'],
    ['delivery.retry_schedule_seconds', [], 'value: must have at least 1 item'],
    ['delivery.retry_schedule_seconds', [1, 0], 'value.1: must be at least 1'],
    ['notification.fallback_to_default', 'yes', 'value: must be boolean'],
    ['notification.reminder_interval_hours', 'never', 'value: must be a whole number or null'],
    ['notification.template.alert.new', null, 'value: must be string'],
    ['notification.template.alert.new', '', "value: can't be empty"],
    [
      'notification.template.alert.new',
      'a\n {{ alert.colour }}',
      'value: line 2, column 5: unknown variable “alert.colour”',
    ],
    [
      'notification.template.alert.resolved',
      '{{ events }}',
      "value: line 1, column 4: “events” isn't available for this template's events",
    ],
    ['default_notification_channel_id', 1e300, 'value: notification channel 1e+300 not found'],
    ['default_notification_channel_id', 0, 'value: must be at least 1'],
  ])('for %s reject the value %j and report the reason', async (key, value, reason) => {
    const as = await makeOrganization();
    const { status, body } = await override(as, key, value);
    expect(status).toBe(400);
    expect((body as unknown as { detail: string }).detail).toContain(reason);
    expect((await call<List>(as, 'GET /settings/org-overrides')).body.items).toEqual([]);
  });

  test('return 404 for an unknown key, and for the deletion of an override that does not exist', async () => {
    const as = await makeOrganization();
    const answers = await Promise.all([
      override(as, 'no.such.key', 1),
      override(as, '__proto__', 1),
      call(as, 'DELETE /settings/org-overrides/no.such.key'),
      call(as, 'DELETE /settings/org-overrides/task.max_attempts'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
  });

  test('can be changed only by administrators', async () => {
    const as = await makeOrganization();
    const key = '/settings/org-overrides/task.max_attempts';
    expect((await call({ ...as, role: 'member' }, `PUT ${key}`, { value: 2 })).status).toBe(403);
    expect((await call({ ...as, role: 'admin' }, `PUT ${key}`, { value: 2 })).status).toBe(200);
    expect((await call({ ...as, role: 'member' }, `DELETE ${key}`)).status).toBe(403);
  });

  test('cannot be changed globally with a system key', async () => {
    const system = { organizationId: 1 };
    expect((await override(system, 'task.max_attempts', 9)).status).toBe(403);
    expect((await call(system, 'DELETE /settings/org-overrides/task.max_attempts')).status).toBe(403);
    const as = await makeOrganization();
    expect((await effective(as, 'task.max_attempts')).value).toBe(3);
  });

  test('keep their values in other organizations when one organization overrides them', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    await override(one, 'delivery.timeout_seconds', 5);
    expect((await effective(other, 'delivery.timeout_seconds')).value).toBe(15);
    expect((await call(other, 'DELETE /settings/org-overrides/delivery.timeout_seconds')).status).toBe(404);
    expect((await effective(one, 'delivery.timeout_seconds')).value).toBe(5);
  });

  test('have one audit log entry for each change, with the person who made it', async () => {
    const as = await makeOrganization();
    await override(as, 'delivery.timeout_seconds', 5);
    await override(as, 'delivery.timeout_seconds', 5);
    await override(as, 'notification.template.alert.new', '{"text": "secret"}');
    await call(as, 'DELETE /settings/org-overrides/delivery.timeout_seconds');
    const { body } = await call<{ items: object[] }>(as, 'GET /audit-log');
    expect(body.items).toMatchObject([
      {
        action: 'setting.deleted',
        resource_name: 'delivery.timeout_seconds',
        changes: [{ from: 5, to: null }],
      },
      {
        action: 'notification_template.updated',
        resource_name: 'notification.template.alert.new',
        changes: [{ field: 'value', from: null, to: null, is_secret: true }],
      },
      {
        action: 'setting.updated',
        detail: { value: 5 },
        changes: [{ field: 'value', from: null, to: 5, is_secret: false }],
        actor: { name: 'Ana' },
      },
    ]);
    expect(JSON.stringify(body.items)).not.toContain('secret"}');
  });

  test('are read for many organizations in one statement', async () => {
    const organizations = [await makeOrganization(), await makeOrganization()];
    const ids = organizations.map((as) => as.organizationId);
    await override(organizations[0]!, 'retention.runs_days', 7);
    const statements = await statementsOf(async () => {
      const settings = await readSettingsAcrossOrganizations(db, ids);
      expect(ids.map((id) => settings.get(id)!['retention.runs_days'])).toEqual([7, 30]);
    });
    expect(statements).toHaveLength(1);
  });
});

describe('platform words', () => {
  const key = 'versions.platform_words';

  test('must consist of lowercase letters and have no other meaning in versions, and the error contains the invalid word', async () => {
    const as = await makeOrganization();
    const errorsOf = async (value: unknown) => {
      const answer = (await override(as, key, value)) as unknown as {
        status: number;
        body: { errors: unknown };
      };
      return [answer.status, answer.body.errors];
    };
    expect(await errorsOf(['acmeos', 'rc', 'patch'])).toEqual([
      400,
      [
        {
          field: 'value.1',
          message: '"rc" already has another meaning in versions: Stage 6: release candidate',
        },
        { field: 'value.2', message: '"patch" already has another meaning in versions: Revisions' },
      ],
    ]);
    for (const value of [['acme7'], ['q'], ['Acme'], ['acmeos', 'acmeos'], 'acmeos', [7], null])
      expect((await errorsOf(value))[0], JSON.stringify(value)).toBe(400);
    const many = Array.from(
      { length: 51 },
      (_, index) => `q${'abcdefghij'[index % 10]}${'klmnop'[index % 6]}q${'xyz'.repeat(index)}`,
    );
    expect((await errorsOf(many))[0]).toBe(400);
    expect((await override(as, key, ['acmeos', 'alpine'])).status).toBe(200);
    expect((await effective(as, key)).value).toEqual(['acmeos', 'alpine']);
  });
});

describe('a global value', () => {
  test('is validated like an override', async () => {
    const set = (key: string, value: unknown) => setGlobalSetting({ db, sandbox }, key, value);
    await expect(set('no.such.key', 1)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Unknown setting no.such.key.',
    });
    await expect(set('delivery.timeout_seconds', 99)).rejects.toThrow('value: must be at most 30');
    await expect(set('notification.template.alert.new', '{{ nothing }}')).rejects.toThrow(ApiError);
  });

  test('cannot reference a channel, because channels belong to one organization', async () => {
    const as = await makeOrganization();
    const { body } = await call<{ id: number }>(as, 'POST /notification-channels', {
      name: 'Operations',
      url: 'https://hooks.chat.example/x',
    });
    const set = (value: unknown) =>
      setGlobalSetting({ db, sandbox }, 'default_notification_channel_id', value);
    await expect(set(body.id)).rejects.toThrow('channels belong to one organization');
    await set(null);
    await set(undefined);
  });
});

describe('the default channel', () => {
  test('must belong to the organization, and a foreign channel gets the same error as one that never existed', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const body = { name: 'Operations', url: 'https://hooks.chat.example/x' };
    const own = await call<{ id: number }>(one, 'POST /notification-channels', body);
    const foreign = await call<{ id: number }>(other, 'POST /notification-channels', body);
    const key = 'default_notification_channel_id';
    const answers = [
      await override(one, key, foreign.body.id),
      await override(one, key, 999_999),
    ] as unknown as {
      status: number;
      body: { detail: string };
    }[];
    expect(answers.map((answer) => answer.status)).toEqual([400, 400]);
    expect(answers[0]!.body.detail.replace(String(foreign.body.id), 'N')).toBe(
      answers[1]!.body.detail.replace('999999', 'N'),
    );
    expect((await override(one, key, own.body.id)).status).toBe(200);
    expect((await effective(one, key)).value).toBe(own.body.id);
  });
});
