import { expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { until } from '../faults/fault-world.ts';
import { verifyWebhook } from '../helpers/webhook-inbox.ts';
import {
  errorResponseOf,
  newSigningSecret,
  randomText,
  receivedText,
  startChannelServer,
} from './channel-fixture.ts';

const { inbox, thief, as, make, delivery, alertTo } = await startChannelServer({
  PACEKEEPER_RETRY_SCHEDULE_SECONDS: '1,1',
});
/** A member can edit channels but can't read their secrets. */
const { member } = as;

/**
 * Creates a channel with all kinds of write-only values, none of which another receiver is allowed to get.
 */
async function channelWithSecrets() {
  const secrets = { header: randomText(), option: randomText(), signing: newSigningSecret() };
  const id = await make.channel({
    url: `${inbox.url}hook`,
    preset: 'pagerduty',
    preset_options: { routing_key: secrets.option },
    headers: { 'X-Token': secrets.header },
    signing_secret: secrets.signing,
  });
  const put = (body: Schemas['UpdateNotificationChannelRequest']) =>
    member.call('updateNotificationChannel', { path: { id }, body });
  return { id, secrets, put };
}

const all = ['headers.X-Token', 'preset_options', 'signing_secret'];
const anotherSecret = newSigningSecret();

test.each<[string, object, string[]]>([
  ['another port', { url: thief.url }, all],
  ['another scheme', { url: inbox.url.replace('http:', 'https:') }, all],
  ['another name for the same host', { url: inbox.url.replace('127.0.0.1', 'localhost') }, all],
  ['the host with a trailing dot', { url: `http://localhost.:${inbox.port}/` }, all],
  ['the host in another script', { url: 'https://exаmple.com/' }, all],
  ['another preset', { preset: 'slack' }, all],
  ['another preset with the same options', { preset: 'generic', headers: { 'X-Token': null } }, all],
  ['another preset and another port', { preset: 'slack', url: thief.url }, all],
  [
    'a header kept by null',
    {
      url: thief.url,
      headers: { 'X-Token': null },
      preset_options: { routing_key: 'a'.repeat(32) },
      signing_secret: null,
    },
    ['headers.X-Token'],
  ],
  [
    'a header kept by null under its name in different letter case',
    {
      url: thief.url,
      headers: { 'x-tOKEN': null },
      preset_options: { routing_key: 'a'.repeat(32) },
      signing_secret: null,
    },
    ['headers.x-tOKEN'],
  ],
  [
    'all secrets replaced except the signing secret',
    { url: thief.url, headers: {}, preset_options: { routing_key: 'a'.repeat(32) } },
    ['signing_secret'],
  ],
  [
    'all secrets replaced except the preset options',
    { url: thief.url, headers: { 'X-Token': 'another' }, signing_secret: anotherSecret },
    ['preset_options'],
  ],
  ['another URL together with is_active set to false', { url: thief.url, is_active: false }, all],
])(
  'the receiver of a channel can’t be changed if stored secrets would be sent to the new one: %s',
  async (_what, body, fields) => {
    const { id, secrets, put } = await channelWithSecrets();
    const before = await as.admin.call('getNotificationChannel', { path: { id } });
    const error = await errorResponseOf(put(body));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.errors?.map(({ field }) => field)).toEqual(fields);
    expect(error.detail).toContain('stored secrets are never sent to a new receiver');
    for (const secret of Object.values(secrets)) expect(JSON.stringify(error)).not.toContain(secret);

    expect(await as.admin.call('getNotificationChannel', { path: { id } })).toEqual(before);
    inbox.requests.length = 0;
    await member.call('testNotificationChannel', { path: { id } });
    expect(thief.requests).toEqual([]);
    // A channel test opens an incident and resolves it, so it sends two requests.
    expect(inbox.requests.map(({ path, headers }) => [path, headers['x-token']])).toEqual([
      ['/hook', secrets.header],
      ['/hook', secrets.header],
    ]);
  },
);

test('a URL with another spelling of the same origin, or with another path, keeps the secrets', async () => {
  const { id, secrets, put } = await channelWithSecrets();
  for (const url of [
    `HTTP://127.0.0.1:${inbox.port}/other`,
    `http://0x7f.1:${inbox.port}/other`,
    `http://127.1:${inbox.port}/other`,
  ]) {
    await put({ url });
    inbox.requests.length = 0;
    await member.call('testNotificationChannel', { path: { id } });
    const [request] = inbox.requests;
    expect(request).toMatchObject({ path: '/other', headers: { 'x-token': secrets.header } });
    expect(request!.body).toContain(secrets.option);
    verifyWebhook(request!, secrets.signing);
  }
});

test('a new receiver gets only the values from the same request, with no second signature by the old secret', async () => {
  const { id, secrets, put } = await channelWithSecrets();
  // After a rotation, both secrets sign for one day.
  const rotated = newSigningSecret();
  await put({ signing_secret: rotated });
  thief.requests.length = 0;
  const given = { header: 'given by the member', option: 'b'.repeat(32), signing: newSigningSecret() };
  await put({
    url: thief.url,
    headers: { 'X-Token': given.header },
    preset_options: { routing_key: given.option },
    signing_secret: given.signing,
  });
  await member.call('testNotificationChannel', { path: { id } });
  const [request] = thief.requests;
  expect(request!.headers['x-token']).toBe(given.header);
  expect(request!.body).toContain(given.option);
  expect(request!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  verifyWebhook(request!, given.signing);
  for (const secret of Object.values(secrets)) expect(receivedText(thief)).not.toContain(secret);
});

test('the former secret of a rotation in progress doesn’t sign for a new host, even if the request repeats the newest secret', async () => {
  const { id, put } = await channelWithSecrets();
  const rotated = newSigningSecret();
  await put({ signing_secret: rotated });
  thief.requests.length = 0;
  await put({
    url: thief.url,
    headers: {},
    preset_options: { routing_key: 'c'.repeat(32) },
    signing_secret: rotated,
  });
  await member.call('testNotificationChannel', { path: { id } });
  const [request] = thief.requests;
  expect(request!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  verifyWebhook(request!, rotated);
});

test('changing a preset and changing it back doesn’t restore its options', async () => {
  const { id, secrets, put } = await channelWithSecrets();
  await put({ preset: 'slack', preset_options: {}, headers: {}, signing_secret: null });
  const error = await errorResponseOf(put({ preset: 'pagerduty' }));
  expect(error.errors).toMatchObject([{ field: 'preset_options.routing_key' }]);
  inbox.requests.length = 0;
  await member.call('testNotificationChannel', { path: { id } });
  for (const secret of Object.values(secrets)) expect(receivedText(inbox)).not.toContain(secret);
});

test('concurrent updates can’t send stored secrets to a new receiver', async () => {
  const { id, secrets, put } = await channelWithSecrets();
  thief.requests.length = 0;
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? put({ url: thief.url })
        : put({ headers: { 'X-Token': null }, preset_options: { routing_key: secrets.option } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, index) => (index % 2 === 0 ? 'rejected' : 'fulfilled')),
  );
  await member.call('testNotificationChannel', { path: { id } });
  expect(thief.requests).toEqual([]);
});

test('validating a configuration sends no requests', async () => {
  thief.requests.length = 0;
  await member.call('validateWebhookConfig', { body: { url: thief.url, preset: 'pagerduty' } });
  expect(thief.requests).toEqual([]);
});

/** Creates a channel whose receiver always fails, with one pending delivery. */
async function failingDelivery() {
  const made = await channelWithSecrets();
  inbox.answerAlways({ status: 500 });
  await alertTo(made.id);
  return made;
}

const newTarget = {
  url: thief.url,
  headers: {},
  preset_options: { routing_key: 'd'.repeat(32) },
  signing_secret: null,
};

test.each(['pagerduty', 'generic'] as const)(
  'a pending delivery is rendered again for a new receiver (%s), without the secrets of the old one',
  async (preset) => {
    const { id, secrets, put } = await failingDelivery();
    await delivery(id, 'failed');
    thief.requests.length = 0;
    await put({ ...newTarget, preset, preset_options: preset === 'generic' ? {} : newTarget.preset_options });
    await delivery(id, 'succeeded');
    const [request] = thief.requests;
    const first = inbox.requests.findLast(({ body }) => body.includes(secrets.option));
    expect(request!.id).toBe(first!.id);
    expect(request!.body).toContain('1.0.0');
    for (const secret of Object.values(secrets)) expect(receivedText(thief)).not.toContain(secret);
  },
);

test('a retried dead letter is also rendered again for a new receiver', async () => {
  const { id, secrets, put } = await failingDelivery();
  const dead = await until('a dead letter', async () => {
    const found = await delivery(id, 'failed', 'dead_letter');
    return found.status === 'dead_letter' && found;
  });
  thief.requests.length = 0;
  await put(newTarget);
  await member.call('retryNotificationDelivery', { path: { id: dead.id } });
  await delivery(id, 'succeeded');
  expect(thief.requests).toHaveLength(1);
  for (const secret of Object.values(secrets)) expect(receivedText(thief)).not.toContain(secret);
});
