import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { ApiCallError, type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createOrganization } from '../../src/modules/accounts/index.ts';
import { createResourceFactories } from '../contract/world.ts';
import {
  type FaultServer,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from '../faults/fault-world.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

type Role = 'viewer' | 'member' | 'admin' | 'owner';

/** Starts a server with a key for each role and two webhook inboxes: the organization's and a thief's. */
export async function startChannelServer(env: Record<string, string> = {}) {
  const { db, connection } = await createTestDatabase();
  const inbox = await createWebhookInbox();
  const thief = await createWebhookInbox();
  afterAll(() => Promise.all([inbox.close(), thief.close()]));
  const server: FaultServer = await startServerProcess({ ...sharedDatabaseEnvironment(connection), ...env });
  const owner = { email: 'owner@example.org', password: 'a password for receivers' };
  const { organizationId } = await createOrganization(db, { name: 'Receivers', owner });
  const { access_token } = await createApiClient({ baseUrl: server.url }).call('login', { body: owner });
  const person = createApiClient({ baseUrl: server.url, token: access_token });
  const keys = {} as Record<Role | 'agent', string>;
  for (const role of ['viewer', 'member', 'admin', 'owner', 'agent'] as const)
    keys[role] = (await person.call('createAPIKey', { body: { name: role, role } })).key;
  const as = Object.fromEntries(
    Object.entries(keys).map(([role, apiKey]) => [role, createApiClient({ baseUrl: server.url, apiKey })]),
  ) as Record<Role | 'agent', ApiClient>;
  const make = createResourceFactories({
    baseUrl: server.url,
    marker: 'thing',
    owner: person,
    admin: as.admin,
    agent: as.agent,
    webhookUrl: inbox.url,
  });

  /** Waits until the newest delivery to a channel has one of these statuses, and returns it. */
  function delivery(channelId: number, ...statuses: Schemas['NotificationDeliveryStatus'][]) {
    return until(`a delivery that is ${statuses.join(' or ')}`, async () => {
      const query = { channel_id: channelId, limit: 1 };
      const [newest] = (await as.admin.call('listNotificationDeliveries', { query })).items;
      return newest && statuses.includes(newest.status) && newest;
    });
  }

  /** Opens an alert that is routed only to these channels. */
  async function alertTo(...channelIds: number[]): Promise<number> {
    const rule = await make.notificationRule({ channel_ids: channelIds, priority: 0 });
    const alert = await make.openAlert();
    await as.admin.call('deleteNotificationRule', { path: { id: rule } });
    return alert;
  }

  return { db, server, organizationId, inbox, thief, keys, as, make, delivery, alertTo };
}

/** Returns the error response that a call is rejected with. */
export async function errorResponseOf(call: Promise<unknown>): Promise<Schemas['ErrorResponse']> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiCallError) return error.body as Schemas['ErrorResponse'];
    throw error;
  }
  throw new Error('the call was accepted');
}

/** Returns all requests that an inbox received, as one text. */
export function receivedText({ requests }: WebhookInbox): string {
  return requests.map((request) => JSON.stringify(request)).join('\n');
}

export const randomText = (): string => randomBytes(16).toString('hex');
export const newSigningSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
