import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { createDeliveryFixture } from '../../../../tests/helpers/delivery-fixture.ts';
import { pollUntil } from '../../../../tests/helpers/delivery-world.ts';
import { createMailInbox, type MailReply } from '../../../../tests/helpers/mail-inbox.ts';
import { readConfig } from '../../../platform/config.ts';
import { transaction } from '../../../platform/database/index.ts';
import type { DueLoop } from '../../../platform/due-rows/index.ts';
import { createMailer } from '../../../platform/email/index.ts';
import { createLog, createSilentLog } from '../../../platform/log.ts';
import { disableChannels } from './worker/disable-channels.ts';
import { startOwnerMailLoop } from './worker/start-owner-mail-loop.ts';
import { notifyChannelProblemsAcrossOrganizations } from './worker/watch-channels.ts';

const { db, world, inbox, answers, trigger } = await createDeliveryFixture();
const mails = await createMailInbox();
const mailer = createMailer(
  readConfig({
    PACEKEEPER_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    PACEKEEPER_EMAIL_FROM: 'alerts@acme.example',
  }),
  { secretKey: randomBytes(32), version: '0.1.0', log: createSilentLog() },
)!;
world.startLoop({ mailer });
const lines: Record<string, unknown>[] = [];
const log = createLog({
  level: 'warn',
  format: 'json',
  destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
});
const loops: DueLoop[] = [];
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
});
afterAll(async () => {
  await mails.close();
  await mailer.close();
});

/** Replies of the mail server by recipient address. */
const replies = new Map<string, MailReply>();
beforeEach(() => {
  lines.length = 0;
  answers.clear();
  replies.clear();
  mails.onRecipient = (address) => replies.get(address) ?? null;
});

let offsetMinutes = 0;
async function pass(minutes: number): Promise<void> {
  offsetMinutes += minutes;
  await setClockOffset(db, `${offsetMinutes} minutes`);
}
afterEach(() => (offsetMinutes = 0));

const watchOne = () => transaction(db, (tx) => notifyChannelProblemsAcrossOrganizations(tx));
async function watch(): Promise<void> {
  while (await watchOne());
}

let count = 0;
/** Creates an organization whose default channel is at `/default-N`, and optionally another channel. */
async function setUp({
  hasOther = false,
  ...fields
}: { hasOther?: boolean } & Partial<Parameters<typeof world.createChannel>[1]> = {}) {
  const id = ++count;
  const url = (name: string) => `${inbox.url}${name}-${id}`;
  const ids = await world.createOrganizationWithChannel({ url: url('default'), name: 'Default' });
  const otherId = hasOther
    ? await world.createChannel(ids.organizationId, { url: url('other'), name: 'Other', ...fields })
    : null;
  const [alertId] = await world.createAlerts(ids.organizationId);
  const heard = (name: string) =>
    inbox.requests
      .filter(({ path }) => path === `/${name}-${id}`)
      .map(({ body }) => JSON.parse(body) as { type: string; data: { channel?: { reason: string } } });
  return {
    ...ids,
    otherId,
    /**
     * Makes three attempts at the default channel fail, the last one more than half an hour ago. The default schedule
     * has another attempt after two hours, so that no dead letter is reported too.
     */
    async fail(minutes = 31, retrySchedule = [1, 1, 7_200]) {
      answers.set(`/default-${id}`, { status: 500 });
      await world.setSetting(ids.organizationId, 'delivery.retry_schedule_seconds', retrySchedule);
      await world.raiseEvents(ids.organizationId, [{ alertId: alertId! }]);
      for (const failures of [1, 2, 3]) {
        await pollUntil(async () => (await channel()).consecutive_failures >= failures);
        // The next attempt follows after a second, with jitter.
        if (failures < 3) await pass(2 / 60);
        world.wakeUps.wake('notification_channels');
      }
      await pass(minutes);
    },
    async recover() {
      answers.set(`/default-${id}`, { status: 200 });
      // The next attempt of the delivery that failed, which the new event waits for.
      await pass(121);
      await world.raiseEvents(ids.organizationId, [{ alertId: alertId! }]);
      await trigger(ids.organizationId);
      await pollUntil(async () => (await channel()).consecutive_failures === 0);
    },
    channel,
    types: (name: string) => heard(name).map(({ type }) => type),
    heard,
    async addOwner(email: string) {
      await sql`
        WITH person AS (INSERT INTO users (email, name, password_hash) VALUES (${email}, 'Ana', 'x') RETURNING id)
        INSERT INTO memberships (organization_id, user_id, role) SELECT ${ids.organizationId}, id, 'owner' FROM person`.execute(
        db,
      );
    },
  };
  function channel() {
    return world.channel(ids.organizationId, ids.channelId);
  }
}

const startMails = (parts: { mailer: typeof mailer | null }) =>
  loops.push(
    startOwnerMailLoop({
      db,
      log,
      baseUrl: 'https://pacekeeper.example.com',
      acknowledgeSigner: world.acknowledgeSigner,
      ...parts,
    }),
  );

describe('a channel that keeps failing', () => {
  test('is reported once to another channel, never to itself, and its recovery closes the report', async () => {
    const { fail, recover, types, heard } = await setUp({ hasOther: true });
    await fail();
    await watch();
    await watch();
    await pollUntil(async () => types('other').includes('channel.failing'));
    await recover();
    await watch();
    await watch();
    await pollUntil(async () => types('other').includes('channel.recovered'));
    expect(types('other').filter((type) => type.startsWith('channel.'))).toEqual([
      'channel.failing',
      'channel.recovered',
    ]);
    expect(heard('other')[0]!.data.channel).toMatchObject({
      name: 'Default',
      reason: 'The receiver returned 500.',
    });
    expect(types('default')).not.toContain('channel.failing');
  });

  test('isn’t reported in its first half hour', async () => {
    const { fail, types, channel } = await setUp({ hasOther: true });
    await fail(25);
    await watch();
    expect(types('other')).toEqual([]);
    expect(await channel()).toMatchObject({ failing_notified_at: null });
  });

  test('isn’t reported to a channel that is also failing, but to the owners by email', async () => {
    const { fail, addOwner, organizationId, otherId, types } = await setUp({ hasOther: true });
    await addOwner('ana@acme.example');
    await fail();
    await sql`
      UPDATE notification_channels SET failing_since = pacekeeper_now() - interval '1 hour', consecutive_failures = 5
      WHERE organization_id = ${organizationId} AND id = ${otherId}`.execute(db);
    await watch();
    startMails({ mailer });
    await pollUntil(async () => (await ownerMails(organizationId)).length === 0);
    expect(types('other')).toEqual([]);
    // One outage causes one email.
    const received = mails.mails.filter(({ to }) => to.includes('ana@acme.example'));
    expect(received.map(({ mail }) => mail.subject)).toEqual(['2 channels failing - Acme']);
    expect(received[0]!.mail.text).toContain('Channel failing: Default');
    expect(received[0]!.mail.text).toContain('Channel failing: Other');
  });

  test('is reported as recovered after its URL was changed only when a message arrives', async () => {
    const { fail, types, organizationId, channelId } = await setUp({ hasOther: true });
    await fail();
    await watch();
    await sql`
      UPDATE notification_channels SET failing_since = NULL, consecutive_failures = 0
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    await watch();
    await pollUntil(async () => types('other').includes('channel.failing'));
    expect(types('other')).not.toContain('channel.recovered');
  });
});

describe('an email to the owners', () => {
  test.each(['no mail server', 'too little of the budget'])(
    'that is not sent does not use up the email budget: %s',
    async (reason) => {
      const { fail, addOwner, organizationId } = await setUp();
      await addOwner(`dan-${count}@acme.example`);
      await addOwner(`eve-${count}@acme.example`);
      await fail();
      await watch();
      const isUsed = reason === 'too little of the budget';
      await sql`
        INSERT INTO email_budgets (organization_id, kind, started_at, used, granted)
        VALUES (${organizationId}, 'message', pacekeeper_now(), ${isUsed ? 199 : 10}, 0)`.execute(db);
      const unreachable = createMailer(
        readConfig({
          PACEKEEPER_SMTP_URL: 'smtp://127.0.0.1:1',
          PACEKEEPER_EMAIL_FROM: 'alerts@acme.example',
        }),
        { secretKey: randomBytes(32), version: '0.1.0', log: createSilentLog() },
      )!;
      startMails({ mailer: isUsed ? mailer : unreachable });
      await pollUntil(async () => {
        const { rows } = await sql`
          SELECT FROM owner_mails
          WHERE organization_id = ${organizationId} AND due_at > pacekeeper_now() AND lease_token IS NULL`.execute(
          db,
        );
        return rows.length === 1;
      });
      const { rows } = await sql<{ used: number }>`
        SELECT used FROM email_budgets WHERE organization_id = ${organizationId} AND kind = 'message'`.execute(
        db,
      );
      expect(rows).toEqual([{ used: isUsed ? 199 : 10 }]);
      await unreachable.close();
    },
  );

  test('that no owner’s mail server accepts is reported in the log', async () => {
    const { fail, addOwner, organizationId } = await setUp();
    const address = `fay-${count}@acme.example`;
    await addOwner(address);
    replies.set(address, { status: 550, text: 'unknown' });
    await fail();
    await watch();
    startMails({ mailer });
    await pollUntil(async () => (await ownerMails(organizationId)).length === 0);
    expect(lines.filter(({ organization_id }) => organization_id === organizationId)).toMatchObject([
      { msg: 'no owner of an organization was notified of problems with its channels' },
    ]);
  });

  test('is retried only for owners whose mail server deferred it', async () => {
    const { fail, addOwner, organizationId } = await setUp();
    await addOwner('bea@acme.example');
    await addOwner('cai@acme.example');
    replies.set('cai@acme.example', { status: 450, text: 'later' });
    await fail();
    await watch();
    startMails({ mailer });
    const mailsTo = (name: string) =>
      mails.mails.filter(({ to }) => to.includes(`${name}@acme.example`)).length;
    await pollUntil(async () => {
      const { rows } = await sql<{ failures: number }>`
        SELECT failures FROM owner_mails WHERE organization_id = ${organizationId} AND lease_token IS NULL`.execute(
        db,
      );
      return rows[0]?.failures === 1;
    });
    replies.clear();
    await pass(5);
    world.wakeUps.wake('owner_mails');
    await pollUntil(async () => mailsTo('cai') === 1);
    expect(mailsTo('bea')).toBe(1);
  });

  test('that can’t be sent is reported in the log', async () => {
    const { fail, organizationId } = await setUp();
    await fail();
    await watch();
    startMails({ mailer: null });
    await pollUntil(async () => lines.some(({ organization_id }) => organization_id === organizationId));
    expect(lines.find(({ organization_id }) => organization_id === organizationId)!['msg']).toBe(
      'no owner of an organization was notified of problems with its channels',
    );
  });
});

describe('a dead letter', () => {
  test('is reported once a day for its channel, to another channel', async () => {
    const { types, organizationId, heard, channelId } = await setUp({ hasOther: true });
    await sql`
      UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    await watch();
    await watch();
    await pollUntil(async () => types('other').length === 1);
    expect(heard('other')[0]).toMatchObject({
      type: 'delivery.failed',
      data: { channel: { name: 'Default' } },
    });
    // If the clock changed before the result is stored, the message would be sent again.
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).every(({ status }) => status === 'succeeded'),
    );
    await pass(23 * 60);
    // Set this only for the default channel. The other channel's dead letter would be reported to the default
    // channel, and the success of that delivery would end the report about the default channel.
    await sql`UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    await watch();
    expect(types('other')).toEqual(['delivery.failed']);
    await pass(2 * 60);
    await watch();
    expect(types('other')).toEqual(['delivery.failed']);
    await sql`UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    await watch();
    await pollUntil(async () => types('other').length === 2);
  });

  test('is reported only once if the clock is set back by days after the report', async () => {
    const { organizationId, channelId, types } = await setUp({ hasOther: true });
    await watch();
    await sql`
      UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now() + interval '2 days'
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    expect(await watchOne()).toBe(true);
    expect(await watchOne()).toBe(false);
    await pollUntil(async () => types('other').length > 0);
    expect(types('other')).toEqual(['delivery.failed']);
  });

  test('that contains a report of dead letters causes no further report', async () => {
    const { organizationId, otherId, channelId } = await setUp({ hasOther: true });
    answers.set(`/other-${count}`, { status: 500 });
    await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', [1]);
    await sql`
      UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
    await watch();
    await pollUntil(async () =>
      (await world.deliveries(organizationId)).some(({ status }) => status === 'dead_letter'),
    );
    expect((await world.channel(organizationId, otherId!)).last_dead_letter_at).toBeNull();
  });

  test.each([['after all attempts', [1], { status: 500 }, 'The receiver returned 500.']])(
    'is recorded with its channel %s',
    async (_when, schedule, answer, message) => {
      const { organizationId, channelId, types, heard } = await setUp({ hasOther: true });
      answers.set(`/default-${count}`, answer);
      await world.setSetting(organizationId, 'delivery.retry_schedule_seconds', schedule);
      const [alertId] = await world.createAlerts(organizationId);
      await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
      await pollUntil(
        async () => (await world.channel(organizationId, channelId)).last_dead_letter_at !== null,
      );
      await watch();
      await pollUntil(async () => types('other').includes('delivery.failed'));
      expect(heard('other')[0]!.data.channel!.reason).toBe(message);
    },
  );
});

describe('an event about a channel', () => {
  test('is sent to a channel that sends immediately rather than to one that collects a digest', async () => {
    const { fail, organizationId, types } = await setUp({ hasOther: true, digestMinutes: 60 });
    await world.createChannel(organizationId, { url: `${inbox.url}third-${count}`, name: 'Third' });
    await fail();
    await watch();
    await pollUntil(async () => types('third').includes('channel.failing'));
    expect(await ownerMails(organizationId)).toEqual([]);
  });

  test.each([
    ['a digest', { digestMinutes: 60 }],
    ['a schedule', { digestSchedule: '0 9 * * 1' }],
    ['closed hours', {}],
  ])('is also mailed to the owners if only a channel with %s can report it', async (name, fields) => {
    const { fail, organizationId, otherId } = await setUp({ hasOther: true, ...fields });
    if (name === 'closed hours') await closeForDays(organizationId, otherId!);
    await fail();
    await watch();
    expect(await ownerMails(organizationId)).toContain('channel.failing');
    expect(
      (await world.deliveries(organizationId)).filter(({ event_type }) => event_type === 'channel.failing'),
    ).toMatchObject([{ channel_id: otherId }]);
  });

  test('that reports a recovery is sent to the channel that received the failure report, even if the default channel has changed', async () => {
    const { fail, recover, organizationId, otherId, types } = await setUp({ hasOther: true });
    await fail();
    await watch();
    await pollUntil(async () => types('other').includes('channel.failing'));
    const url = `${inbox.url}third-${count}`;
    const thirdId = await world.createChannel(organizationId, { url, name: 'Third' });
    await recover();
    await world.setSetting(organizationId, 'default_notification_channel_id', thirdId);
    await watch();
    await pollUntil(async () => types('other').includes('channel.recovered'));
    // The new default channel never got the report.
    expect(
      (await world.deliveries(organizationId))
        .filter(({ event_type }) => event_type === 'channel.recovered')
        .map(({ channel_id }) => channel_id),
    ).toEqual([otherId]);
  });

  test("isn't routed to another channel that is disabled at the same time", async () => {
    const { organizationId, channelId, otherId, types } = await setUp({ hasOther: true });
    await disable(organizationId, [channelId, otherId!]);
    expect(await ownerMails(organizationId)).toEqual(['channel.disabled', 'channel.disabled']);
    expect(await world.deliveries(organizationId)).toEqual([]);
    expect(types('other')).toEqual([]);
  });

  test.each([true, false])(
    'is sent to another channel or to the owners when the channel whose digest contains it is disabled (another channel: %s)',
    async (hasThird) => {
      const { organizationId, otherId, fail, types } = await setUp({ hasOther: true, digestMinutes: 60 });
      await fail();
      await watch();
      await sql`DELETE FROM owner_mails WHERE organization_id = ${organizationId}`.execute(db);
      if (hasThird) await world.createChannel(organizationId, { url: `${inbox.url}third-${count}` });
      await disable(organizationId, [otherId!]);
      if (hasThird) {
        for (const type of ['channel.failing', 'channel.disabled'])
          await pollUntil(async () => types('third').includes(type));
      } else
        expect(await ownerMails(organizationId)).toEqual(
          expect.arrayContaining(['channel.failing', 'channel.disabled']),
        );
    },
  );
});

test('each transaction handles the channel problems of only one organization', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 2; n++) {
    const { organizationId } = await setUp({ hasOther: true });
    await sql`UPDATE notification_channels SET last_dead_letter_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(db);
    ids.push(organizationId);
  }
  const countReported = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(DISTINCT organization_id)::integer AS count FROM audit_entries
      WHERE organization_id = ANY(${ids}::bigint[]) AND event_type = 'delivery.failed'`.execute(db);
    return rows[0]!.count;
  };
  // The organizations of other tests can also have problems.
  const counts = [0];
  while (await watchOne()) counts.push(await countReported());
  expect([...new Set(counts)]).toEqual([0, 1, 2]);
});

async function closeForDays(organizationId: number, channelId: number): Promise<void> {
  await sql`
    UPDATE notification_channels SET sending_hours = jsonb_build_array(jsonb_build_object(
      'days', jsonb_build_array(to_char(pacekeeper_now() AT TIME ZONE 'UTC' + interval '3 days', 'dy')),
      'from', '10:00', 'to', '11:00'))
    WHERE organization_id = ${organizationId} AND id = ${channelId}`.execute(db);
}

/** Returns the types of the events that wait to be mailed to the owners. */
async function ownerMails(organizationId: number): Promise<string[]> {
  const { rows } = await sql<{ event_type: string }>`
    SELECT e.event_type FROM owner_mails m
    JOIN audit_entries e ON e.organization_id = m.organization_id AND e.id = m.audit_entry_id
    WHERE m.organization_id = ${organizationId} ORDER BY m.id`.execute(db);
  return rows.map((row) => row.event_type);
}

function disable(organizationId: number, channelIds: readonly number[]): Promise<void> {
  const rejected = channelIds.map((channelId) => ({
    organizationId,
    channelId,
    channelName: 'Operations',
    deliveryId: 0,
  }));
  return transaction(db, (tx) => disableChannels(tx, rejected, 'gone'));
}

test('a default channel that is disabled because of a response of its receiver is reported to another channel', async () => {
  const { organizationId, types } = await setUp({ hasOther: true });
  answers.set(`/default-${count}`, { status: 410 });
  const [alertId] = await world.createAlerts(organizationId);
  await world.raiseEvents(organizationId, [{ alertId: alertId! }]);
  await pollUntil(async () => types('other').includes('channel.disabled'));
});
