import { describe, expect, test } from 'vitest';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import type { SuccessCondition } from '../../../domain/channels/receiver-response.ts';

const { db, world, answers, setUp } = await createDeliveryFixture();
world.startLoop();

interface Case {
  preset?: string;
  condition?: SuccessCondition;
  body: string | object;
}

/** Delivers one message to a receiver that returns status 200 with the given body. */
async function deliverTo({ preset = 'generic', condition, body }: Case) {
  const presetOptions: Record<string, string> =
    preset === 'telegram' ? { chat_id: '-1001' } : { routing_key: 'R'.repeat(32) };
  const { organizationId, channelId, path } = await setUp({ preset, presetOptions });
  if (condition) {
    await db
      .updateTable('notification_channels')
      .set({ success_condition: JSON.stringify(condition) })
      .where('id', '=', channelId)
      .execute();
  }
  answers.set(path, { status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const [alertId] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  const delivery = await pollUntil(async () => {
    const [row] = await world.deliveries(organizationId);
    return row !== undefined && ['succeeded', 'failed'].includes(row.status) && row;
  });
  const [attempt] = await world.attempts(organizationId);
  return { delivery, attempt: attempt! };
}

const codeIs = (path: string): SuccessCondition => ({ path, equals: 0 });

describe('a response with status 200 that reports an error', () => {
  test.each<[string, Case, RegExp]>([
    [
      'the Slack API',
      { preset: 'slack', body: { ok: false, error: 'channel_not_found' } },
      /channel_not_found/,
    ],
    [
      'Rocket.Chat',
      { preset: 'slack', body: { success: false, error: 'invalid-channel' } },
      /invalid-channel/,
    ],
    ['Zulip', { preset: 'slack', body: { result: 'error', msg: 'Stream does not exist' } }, /does not exist/],
    [
      'Telegram',
      { preset: 'telegram', body: { ok: false, description: 'chat not found' } },
      /chat not found/,
    ],
    [
      'Teams',
      {
        preset: 'teams',
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 403',
      },
      /HTTP error 403/,
    ],
    [
      'PagerDuty',
      { preset: 'pagerduty', body: { status: 'invalid event', message: 'bad' } },
      /invalid event: bad/,
    ],
    [
      'DingTalk',
      { condition: codeIs('errcode'), body: { errcode: 310000, errmsg: 'keywords not in content' } },
      /`errcode` is 310000\. keywords not in content/,
    ],
    [
      'WeCom',
      { condition: codeIs('errcode'), body: { errcode: 93000, errmsg: 'invalid url' } },
      /invalid url/,
    ],
    ['Feishu', { condition: codeIs('code'), body: { code: 19002, msg: 'params error' } }, /params error/],
    [
      'a nested value',
      { condition: codeIs('data.status'), body: { data: { status: 1 } } },
      /`data\.status` is 1/,
    ],
    ['a missing value', { condition: codeIs('code'), body: {} }, /The response has no `code`/],
    ['text', { condition: { path: null, equals: 'ok' }, body: 'no_team' }, /no_team/],
    ['an empty body', { condition: { path: null, equals: 'ok' }, body: '' }, /The body is empty/],
    ['a page instead of JSON', { condition: codeIs('code'), body: '<html>login</html>' }, /has no `code`/],
  ])('is a failed attempt that shows the reason: %s', async (_, receiver, message) => {
    const { delivery, attempt } = await deliverTo(receiver);
    expect(delivery).toMatchObject({
      status: 'failed',
      error_code: 'message_rejected',
      response_status: 200,
    });
    expect(attempt.error_message).toMatch(message);
    expect(attempt.response_body).toBe(
      typeof receiver.body === 'string' ? receiver.body : JSON.stringify(receiver.body),
    );
  });

  test.each<[string, Case]>([
    ['DingTalk', { condition: codeIs('errcode'), body: { errcode: 130101, errmsg: 'send too fast' } }],
    ['WeCom', { condition: codeIs('errcode'), body: { errcode: 45009, errmsg: 'api freq out of limit' } }],
    ['the Slack API', { preset: 'slack', body: { ok: false, error: 'ratelimited' } }],
  ])('because of a rate limit doesn’t count as an attempt: %s', async (_, receiver) => {
    const { delivery } = await deliverTo(receiver);
    expect(delivery).toMatchObject({ status: 'failed', is_rate_limited: true, series_attempt_count: 0 });
  });
});

describe('a response with status 200', () => {
  test.each<[string, Case]>([
    ['Slack', { preset: 'slack', body: 'ok' }],
    ['the Slack API', { preset: 'slack', body: { ok: true } }],
    ['Telegram', { preset: 'telegram', body: { ok: true, result: {} } }],
    ['Teams', { preset: 'teams', body: '1' }],
    ['PagerDuty', { preset: 'pagerduty', body: { status: 'success' } }],
    ['DingTalk', { condition: codeIs('errcode'), body: { errcode: 0, errmsg: 'ok' } }],
    ['a text', { condition: { path: null, equals: 'ok' }, body: 'ok\n' }],
    ['a receiver without a condition', { body: { errcode: 310000, ok: false, error: 'ignored' } }],
  ])('is a success for %s', async (_, receiver) => {
    const { delivery } = await deliverTo(receiver);
    expect(delivery).toMatchObject({ status: 'succeeded', error_code: null });
  });
});
