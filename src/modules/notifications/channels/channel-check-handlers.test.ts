import { afterAll, describe, expect, test } from 'vitest';
import { createNotificationsServer } from '../../../../tests/helpers/notifications-fixture.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const { call, makeOrganization, statementsOf } = await createNotificationsServer();
const open = await createNotificationsServer({ egressAllow: ['127.0.0.0/8'], allowHttpWebhooks: true });
const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
type Result = Schemas['WebhookConfigValidationResult'];

const url = 'https://hooks.chat.example/x';
const template = '{"text": {{ alert.config_name | json }}}';

describe('the validation of a webhook configuration', () => {
  test('reports a valid configuration as valid, and returns the rendered message', async () => {
    const as = { ...(await makeOrganization()), role: 'viewer' as const };
    const { status, body } = await call<Result>(as, 'POST /notification-channels/validate', {
      url,
      template,
      category: 'new_alert',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      rendered: '{"text": "payments-api in production"}',
    });
  });

  test.each<[string, string[]]>([
    ['', ['invalid_url']],
    ['hooks.chat.example', ['invalid_url']],
    ['https://', ['invalid_url']],
    ['https://host\\@127.0.0.1/', ['invalid_url']],
    ['https://hooks.chat.example/a b', ['invalid_url']],
    ['javascript:alert(1)', ['invalid_url']],
    ['http://hooks.chat.example/x', ['https_required']],
    ['http://me:secret@10.0.0.1/x', ['https_required', 'userinfo_not_allowed', 'target_not_allowed']],
    ['https://10.1.2.3/x', ['target_not_allowed']],
    ['https://2130706433/x', ['target_not_allowed']],
    ['https://0177.0.0.1/x', ['target_not_allowed']],
    ['https://[fd00::1]/x', ['target_not_allowed']],
    ['https://[::ffff:127.0.0.1]/x', ['target_not_allowed']],
    ['https://localhost/x', ['target_not_allowed']],
    ['https://a.localhost/x', ['target_not_allowed']],
    ['https://printer.local/x', ['target_not_allowed']],
    ['https://metadata.google.internal/x', ['target_not_allowed']],
    ['https://hooks.chat.example./x', []],
    ['https://name-that-does-not-resolve.example/x', []],
  ])('reports these errors for the URL %j: %j', async (address, codes) => {
    const as = await makeOrganization();
    const { body } = await call<Result>(as, 'POST /notification-channels/validate', { url: address });
    expect(body.errors.map((error) => error.code)).toEqual(codes);
    expect(body.valid).toBe(codes.length === 0);
  });

  test('reports the line and column of every error in the template', async () => {
    const as = await makeOrganization();
    const { body } = await call<Result>(as, 'POST /notification-channels/validate', {
      url,
      template: '{"a":\n  {{ alert.colour }},\n  {{ nothing }} }',
    });
    expect(body).toMatchObject({
      valid: false,
      errors: [
        { field: 'template', code: 'unknown_variable', line: 2, column: 6 },
        { field: 'template', code: 'unknown_variable', line: 3, column: 6 },
      ],
      rendered: null,
    });
  });

  test('renders the preset if no template is given, and the current default message if neither is given', async () => {
    const as = await makeOrganization();
    const rendered = async (config: object) =>
      JSON.parse(
        (await call<Result>(as, 'POST /notification-channels/validate', { url, ...config })).body.rendered!,
      );
    expect(await rendered({ preset: 'ntfy', category: 'resolved' })).toMatchObject({
      title: expect.stringContaining('Resolved'),
    });
    expect(await rendered({ category: 'acknowledged' })).toMatchObject({ type: 'alert.acknowledged' });
    await call(as, 'PUT /notification-templates/resolved', { body: '{"ours": {{ event | json }}}' });
    expect(await rendered({ category: 'resolved' })).toEqual({ ours: 'alert.resolved' });
  });

  test('rejects a template whose JSON is invalid or becomes invalid with some names', async () => {
    const as = await makeOrganization();
    for (const template of ['{"a": {{ alert.config_name }}}', '{"a": "{{ alert.config_name }}"}']) {
      const { body } = await call<Result>(as, 'POST /notification-channels/validate', {
        url,
        template,
        category: 'new_alert',
      });
      expect(body).toMatchObject({
        valid: false,
        errors: [{ field: 'template', message: expect.stringContaining('json filter') }],
      });
    }
  });

  test('warns about valid configurations that have side effects', async () => {
    const as = await makeOrganization();
    const warnings = async (config: object) =>
      (await call<Result>(as, 'POST /notification-channels/validate', { url, ...config })).body.warnings;
    expect(await warnings({ template: 'plain text', category: 'new_alert' })).toMatchObject([
      { code: 'not_json' },
    ]);
    // The template applies to every event, but some events have no alert.
    expect(await warnings({ template })).toMatchObject([
      {
        code: 'default_body',
        message: expect.stringContaining(
          'digest, job.failing, job.recovered, agent.offline, agent.online, login_provider.failing, login_provider.recovered, target.missed, target.met, freshness.report, release.moved, deployment.changed, channel.disabled',
        ),
      },
    ]);
    const plain = { url: 'http://hooks.chat.example/x' };
    const { body } = await open.call<Result>(
      await open.makeOrganization(),
      'POST /notification-channels/validate',
      plain,
    );
    expect(body).toMatchObject({ valid: true, warnings: [{ field: 'url', code: 'plain_http' }] });
  });

  test('accepts URLs that the operator allows', async () => {
    const { body } = await open.call<Result>(
      await open.makeOrganization(),
      'POST /notification-channels/validate',
      {
        url: inbox.url,
      },
    );
    expect(body.valid).toBe(true);
    expect(inbox.requests).toEqual([]);
  });

  test('writes nothing', async () => {
    const as = await makeOrganization();
    const statements = await statementsOf(() =>
      call(as, 'POST /notification-channels/validate', { url, template }),
    );
    expect(statements).toEqual([]);
  });
});

const as = await open.makeOrganization();

describe('a test of a channel', () => {
  const create = async (body: object) =>
    (
      await open.call<{ id: number }>(as, 'POST /notification-channels', {
        name: 'Operations',
        url: inbox.url,
        ...body,
      })
    ).body.id;

  test('sends one message immediately, returns the response of the receiver, and stores no delivery', async () => {
    const id = await create({ template: '{"event": {{ event | json }}}' });
    const { status, body } = await open.call(as, `POST /notification-channels/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      status_code: 200,
      response_body: 'ok',
      error: null,
      request_body: '{"event": "channel.test"}',
    });
    expect(inbox.requests.map((request) => request.body)).toEqual(['{"event": "channel.test"}']);
    expect(await open.db.selectFrom('notification_deliveries').select('id').execute()).toEqual([]);
  });

  test('resolves the incident that it opens, and reports if the receiver rejects the resolution', async () => {
    const id = await create({ preset: 'pagerduty', preset_options: { routing_key: 'R'.repeat(32) } });
    const run = () =>
      open.call<Schemas['NotificationChannelTestResult']>(as, `POST /notification-channels/${id}/test`);
    const before = inbox.requests.length;
    expect((await run()).body).toMatchObject({ success: true, detail: null });
    const [opened, closed] = inbox.requests.slice(before).map(({ body }) => JSON.parse(body));
    expect(opened).toMatchObject({ event_action: 'trigger' });
    expect(closed).toEqual({
      routing_key: 'R'.repeat(32),
      event_action: 'resolve',
      dedup_key: opened.dedup_key,
    });
    inbox.answerNext({ status: 202 }, { status: 500 });
    const { body } = await run();
    expect(body.success).toBe(true);
    expect(body.detail).toContain("couldn't resolve the incident");
    inbox.answerNext({ status: 400 });
    await run();
    expect(inbox.requests).toHaveLength(before + 5);
  });

  test('uses only links to this installation in the sample alert', async () => {
    const id = await create({ template: '{{ alert | json }}' });
    const { body } = await open.call<{ request_body: string }>(as, `POST /notification-channels/${id}/test`);
    const { url, notes_url } = JSON.parse(body.request_body);
    expect(notes_url).toBe(`${url}#release-notes`);
    expect(body.request_body).not.toContain('pacekeeper.example.com');
  });

  test('never disables the channel or counts a failure', async () => {
    const id = await create({});
    inbox.answerNext({ status: 410 });
    const { body } = await open.call(as, `POST /notification-channels/${id}/test`);
    expect(body).toMatchObject({ success: false, status_code: 410, error: { code: 'gone' } });
    expect((await open.call(as, `GET /notification-channels/${id}`)).body).toMatchObject({
      is_active: true,
      health: { status: 'unknown', consecutive_failures: 0 },
    });
  });

  test('is forbidden for viewers', async () => {
    const id = await create({});
    expect(
      (await open.call({ ...as, role: 'viewer' }, `POST /notification-channels/${id}/test`)).status,
    ).toBe(403);
  });
});
