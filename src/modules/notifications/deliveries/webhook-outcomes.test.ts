import { describe, expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import type { WebhookResponse } from '../../../../tests/helpers/webhook-inbox.ts';

const { db, world, inbox, answers } = await createDeliveryFixture();
world.startLoop();

let cases = 0;

/**
 * Sends one delivery to a receiver with the given response, and waits until its first attempt is recorded.
 */
async function deliverTo(target: WebhookResponse | { url: string }, schedule = [100, 100]) {
  const path = `/case-${++cases}`;
  if (!('url' in target)) answers.set(path, target);
  const url = 'url' in target ? target.url : `${inbox.url.slice(0, -1)}${path}`;
  const { organizationId, channelId } = await world.createOrganizationWithChannel({ url });
  await world.setSetting(organizationId, 'delivery.timeout_seconds', 1);
  await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', schedule);
  const [alertId] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  const delivery = await pollUntil(async () => {
    const rows = await world.deliveries(organizationId);
    return rows.find(
      (row) =>
        row.event_type === 'alert.created' && ['succeeded', 'failed', 'dead_letter'].includes(row.status),
    );
  });
  const [attempt] = await world.attempts(organizationId);
  const waitSeconds = delivery.next_attempt_at
    ? (delivery.next_attempt_at.getTime() - delivery.updated_at.getTime()) / 1_000
    : null;
  return {
    organizationId,
    channelId,
    delivery,
    attempt: attempt!,
    waitSeconds,
    requests: inbox.requests.filter((request) => request.path === path),
  };
}

async function check(
  target: WebhookResponse | { url: string },
  status: string,
  errorCode: string | null,
  responseStatus: number | null,
) {
  const { delivery, attempt, channelId, organizationId, requests } = await deliverTo(target);
  expect({ status: delivery.status, error: delivery.error_code, response: delivery.response_status }).toEqual(
    {
      status,
      error: errorCode,
      response: responseStatus,
    },
  );
  expect({ error: attempt.error_code, response: attempt.response_status }).toEqual({
    error: errorCode,
    response: responseStatus,
  });
  const channel = await world.channel(organizationId, channelId);
  expect(channel.consecutive_failures).toBe(errorCode === null ? 0 : 1);
  // Pacekeeper never follows redirects and sends the request only once.
  expect(requests.length).toBeLessThanOrEqual(1);
}

describe('the result of a delivery', () => {
  test.each([200, 201, 204, 299])('is a success for status %i', async (status) => {
    await check({ status }, 'succeeded', null, status);
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    'is a failure for status %i, and the redirect is never followed',
    async (status) => {
      await check({ status, headers: { location: `${inbox.url}elsewhere` } }, 'failed', 'redirect', status);
      expect(inbox.requests.some(({ path }) => path === '/elsewhere')).toBe(false);
    },
  );

  test.each([400, 401, 403, 404, 408, 413, 422, 500, 502, 503, 599])(
    'is a failure with a retry for status %i',
    async (status) => {
      await check({ status, body: 'no' }, 'failed', 'http_status', status);
    },
  );

  test('is a failure with a retry if the connection is reset', async () => {
    await check({ kind: 'reset' }, 'failed', 'connection_failed', null);
  });

  test('is a failure with a retry if the connection is refused', async () => {
    await check({ url: 'http://127.0.0.1:1/' }, 'failed', 'connection_failed', null);
  });

  test('is a failure with a retry if the host name cannot be resolved', async () => {
    await check({ url: 'https://no-such-host.invalid/' }, 'failed', 'name_not_found', null);
  });

  test('is a failure with a retry if the receiver of an https URL has no TLS', async () => {
    await check({ url: inbox.url.replace('http:', 'https:') }, 'failed', 'tls_failed', null);
  });

  test('is a failure with a retry if the response is not HTTP', async () => {
    await check({ kind: 'no_http' }, 'failed', 'invalid_response', null);
  });

  test('is final if the egress guard rejects the address', async () => {
    await check({ url: 'http://10.0.0.1/' }, 'dead_letter', 'target_not_allowed', null);
  });

  test('is a timeout if the receiver sends nothing or drips headers', async () => {
    await Promise.all([
      check({ kind: 'silence' }, 'failed', 'timeout', null),
      check({ kind: 'header_drip' }, 'failed', 'timeout', null),
    ]);
  });

  test('is a success for 2xx with a body that drips, never ends, or is a gzip bomb, and the body is truncated', async () => {
    await Promise.all([
      check({ kind: 'body_drip' }, 'succeeded', null, 200),
      check({ kind: 'endless_body' }, 'succeeded', null, 200),
      check({ kind: 'gzip_bomb' }, 'succeeded', null, 200),
    ]);
    const { attempt } = await deliverTo({ kind: 'endless_body' });
    expect(attempt.response_body).toHaveLength(4_096);
  });

  test('is an HTTP failure for status 500 with a body that drips', async () => {
    await check({ kind: 'body_drip', status: 500 }, 'failed', 'http_status', 500);
  });

  test('is a success for a response with a thousand headers', async () => {
    await check({ kind: 'many_headers', count: 1_000 }, 'succeeded', null, 200);
  });

  test('includes a response body in which characters that PostgreSQL cannot store are replaced', async () => {
    const { attempt } = await deliverTo({ status: 500, body: 'a\0b' });
    expect(attempt.response_body).toBe('a\uFFFDb');
  });

  test.each([
    ['150', 149, 151],
    ['86400', 199, 201],
    ['-10', 79, 121],
    ['1e9', 79, 121],
    ['soon', 79, 121],
    ['', 79, 121],
  ])(
    'is a retry after status 500 that honors Retry-After “%s” up to twice the scheduled delay',
    async (retryAfter, least, most) => {
      const { waitSeconds } = await deliverTo({ status: 500, headers: { 'retry-after': retryAfter } });
      expect(waitSeconds).toBeGreaterThanOrEqual(least);
      expect(waitSeconds).toBeLessThanOrEqual(most);
    },
  );

  test.each([
    ['in the future', 150_000, 130, 152],
    ['in the past', -150_000, 79, 121],
  ])('is a retry after status 500 that honors a time %s in Retry-After', async (_, inMs, least, most) => {
    const retryAfter = new Date(Date.now() + inMs).toUTCString();
    const { waitSeconds } = await deliverTo({ status: 500, headers: { 'retry-after': retryAfter } });
    expect(waitSeconds).toBeGreaterThanOrEqual(least);
    expect(waitSeconds).toBeLessThanOrEqual(most);
  });

  test('is final for status 410, which disables the channel, cancels its pending deliveries, and notifies the default channel', async () => {
    answers.set('/gone', { status: 410 });
    const { organizationId, channelId: defaultId } = await world.createOrganizationWithChannel({
      url: `${inbox.url}default`,
    });
    const channelId = await world.createChannel(organizationId, { url: `${inbox.url}gone`, name: 'Gone' });
    await db
      .insertInto('notification_rules')
      .values({ organization_id: organizationId, name: 'all', channel_ids: [channelId] })
      .execute();
    const [alertId] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [
      { alertId: alertId! },
      { alertId: alertId!, eventType: 'alert.escalated' },
    ]);

    await pollUntil(async () =>
      inbox.requests.find(({ path, body }) => path === '/default' && body.includes('channel.disabled')),
    );
    expect(await world.channel(organizationId, channelId)).toMatchObject({
      is_active: false,
      inactive_reason: 'gone',
    });
    const [first, second, told] = await world.deliveries(organizationId);
    expect(first).toMatchObject({ status: 'dead_letter', reason: 'gone', attempt_count: 1 });
    expect(second).toMatchObject({ status: 'canceled', reason: 'channel_inactive', attempt_count: 0 });
    expect(told).toMatchObject({ channel_id: defaultId, event_type: 'channel.disabled' });
    const message = JSON.parse(inbox.requests.find(({ path }) => path === '/default')!.body);
    expect(message.data.channel).toEqual({
      id: channelId,
      name: 'Gone',
      reason: 'The receiver returned 410 Gone, so the channel was disabled.',
      resolution: null,
    });
    expect((await world.trail(organizationId)).at(-2)).toMatchObject({
      action: 'notification_failed',
      to_value: 'Gone',
    });
  });
});
