import { expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import type { ReceivedWebhook } from '../../../../tests/helpers/webhook-inbox.ts';
import type { RequestFormat } from '../../../domain/channels/request-format.ts';
import { signWebhook } from '../../../platform/secrets/index.ts';
import { sealChannelColumn } from './secrets/channel-secrets.ts';

const { db, world, inbox, setUp, allFinal } = await createDeliveryFixture();
world.startLoop();

const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/**
 * Creates a channel whose form of requests differs from the default. `path` is appended to the channel's
 * unique path.
 */
async function setUpForm(
  { path = '', closingPath, ...form }: Partial<RequestFormat> & { path?: string; closingPath?: string },
  template = '{"text": {{ event | json }}}',
) {
  const channel = await setUp({ template, signingSecret });
  const url = `${inbox.url.slice(0, -1)}${channel.path}${path}`;
  const seal = (column: 'url_sealed' | 'closing_path_sealed', value: string) =>
    sealChannelColumn(world.secretBox, channel.organizationId, channel.channelId, column, value);
  await db
    .updateTable('notification_channels')
    .set({
      ...form,
      url_sealed: seal('url_sealed', url),
      closing_path_sealed: closingPath === undefined ? null : seal('closing_path_sealed', closingPath),
    })
    .where('id', '=', channel.channelId)
    .execute();
  return channel;
}

function expectSigned({ id, headers, body }: ReceivedWebhook): void {
  const timestamp = Number(headers['webhook-timestamp']);
  expect(headers['webhook-signature']).toBe(signWebhook(id, timestamp, body, [signingSecret]));
}

/** Opens an alert and then resolves it. Returns the requests after both were delivered. */
async function openAndResolve(organizationId: number) {
  const before = inbox.requests.length;
  const [alertId] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  await allFinal(organizationId, 1);
  await world.raiseEvents(organizationId, [{ alertId: alertId!, eventType: 'alert.resolved' }]);
  const deliveries = await allFinal(organizationId, 2);
  return { alertId: alertId!, deliveries, requests: inbox.requests.slice(before) };
}

test('resolved alerts are sent to the closing path with its method, and other events to the URL', async () => {
  const { organizationId, path } = await setUpForm({
    closingPath: '/v2/alerts/{{ alert.id }}/close?identifierType=alias',
    closing_method: 'PATCH',
  });
  const { alertId, requests } = await openAndResolve(organizationId);
  expect(requests.map(({ method, path }) => [method, path])).toEqual([
    ['POST', path],
    ['PATCH', `/v2/alerts/${alertId}/close?identifierType=alias`],
  ]);
  for (const request of requests) expectSigned(request);
});

test('a DELETE request to the closing path has no body and a valid signature', async () => {
  const { organizationId } = await setUpForm({
    closingPath: '/incidents/{{ alert.id }}',
    closing_method: 'DELETE',
  });
  const { requests } = await openAndResolve(organizationId);
  expect(requests[1]).toMatchObject({ method: 'DELETE', body: '' });
  expectSigned(requests[1]!);
});

test('a PUT request has the event ID in its path', async () => {
  const { organizationId, path } = await setUpForm({ path: '/send/{{ event_id }}', request_method: 'PUT' });
  const before = inbox.requests.length;
  const [alertId] = await world.createAlerts(organizationId);
  const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  await allFinal(organizationId, 1);
  const [request] = inbox.requests.slice(before);
  expect([request!.method, request!.path]).toEqual(['PUT', `${path}/send/${plan!.eventId}`]);
});

test('a form body has a field for each member of the message', async () => {
  const { organizationId } = await setUpForm(
    { body_format: 'form' },
    '{"to": "ops", "topic": {{ alert.artifact_name | json }}, "id": {{ alert.id }}}',
  );
  const { alertId, requests } = await openAndResolve(organizationId);
  expect(requests[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Object.fromEntries(new URLSearchParams(requests[0]!.body))).toEqual({
    to: 'ops',
    topic: 'github.com/nginx/nginx',
    id: String(alertId),
  });
  expectSigned(requests[0]!);
});

test('a template whose output is nested thousands of levels is replaced by the default message', async () => {
  const { organizationId } = await setUpForm(
    { body_format: 'form' },
    `{"a": ${'['.repeat(6_000)}${']'.repeat(6_000)}}`,
  );
  const { requests } = await openAndResolve(organizationId);
  expect(requests.map(({ body }) => new URLSearchParams(body).get('type'))).toEqual([
    'alert.created',
    'alert.resolved',
  ]);
});

test('messages of a channel with a closing path are never combined', async () => {
  const { organizationId } = await setUpForm({ closingPath: '/close/{{ alert.id }}' });
  const before = inbox.requests.length;
  const alertIds = await world.createAlerts(organizationId, 3);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId, openingCause: 'one change' })),
  );
  await allFinal(organizationId, 3);
  expect(inbox.requests.slice(before).map(({ body }) => JSON.parse(body).text)).toEqual(
    alertIds.map(() => 'alert.created'),
  );
});
