import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { cdeventErrors } from '../../../tests/helpers/cdevents-schemas.ts';
import { atEndOfFile } from '../../../tests/helpers/end-of-file.ts';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import {
  createWebhookInbox,
  type ReceivedWebhook,
  type WebhookInbox,
} from '../../../tests/helpers/webhook-inbox.ts';
import type { DeploymentEvent } from '../../domain/deployments/deployment-event.ts';
import type { Schemas } from '../../generated/client-api.ts';

type SentEvent = Record<
  'specversion' | 'id' | 'source' | 'type' | 'subject' | 'time' | 'datacontenttype',
  string
> & {
  data: DeploymentEvent;
};

const server = await sharedTestServer();
let acme: TestOrganization;
let inbox: WebhookInbox;
beforeEach(async () => {
  acme = await server.createOrganization();
  inbox = await createWebhookInbox();
  const opened = inbox;
  atEndOfFile(() => opened.close());
});

const createChannel = (preset: Schemas['NotificationPreset'] = 'cdevents', { api } = acme) =>
  api.call('createNotificationChannel', { body: { name: `Channel ${preset}`, url: inbox.url, preset } });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const place = { service: 'checkout', environment: 'production' };
const report = (version: string, body: Partial<Schemas['ReportDeploymentRequest']> = {}) =>
  acme.api.call('reportDeployment', { body: { ...place, version, ...body } });

/** Reads a request in structured mode, and checks it with the schemas of CDEvents. */
function readEvent({ body, headers }: ReceivedWebhook): SentEvent {
  expect(headers['content-type']).toBe('application/cloudevents+json');
  const event = JSON.parse(body) as SentEvent;
  const { context, subject } = event.data;
  expect(cdeventErrors(event.data)).toEqual([]);
  expect(event).toMatchObject({
    specversion: '1.0',
    datacontenttype: 'application/json',
    subject: subject.id,
  });
  const { id, source, type, timestamp } = context;
  expect([event.id, event.source, event.type, event.time]).toEqual([id, source, type, timestamp]);
  return event;
}

const received = async (count: number) => (await inbox.waitFor(count)).map(readEvent);
const shown = (events: readonly SentEvent[]) =>
  events.map(({ type, data: { subject } }) => `${type.split('.')[3]} ${subject.content.artifactId}`);

const sendBack = (event: object, { apiKey } = acme) =>
  fetch(`${server.url}/api/v1/client/deployments/events`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify(event),
  });

async function countEvents(organization = acme): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM audit_entries
    WHERE organization_id = ${organization.id} AND event_type = 'deployment.changed'`.execute(server.db);
  return rows[0]!.count;
}

describe('a channel with the CDEvents preset', () => {
  test('gets an event for each reported change of a version, in the order of the changes', async () => {
    await createChannel();
    const artifact = 'ghcr.io/acme/checkout';
    await report('1.0.0', { artifact, time: minutesAgo(50) });
    await report('1.10.0', { artifact, time: minutesAgo(40) });
    await report('1.5.0', { artifact, time: minutesAgo(45) });
    const time = minutesAgo(30);
    await report('1.9.0', { time });
    await report('1.9.0', { time });
    await report('1.9.0', { time: minutesAgo(20) });
    const events = await received(3);
    expect(shown(events)).toEqual([
      'deployed pkg:oci/checkout?repository_url=ghcr.io%2Facme%2Fcheckout&tag=1.0.0',
      'upgraded pkg:oci/checkout?repository_url=ghcr.io%2Facme%2Fcheckout&tag=1.10.0',
      'rolledback pkg:generic/checkout@1.9.0',
    ]);
    expect(events[2]).toMatchObject({
      source: `${server.url}/organizations/${acme.id}`,
      time,
      data: { subject: { id: 'checkout', content: { environment: { id: 'production' } } } },
    });
    expect(await countEvents()).toBe(3);
  });

  test('gets an event for each version that is set manually', async () => {
    await createChannel();
    const labels = { service: 'shop', component: 'api', environment: 'staging' };
    const { id } = await acme.api.call('createScrapeJob', {
      body: { name: 'Shop', parser_type: 'manual', labels },
    });
    for (const version of ['1.0.0', '1.0.0', '2.0.0'])
      await acme.api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    const events = await received(2);
    expect(shown(events)).toEqual([
      'deployed pkg:generic/shop%2Fapi@1.0.0',
      'upgraded pkg:generic/shop%2Fapi@2.0.0',
    ]);
    expect(events[0]!.subject).toBe('shop/api');
    expect(await countEvents()).toBe(2);
  });

  test('gets no event for a scrape job without an environment, or for a new transform', async () => {
    await createChannel();
    const create = (name: string, labels: Record<string, string>) =>
      acme.api.call('createScrapeJob', { body: { name, parser_type: 'manual', labels } });
    const unlabeled = await create('Unlabeled', { service: 'shop' });
    const labeled = await create('Labeled', { service: 'shop', environment: 'staging' });
    for (const { id } of [unlabeled, labeled])
      await acme.api.call('setScrapeJobVersion', { path: { id }, body: { version: 'v1.0.0' } });
    await acme.api.call('updateScrapeJob', {
      path: { id: labeled.id },
      body: { version_transform: 'strip_v_lower' },
    });
    expect(shown(await received(1))).toEqual(['deployed pkg:generic/shop@v1.0.0']);
    expect(await countEvents()).toBe(1);
  });

  test('is the only channel that gets these events, without a notification rule', async () => {
    const other = await createWebhookInbox();
    atEndOfFile(() => other.close());
    const { id } = await acme.api.call('createNotificationChannel', {
      body: { name: 'Default', url: other.url, preset: 'slack' },
    });
    await acme.owner.call('updateNotificationSettings', { body: { default_channel_id: id } });
    await report('1.0.0');
    expect(await countEvents()).toBe(0);
    await createChannel();
    await report('2.0.0');
    expect(shown(await received(1))).toEqual(['upgraded pkg:generic/checkout@2.0.0']);
    const { items } = await acme.api.call('listNotificationDeliveries');
    expect(items.map(({ event_type, channel_name }) => [event_type, channel_name])).toEqual([
      ['deployment.changed', 'Channel cdevents'],
    ]);
    expect(other.requests).toEqual([]);
  });

  test('sends a test that no receiver mistakes for a deployment', async () => {
    const { id } = await createChannel();
    expect(await acme.api.call('testNotificationChannel', { path: { id } })).toMatchObject({ success: true });
    const [event] = await received(1);
    expect(event!.type).toBe('dev.cdeventsx.pacekeeper-channel.test.0.1.0');
    expect((await sendBack(event!)).status).toBe(400);
  });
});

describe('an event that a tool sends back', () => {
  test('is not stored, and changes no version', async () => {
    await createChannel();
    const { id } = await acme.api.call('createScrapeJob', {
      body: { name: 'Read', parser_type: 'manual', labels: place },
    });
    for (const version of ['1.0.0', '2.0.0'])
      await acme.api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    for (const event of await received(2)) expect((await sendBack(event)).status).toBe(204);
    expect((await acme.api.call('listDeployments')).items).toEqual([]);
    expect((await acme.api.call('getScrapeJob', { path: { id } })).latest_version).toBe('2.0.0');
    expect(await countEvents()).toBe(2);
  });

  test('with another source, ID, and time is stored, but never sent again', async () => {
    await createChannel();
    await report('1.0.0', { time: minutesAgo(50) });
    await report('2.0.0', { time: minutesAgo(40) });
    const events = await received(2);
    for (const round of [1, 2, 3])
      for (const [index, event] of events.entries()) {
        const attributes = { source: '/forwarder', id: `${round} ${index}` };
        const { context, subject } = event.data;
        const timestamp = minutesAgo(30 - 2 * round - index);
        const changed = {
          ...event,
          ...attributes,
          data: { context: { ...context, ...attributes, timestamp }, subject },
        };
        expect((await sendBack(changed)).status).toBe(200);
      }
    expect(await acme.api.call('listDeployments')).toMatchObject({ total: 8 });
    expect(await countEvents()).toBe(2);
  });

  test('is stored as a report in another organization, which doesn’t send it again', async () => {
    const other = await server.createOrganization();
    await createChannel();
    await createChannel('cdevents', other);
    await report('1.0.0', { time: minutesAgo(50) });
    await report('2.0.0', { time: minutesAgo(40) });
    for (const event of (await received(2)).toReversed())
      expect((await sendBack(event, other)).status).toBe(200);
    expect((await other.api.call('listScrapeJobs')).items).toMatchObject([
      { latest_version: '2.0.0', labels: place },
    ]);
    expect(await countEvents(other)).toBe(0);
    expect(inbox.requests).toHaveLength(2);
  });
});
