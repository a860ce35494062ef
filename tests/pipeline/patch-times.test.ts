import { afterAll, expect, test } from 'vitest';
import { loadVulnerabilities } from '../../src/modules/reference/index.ts';
import { runCommand } from '../cli/run-command.ts';
import { osvBatches, osvRecord } from '../helpers/osv-records.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;
const clock = createClock(server);
const day = 24 * 60;

test('the patch times of each owner have the median days from a fix to its deployment, and the numbers of fixed and open vulnerabilities', async () => {
  const world = await createPipelineWorld(server, inbox);
  const other = await createPipelineWorld(server, inbox);
  const createJobs = async (of: typeof world) => ({
    gatherJobId: await of.createGatherJob(
      Object.entries({ '1.0.0': 400, '1.1.0': 300, '1.2.0': 200 }).map(([tag, age]) => ({
        tag,
        at: clock.daysAgo(age),
      })),
      { vulnerability_packages: ['Bitnami/nginx'] },
    ),
    ruleId: await of.createRule({ rule_type: 'days_behind', thresholds: { critical: 9_000 } }),
  });
  const place = async (
    of: typeof world,
    jobs: Awaited<ReturnType<typeof createJobs>>,
    labels: Record<string, string>,
  ) => {
    const body = { name: `nginx ${JSON.stringify(labels)}`, parser_type: 'manual', labels } as const;
    const { id: scrapeJobId } = await of.api.call('createScrapeJob', { body });
    await of.createConfig({ scrapeJobId, ...jobs });
    return (version: string) => of.setVersion(scrapeJobId, version);
  };
  const jobs = await createJobs(world);
  const payments = await place(world, jobs, { owner: 'payments' });
  const search = await place(world, jobs, { owner: 'search' });
  const unowned = await place(world, jobs, {});
  const foreign = await place(other, await createJobs(other), { owner: 'payments' });
  const unknown = await world.createGatherJob([{ tag: '1.0.0', at: clock.daysAgo(400) }], {
    vulnerability_packages: ['Bitnami/unknown'],
  });
  await place(world, { ...jobs, gatherJobId: unknown }, { owner: 'search' });
  const published = clock.daysAgo(100);
  const records = [
    { id: 'CVE-2026-1001', fixed: '1.1.0', published },
    { id: 'CVE-2026-1002', fixed: '1.2.0', published },
    { id: 'CVE-2026-1003', published },
  ];
  await loadVulnerabilities(db, {
    records: osvBatches(records.map(osvRecord)),
    asOfMs: Date.parse(clock.inMinutes(0)),
  });
  for (const deploy of [payments, search, unowned, foreign]) await deploy('1.0.0');
  await clock.pass(4 * day);
  await payments('1.1.0');
  await clock.pass(2 * day);
  await payments('1.2.0');
  await search('1.2.0');
  await foreign('1.2.0');

  const found = await world.api.call('getPatchTimes', { query: { months: 36 } });
  expect(found).toMatchObject({ owner_label: 'owner', is_complete: true, place_count: 4, unknown_count: 1 });
  expect(found.months).toHaveLength(36);
  expect(found.groups.map(({ value }) => value)).toEqual(['payments', 'search', null]);
  // The test spans six days, so the cases can end in two different months.
  const sumOf = (name: 'fixed_count', of: typeof found.months) =>
    of.reduce((sum, each) => sum + each[name], 0);
  const [ofPayments, ofSearch, ofNoOne] = found.groups.map(({ months }) => months);
  expect([ofPayments, ofSearch, ofNoOne].map((months) => sumOf('fixed_count', months!))).toEqual([2, 2, 0]);
  expect(sumOf('fixed_count', found.months)).toBe(4);
  expect([ofPayments, ofSearch, ofNoOne, found.months].map((months) => months!.at(-1)!.open_count)).toEqual([
    0, 0, 2, 2,
  ]);
  const lastOf = (months: typeof found.months) => months.findLast(({ fixed_count }) => fixed_count > 0)!;
  expect(lastOf(ofSearch!)).toMatchObject({ has_data: true, median_days: 6, fixed_count: 2 });
  const last = lastOf(ofPayments!);
  expect(last.median_days).toBe(last.fixed_count === 2 ? 5 : 6);
  expect(found.months[0]).toMatchObject({
    has_data: false,
    median_days: null,
    fixed_count: 0,
    open_count: 0,
  });

  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.organization.apiKey };
  const { stdout, stderr } = await runCommand(['patch-times', '--months', '2', '-o', 'csv'], { env });
  const lines = stdout.trim().split(/\r?\n/);
  expect(lines[0]).toBe('owner,month,median_days,fixed,open');
  expect(lines).toContain(`search,${lastOf(ofSearch!).month},6,2,0`);
  expect(lines).toHaveLength(1 + 4 * 2);
  expect(stderr).toContain("The vulnerabilities of 1 of 4 deployed versions aren't known.");
});
