import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { type ChannelFields, pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { createMailInbox, type MailReply, type ReceivedMail } from '../../../../tests/helpers/mail-inbox.ts';
import { readConfig } from '../../../platform/config.ts';
import { createMailer } from '../../../platform/email/index.ts';
import { createSilentLog } from '../../../platform/log.ts';

const { db, world, allFinal, trigger } = await createDeliveryFixture();
let inbox = await createMailInbox();
const mailer = createMailer(
  readConfig({
    PACEKEEPER_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    PACEKEEPER_EMAIL_FROM: 'alerts@acme.example',
    PACEKEEPER_EMAIL_DOMAINS: 'acme.example',
  }),
  { secretKey: randomBytes(32), version: '0.1.0', log: createSilentLog() },
)!;
world.startLoop({ mailer });
afterAll(async () => {
  await inbox.close();
  await mailer.close();
});

/** Replies of the mail server by recipient address. */
const replies = new Map<string, MailReply>();
beforeEach(() => {
  replies.clear();
  inbox.onRecipient = (address) => replies.get(address) ?? null;
});

/**
 * Creates an organization with an email channel. Its recipients have the given names and addresses that are
 * unique to the test.
 */
async function setUp(names: readonly string[] = ['ana'], fields: ChannelFields = {}) {
  const id = randomUUID().slice(0, 8);
  const recipients = names.map((name) => `${name}-${id}@acme.example`);
  const ids = await world.createOrganizationWithChannel({ recipients, ...fields });
  const [alertId] = await world.createAlerts(ids.organizationId);
  return { ...ids, alertId: alertId!, recipients, mails: () => inbox.mails.filter(isTo(recipients)) };
}

const isTo =
  (recipients: readonly string[]) =>
  ({ to }: ReceivedMail) =>
    to.some((address) => recipients.includes(address));

const only = async (organizationId: number) => (await world.deliveries(organizationId))[0]!;

/** Offset of the database clock. `pass` increases it to skip the delay before the next attempt. */
let offsetMs = 0;
async function pass(organizationId: number, minutes: number): Promise<void> {
  offsetMs += minutes * 60_000;
  await setClockOffset(db, `${offsetMs} milliseconds`);
  await trigger(organizationId);
}
beforeEach(() => {
  offsetMs = 0;
});

const attempted = (organizationId: number, count: number) =>
  pollUntil(async () => {
    const row = await only(organizationId);
    return row.attempt_count === count && row.status !== 'in_progress' && row;
  });

test('the emails about an alert form one thread, in the order of their events', async () => {
  const { organizationId, alertId, mails, recipients } = await setUp(['ana', 'bob']);
  for (const eventType of [
    'alert.created',
    'alert.escalated',
    'alert.acknowledged',
    'alert.resolved',
  ] as const)
    await world.raiseEvents(organizationId, [{ alertId, eventType }]);
  await allFinal(organizationId, 4);
  expect(mails().map(({ mail }) => mail.subject)).toEqual([
    '[High: 1.25.3, 45 days behind] payments-api in production - Acme',
    '[Escalated to high: 1.25.3, 45 days behind] payments-api in production - Acme',
    '[Acknowledged: 1.25.3, 45 days behind] payments-api in production - Acme',
    '[Resolved: 1.25.3] payments-api in production - Acme',
  ]);
  const [first, ...others] = mails().map(({ mail }) => mail);
  expect(first!.inReplyTo).toBeUndefined();
  expect(others.map(({ inReplyTo, references }) => [inReplyTo, references])).toEqual(
    others.map(() => [first!.messageId, first!.messageId]),
  );
  expect(new Set(mails().map(({ mail }) => mail.messageId)).size).toBe(4);
  expect(mails().map(({ to }) => to)).toEqual(mails().map(() => recipients));
  expect(first!.text).toContain(`View alert: ${world.baseUrl}/alerts/${alertId}`);
  expect(first!.html).toContain(`href="${world.baseUrl}/alerts/${alertId}"`);
  expect(first!.text).toContain('Acknowledge: ');
  expect((await world.trail(organizationId)).filter(({ action }) => action === 'notified')).toHaveLength(4);
});

test('different channels and different alerts have separate email threads', async () => {
  const { organizationId, alertId, mails, recipients } = await setUp();
  const other = await world.createChannel(organizationId, { recipients, name: 'Second' });
  const [otherAlert] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId }, { alertId: otherAlert! }]);
  await allFinal(organizationId, 2);
  await world.setSetting(organizationId, 'default_notification_channel_id', other);
  await world.raiseEvents(organizationId, [{ alertId, eventType: 'alert.escalated' }]);
  await allFinal(organizationId, 3);
  const [first, second, third] = mails().map(({ mail }) => mail);
  expect(first!.messageId).not.toBe(second!.messageId);
  expect([first!.messageId, second!.messageId]).not.toContain(third!.inReplyTo);
});

describe('a mail server that defers a message (4xx)', () => {
  test('receives the same message again, with the same Message-ID', async () => {
    const { organizationId, alertId, mails, recipients } = await setUp();
    inbox.answerNext({ status: 451, text: 'greylisted' });
    await world.raiseEvents(organizationId, [{ alertId }]);
    expect(await attempted(organizationId, 1)).toMatchObject({
      status: 'failed',
      response_status: 451,
      error_code: 'mail_deferred',
      error_message: 'The mail server returned 451 greylisted.',
    });
    await pass(organizationId, 1);
    await allFinal(organizationId, 1);
    const refused = inbox.unaccepted.find(isTo(recipients))!;
    expect(mails()).toHaveLength(1);
    expect(mails()[0]!.mail).toMatchObject({
      messageId: refused.mail.messageId,
      subject: refused.mail.subject,
      text: refused.mail.text,
      html: refused.mail.html,
    });
    expect(await only(organizationId)).toMatchObject({
      status: 'succeeded',
      response_status: 250,
      reason: null,
    });
  });

  test('delays later messages about the alert until it accepts the first message', async () => {
    const { organizationId, alertId, mails, recipients } = await setUp();
    replies.set(recipients[0]!, { status: 450 });
    await world.raiseEvents(organizationId, [{ alertId }]);
    await world.raiseEvents(organizationId, [{ alertId, eventType: 'alert.resolved' }]);
    await attempted(organizationId, 1);
    replies.clear();
    await pass(organizationId, 1);
    await allFinal(organizationId, 2);
    expect(mails().map(({ mail }) => mail.subject)).toEqual([
      expect.stringMatching(/^\[High: /),
      expect.stringMatching(/^\[Resolved: /),
    ]);
  });
});

test('a message that the mail server rejects (5xx) becomes a dead letter immediately', async () => {
  const { organizationId, channelId, alertId, mails, recipients } = await setUp();
  replies.set(recipients[0]!, { status: 550, text: 'no such user' });
  await world.raiseEvents(organizationId, [{ alertId }]);
  const [delivery] = await allFinal(organizationId, 1);
  expect(delivery).toMatchObject({
    status: 'dead_letter',
    attempt_count: 1,
    reason: 'mail_rejected',
    response_status: 550,
  });
  const [attempt] = await world.attempts(organizationId);
  expect(attempt).toMatchObject({ error_code: 'mail_rejected' });
  expect(attempt!.response_body).toContain(`${recipients[0]}: 550 no such user`);
  expect(await world.channel(organizationId, channelId)).toMatchObject({ consecutive_failures: 1 });
  expect(mails()).toEqual([]);
});

describe('a mail server that rejects some of the recipients', () => {
  test('gets one message for the other recipients if the rejection is permanent, and the delivery reports the skipped recipient', async () => {
    const { organizationId, channelId, alertId, mails, recipients } = await setUp(['ana', 'bob']);
    replies.set(recipients[1]!, { status: 550, text: 'no such user' });
    await world.raiseEvents(organizationId, [{ alertId }]);
    const [delivery] = await allFinal(organizationId, 1);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      reason: 'recipients_skipped',
      error_code: 'recipients_skipped',
      error_message: `Not sent to ${recipients[1]} (550 no such user).`,
      attempt_count: 1,
    });
    expect(mails().map(({ to }) => to)).toEqual([[recipients[0]]]);
    expect(await world.channel(organizationId, channelId)).toMatchObject({ consecutive_failures: 0 });
  });

  test('gets a retry for only those recipients after a temporary rejection, with the same Message-ID', async () => {
    const { organizationId, alertId, mails, recipients } = await setUp(['ana', 'bob']);
    replies.set(recipients[1]!, { status: 450, text: 'busy' });
    await world.raiseEvents(organizationId, [{ alertId }]);
    expect(await attempted(organizationId, 1)).toMatchObject({
      status: 'failed',
      error_code: 'mail_deferred',
      accepted_recipients: [recipients[0]],
    });
    replies.clear();
    await pass(organizationId, 1);
    await allFinal(organizationId, 1);
    expect(await only(organizationId)).toMatchObject({ status: 'succeeded', reason: null, error_code: null });
    expect(mails().map(({ to }) => to)).toEqual([[recipients[0]], [recipients[1]]]);
    expect(new Set(mails().map(({ mail }) => mail.messageId)).size).toBe(1);
  });

  test('gets at most five attempts for repeated temporary rejections, and then the delivery skips those recipients', async () => {
    const { organizationId, alertId, mails, recipients } = await setUp(['ana', 'bob']);
    replies.set(recipients[1]!, { status: 452, text: 'mailbox full' });
    await world.raiseEvents(organizationId, [{ alertId }]);
    for (let count = 1; count <= 4; count++) {
      await attempted(organizationId, count);
      await pass(organizationId, 20);
    }
    await allFinal(organizationId, 1);
    expect(await only(organizationId)).toMatchObject({
      status: 'succeeded',
      reason: 'recipients_skipped',
      attempt_count: 5,
    });
    expect(mails()).toHaveLength(1);
  });

  test('gets at most five attempts even if the mail server accepts other messages in between', async () => {
    const { organizationId, alertId, recipients } = await setUp(['ana', 'bob']);
    replies.set(recipients[1]!, { status: 452, text: 'mailbox full' });
    await world.raiseEvents(organizationId, [{ alertId }]);
    const others = await world.createAlerts(organizationId, 5);
    const first = async () => (await world.deliveries(organizationId))[0]!;
    for (const [count, other] of others.entries()) {
      await pollUntil(async () => {
        const { status, attempt_count } = await first();
        return status !== 'in_progress' && attempt_count === count + 1;
      });
      // Simulates that the first message failed two minutes earlier.
      await sql`
        UPDATE notification_channels SET failing_since = failing_since - interval '2 minutes'
        WHERE organization_id = ${organizationId}`.execute(db);
      await world.raiseEvents(organizationId, [{ alertId: other }]);
      await pollUntil(async () => (await world.deliveries(organizationId))[count + 1]?.status === 'failed');
      if (count < 4) await pass(organizationId, 20);
    }
    expect(await first()).toMatchObject({
      status: 'succeeded',
      reason: 'recipients_skipped',
      attempt_count: 5,
    });
  });
});

/** Returns the number of emails that an organization has used in the current hour. */
const used = async (organizationId: number) =>
  (
    await db
      .selectFrom('email_budgets')
      .select('used')
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
  ).used;

test('an outage of the mail server loses no event, and the emails are sent in order afterwards', async () => {
  const { organizationId, alertId, mails } = await setUp();
  const { port, mails: before } = inbox;
  await inbox.close();
  await world.raiseEvents(organizationId, [{ alertId }]);
  expect(await attempted(organizationId, 1)).toMatchObject({
    status: 'failed',
    error_code: 'connection_failed',
  });
  expect(await used(organizationId)).toBe(0);
  await world.raiseEvents(organizationId, [{ alertId, eventType: 'alert.escalated' }]);
  await world.raiseEvents(organizationId, [{ alertId, eventType: 'alert.resolved' }]);
  await pass(organizationId, 1);
  await attempted(organizationId, 2);
  inbox = await createMailInbox({ port });
  inbox.mails.push(...before);
  await pass(organizationId, 2);
  await allFinal(organizationId, 3);
  expect(mails().map(({ mail }) => mail.subject?.split(':')[0])).toEqual([
    '[High',
    '[Escalated to high',
    '[Resolved',
  ]);
});

test('a digest is one email that contains every event', async () => {
  const { organizationId, channelId, mails } = await setUp(['ana'], { digestMinutes: 5 });
  const alertIds = await world.createAlerts(organizationId, 3);
  await world.raiseEvents(
    organizationId,
    alertIds.map((alertId) => ({ alertId })),
  );
  await pass(organizationId, 6);
  await allFinal(organizationId, 4);
  expect(mails()).toHaveLength(1);
  const { mail } = mails()[0]!;
  expect(mail.subject).toBe('3 new alerts - Acme');
  const page = `${world.baseUrl}/notification-channels/${channelId}`;
  expect(mails()[0]!.head).toContain(`List-Unsubscribe: <${page}>`);
  for (const alertId of alertIds) {
    expect(mail.text).toContain(`View alert: ${world.baseUrl}/alerts/${alertId}\n`);
    expect(mail.html).toContain(`${world.baseUrl}/alerts/${alertId}"`);
  }
});

describe('the recipients of an email channel', () => {
  async function addMember(organizationId: number, email: string): Promise<void> {
    await sql`
      WITH person AS (INSERT INTO users (email, name, password_hash) VALUES (${email}, 'Person', '') RETURNING id)
      INSERT INTO memberships (organization_id, user_id, role) SELECT ${organizationId}, id, 'member' FROM person`.execute(
      db,
    );
  }

  test('exclude former members of the organization', async () => {
    const [left, stays] = [`left-${randomUUID()}@home.example`, `stays-${randomUUID()}@home.example`];
    const { organizationId, alertId, recipients } = await setUp([], { recipients: [left, stays] });
    expect(recipients).toEqual([]);
    await addMember(organizationId, left);
    await addMember(organizationId, stays);
    await world.raiseEvents(organizationId, [{ alertId }]);
    await allFinal(organizationId, 1);
    await sql`DELETE FROM memberships USING users WHERE users.id = user_id AND users.email = ${left}`.execute(
      db,
    );
    // Membership in another organization doesn't count.
    const other = await world.createOrganization();
    await sql`
      INSERT INTO memberships (organization_id, user_id, role)
      SELECT ${other}, id, 'member' FROM users WHERE email = ${left}`.execute(db);
    await world.raiseEvents(organizationId, [{ alertId, eventType: 'alert.resolved' }]);
    const [, resolved] = await allFinal(organizationId, 2);
    expect(resolved).toMatchObject({ status: 'succeeded', reason: 'recipients_skipped' });
    expect(inbox.mails.filter(isTo([left, stays])).map(({ to }) => to)).toEqual([[left, stays], [stays]]);
  });

  test('make the delivery a dead letter if none of them is allowed', async () => {
    const { organizationId, alertId } = await setUp([], { recipients: [`no-${randomUUID()}@home.example`] });
    const before = inbox.mails.length;
    await world.raiseEvents(organizationId, [{ alertId }]);
    const [delivery] = await allFinal(organizationId, 1);
    expect(delivery).toMatchObject({
      status: 'dead_letter',
      reason: 'recipients_not_allowed',
      attempt_count: 1,
    });
    expect(inbox.mails).toHaveLength(before);
  });
});

describe('the limit of 200 emails per hour', () => {
  const use = (organizationId: number, used: number) =>
    sql`
      INSERT INTO email_budgets (organization_id, kind, started_at, used, granted)
      VALUES (${organizationId}, 'message', pacekeeper_now(), ${used}, 0)`.execute(db);
  test('delays excess emails until the next hour without counting an attempt, and affects no other organization', async () => {
    const [full, other] = [await setUp(), await setUp()];
    await use(full.organizationId, 199);
    const [second] = await world.createAlerts(full.organizationId);
    await world.raiseEvents(full.organizationId, [{ alertId: full.alertId }]);
    await allFinal(full.organizationId, 1);
    await world.raiseEvents(full.organizationId, [{ alertId: second! }]);
    await world.raiseEvents(other.organizationId, [{ alertId: other.alertId }]);
    await allFinal(other.organizationId, 1);
    const waiting = await pollUntil(async () => {
      const [, row] = await world.deliveries(full.organizationId);
      return row?.waits_for_limit && row;
    });
    expect(waiting).toMatchObject({ status: 'pending', attempt_count: 0 });
    expect([full.mails().length, other.mails().length]).toEqual([1, 1]);
    // The channel sends the delayed email only after the hour is over.
    await pass(full.organizationId, 30);
    await pollUntil(
      async () => (await world.channel(full.organizationId, full.channelId)).lease_token === null,
    );
    expect(full.mails()).toHaveLength(1);
    await pass(full.organizationId, 31);
    await allFinal(full.organizationId, 2);
    expect(full.mails()).toHaveLength(2);
    expect((await world.deliveries(full.organizationId))[1]).toMatchObject({
      attempt_count: 1,
      waits_for_limit: false,
    });
    expect(await used(full.organizationId)).toBe(1);
  });

  test('counts each recipient, and on a retry only recipients that no attempt has reached', async () => {
    const { organizationId, alertId, recipients } = await setUp(['ana', 'bob', 'eve']);
    replies.set(recipients[0]!, { status: 450 });
    await world.raiseEvents(organizationId, [{ alertId }]);
    await attempted(organizationId, 1);
    expect(await used(organizationId)).toBe(3);
    replies.clear();
    await pass(organizationId, 1);
    await allFinal(organizationId, 1);
    expect(await used(organizationId)).toBe(4);
  });

  test('allows a message to all of its recipients or to none, and leaves the rest of the limit to smaller messages', async () => {
    const { organizationId, alertId, mails } = await setUp(['ana', 'bob', 'eve']);
    await use(organizationId, 198);
    await world.raiseEvents(organizationId, [{ alertId }]);
    await pollUntil(async () => (await only(organizationId)).waits_for_limit);
    expect(await used(organizationId)).toBe(198);
    const small = await world.createChannel(organizationId, {
      recipients: [`one-${randomUUID()}@acme.example`],
      name: 'One person',
    });
    await world.setSetting(organizationId, 'default_notification_channel_id', small);
    const [other] = await world.createAlerts(organizationId);
    await world.raiseEvents(organizationId, [{ alertId: other! }]);
    await pollUntil(async () => (await world.deliveries(organizationId))[1]?.status === 'succeeded');
    expect(await used(organizationId)).toBe(199);
    expect(mails()).toHaveLength(0);
  });
});
