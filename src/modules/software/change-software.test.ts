import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';

const server = await sharedTestServer();

type Change = Omit<Schemas['ChangeSoftwareRequest'], 'dry_run'> & { dry_run?: boolean };

const change = ({ api }: TestOrganization, body: Change) =>
  api.call('changeSoftware', { body: { dry_run: false, ...body } });

/**
 * Creates an organization with software items and their monitors.
 * @param monitors The number of monitors of each item.
 */
async function world(monitors: readonly number[]) {
  const acme = await server.createOrganization();
  const { api } = acme;
  const gather = await api.call('createGatherJob', {
    body: {
      name: 'upstream',
      source_type: 'github_releases',
      artifact_name: 'owner/repo',
      is_active: false,
    },
  });
  const rules = await Promise.all(
    [1, 2, 3].map((high) =>
      api.call('createRule', {
        body: { name: `rule ${high}`, rule_type: 'majors_behind', thresholds: { high } },
      }),
    ),
  );
  const ids: number[] = [];
  for (const [index, count] of monitors.entries()) {
    const { id } = await api.call('createScrapeJob', {
      body: { name: `item ${index}`, parser_type: 'manual', labels: { team: 'a', index: String(index) } },
    });
    ids.push(id);
    for (const rule of rules.slice(0, count))
      await api.call('createAlertConfig', {
        body: { name: rule.name, scrape_job_id: id, gather_job_id: gather.id, rule_id: rule.id },
      });
  }
  const labels = async () =>
    Promise.all(ids.map(async (id) => (await api.call('getScrapeJob', { path: { id } })).labels));
  const configs = async () =>
    (await api.call('listAlertConfigs', { query: { sort: 'created_at', limit: 200 } })).items;
  return { acme, api, ids, rules, labels, configs };
}

async function undo(acme: TestOrganization, { undo: requests }: Schemas['ChangeSoftwareResponse']) {
  for (const request of requests) await change(acme, request);
}

/**
 * Runs `act` while the change started by `started` waits for the lock on its first item.
 * @returns The result of the change.
 */
async function meanwhile<T>(id: number, started: () => Promise<T>, act: () => Promise<unknown>): Promise<T> {
  const holder = await server.db.startTransaction().execute();
  try {
    await sql`SELECT FROM scrape_jobs WHERE id = ${id} FOR UPDATE`.execute(holder);
    const changed = started();
    const waiting = async () =>
      (
        await sql`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(server.db)
      ).rows.length;
    await expect.poll(waiting).toBeGreaterThan(0);
    await act();
    await holder.commit().execute();
    return await changed;
  } finally {
    if (!holder.isCommitted) await holder.rollback().execute();
  }
}

test('labels are set and removed, other labels stay, and undo restores the previous labels of each item', async () => {
  const { acme, ids, labels } = await world([1, 0, 1]);
  await change(acme, { scrape_job_ids: [ids[2]!], action: 'label', labels: { team: 'b', owner: 'eve' } });
  const before = await labels();
  const wanted = { scrape_job_ids: ids, action: 'label', labels: { team: 'b', owner: null } } as const;
  const trial = await change(acme, { ...wanted, dry_run: true });
  expect(await labels()).toEqual(before);
  expect(trial).toMatchObject({ changed: ids, unchanged: [], undo: [] });
  const outcome = await change(acme, wanted);
  expect({ ...outcome, undo: [] }).toEqual(trial);
  expect(await labels()).toEqual(ids.map((_, index) => ({ team: 'b', index: String(index) })));
  expect(await change(acme, wanted)).toMatchObject({ changed: [], unchanged: ids, undo: [] });
  await undo(acme, outcome);
  expect(await labels()).toEqual(before);
  const { items } = await acme.owner.call('listAuditLog', { query: { limit: 50 } });
  expect(items.filter(({ action }) => action === 'scrape_job.updated').length).toBe(7);
});

test('the outcome lists items whose alert configurations override the label', async () => {
  const { acme, api, ids, configs } = await world([1, 2, 1]);
  const [first] = await configs();
  await api.call('updateAlertConfig', { path: { id: first!.id }, body: { labels: { team: 'own' } } });
  const labeled = (labels: Record<string, string | null>): Change => {
    return { scrape_job_ids: ids, action: 'label', labels, dry_run: true };
  };
  expect(await change(acme, labeled({ team: 'b' }))).toMatchObject({ changed: ids, overridden: [ids[0]] });
  expect(await change(acme, labeled({ team: 'a' }))).toMatchObject({ unchanged: ids, overridden: [ids[0]] });
  expect(await change(acme, labeled({ team: null }))).toMatchObject({ changed: ids, overridden: [ids[0]] });
  expect(await change(acme, labeled({ team: 'own' }))).toMatchObject({ changed: ids, overridden: [] });
  expect(await change(acme, labeled({ owner: 'eve' }))).toMatchObject({ changed: ids, overridden: [] });
  expect(await change(acme, { scrape_job_ids: ids, action: 'disable', dry_run: true })).toMatchObject({
    overridden: [],
  });
});

test('an item that would have too many labels is rejected, and the others are changed', async () => {
  const { acme, api, ids } = await world([0, 0]);
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, 'x']));
  await api.call('updateScrapeJob', { path: { id: ids[0]! }, body: { labels: many } });
  const outcome = await change(acme, { scrape_job_ids: ids, action: 'label', labels: { one: 'more' } });
  expect(outcome).toMatchObject({
    changed: [ids[1]],
    rejected: [{ id: ids[0], message: 'It would have more than 20 labels. Remove some first.' }],
  });
});

test('labels that are set during a change are kept', async () => {
  const { acme, api, ids, labels } = await world([0, 0, 0]);
  const [, second, third] = ids as [number, number, number];
  const wanted = { scrape_job_ids: ids, action: 'label', labels: { team: 'b' } } as const;
  const outcome = await meanwhile(
    ids[0]!,
    () => change(acme, wanted),
    async () => {
      await api.call('updateScrapeJob', { path: { id: second }, body: { labels: { env: 'prod' } } });
      await api.call('updateScrapeJob', { path: { id: third }, body: { labels: { team: 'b' } } });
    },
  );
  expect(outcome).toMatchObject({ changed: ids.slice(0, 2), unchanged: [third], rejected: [] });
  expect((await labels()).slice(1)).toEqual([{ env: 'prod', team: 'b' }, { team: 'b' }]);
  await undo(acme, outcome);
  expect((await labels())[1]).toEqual({ env: 'prod' });
});

test('an item that fails validation is rejected, and the others are changed', async () => {
  const { acme, ids } = await world([0, 0, 0]);
  // This time zone simulates one that a newer version no longer supports.
  await sql`UPDATE scrape_jobs SET cron_timezone = 'Nowhere/Else' WHERE id = ${ids[1]}`.execute(server.db);
  const outcome = await change(acme, { scrape_job_ids: ids, action: 'label', labels: { team: 'b' } });
  expect(outcome).toMatchObject({
    changed: [ids[0], ids[2]],
    rejected: [{ id: ids[1], message: expect.stringContaining('must be a time zone name') }],
    undo: [{ scrape_job_ids: [ids[0], ids[2]] }],
  });
});

test('monitors are disabled, and undo enables only those that were enabled before', async () => {
  const { acme, api, ids, configs } = await world([2, 1, 0]);
  const [first] = await configs();
  await api.call('toggleAlertConfig', { path: { id: first!.id } });
  const states = async () => (await configs()).map(({ is_active }) => is_active);
  expect(await states()).toEqual([false, true, true]);
  const outcome = await change(acme, { scrape_job_ids: ids, action: 'disable' });
  expect(outcome).toMatchObject({ changed: ids.slice(0, 2), unchanged: [ids[2]], alert_config_count: 2 });
  expect(await states()).toEqual([false, false, false]);
  await undo(acme, outcome);
  expect(await states()).toEqual([false, true, true]);
});

test('the rule of an item with one monitor is replaced, and an item with several monitors is rejected', async () => {
  const { acme, ids, rules, configs } = await world([1, 2, 0]);
  const wanted = { scrape_job_ids: ids, action: 'set_rule', rule_id: rules[2]!.id } as const;
  const rulesOf = async () => (await configs()).map(({ rule_id }) => rule_id);
  const before = await rulesOf();
  const outcome = await change(acme, wanted);
  expect(outcome).toMatchObject({
    changed: [ids[0]],
    unchanged: [ids[2]],
    alert_config_count: 1,
    rejected: [
      {
        id: ids[1],
        message: 'It has several alert configurations. Change their rules individually.',
      },
    ],
  });
  expect(await rulesOf()).toEqual([rules[2]!.id, ...before.slice(1)]);
  await undo(acme, outcome);
  expect(await rulesOf()).toEqual(before);
  const other = await server.createOrganization();
  await expect(change(other, { ...wanted, scrape_job_ids: [1] })).rejects.toMatchObject({
    errors: [{ field: 'rule_id', message: 'rule not found' }],
  });
  for (const [action, field] of [
    ['set_rule', 'rule_id'],
    ['label', 'labels'],
  ] as const)
    await expect(change(acme, { scrape_job_ids: ids, action })).rejects.toMatchObject({
      errors: [{ field, message: 'is required' }],
    });
});

test('items are deleted with their monitors, except for items that a gather job follows and those of other organizations', async () => {
  const { acme, api, ids } = await world([2, 1, 0]);
  await api.call('createGatherJob', {
    body: { name: 'follows', source_type: 'deployed_versions', artifact_name: `scrape-job/${ids[2]}` },
  });
  const other = await world([1]);
  const all = [...ids, other.ids[0]!];
  const trial = await change(acme, { scrape_job_ids: all, action: 'delete', dry_run: true });
  expect(trial).toMatchObject({
    changed: ids.slice(0, 2),
    not_found: other.ids,
    alert_config_count: 3,
    open_alert_count: 0,
    rejected: [
      {
        id: ids[2],
        message: 'Gather jobs use its versions. Delete them first.',
      },
    ],
  });
  expect((await api.call('listScrapeJobs')).total).toBe(3);
  expect(await change(acme, { scrape_job_ids: all, action: 'delete' })).toEqual(trial);
  expect((await api.call('listScrapeJobs')).total).toBe(1);
  expect((await api.call('listAlertConfigs')).total).toBe(0);
  expect((await other.api.call('listScrapeJobs')).total).toBe(1);
});
