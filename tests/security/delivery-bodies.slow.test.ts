import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import type { ReceivedWebhook } from '../helpers/webhook-inbox.ts';
import { randomText, startChannelServer } from './channel-fixture.ts';

const { db, server, inbox, as, make, delivery, alertTo } = await startChannelServer({
  PACEKEEPER_RETRY_SCHEDULE_SECONDS: '1',
  PACEKEEPER_LOG_LEVEL: 'trace',
});

/** Returns a value with characters that JSON, URLs, and HTML escape. */
const awkward = () => `${randomText()}/"&<${randomText()}>' +\\${randomText()}`;

const secrets = {
  path: randomText(),
  query: `${randomText()}/${randomText()}`,
  header: awkward(),
  bearer: randomText(),
  user: randomText(),
  password: randomText(),
  option: randomText(),
  signing: randomBytes(32).toString('base64'),
  previousSigning: randomBytes(32).toString('base64'),
};

/** All formats in which receivers echo a request. */
const echoes: Record<string, (request: ReceivedWebhook) => string> = {
  'as JSON': (request) => JSON.stringify(request),
  'as JSON that escapes slashes': (request) => JSON.stringify(request).replaceAll('/', '\\/'),
  'as JSON that escapes for HTML': (request) =>
    JSON.stringify(request).replace(/[<>&']/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`),
  'as JSON in JSON': (request) => JSON.stringify({ data: JSON.stringify(request) }),
  'as plain text': ({ path, headers, body }) =>
    [
      path,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      body,
      decodeURIComponent(path),
    ].join('\n'),
  'as HTML': ({ path, headers }) =>
    `<pre>${[path, ...Object.values(headers)].join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')}</pre>`,
  'percent-encoded': ({ path, headers }) =>
    new URLSearchParams({ path, ...headers }).toString() + encodeURIComponent(JSON.stringify(headers)),
  'in base64': (request) => Buffer.from(JSON.stringify(request)).toString('base64'),
  'in base64 after one other character': (request) =>
    Buffer.from(`x${JSON.stringify(request)}`).toString('base64url'),
  'in hexadecimal': ({ path, headers, body }) =>
    Buffer.from([path, ...Object.values(headers), body].join(' ')).toString('hex'),
  'each header in base64': ({ headers }) =>
    Object.values(headers)
      .map((value) => Buffer.from(value).toString('base64'))
      .join(' '),
  'the user and password decoded from base64': ({ headers }) =>
    Buffer.from(headers['authorization']!.slice('Basic '.length), 'base64').toString(),
  'across the truncation point of the response': (request) =>
    'x'.repeat(4_096 - 20) + request.headers['x-token'],
};

/** Returns a value as text, in base64 at every alignment, and in hexadecimal. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    encodeURIComponent(value),
    bytes.toString('hex'),
    ...[0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : before + 1, -4),
    ),
  ];
}

/**
 * Returns the names of the secrets that a string contains, even if it contains only a part of a secret, such
 * as the characters that no encoding changes.
 */
function findSecrets(text: string): string[] {
  return Object.entries(secrets)
    .filter(([, value]) =>
      [value, ...value.split(/[^0-9A-Za-z]+/)]
        .filter(({ length }) => length > 8)
        .some((part) => formsOf(part).some((form) => text.includes(form))),
    )
    .map(([what]) => what);
}

let channelId = 0;
let echo = echoes['as JSON']!;
const tokens = () => inbox.requests.flatMap(({ body }) => /\/ack\/([\w.-]+)/.exec(body)?.[1] ?? []);

beforeAll(async () => {
  channelId = await make.channel({
    url: `${inbox.url}hook/${secrets.path}?key=${encodeURIComponent(secrets.query)}&wait=1`,
    preset: 'pagerduty',
    preset_options: { routing_key: secrets.option },
    headers: {
      'X-Token': secrets.header,
      'X-Bearer': `Bearer ${secrets.bearer}`,
      Authorization: `Basic ${Buffer.from(`${secrets.user}:${secrets.password}`).toString('base64')}`,
    },
    signing_secret: `whsec_${secrets.previousSigning}`,
  });
  await as.admin.call('updateNotificationChannel', {
    path: { id: channelId },
    body: { signing_secret: `whsec_${secrets.signing}` },
  });
  inbox.answerAlways((request) => ({ status: 500, body: echo(request) }));
});

const detail = (id: number, role: keyof typeof as) =>
  as[role].call('getNotificationDelivery', { path: { id } });

describe('a receiver that echoes the request', () => {
  test.each(Object.keys(echoes))('%s reveals no secret to the person who tests the channel', async (name) => {
    echo = echoes[name]!;
    const result = await as.admin.call('testNotificationChannel', { path: { id: channelId } });
    expect(result).toMatchObject({ success: false, status_code: 500 });
    expect(result.response_body).toContain('…');
    expect(result.response_body!.length).toBeLessThanOrEqual(4_096);
    expect(findSecrets(JSON.stringify(result))).toEqual([]);
  });

  test.each(['as JSON', 'as plain text', 'in base64'])(
    '%s reveals no secret in a delivery to any role, and is stored encrypted',
    async (name) => {
      echo = echoes[name]!;
      await alertTo(channelId);
      const { id } = await delivery(channelId, 'dead_letter');
      const whole = await detail(id, 'owner');
      expect(whole.payload).toContain('"routing_key":"…"');
      expect(whole.attempts).toHaveLength(2);
      for (const { response_body } of whole.attempts) expect(response_body).toContain('…');
      expect(findSecrets(JSON.stringify(whole))).toEqual([]);
      expect(tokens().length).toBeGreaterThan(0);
      for (const token of tokens()) {
        expect(JSON.stringify(whole)).not.toContain(token);
        expect(JSON.stringify(whole)).not.toContain(Buffer.from(token).toString('base64').slice(4, -4));
      }
      const { rows } = await sql<{ line: string }>`
        SELECT to_jsonb(a)::text AS line FROM delivery_attempts a WHERE notification_delivery_id = ${id}`.execute(
        db,
      );
      expect(rows).toHaveLength(2);
      // The parts of the response that aren't secret are encrypted as well.
      for (const { line } of rows) {
        expect(line).not.toContain('"response_body":');
        expect(line).not.toMatch(/content-type|webhook-id/);
        expect(line).toContain('"response_body_sealed": "\\\\x01');
      }
    },
  );
});

test('a member who tests a channel sees the result but no bodies', async () => {
  echo = echoes['as plain text']!;
  for (const role of ['member', 'admin', 'owner'] as const) {
    const result = await as[role].call('testNotificationChannel', { path: { id: channelId } });
    const body = role === 'member' ? null : expect.stringMatching(/…/);
    expect(result).toEqual({
      success: false,
      status_code: 500,
      duration_ms: expect.any(Number),
      error: { code: 'http_status', message: expect.any(String) },
      request_body: body,
      response_body: body,
      detail: null,
    });
  }
});

describe('bodies of a delivery', () => {
  test('are shown only to administrators and owners', async () => {
    const { id } = await delivery(channelId, 'dead_letter');
    for (const role of ['viewer', 'member'] as const) {
      const { payload, attempts } = await detail(id, role);
      expect(payload).toBeNull();
      expect(attempts.map(({ response_body }) => response_body)).toEqual([null, null]);
    }
    for (const role of ['admin', 'owner'] as const) {
      const { payload, attempts } = await detail(id, role);
      expect(JSON.parse(payload!)).toMatchObject({ event_action: 'trigger' });
      expect(attempts.map(({ response_body }) => typeof response_body)).toEqual(['string', 'string']);
    }
  });

  const template = '{"link": {{ acknowledge_url | json }}, "text": {{ alert.config_name | json }}}';

  test.each<[string, (id: number) => Promise<unknown>]>([
    [
      'its secrets were replaced',
      async (id) => {
        await as.admin.call('updateNotificationChannel', {
          path: { id },
          body: { headers: { 'X-Other': 'other' } },
        });
        const { preset } = await as.admin.call('getNotificationChannel', { path: { id } });
        const preset_options: Record<string, string> =
          preset === 'pagerduty' ? { routing_key: 'a'.repeat(32) } : {};
        await as.admin.call('updateNotificationChannel', { path: { id }, body: { preset_options } });
      },
    ],
    ['it was deleted', (id) => as.admin.call('deleteNotificationChannel', { path: { id } })],
  ])('hide the secrets of a channel although %s', async (_what, change) => {
    const ids = [
      await make.channel({
        url: `${inbox.url}${secrets.path}`,
        preset: 'pagerduty',
        preset_options: { routing_key: secrets.option },
        headers: { 'X-Bearer': `Bearer ${secrets.bearer}` },
      }),
      await make.channel({
        url: `${inbox.url}${secrets.path}`,
        template,
        headers: { 'X-Bearer': `Bearer ${secrets.bearer}` },
      }),
    ];
    echo = echoes['as JSON']!;
    await alertTo(...ids);
    const dead = await Promise.all(ids.map((id) => delivery(id, 'dead_letter')));
    const before = await Promise.all(dead.map(({ id }) => detail(id, 'owner')));
    for (const id of ids) await change(id);
    const after = await Promise.all(dead.map(({ id }) => detail(id, 'owner')));
    const bodies = (all: Schemas['NotificationDeliveryDetail'][]) =>
      all.map(({ payload, attempts }) => [payload, attempts]);
    expect(bodies(after)).toEqual(bodies(before));
    expect(before.every(({ payload }) => payload?.includes('…'))).toBe(true);
    expect(findSecrets(JSON.stringify(after))).toEqual([]);
  });
});

test('lists, the audit log, activity, and the server log contain no secrets', async () => {
  const all = await Promise.all([
    as.admin.call('listNotificationDeliveries', { query: { limit: 200 } }),
    as.admin.call('listAuditLog', { query: { limit: 200 } }),
    as.admin.call('getNotificationChannelStats', { path: { id: channelId } }),
    ...(await as.admin.call('listAlerts', {})).items.map(({ id }) =>
      as.admin.call('listAlertActions', { path: { id } }),
    ),
  ]);
  expect(findSecrets(JSON.stringify(all))).toEqual([]);
  const log = server.program.stdout() + server.program.stderr();
  expect(log).toContain('"level":"debug"');
  expect(findSecrets(log)).toEqual([]);
  for (const token of tokens()) expect(log).not.toContain(token);
});
