import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { startTestServer } from '../../../tests/helpers/test-server.ts';

const server = await startTestServer();

/** Creates an organization with one upgrade, whose list is read with `read`. */
async function createUpgrade() {
  const organization = await server.createOrganization();
  const { api } = organization;
  const ids = await createMonitoredSoftware(server, organization);
  await expect.poll(async () => (await api.call('listAlerts')).total).toBe(1);
  const read = async () => {
    const { items, counts } = await api.call('listUpgrades');
    const [upgrade] = items;
    return [upgrade?.gather_job.name, upgrade?.places.total, upgrade?.status, counts.needs_action];
  };
  return { organization, api, ids, read };
}

const readsPlaces = (statements: readonly string[]) =>
  statements.some((text) => text.includes('WITH places'));

test('an unchanged list of upgrades is read from the database once, for each organization and filter', async () => {
  const [first, second] = [await createUpgrade(), await createUpgrade()];
  const listOf = (status?: 'planned') => () =>
    first.api.call('listUpgrades', { query: status === undefined ? {} : { status } });
  expect(readsPlaces(await server.statementsOf(first.read))).toBe(true);
  expect(readsPlaces(await server.statementsOf(first.read))).toBe(false);
  expect(readsPlaces(await server.statementsOf(second.read))).toBe(true);
  expect(readsPlaces(await server.statementsOf(listOf('planned')))).toBe(true);
  expect(readsPlaces(await server.statementsOf(listOf('planned')))).toBe(false);
});

test('requests for Today whose periods start in the same minute share a result', async () => {
  const { api } = await createUpgrade();
  const { rows } = await sql<{ ms: number }>`
    SELECT extract(epoch FROM pacekeeper_now())::float8 * 1000 AS ms`.execute(server.db);
  // Moves the clock to the start of a minute.
  await setClockOffset(server.db, `${60_000 - (rows[0]!.ms % 60_000)} milliseconds`);
  onTestFinished(() => setClockOffset(server.db, '0'));
  const read = (since?: string) => () =>
    api.call('getToday', { query: since === undefined ? {} : { since } });
  expect(readsPlaces(await server.statementsOf(read()))).toBe(true);
  expect(readsPlaces(await server.statementsOf(read()))).toBe(false);
  expect(readsPlaces(await server.statementsOf(read('2026-01-02T03:04:00.001Z')))).toBe(true);
  expect(readsPlaces(await server.statementsOf(read('2026-01-02T04:04:59.999+01:00')))).toBe(false);
  expect((await read('2026-01-02T03:04:30Z')()).since).toBe('2026-01-02T03:04:00.000Z');
});

test('a list of upgrades shows every change immediately', async () => {
  const { organization, api, ids, read } = await createUpgrade();
  expect(await read()).toEqual(['web', 1, 'needs_action', 1]);
  const [alert] = (await api.call('listAlerts')).items;
  await api.call('acknowledgeAlert', { path: { id: alert!.id } });
  expect(await read()).toEqual(['web', 1, 'planned', 0]);
  await api.call('unacknowledgeAlert', { path: { id: alert!.id } });
  expect(await read()).toEqual(['web', 1, 'needs_action', 1]);
  await api.call('updateGatherJob', { path: { id: ids.gatherJobId }, body: { name: 'renamed' } });
  expect(await read()).toEqual(['renamed', 1, 'needs_action', 1]);
  const { id } = await api.call('createScrapeJob', { body: { name: 'another', parser_type: 'manual' } });
  await api.call('setScrapeJobVersion', { path: { id }, body: { version: '1.0.0' } });
  await api.call('createAlertConfig', {
    body: { name: 'another', scrape_job_id: id, gather_job_id: ids.gatherJobId, rule_id: ids.ruleId },
  });
  await expect.poll(read).toEqual(['renamed', 2, 'needs_action', 1]);
  await api.call('updateScrapeJob', { path: { id }, body: { labels: { team: 'shop' } } });
  expect((await api.call('listUpgrades')).items[0]!.labels).toEqual({ team: ['shop'] });
  await api.call('setScrapeJobVersion', { path: { id }, body: { version: '3.0.0' } });
  await expect
    .poll(async () => (await api.call('getToday')).owners.map(({ places }) => places.ok))
    .toEqual([1]);
  await api.call('deleteAlertConfig', { path: { id: ids.configId } });
  expect(await read()).toEqual(['renamed', 1, 'ok', 0]);
  expect((await organization.owner.call('getToday')).counts.needs_action).toBe(0);
});

test('a list of upgrades is read again after the type of a rule changed, even before the next evaluation', async () => {
  const { organization, ids, read } = await createUpgrade();
  await read();
  expect(readsPlaces(await server.statementsOf(read))).toBe(false);
  await sql`UPDATE rules SET rule_type = 'end_of_life'
    WHERE organization_id = ${organization.id} AND id = ${ids.ruleId}`.execute(server.db);
  expect(readsPlaces(await server.statementsOf(read))).toBe(true);
});

test('a snooze that ends is shown without another change', async () => {
  const { api, read } = await createUpgrade();
  const [alert] = (await api.call('listAlerts')).items;
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await api.call('snoozeAlert', { path: { id: alert!.id }, body: { until } });
  expect(await read()).toEqual(['web', 1, 'snoozed', 0]);
  await setClockOffset(server.db, '2 hours');
  expect(await read()).toEqual(['web', 1, 'needs_action', 1]);
});
