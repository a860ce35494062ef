import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createReleases } from '../helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await sharedTestServer();

/** Age in days of each release of the source. */
const releasedDaysAgo: Readonly<Record<string, number>> = {
  '0.1.0': 1_600,
  '0.2.0': 1_478,
  '1.0.0': 1_000,
  '1.1.0': 400,
  '1.2.0': 300,
  '1.3.0': 200,
  '1.4.0': 1,
};
/** Versions that are 300, 200, and 1 days behind, counted from the first newer release. */
const ordinary = ['1.1.0', '1.2.0', '1.3.0'];

test('the overview and the lists start with the worst of many alerts, which is 1,478 days behind', async () => {
  const organization = await server.createOrganization();
  const { api } = organization;
  const gatherJobId = await createReleases(server, organization, Object.keys(releasedDaysAgo));
  for (const [version, days] of Object.entries(releasedDaysAgo))
    await sql`
      UPDATE releases SET released_at = pacekeeper_now() - ${days} * interval '1 day'
      WHERE organization_id = ${organization.id} AND version = ${version}`.execute(server.db);
  const rule = await api.call('createRule', {
    body: {
      name: 'Ninety days',
      rule_type: 'days_behind',
      days_basis: 'first_newer_release',
      thresholds: { critical: 90 },
    },
  });
  const majors = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { critical: 1 } },
  });
  const create = (name: string, version: string, ruleId: number) =>
    createConfig(organization, { name, version, gatherJobId, ruleId });

  for (let index = 0; index < 120; index += 3)
    await Promise.all(ordinary.map((version, at) => create(`ordinary ${index + at}`, version, rule.id)));
  const worst = await create('worst', '0.1.0', rule.id);
  const major = await create('a major behind', '0.2.0', majors.id);
  await api.call('evaluateRules');

  const { top_alerts } = await api.call('getOverview');
  expect(top_alerts.map((alert) => [alert.alert_config_id, alert.behind_by]).slice(0, 2)).toEqual([
    [worst, 1_478],
    [major, 1],
  ]);
  // The remaining alerts are sorted by the time at which they crossed the threshold, oldest first.
  expect(top_alerts.map((alert) => alert.discovered_version).slice(2)).toEqual(Array(8).fill('1.1.0'));
  const alerts = await api.call('listAlerts', { query: { sort: 'worst', limit: 2 } });
  expect(alerts.total).toBe(82);
  expect(alerts.items).toEqual(top_alerts.slice(0, 2));
  const configs = await api.call('listAlertConfigs', { query: { sort: 'worst', limit: 200 } });
  expect(configs.items.slice(0, 2).map(({ id }) => id)).toEqual([worst, major]);
  expect(configs.items.slice(-40).every(({ severity }) => severity === null)).toBe(true);

  for (const [index, config] of configs.items.slice(0, 2).entries())
    expect(config.crossed_at).toBe(alerts.items[index]!.crossed_at);
  const [first, second] = configs.items;
  expect(Date.parse(first!.crossed_at!)).toBe(Date.parse(first!.behind_since!) + 90 * 86_400_000);
  const releases = await api.call('listReleases', { query: { q: '1.0.0' } });
  expect(second!.crossed_at).toBe(releases.items[0]!.released_at);
});

async function createConfig(
  { api }: TestOrganization,
  parts: { name: string; version: string; gatherJobId: number; ruleId: number },
): Promise<number> {
  const { name, version, gatherJobId, ruleId } = parts;
  const job = await api.call('createScrapeJob', { body: { name, parser_type: 'manual' } });
  await api.call('setScrapeJobVersion', { path: { id: job.id }, body: { version } });
  const body = { name, scrape_job_id: job.id, gather_job_id: gatherJobId, rule_id: ruleId };
  return (await api.call('createAlertConfig', { body })).id;
}
