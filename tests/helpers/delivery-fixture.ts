import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach } from 'vitest';
import { createTestDatabase, resetClockOffset } from './database.ts';
import { type ChannelFields, createDeliveryWorld, pollUntil } from './delivery-world.ts';
import { createWebhookInbox, type ReceivedWebhook, type WebhookResponse } from './webhook-inbox.ts';

/**
 * Creates a separate database and receivers whose response depends on the path. Tests start the delivery loop
 * themselves.
 */
export async function createDeliveryFixture() {
  const { db, connection, connectAgain } = await createTestDatabase({ poolSize: 10 });
  const world = createDeliveryWorld({ db, connection });
  const inbox = await createWebhookInbox();
  /** Responses by path. Other paths return 200. */
  const answers = new Map<string, WebhookResponse>();
  inbox.answerAlways(({ path }) => answers.get(path) ?? { status: 200 });
  afterAll(async () => {
    await world.close();
    await inbox.close();
  });
  afterEach(() => resetClockOffset(db));

  /** Creates an organization with one channel that has a unique path. */
  async function setUp(fields: Omit<ChannelFields, 'url'> = {}) {
    const path = `/${randomUUID()}`;
    const url = `${inbox.url.slice(0, -1)}${path}`;
    const ids = await world.createOrganizationWithChannel({ url, ...fields });
    return { ...ids, path, received: () => inbox.requests.filter((request) => request.path === path) };
  }

  function allFinal(organizationId: number, count: number) {
    return pollUntil(async () => {
      const rows = await world.deliveries(organizationId);
      const done = rows.filter(({ status }) => ['succeeded', 'dead_letter', 'canceled'].includes(status));
      return done.length === count && rows;
    });
  }

  /** Makes the channels of an organization due now. */
  async function trigger(organizationId: number): Promise<void> {
    await sql`
      UPDATE notification_channels SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(db);
    world.wakeUps.wake('notification_channels');
  }

  return { db, connectAgain, world, inbox, answers, setUp, allFinal, trigger };
}

export function eventTypeOf(request: ReceivedWebhook): string {
  return JSON.parse(request.body).type;
}
