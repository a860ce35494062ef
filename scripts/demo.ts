/**
 * `npm run demo` runs the complete flow on real input. It starts a server on a temporary directory, a fake
 * GitHub, and a webhook inbox, creates all resources through the API, sets a version, checks the alert and
 * the signed webhook, and measures the time from a version to its webhook. It exits with 0 only if every
 * check passes.
 *
 * Real release histories come from PACEKEEPER_TEST_DATA. Without it, the demo uses a small built-in history.
 */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createApiClient } from '../src/client/api-client.ts';
import { runProgram } from '../tests/helpers/run-program.ts';
import { hasTestData, testDataPath } from '../tests/helpers/test-data.ts';
import { type FakeRelease, startFakeGithub } from '../tests/helpers/upstreams/fake-github.ts';
import { readReleaseHistories } from '../tests/helpers/upstreams/release-histories.ts';
import { createWebhookInbox } from '../tests/helpers/webhook-inbox.ts';

const rounds = 20;
const tool = 'terraform';

const ownHistory: FakeRelease[] = [
  { tag: '3.1.0', publishedAt: '2026-06-01T10:00:00Z' },
  { tag: '3.0.0', publishedAt: '2026-01-10T10:00:00Z' },
  { tag: '2.4.1', publishedAt: '2025-08-20T10:00:00Z' },
  { tag: '2.0.0', publishedAt: '2025-02-01T10:00:00Z' },
  { tag: '1.0.0', publishedAt: '2024-02-01T10:00:00Z' },
];

const folder = await mkdtemp(path.join(tmpdir(), 'pacekeeper-demo-'));
// When this process runs as root, PostgreSQL runs as another user, who must be able to traverse this
// directory to the data directory.
await chmod(folder, 0o711);
const inbox = await createWebhookInbox();
const github = await startFakeGithub();
const program = runProgram(['serve'], {
  PORT: '0',
  PACEKEEPER_DATA_DIR: folder,
  PACEKEEPER_REFERENCE_DATA: 'off',
  PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
  PACEKEEPER_INSECURE_HOSTS: github.host,
  PACEKEEPER_ALLOW_HTTP_WEBHOOKS: 'true',
  PACEKEEPER_LOG_LEVEL: 'warn',
});
try {
  await demo();
  console.log('\nAll of it is right.');
} catch (error) {
  console.error(program.stdout(), program.stderr());
  throw error;
} finally {
  const code = await program.stop();
  await Promise.all([inbox.close(), github.close()]);
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) {
    console.error(`The server ended with ${code}.`);
    process.exitCode = 1;
  }
}

async function demo(): Promise<void> {
  const startedAt = performance.now();
  const histories = hasTestData
    ? await readReleaseHistories(testDataPath('release-history/mise-versions.jsonl'))
    : new Map();
  const releases: FakeRelease[] = histories.get(tool) ?? ownHistory;
  github.repositories.set(`demo/${tool}`, releases);

  const [, email, password] = await program.waitForOutput(/Log in as (\S+) with password (\S+)/);
  const [, baseUrl] = await program.waitForOutput(/running at (\S+)/);
  step(`The server is ready after ${Math.round(performance.now() - startedAt)} ms at ${baseUrl}`);

  const anonymous = createApiClient({ baseUrl: baseUrl! });
  const login = await anonymous.call('login', { body: { email: email!, password: password! } });
  const person = createApiClient({ baseUrl: baseUrl!, token: login.access_token });
  const { key } = await person.call('createAPIKey', { body: { name: 'demo' } });
  const api = createApiClient({ baseUrl: baseUrl!, apiKey: key });
  step(`Logged in as ${login.user.email} and made an API key`);

  const gatherJob = await api.call('createGatherJob', {
    body: { name: tool, source_type: 'github_releases', artifact_name: `${github.host}/demo/${tool}` },
  });
  const gathered = await until('the releases', async () => {
    const job = await api.call('getGatherJob', { path: { id: gatherJob.id } });
    assert.notEqual(job.status, 'failed', JSON.stringify(job.last_run));
    return job.status === 'completed' ? job : null;
  });
  step(
    `Gathered ${gathered.release_count} of ${releases.length} releases; the latest stable one is ${gathered.latest_stable_version}`,
  );
  assert.ok(gathered.release_count >= Math.min(releases.length, 5));

  const oldest = releases.at(-1)!.tag;
  const latest = gathered.latest_stable_version!;
  const scrapeJob = await api.call('createScrapeJob', {
    body: { name: `${tool} in production`, parser_type: 'manual' },
  });
  const rule = await api.call('createRule', {
    body: { name: 'A major version behind', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
  });
  const secret = `whsec_${Buffer.from('a secret of the demonstration').toString('base64')}`;
  const channel = await api.call('createNotificationChannel', {
    body: { name: 'Inbox', url: inbox.url, signing_secret: secret },
  });
  await person.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
  const config = await api.call('createAlertConfig', {
    body: {
      name: tool,
      scrape_job_id: scrapeJob.id,
      gather_job_id: gatherJob.id,
      rule_id: rule.id,
      labels: { team: 'demo' },
    },
  });
  step(`Made a manual scrape job, a rule, a channel and the configuration ${config.id}`);

  await setVersion(oldest);
  const [first] = await inbox.waitFor(1);
  const alerts = await api.call('listAlerts');
  const alert = alerts.items[0];
  assert.ok(alert);
  assert.equal(alerts.total, 1);
  assert.equal(alert.discovered_version, oldest);
  assert.equal(alert.latest_version, latest);
  assert.equal(alert.behind_by, Number(/\d+/.exec(latest)![0]) - Number(/\d+/.exec(oldest)![0]));
  step(
    `Set version ${oldest}: alert ${alert.id}, ${alert.severity}, ${alert.behind_by} major versions behind ${alert.latest_version}`,
  );

  const body = new Webhook(secret).verify(first!.body, first!.headers) as {
    type: string;
    data: { alert: Record<string, unknown> };
  };
  assert.equal(body.type, 'alert.created');
  assert.equal(body.data.alert['id'], alert.id);
  assert.equal(body.data.alert['behind_by'], alert.behind_by);
  assert.deepEqual(body.data.alert['labels'], { team: 'demo' });
  step(`Received ${body.type} and verified its signature`);

  const durations: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const count = inbox.requests.length;
    const sentAt = performance.now();
    const isBehind = round % 2 === 1;
    await setVersion(isBehind ? oldest : latest);
    const received = (await inbox.waitFor(count + 1)).at(-1)!;
    durations.push(received.atMs - sentAt);
    const event = new Webhook(secret).verify(received.body, received.headers) as { type: string };
    assert.equal(event.type, isBehind ? 'alert.created' : 'alert.resolved');
  }
  durations.sort((a, b) => a - b);
  step(
    `${rounds} rounds from set-version to the webhook: median ${durations[rounds / 2]!.toFixed(1)} ms, ` +
      `fastest ${durations[0]!.toFixed(1)} ms, slowest ${durations.at(-1)!.toFixed(1)} ms`,
  );

  async function setVersion(version: string): Promise<void> {
    await api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version } });
  }
}

function step(text: string): void {
  console.log(`- ${text}`);
}

/** Polls `ask` until it returns a value. Throws after 20 seconds. */
async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  for (const deadline = performance.now() + 20_000; ; ) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`${what} did not come`);
    await sleep(20);
  }
}
