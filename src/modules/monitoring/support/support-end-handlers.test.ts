import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { insertManagedScrapeJob } from '../../../../tests/helpers/discovery-fixture.ts';
import { readCalendar } from '../../../../tests/helpers/read-calendar.ts';
import { lifecycleProduct } from '../../../../tests/helpers/reference-fixture.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import { createWebhookInbox } from '../../../../tests/helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from '../../../../tests/pipeline/pipeline-world.ts';
import { loadLifecycles } from '../../reference/load-lifecycles.ts';
import { createReleaseCache } from '../evaluation/release-cache.ts';
import { findSupportEnds } from './find-support-ends.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const dayIn = (days: number) => clock.daysAgo(-days).slice(0, 10);

async function createDeployed() {
  await loadLifecycles(server.db, {
    asOfMs: Date.parse(clock.inMinutes(0)),
    isConfirmed: true,
    products: [
      lifecycleProduct('postgresql', { '18': '2090-11-14', '14': dayIn(30), '12': dayIn(-500), '9': true }),
      lifecycleProduct('valkey', { '9': false }),
    ],
  });
  const world = await createPipelineWorld(server, inbox);
  const ruleId = await world.createRule({ rule_type: 'majors_behind', thresholds: { high: 100 } });
  const deploy = async (name: string, version: string, product: string, config: object = {}) => {
    const gatherJobId = await world.createGatherJob([{ tag: version, at: clock.daysAgo(400) }], {
      name: product,
      lifecycle_product: product,
      artifact_name: `github.com/acme/${name}`,
    });
    const scrapeJobId = await world.createManualJob({ name });
    await world.setVersion(scrapeJobId, version);
    const configId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId }, config);
    return { gatherJobId, scrapeJobId, configId, ruleId };
  };
  const read = (query: object = {}) => world.api.call('getSupport', { query });
  return { ...world, deploy, read };
}

test('the end of support of every deployed version is listed, regardless of the rule type', async () => {
  const world = await createDeployed();
  const { deploy, read } = world;
  const supported = await deploy('cache', '9.0.1', 'valkey');
  const soon = await deploy('orders', '14.2', 'postgresql', { labels: { team: 'shop' } });
  const old = await deploy('old', '12.1', 'postgresql');
  const ancient = await deploy('ancient', '9.6', 'postgresql');
  await deploy('unknown', '14.2', 'none');
  const second = await world.createConfig(soon);

  const { items, ...page } = await read();
  expect(page).toMatchObject({ total: 4, is_complete: true, total_is_exact: true });
  expect(
    items.map(({ scrape_job, line, ends_on, has_ended }) => [scrape_job.name, line, ends_on, has_ended]),
  ).toEqual([
    ['ancient', '9', null, true],
    ['old', '12', dayIn(-500), true],
    ['orders', '14', dayIn(30), false],
    ['cache', '9', null, false],
  ]);
  expect(items[2]).toMatchObject({
    scrape_job: { id: soon.scrapeJobId },
    gather_job: {
      id: soon.gatherJobId,
      name: 'postgresql',
    },
    alert_config_ids: [soon.configId, second],
    deployed_version: '14.2',
    product: 'postgresql',
    ends_at: `${dayIn(31)}T00:00:00.000Z`,
    days_left: 31,
    is_paid: false,
    newest: {
      line: '18',
      ends_on: '2090-11-14',
    },
  });

  const names = async (query: object) => (await read(query)).items.map(({ scrape_job }) => scrape_job.name);
  expect(await names({ days: 0 })).toEqual(['ancient', 'old']);
  expect(await names({ days: 31 })).toEqual(['ancient', 'old', 'orders']);
  // Support ends after the end of day 30, so a range of 30 days excludes `orders`.
  expect(await names({ days: 30 })).toEqual(['ancient', 'old']);
  expect(await names({ label: 'team=shop' })).toEqual(['orders']);
  expect(await names({ limit: 1, offset: 1 })).toEqual(['old']);
  expect(await names({ alert_config_ids: `${second},${supported.configId}` })).toEqual(['orders', 'cache']);
  expect(await names({ scrape_job_ids: String(old.scrapeJobId) })).toEqual(['old']);
  await expect(read({ scrape_job_ids: '0' })).rejects.toMatchObject({ status: 400 });
  await expect(read({ alert_config_ids: '1,' })).rejects.toMatchObject({ status: 400 });

  const other = await createDeployed();
  expect((await other.read({ alert_config_ids: String(soon.configId) })).items).toEqual([]);
  expect((await other.read({ scrape_job_ids: String(soon.scrapeJobId) })).items).toEqual([]);

  // Paid support extends the date, and a disabled configuration isn't listed.
  const { api } = world;
  await api.call('updateAlertConfig', {
    path: { id: second },
    body: { lifecycle_override: { ends_on: dayIn(700) } },
  });
  expect((await read({ scrape_job_ids: String(soon.scrapeJobId) })).items).toMatchObject([
    { ends_on: dayIn(700), is_paid: true },
  ]);
  await api.call('toggleAlertConfig', { path: { id: ancient.configId } });
  expect(await names({ days: 0 })).toEqual(['old']);
});

test('deployed versions without a known end of support are counted by reason', async () => {
  const { deploy, read, api, organizationId } = await createDeployed();
  await deploy('orders', '14.2', 'postgresql');
  await deploy('ahead', '19.1', 'postgresql');
  await deploy('between', '13.1', 'postgresql');
  await deploy('text', 'main', 'postgresql');
  await deploy('excluded', '14.2', 'none');
  const { gatherJobId } = await deploy('unheard', '1.0', 'none', { labels: { team: 'shop' } });
  await api.call('updateGatherJob', { path: { id: gatherJobId }, body: { lifecycle_product: null } });
  const { items, unknown, total } = await read({ days: 31 });
  expect([items.length, total]).toEqual([1, 1]);
  expect(unknown.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))).toEqual([
    { reason: 'line_unknown', count: 1 },
    { reason: 'no_lifecycle', count: 1 },
    { reason: 'no_support_date', count: 1 },
    { reason: 'not_comparable', count: 1 },
  ]);
  expect((await read({ label: 'team=shop' })).unknown).toEqual([{ reason: 'no_lifecycle', count: 1 }]);

  const filters = { label: 'team=shop', alertConfigIds: null, scrapeJobIds: null };
  const withoutData = server.db.transaction().execute(async (tx) => {
    await sql`UPDATE reference_sources SET as_of = NULL, loaded_at = NULL WHERE name = 'end_of_life'`.execute(
      tx,
    );
    throw await findSupportEnds(tx, createReleaseCache(), organizationId, { ...filters, days: null });
  });
  await expect(withoutData).rejects.toMatchObject({
    ends: [],
    unknown: [{ reason: 'reference_not_loaded', count: 1 }],
  });
});

test('software that discovery no longer finds is not listed', async () => {
  const { deploy, read, api, organizationId, createConfig } = await createDeployed();
  const { gatherJobId, ruleId } = await deploy('old', '12.1', 'postgresql');
  const { id: discoveryJobId } = await api.call('createDiscoveryJob', {
    body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy', is_active: false },
  });
  const scrapeJobId = await insertManagedScrapeJob(server.db, organizationId, discoveryJobId, '14.2');
  await createConfig({ scrapeJobId, gatherJobId, ruleId });
  const names = async () => (await read()).items.map(({ scrape_job }) => scrape_job.name);
  expect(await names()).toEqual(['old', 'web']);
  await api.call('updateScrapeJob', { path: { id: scrapeJobId }, body: { is_active: false } });
  expect(await names()).toEqual(['old']);
});

test('the calendar has one all-day event for each end of support, and requires no login', async () => {
  const { deploy, api, organizationId } = await createDeployed();
  const soon = await deploy('orders', '14.2', 'postgresql', { labels: { team: 'shop' } });
  await deploy('old', '12.1', 'postgresql');
  await deploy('cache', '9.0.1', 'valkey');
  const { url } = await api.call('getSupportCalendar', {});
  const forecast = await api.call('getForecastCalendar', {});
  expect(forecast.url).not.toBe(url);
  const answer = await fetch(url);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  readCalendar(text);
  expect(text.match(/^SUMMARY:.*$/gm)).toEqual(['SUMMARY:orders: support for POSTGRESQL 14 ends']);
  expect(text).toContain(`DTSTART;VALUE=DATE:${dayIn(30).replaceAll('-', '')}\r\n`);
  expect(text).toContain(`URL:${server.url}/alert-configs/${soon.configId}\r\n`);
  const again = await fetch(url, { headers: { 'if-none-match': answer.headers.get('etag')! } });
  expect(again.status).toBe(304);
  const ofOthers = await api.call('getSupportCalendar', { query: { label: 'team=payments' } });
  expect(await (await fetch(ofOthers.url)).text()).not.toContain('SUMMARY');
  await sql`
    INSERT INTO settings (organization_id, key, value) VALUES (${organizationId}, 'calendars.enabled', 'false')`.execute(
    server.db,
  );
  expect((await fetch(url)).status).toBe(404);
});
