import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { createMailInbox } from '../helpers/mail-inbox.ts';
import { createReleases } from '../helpers/monitored.ts';
import { waitUntilNothingPending } from './check-deliveries.ts';
import {
  clientOf,
  createKey,
  createSharedClock,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from './fault-world.ts';

const { db, connection } = await createTestDatabase();
const inbox = await createMailInbox();
afterAll(() => inbox.close());
const env = {
  ...sharedDatabaseEnvironment(connection),
  PACEKEEPER_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
  PACEKEEPER_EMAIL_FROM: 'alerts@ops.example',
  PACEKEEPER_EMAIL_DOMAINS: 'ops.example',
};

test('an email arrives with the same Message-ID even if the server is killed before the result is stored', async () => {
  const clock = createSharedClock(db);
  let server = await startServerProcess(env);
  const { organizationId: id, apiKey } = await createKey(db, server);
  const api = clientOf(server, apiKey);
  const channel = await api.call('createNotificationChannel', {
    body: { name: 'Team', channel_type: 'email', recipients: ['oncall@ops.example'] },
  });
  await api.call('createNotificationRule', { body: { name: 'All', channel_ids: [channel.id] } });
  const gatherJobId = await createReleases({ db }, { id, api }, ['1.0.0', '2.0.0']);
  const scrapeJob = await api.call('createScrapeJob', { body: { name: 'web', parser_type: 'manual' } });
  const rule = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  await api.call('createAlertConfig', {
    body: { name: 'web', scrape_job_id: scrapeJob.id, gather_job_id: gatherJobId, rule_id: rule.id },
  });

  inbox.answerNext('silence');
  await api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version: '1.0.0' } });
  const sent = await until('the message was received', () => Promise.resolve(inbox.unaccepted[0]));
  await server.kill();
  await clock.pass(90);
  server = await startServerProcess(env);
  await waitUntilNothingPending(db, id);

  expect(inbox.mails).toHaveLength(1);
  expect(inbox.mails[0]).toMatchObject({ to: sent.to });
  expect(inbox.mails[0]!.mail).toMatchObject({
    messageId: sent.mail.messageId,
    subject: sent.mail.subject,
    text: sent.mail.text,
    html: sent.mail.html,
  });
  const { items } = await clientOf(server, apiKey).call('listNotificationDeliveries');
  const detail = await clientOf(server, apiKey).call('getNotificationDelivery', {
    path: { id: items[0]!.id },
  });
  expect(detail.attempts).toMatchObject([
    { error: { code: 'worker_lost' } },
    { response_status: 250, error: null },
  ]);
});
