import { describe, expect, test } from 'vitest';
import {
  createNotificationsServer,
  type TestCaller,
} from '../../../../tests/helpers/notifications-fixture.ts';
import { defaultTemplates } from '../../../domain/templates/default-templates.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { setGlobalSetting } from '../../settings/index.ts';

const { db, sandbox, call, makeOrganization, statementsOf } = await createNotificationsServer();
type Template = Schemas['NotificationTemplateInfo'];
type Preview = Schemas['NotificationTemplatePreviewResponse'];

const list = async (as: TestCaller) =>
  (await call<{ items: Template[] }>(as, 'GET /notification-templates')).body.items;
const preview = (as: TestCaller, body: object) =>
  call<Preview>(as, 'POST /notification-templates/preview', body);
const own = '{"text": {{ alert.config_name | json }}}';

describe('notification templates', () => {
  test('are initially the global defaults, one for each category, with its events and fields', async () => {
    const as = await makeOrganization();
    const templates = await list({ ...as, role: 'viewer' });
    expect(templates).toMatchObject([
      { category: 'new_alert', events: ['alert.created', 'alert.escalated', 'alert.reminder'] },
      { category: 'acknowledged', events: ['alert.acknowledged', 'alert.unacknowledged'] },
      { category: 'resolved', events: ['alert.resolved'] },
    ]);
    for (const { source, body, default_body, fields, updated_at, category } of templates) {
      expect({ source, body, default_body, updated_at }).toEqual({
        source: 'global_default',
        body: defaultTemplates[category],
        default_body: defaultTemplates[category],
        updated_at: null,
      });
      expect(fields).toContainEqual(
        expect.objectContaining({ name: 'alert.severity', type: 'string', example: 'critical' }),
      );
    }
    expect(await statementsOf(() => list(as))).toHaveLength(1);
  });

  test('share their values with the general settings', async () => {
    const as = await makeOrganization();
    const key = 'notification.template.alert.resolved';
    const setting = async () => {
      const { body } = await call<{ items: Schemas['Setting'][] }>(as, 'GET /settings/org-overrides');
      return body.items.find((item) => item.key === key)?.value;
    };
    const { status, body } = await call<Template>(as, 'PUT /notification-templates/resolved', { body: own });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      source: 'organization_override',
      body: own,
      updated_at: expect.any(String),
    });
    expect(await setting()).toBe(own);

    await call(as, `PUT /settings/org-overrides/${key}`, { value: `${own} ` });
    expect((await list(as))[2]).toMatchObject({ source: 'organization_override', body: `${own} ` });
    await call(as, `DELETE /settings/org-overrides/${key}`);
    expect((await list(as))[2]).toMatchObject({ source: 'global_default' });

    await call(as, `PUT /settings/org-overrides/${key}`, { value: own });
    const removed = await call<Template>(as, 'DELETE /notification-templates/resolved');
    expect(removed).toMatchObject({ status: 200, body: { source: 'global_default', updated_at: null } });
    expect(await setting()).toBeUndefined();
    expect((await call(as, 'DELETE /notification-templates/resolved')).status).toBe(404);
    const log = await call<{ items: { action: string }[] }>(as, 'GET /audit-log');
    expect(log.body.items.map((item) => item.action)).toEqual(
      ['deleted', 'updated', 'deleted', 'updated', 'updated'].map((what) => `notification_template.${what}`),
    );
  });

  test('use the global default that an operator has set', async () => {
    const as = await makeOrganization();
    const key = 'notification.template.alert.acknowledged';
    await setGlobalSetting({ db, sandbox }, key, own);
    expect((await list(as))[1]).toMatchObject({ source: 'global_default', body: own, default_body: own });
    await setGlobalSetting({ db, sandbox }, key, undefined);
  });

  test('that cannot be rendered are rejected with the line and column of the error', async () => {
    const as = await makeOrganization();
    const { status, body } = await call(as, 'PUT /notification-templates/new_alert', {
      body: 'a\nb {{ alert.colour }}\n{% nope %}',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ field: 'body', message: expect.stringMatching(/^line [23], column \d+: /) }],
    });
    expect((await list(as))[0]).toMatchObject({ source: 'global_default' });
  });

  test('of an unknown category are rejected', async () => {
    const as = await makeOrganization();
    expect((await call(as, 'PUT /notification-templates/other', { body: own })).status).toBe(400);
    expect((await call(as, 'DELETE /notification-templates/other')).status).toBe(400);
  });

  test('can be changed only by admins of their organization', async () => {
    const [one, other] = [await makeOrganization(), await makeOrganization()];
    const put = (as: TestCaller) => call(as, 'PUT /notification-templates/new_alert', { body: own });
    expect((await put({ ...one, role: 'member' })).status).toBe(403);
    expect((await put({ ...one, role: 'admin' })).status).toBe(200);
    expect((await put({ organizationId: 1 })).status).toBe(403);
    expect((await list(other))[0]!.source).toBe('global_default');
    expect((await call(other, 'DELETE /notification-templates/new_alert')).status).toBe(404);
    expect((await list(one))[0]!.source).toBe('organization_override');
  });
});

describe('the preview of a template', () => {
  test('renders a given template with sample data, including for viewers, and stores nothing', async () => {
    const as = { ...(await makeOrganization()), role: 'viewer' as const };
    const statements = await statementsOf(async () => {
      const { body } = await preview(as, { category: 'new_alert', body: own });
      expect(body).toEqual({
        rendered: '{"text": "payments-api in production"}',
        is_valid_json: true,
        errors: [],
      });
    });
    expect(statements).toEqual([]);
  });

  test('replaces sample values with those of the caller', async () => {
    const as = await makeOrganization();
    const { body } = await preview(as, {
      category: 'new_alert',
      body: '{{ event }} {{ alert.severity }} {{ alert.labels.team }}/{{ alert.labels.env }} {{ alert.latest_version | json }}',
      sample: {
        event: 'alert.escalated',
        alert: { severity: 'high', labels: { team: 'x' }, latest_version: null },
      },
    });
    expect(body).toMatchObject({ rendered: 'alert.escalated high x/ null', is_valid_json: false });
  });

  test.each<[object, string]>([
    [{ nothing: 1 }, 'sample.nothing'],
    [{ alert: { colour: 'red' } }, 'sample.alert.colour'],
    [{ alert: 'critical' }, 'sample.alert'],
    [{ alert: { severity: 'terrible' } }, 'sample.alert.severity'],
    [{ alert: { rule_type: 'weeks_behind' } }, 'sample.alert.rule_type'],
    [{ alert: { behind_by: '3' } }, 'sample.alert.behind_by'],
    [{ alert: { config_name: null } }, 'sample.alert.config_name'],
    [{ alert: { labels: { team: 1 } } }, 'sample.alert.labels'],
    [{ event: 'alert.resolved' }, 'sample.event'],
    [JSON.parse('{"__proto__": {"a": 1}}') as object, 'sample.__proto__'],
    [{ constructor: {} }, 'sample.constructor'],
  ])('rejects the sample %j', async (sample, field) => {
    const as = await makeOrganization();
    for (const config of [{ body: own }, { preset: 'teams' }]) {
      const { status, body } = await preview(as, { category: 'new_alert', ...config, sample });
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ field }] });
    }
  });

  test('renders a preset, or the current template of the organization', async () => {
    const as = await makeOrganization();
    const rendered = async (body: object) =>
      JSON.parse((await preview(as, { category: 'resolved', ...body })).body.rendered!);
    expect(await rendered({ preset: 'slack' })).toHaveProperty('blocks');
    expect(await rendered({})).toMatchObject({ type: 'alert.resolved' });
    await call(as, 'PUT /notification-templates/resolved', { body: '{"mine": true}' });
    expect(await rendered({})).toEqual({ mine: true });
  });

  test('reports template errors in a 200 response', async () => {
    const as = await makeOrganization();
    const { status, body } = await preview(as, { category: 'resolved', body: '{{ alert.colour }}' });
    expect(status).toBe(200);
    expect(body).toEqual({
      rendered: null,
      is_valid_json: false,
      errors: [
        { code: 'unknown_variable', message: expect.stringContaining('alert.colour'), line: 1, column: 4 },
      ],
    });
    const broken = await preview(as, {
      category: 'resolved',
      body: '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}',
    });
    expect(broken.body).toMatchObject({
      rendered: null,
      errors: [{ code: 'too_much_work' }],
    });
  });
});
