import { afterAll, expect, test } from 'vitest';
import { loadVulnerabilities } from '../../src/modules/reference/load-vulnerabilities.ts';
import { osvBatches, osvRecord } from '../helpers/osv-records.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, until } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;
const clock = createClock(server);
const day = 24 * 60;

test('the patch deadline of a vulnerability is counted from its publication, its fix, or its deployment, whichever is last, and is breached once it has passed', async () => {
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const ages = { '1.0.0': 400, '1.1.0': 300, '1.2.0': 10, '2.0.0': 5 };
  const releasedAt = new Map(Object.entries(ages).map(([tag, age]) => [tag, clock.daysAgo(age)]));
  const gatherJobId = await world.createGatherJob(
    [...releasedAt].map(([tag, at]) => ({ tag, at })),
    { vulnerability_packages: ['Bitnami/nginx'] },
  );
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule({
    rule_type: 'known_vulnerabilities',
    thresholds: { moderate: 1 },
  });
  const configId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
  const path = { id: configId };
  const ageRuleId = await world.createRule({ rule_type: 'vulnerability_age', thresholds: { high: 15 } });
  const ageConfigId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId: ageRuleId });
  const readAge = () => api.call('getAlertConfig', { path: { id: ageConfigId } });
  const published = clock.daysAgo(20);
  const earlier = clock.daysAgo(30);
  const records = [
    { id: 'BIT-1', aliases: ['CVE-1'], fixed: '1.2.0', severity: 'Critical', published },
    { id: 'BIT-2', aliases: ['CVE-1'], fixed: '1.2.0', severity: 'Critical', published: earlier },
    { id: 'BIT-3', fixed: '1.1.0', severity: 'High', published },
    { id: 'BIT-4', severity: 'High', published },
    { id: 'BIT-5', fixed: '1.2.0', severity: 'Low', published },
    { id: 'BIT-6', fixed: '1.2.0', severity: 'Moderate' },
    { id: 'BIT-7', introduced: '1.0.5', fixed: '2.0.0', published },
  ];
  await loadVulnerabilities(db, {
    records: osvBatches(records.map(osvRecord)),
    asOfMs: Date.parse(clock.inMinutes(0)),
    isConfirmed: true,
  });
  const list = async () => {
    const { items } = await api.call('listAlertConfigVulnerabilities', { path });
    return new Map(items.map((item) => [item.id, item]));
  };
  const changeTo = async (version: string) => {
    const { discovered_at } = await world.setVersion(scrapeJobId, version);
    await world.settled();
    return discovered_at;
  };
  const after = (at: string, days: number) => new Date(Date.parse(at) + days * 86_400_000).toISOString();

  const first = await changeTo('1.0.0');
  const atFirst = await list();
  expect(atFirst.get('CVE-1')).toMatchObject({
    published_at: earlier,
    fix_available_since: releasedAt.get('1.2.0'),
    deployed_since: first,
    due_at: after(first, 15),
    is_breached: false,
  });
  expect(atFirst.get('BIT-3')).toMatchObject({
    fix_available_since: releasedAt.get('1.1.0'),
    due_at: after(first, 30),
  });
  expect(atFirst.get('BIT-4')).toMatchObject({ fix_available_since: null, due_at: null, is_breached: false });
  expect(atFirst.get('BIT-5')).toMatchObject({ published_at: published, due_at: null });
  expect(atFirst.get('BIT-6')).toMatchObject({ published_at: null, due_at: null });
  expect(atFirst.has('BIT-7')).toBe(false);

  // Change the setting before moving the clock, because moving the clock ends the login.
  const setDays = (value: number) =>
    world.owner.call('putOrgOverride', {
      path: { key: 'vulnerabilities.critical_patch_days' },
      body: { value },
    });
  await setDays(60);
  expect((await list()).get('CVE-1')).toMatchObject({ due_at: after(first, 60) });
  await setDays(15);

  await clock.pass(2 * day);
  const second = await changeTo('1.1.0');
  const atSecond = await list();
  expect(atSecond.get('CVE-1')).toMatchObject({ deployed_since: first, due_at: after(first, 15) });
  expect(atSecond.get('BIT-7')).toMatchObject({
    fix_available_since: releasedAt.get('2.0.0'),
    deployed_since: second,
    due_at: after(second, 90),
  });
  expect(atSecond.has('BIT-3')).toBe(false);

  // The fix 1.2.0 came out ten days before the first deployment, after the vulnerability was published.
  expect(await readAge()).toMatchObject({
    state: 'ok',
    behind_since: releasedAt.get('1.2.0'),
    behind_by: 12,
  });
  await clock.pass(14 * day);
  await until('the alert is open', async () => (await readAge()).state === 'alerting');
  expect(await readAge()).toMatchObject({ severity: 'high', state_reason: 'fix_available', behind_by: 26 });
  expect((await list()).get('CVE-1')).toMatchObject({ is_breached: true });
  await api.call('updateAlertConfig', {
    path,
    body: { ignored_vulnerabilities: [{ id: 'CVE-1', until: null }] },
  });
  expect((await list()).get('CVE-1')).toMatchObject({ is_ignored: true, due_at: null, is_breached: false });
});
