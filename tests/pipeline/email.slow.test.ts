import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiCallError } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createMailInbox, type MailReply, type ReceivedMail } from '../helpers/mail-inbox.ts';
import { createReleases } from '../helpers/monitored.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createControlledAgent, rejectionStatus, until } from './pipeline-world.ts';

const inbox = await createMailInbox();
afterAll(() => inbox.close());
const replies = new Map<string, MailReply>();
beforeEach(() => {
  replies.clear();
  inbox.onRecipient = (address) => replies.get(address) ?? null;
});
const server = await startTestServer({
  PACEKEEPER_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
  PACEKEEPER_EMAIL_FROM: 'Pacekeeper <alerts@ops.example>',
  PACEKEEPER_EMAIL_DOMAINS: 'ops.example',
});
const clock = createClock(server);

type NewChannel = Partial<Schemas['CreateNotificationChannelRequest']>;
const email = (recipients: string[], fields: NewChannel = {}) => ({
  name: 'Team',
  channel_type: 'email' as const,
  recipients,
  ...fields,
});

/**
 * Creates an organization whose default channel sends email to its owner. Calling `deploy` with an outdated
 * version opens an alert.
 */
async function createWorld({
  name = 'Acme',
  channel = {},
  config = {},
}: {
  name?: string;
  channel?: NewChannel;
  config?: Partial<Schemas['CreateAlertConfigRequest']>;
} = {}) {
  const organization = await server.createOrganization(name);
  const { api, owner, email: address } = organization;
  const created = await api.call('createNotificationChannel', { body: { ...email([address]), ...channel } });
  await owner.call('updateNotificationSettings', { body: { default_channel_id: created.id } });
  const gatherJobId = await createReleases(server, organization, ['1.0.0', '2.0.0', '3.0.0', '4.0.0']);
  const scrapeJob = await api.call('createScrapeJob', { body: { name: 'web', parser_type: 'manual' } });
  const rule = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1, high: 2, critical: 3 } },
  });
  await api.call('createAlertConfig', {
    body: {
      name: 'web',
      scrape_job_id: scrapeJob.id,
      gather_job_id: gatherJobId,
      rule_id: rule.id,
      ...config,
    },
  });
  return {
    ...organization,
    channelId: created.id,
    gatherJobId,
    mails: () => inbox.mails.filter(({ to }) => to.includes(address)),
    deploy: (version: string) =>
      api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version } }),
    deliveries: async () =>
      (await api.call('listNotificationDeliveries')).items.toSorted((a, b) => a.id - b.id),
  };
}

type World = Awaited<ReturnType<typeof createWorld>>;

const arrived = (world: World, count: number) =>
  until(`${count} emails`, async () => world.mails().length >= count && world.mails());

async function problemsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiCallError)) throw error ?? new Error('it was accepted');
  expect(error.status).toBe(400);
  return error.errors.map(({ field, message }) => `${field} ${message}`);
}

test('all notifications about an alert reach the recipients as one thread with links', async () => {
  const world = await createWorld();
  await world.deploy('2.0.0');
  const [opened] = await arrived(world, 1);
  expect(opened).toMatchObject({ from: 'alerts@ops.example', to: [world.email] });
  expect(opened!.mail).toMatchObject({
    subject: '[High: 2.0.0, 2 major versions behind] web - Acme',
    from: { name: 'Pacekeeper', address: 'alerts@ops.example' },
    to: [{ address: world.email }],
  });
  const link = /^Acknowledge: (\S+)$/m.exec(opened!.mail.text!)![1]!;
  expect(link).toMatch(new RegExp(`^${server.server.baseUrl}/ack/`));
  expect((await fetch(link)).status).toBe(200);
  const { items } = await world.api.call('listAlerts');
  await world.api.call('acknowledgeAlert', { path: { id: items[0]!.id } });
  await arrived(world, 2);
  await world.deploy('4.0.0');
  const [first, ...others] = await arrived(world, 3);
  expect(others.map(({ mail }) => mail.subject)).toEqual([
    '[Acknowledged: 2.0.0, 2 major versions behind] web - Acme',
    '[Resolved: 4.0.0] web - Acme',
  ]);
  for (const { mail, head } of others) {
    expect(mail.inReplyTo).toBe(first!.mail.messageId);
    expect(head).toContain(`References: ${first!.mail.messageId}`);
    expect(head).toContain('Auto-Submitted: auto-generated');
  }
  await until('the statistics', async () => {
    const stats = await world.api.call('getNotificationChannelStats', { path: { id: world.channelId } });
    return stats.by_status.succeeded === 3 && stats;
  });
  const channel = await world.api.call('getNotificationChannel', { path: { id: world.channelId } });
  expect(channel).toMatchObject({
    channel_type: 'email',
    url: null,
    recipients: [world.email],
    health: { status: 'healthy' },
  });
});

test('a reminder belongs to the same thread', async () => {
  const world = await createWorld();
  await world.owner.call('updateNotificationSettings', { body: { reminder_interval_hours: 1 } });
  await world.deploy('2.0.0');
  const [opened] = await arrived(world, 1);
  await clock.pass(65);
  // Work that was leased when the clock moved is retried slightly later.
  const [, reminder] = await until('the reminder', async () => {
    await sleep(300);
    if (world.mails().length < 2) await clock.pass(0.5);
    return world.mails().length >= 2 && world.mails();
  });
  expect(reminder!.mail).toMatchObject({
    subject: '[Reminder, high: 2.0.0, 2 major versions behind] web - Acme',
    inReplyTo: opened!.mail.messageId,
  });
});

test("a rejected message becomes a dead letter with the mail server's reply, and a retry sends the same message", async () => {
  const world = await createWorld();
  replies.set(world.email, { status: 550, text: 'mailbox unavailable' });
  await world.deploy('2.0.0');
  const dead = await until('the dead letter', async () => {
    const [delivery] = await world.deliveries();
    return delivery?.status === 'dead_letter' && delivery;
  });
  expect(dead).toMatchObject({ reason: 'mail_rejected', response_status: 550, attempt_count: 1 });
  const path = { id: dead.id };
  const detail = await world.api.call('getNotificationDelivery', { path });
  expect(detail.attempts[0]!.response_body).toContain('550 mailbox unavailable');
  const payload = JSON.parse(detail.payload!) as Record<string, string>;
  expect(Object.keys(payload)).toEqual(['subject', 'text', 'html']);
  // The payload must not contain the link, because anyone with the link can acknowledge the alert.
  expect(detail.payload).not.toMatch(/\/ack\/\w/);
  replies.clear();
  await world.api.call('retryNotificationDelivery', { path });
  const [mail] = await arrived(world, 1);
  expect(mail!.mail.subject).toBe(payload['subject']);
});

describe('recipients', () => {
  test('must be members, or in a domain that the operator allows', async () => {
    const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
    const { api } = organization;
    const create = (...recipients: string[]) =>
      api.call('createNotificationChannel', { body: email(recipients) });
    const mixedCase = organization.email.replace('owner', 'OWNER');
    const created = await create(mixedCase, 'oncall@ops.example', 'OnCall@OPS.example');
    expect(created.recipients).toEqual([organization.email, 'oncall@ops.example']);
    const refused = await problemsOf(create(organization.email, 'x@other.example', other.email));
    expect(refused.map((problem) => problem.split(' ')[0])).toEqual(['recipients.1', 'recipients.2']);
    expect(refused[0]).toContain('a member of the organization, or be in ops.example');
    for (const address of ['x@sub.ops.example', 'x@notops.example', 'x@ops.example.evil.example'])
      expect(await problemsOf(create(address)), address).toHaveLength(1);
    const update = (recipients: string[]) =>
      api.call('updateNotificationChannel', { path: { id: created.id }, body: { recipients } });
    expect(await problemsOf(update([other.email]))).toHaveLength(1);
    expect(await update(['oncall@ops.example'])).toMatchObject({ recipients: ['oncall@ops.example'] });
  });

  test.each([
    'ana',
    'ana@',
    '@ops.example',
    'a na@ops.example',
    'ana@ops.example\r\nRCPT TO:<eve@evil.example>',
    'ana@ops.example>',
    '<ana@ops.example>',
    'Ana <ana@ops.example>',
    'ana@ops.example,eve@evil.example',
    '"ana"@ops.example',
    'ana@ops.example\u202e',
    'anä@ops.example',
    // Some mail servers forward these addresses to the embedded domain.
    'eve%evil.example@ops.example',
    'evil.example!eve@ops.example',
    'eve/evil@ops.example',
    'eve|evil@ops.example',
    '-oQ@ops.example',
    `${'a'.repeat(65)}@ops.example`,
  ])('are rejected if they include the invalid address %j', async (address) => {
    const { api } = await server.createOrganization();
    const call = api.call('createNotificationChannel', { body: email([address]) });
    expect((await problemsOf(call))[0]).toMatch(/^recipients\.0 /);
  });

  test('are limited to 50, and at least one is required', async () => {
    const { api } = await server.createOrganization();
    const many = Array.from({ length: 51 }, (_, index) => `a${index}@ops.example`);
    const create = (recipients: string[]) =>
      api.call('createNotificationChannel', { body: email(recipients) });
    expect(await problemsOf(create([]))).toEqual([expect.stringMatching(/^recipients must have at least 1/)]);
    expect(await problemsOf(create(many))).toEqual([expect.stringMatching(/^recipients /)]);
    expect((await create(many.slice(1))).recipients).toHaveLength(50);
  });

  test('are isolated between organizations', async () => {
    const [world, other] = [await createWorld({ name: 'One' }), await createWorld({ name: 'Two' })];
    await world.deploy('1.0.0');
    await other.deploy('1.0.0');
    await Promise.all([arrived(world, 1), arrived(other, 1)]);
    const senders = (of: World) => of.mails().map(({ to, mail }) => [to, mail.subject]);
    expect(senders(world)).toEqual([
      [[world.email], expect.stringMatching(/^\[Critical: [^\]]+\] web - One$/)],
    ]);
    expect(senders(other)).toEqual([
      [[other.email], expect.stringMatching(/^\[Critical: [^\]]+\] web - Two$/)],
    ]);
    const path = { id: world.channelId };
    expect(await rejectionStatus(other.api.call('getNotificationChannel', { path }))).toBe(404);
    expect(await rejectionStatus(other.api.call('testNotificationChannel', { path }))).toBe(404);
  });
});

test('fields of one channel type are rejected for the other', async () => {
  const { api, email: address } = await server.createOrganization();
  const create = (body: NewChannel) =>
    problemsOf(api.call('createNotificationChannel', { body: { name: 'C', ...body } }));
  const url = 'https://hooks.example.org/x';
  expect(await create({})).toEqual(['url is required']);
  expect(await create({ url: null })).toEqual(['url is required']);
  expect(await create({ url, recipients: [address] })).toEqual(['recipients requires `channel_type` email']);
  const fields = {
    url,
    template: '{}',
    templates: { resolved: '{}' },
    preset: 'slack',
    headers: { 'X-A': 'b' },
    signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  } as const;
  for (const [field, value] of Object.entries(fields)) {
    expect(await create({ channel_type: 'email', recipients: [address], [field]: value })).toEqual([
      `${field} isn't used by email channels; omit it`,
    ]);
  }
  // A channel accepts an update with the same fields that the API returned.
  const created = await api.call('createNotificationChannel', { body: email([address]) });
  const path = { id: created.id };
  const { preset_options: _, ...sent } = { ...created, preset_options: undefined };
  expect(await api.call('updateNotificationChannel', { path, body: sent })).toMatchObject({
    revision: created.revision,
  });
  const other = { path, body: { url } };
  expect(await problemsOf(api.call('updateNotificationChannel', other))).toEqual([
    "url isn't used by email channels; omit it",
  ]);
});

describe('a test notification', () => {
  test('is marked as a test and returns the replies of the mail server', async () => {
    const { owner, api, email: address } = await server.createOrganization();
    const { id } = await api.call('createNotificationChannel', {
      body: email([address, 'gone@ops.example']),
    });
    replies.set('gone@ops.example', { status: 550, text: 'no such user' });
    const result = await owner.call('testNotificationChannel', { path: { id } });
    expect(result).toMatchObject({
      success: false,
      status_code: 250,
      error: { code: 'recipients_skipped', message: 'Not sent to gone@ops.example (550 no such user).' },
    });
    expect(result.response_body).toContain(`${address}: accepted`);
    replies.clear();
    expect(await owner.call('testNotificationChannel', { path: { id } })).toMatchObject({
      success: true,
      error: null,
    });
    const mails = inbox.mails.filter(({ to }) => to.includes(address));
    expect(mails.map(({ mail }) => mail.subject)).toEqual(
      Array(2).fill(
        expect.stringMatching(
          /^\[Test: 1\.25\.3, 99 days behind\] payments-api in production - Organization \d+$/,
        ),
      ),
    );
    expect(mails[0]!.mail.text).toMatch(/^Test message, no action needed: /);
  });

  test('is limited to 50 recipients per hour and organization', async () => {
    const [busy, other] = [await createWorld(), await createWorld()];
    const send = ({ api, channelId }: World) =>
      api.call('testNotificationChannel', { path: { id: channelId } });
    for (let count = 0; count < 50; count++) expect(await send(busy)).toMatchObject({ success: true });
    const refused = await send(busy).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      status: 429,
      detail: 'Limit of 50 test emails per hour reached. Each recipient counts.',
    });
    expect(await send(other)).toMatchObject({ success: true });
    expect(busy.mails()).toHaveLength(50);
    await clock.passSteadily(61);
    expect(await send(busy)).toMatchObject({ success: true });
  });
});

test('without a mail server, creating an email channel fails with an error that explains the setup', async () => {
  const plain = await startTestServer();
  const { api, email: address } = await plain.createOrganization();
  expect(await problemsOf(api.call('createNotificationChannel', { body: email([address]) }))).toEqual([
    "channel_type can't be email. Email isn't set up on this server. An operator can set PACEKEEPER_SMTP_URL and PACEKEEPER_EMAIL_FROM.",
  ]);
  expect(await api.call('getNotificationSettings')).toMatchObject({
    is_email_available: false,
    email_domains: [],
  });
  const { api: other } = await server.createOrganization();
  expect(await other.call('getNotificationSettings')).toMatchObject({
    is_email_available: true,
    email_domains: ['ops.example'],
  });
});

describe('user input in an email', () => {
  const injection = 'web\r\nBcc: eve@evil.example\r\n\r\n<b>body</b>\u0000\u202e\u2028X-Evil: 1';
  const known = [
    'From',
    'To',
    'Subject',
    'Date',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'Auto-Submitted',
    'X-Auto-Response-Suppress',
    'In-Reply-To',
    'References',
    'Content-Transfer-Encoding',
  ].map((name) => name.toLowerCase());

  function expectHarmless({ from, to, head, mail }: ReceivedMail, address: string): void {
    expect([from, to]).toEqual(['alerts@ops.example', [address]]);
    for (const line of head) expect(known).toContain(line.split(':')[0]!.toLowerCase());
    expect(mail).toMatchObject({ to: [{ address }] });
    expect([mail.cc, mail.bcc, mail.attachments]).toEqual([undefined, undefined, []]);
    expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u202a-\u202e]/u);
    expect(mail.text).not.toMatch(/^(Bcc|X-Evil):/m);
    expect(mail.text).not.toMatch(/[[\p{Cc}--\n]\u202e]/v);
    expect(mail.html).not.toContain('<b>body');
  }

  // Remove NUL from the text, because the API rejects it.
  const text = injection.replaceAll('\u0000', '');
  test.each<[string, Parameters<typeof createWorld>[0], ((world: World) => Promise<unknown>)?]>([
    ['the name of a monitor', { config: { name: text } }],
    ['a label', { config: { labels: { team: text.slice(0, 100) } } }],
    ['the name of the organization', { name: text }],
    [
      'the notes of a release',
      {},
      async ({ gatherJobId, api }) => {
        const releases = ['1.0.0', '2.0.0'].map((tag, index) => ({ tag, at: clock.daysAgo(90 - index) }));
        await createControlledAgent(api).gather(gatherJobId, releases);
        await sql`
          UPDATE releases SET notes = ${`## Breaking changes\n- ${text}\n\n- BREAKING CHANGE: ${text}`}
          WHERE gather_job_id = ${gatherJobId} AND version <> '1.0.0'`.execute(server.db);
      },
    ],
  ])('injects neither headers nor markup: %s', async (_what, given, prepare) => {
    const world = await createWorld(given);
    await prepare?.(world);
    await world.deploy('1.0.0');
    const [mail] = await arrived(world, 1);
    expect(`${mail!.mail.subject} ${mail!.mail.text}`).toContain('X-Evil');
    expectHarmless(mail!, world.email);
  });

  test('injects neither headers nor markup: the name of a disabled channel', async () => {
    const world = await createWorld();
    const receiver = await createWebhookInbox();
    receiver.answerAlways({ status: 410 });
    const { id } = await world.api.call('createNotificationChannel', {
      body: { name: text, url: receiver.url },
    });
    await world.api.call('createNotificationRule', { body: { name: 'All', channel_ids: [id] } });
    await world.deploy('2.0.0');
    const [mail] = await arrived(world, 1);
    await receiver.close();
    expect(mail!.mail.subject).toMatch(/^Channel disabled: web Bcc: eve@evil\.example /);
    expectHarmless(mail!, world.email);
  });
});
