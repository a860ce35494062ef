import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { createDeliveryWorld, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { createWebhookInbox, verifyWebhook } from '../../../../tests/helpers/webhook-inbox.ts';
import { createSigningSecret } from '../../../platform/secrets/index.ts';

const { db, connection } = await createTestDatabase({ poolSize: 10 });
const world = createDeliveryWorld({ db, connection });
const inbox = await createWebhookInbox();
world.startLoop();
afterAll(async () => {
  await world.close();
  await inbox.close();
});
afterEach(() => inbox.answerAlways({ status: 200, body: 'ok' }));

describe('a delivery to a working receiver', () => {
  test('sends an alert event to the default channel, signed according to Standard Webhooks', async () => {
    const signingSecret = createSigningSecret();
    const { organizationId } = await world.createOrganizationWithChannel({
      url: `${inbox.url}first`,
      signingSecret,
      headers: { 'X-Team': 'payments' },
    });
    const [alertId] = await world.createAlerts(organizationId);
    const [plan] = await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
    expect(plan).toMatchObject({ isNotified: true, skippedReason: null });

    const request = await pollUntil(async () => inbox.requests.find(({ path }) => path === '/first'));
    expect(request.method).toBe('POST');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Pacekeeper/0.1.0',
      'x-team': 'payments',
      'webhook-id': `msg_${plan!.eventId}`,
    });
    expect(verifyWebhook(request, signingSecret)).toMatchObject({
      type: 'alert.created',
      data: {
        event_id: plan!.eventId,
        sequence: 1,
        idempotency_key: `msg_${plan!.eventId}`,
        alert: { id: alertId, url: `${world.baseUrl}/alerts/${alertId}`, severity: 'high' },
        organization: { name: 'Acme' },
      },
    });

    const delivery = await pollUntil(async () =>
      (await world.deliveries(organizationId)).find((row) => row.status === 'succeeded'),
    );
    expect(delivery).toMatchObject({
      attempt_count: 1,
      response_status: 200,
      error_code: null,
      reason: null,
      lease_token: null,
    });
    expect(await world.attempts(organizationId)).toMatchObject([
      { number: 1, response_status: 200, response_body: 'ok' },
    ]);
    expect(await world.trail(organizationId)).toMatchObject([
      { action: 'created', event_type: 'alert.created' },
      { action: 'notified', alert_id: alertId, to_value: 'Operations', detail: 'alert.created' },
    ]);
  });
});
