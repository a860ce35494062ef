import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { until } from './pipeline-world.ts';

const { connection } = await createTestDatabase({ schema: 'empty' });
const inbox = await createWebhookInbox();
const github = await startFakeGithub();
const programs: RunningProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await Promise.all([inbox.close(), github.close()]);
});

const login = { email: 'admin@localhost', password: 'a password for two' };
const shared = {
  DATABASE_URL: databaseUrl(connection),
  PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
  PACEKEEPER_ADMIN_PASSWORD: login.password,
  PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
  PACEKEEPER_INSECURE_HOSTS: github.host,
  PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
  PACEKEEPER_LOG_LEVEL: 'error',
  PORT: '0',
};

/** Starts two servers on an empty database at the same time, each with an embedded agent. */
async function startTwo(): Promise<string[]> {
  programs.push(
    ...[1, 2].map(() => {
      const folder = path.join(tmpdir(), `pacekeeper-two-${randomBytes(6).toString('hex')}`);
      return runProgram(['serve'], { ...shared, PACEKEEPER_DATA_DIR: folder });
    }),
  );
  return Promise.all(programs.map(async (program) => (await program.waitForOutput(/running at (\S+)/))[1]!));
}

test('two servers with the same database and secret key act as one service: each event arrives once in each channel', async () => {
  const urls = await startTwo();
  const { access_token } = await createApiClient({ baseUrl: urls[0]! }).call('login', { body: login });
  // A session from one server is valid on the other.
  const owner = createApiClient({ baseUrl: urls[1]!, token: access_token });
  const { key } = await owner.call('createAPIKey', { body: { name: 'two', role: 'admin' } });
  const [one, two] = urls.map((baseUrl) => createApiClient({ baseUrl, apiKey: key })) as [
    ReturnType<typeof createApiClient>,
    ReturnType<typeof createApiClient>,
  ];

  github.repositories.set(
    'demo/tool',
    ['3.0.0', '2.0.0', '1.0.0'].map((tag, index) => ({
      tag,
      publishedAt: new Date(Date.UTC(2026, 5 - index, 1)).toISOString(),
    })),
  );
  const gatherJob = await one.call('createGatherJob', {
    body: { name: 'tool', source_type: 'github_releases', artifact_name: `${github.host}/demo/tool` },
  });
  await until(
    'the releases',
    async () => (await two.call('getGatherJob', { path: { id: gatherJob.id } })).status === 'completed',
  );
  const runs = await two.call('listGatherJobRuns', { path: { id: gatherJob.id } });
  expect(runs.items.map(({ status, attempt }) => ({ status, attempt }))).toEqual([
    { status: 'succeeded', attempt: 1 },
  ]);

  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const channels = [];
  for (const [index, api] of [one, two].entries()) {
    const url = new URL(`/channel-${index}`, inbox.url).href;
    channels.push(
      await api.call('createNotificationChannel', {
        body: { name: `channel ${index}`, url, signing_secret: secret },
      }),
    );
  }
  await two.call('createNotificationRule', {
    body: { name: 'both', channel_ids: channels.map((channel) => channel.id) },
  });
  const scrapeJob = await one.call('createScrapeJob', { body: { name: 'tool', parser_type: 'manual' } });
  const rule = await two.call('createRule', {
    body: { name: 'majors', rule_type: 'majors_behind', thresholds: { moderate: 1, high: 2 } },
  });
  await one.call('createAlertConfig', {
    body: { name: 'tool', scrape_job_id: scrapeJob.id, gather_job_id: gatherJob.id, rule_id: rule.id },
  });

  const course = [
    ['2.0.0', 'alert.created'],
    ['1.0.0', 'alert.escalated'],
    ['3.0.0', 'alert.resolved'],
    ['1.0.0', 'alert.created'],
    ['3.0.0', 'alert.resolved'],
  ] as const;
  for (const [index, [version]] of course.entries()) {
    // Either server can process a version that is set through one of them.
    await [one, two][index % 2]!.call('setScrapeJobVersion', {
      path: { id: scrapeJob.id },
      body: { version },
    });
    await inbox.waitFor(2 * (index + 1));
  }
  await until('the last results', async () => {
    const { items } = await two.call('listNotificationDeliveries');
    return items.every((delivery) => delivery.status === 'succeeded') && items.length === 2 * course.length;
  });
  for (const [index] of channels.entries()) {
    const heard = inbox.requests.filter((request) => request.path === `/channel-${index}`);
    const types = heard.map(
      (request) => (new Webhook(secret).verify(request.body, request.headers) as { type: string }).type,
    );
    expect(types).toEqual(course.map(([, type]) => type));
    expect(new Set(heard.map((request) => request.id)).size).toBe(course.length);
  }
  const { items: alerts } = await one.call('listResolvedAlerts');
  expect(alerts.map((alert) => alert.resolution)).toEqual(['caught_up', 'caught_up']);

  // After one server stops, the other one does all the work.
  expect(await programs[0]!.stop()).toBe(0);
  await two.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version: '2.0.0' } });
  await inbox.waitFor(2 * course.length + 2);
  await two.call('runGatherJob', { path: { id: gatherJob.id } });
  await until('the other agent', async () => {
    const { items } = await two.call('listGatherJobRuns', { path: { id: gatherJob.id } });
    return items.length === 2 && items.every((run) => run.status === 'succeeded');
  });
  expect(await programs[1]!.stop()).toBe(0);
  expect(inbox.requests).toHaveLength(2 * course.length + 2);
  for (const program of programs) expect(program.stderr()).toBe('');
});
