import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertItems } from '../../../../tests/helpers/discovery-fixture.ts';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { sharedTestServer } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';

const server = await sharedTestServer();
const { db } = server;

const thresholds = { moderate: 30 };

/** Starts an organization with a discovery job that accepts everything with a default rule. */
async function start(job: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
  const organization = await server.createOrganization();
  const { api, id: organizationId } = organization;
  const createRule = async (name: string) =>
    (await api.call('createRule', { body: { name, rule_type: 'days_behind', thresholds } })).id;
  const ruleId = await createRule('Month');
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: {
      name: 'Deployments',
      repository_url: 'https://git.example.org/acme/deploy',
      accept: 'all',
      default_rule_id: ruleId,
      ...job,
    },
  });
  const scanner = createScanner(api);
  return {
    api,
    organizationId,
    ruleId,
    jobId,
    createRule,
    scan: (items: Parameters<typeof scanner.scan>[1]) => scanner.scan(jobId, items),
    scanUnchanged: () => scanner.scanUnchanged(jobId),
    updateJob: (body: Schemas['UpdateDiscoveryJobRequest']) =>
      api.call('updateDiscoveryJob', { path: { id: jobId }, body }),
    async item(name = 'a') {
      const { items } = await api.call('listDiscoveredItems', { query: { discovery_job_id: jobId } });
      return items.find(({ place }) => place.name === name)!;
    },
    monitors: async () => (await api.call('listAlertConfigs', { query: { sort: 'name' } })).items,
    sources: async () =>
      (await api.call('listGatherJobs', { query: { scope: 'organization', sort: 'name' } })).items,
    update: async (name: string, body: Schemas['UpdateDiscoveredItemRequest']) => {
      const { items } = await api.call('listDiscoveredItems', { query: { discovery_job_id: jobId } });
      const { id } = items.find(({ place }) => place.name === name)!;
      return api.call('updateDiscoveredItem', { path: { id }, body });
    },
  };
}

const source = (repository: string) =>
  ({ source_type: 'github_releases', artifact_name: `github.com/acme/${repository}` }) as const;

describe('an accepted item', () => {
  test('gets its monitor with the next scan after a missing default rule is set, even if the scan finds nothing new', async () => {
    const world = await start({ default_rule_id: null });
    await world.scan([deployedImageItem('a')]);
    expect(await world.monitors()).toEqual([]);
    expect(await world.item()).toMatchObject({ status: 'accepted', not_monitored: false, rule_id: null });
    await sql`UPDATE discovery_jobs SET default_rule_id = ${world.ruleId} WHERE id = ${world.jobId}`.execute(
      db,
    );
    await world.scanUnchanged();
    expect(await world.monitors()).toMatchObject([
      { rule_id: world.ruleId, managed_by: { id: world.jobId, name: 'Deployments' }, edited_fields: [] },
    ]);
  });

  test('gets its monitor immediately when the job gets a default rule', async () => {
    const world = await start({ default_rule_id: null });
    await world.scan([deployedImageItem('a'), deployedImageItem('b')]);
    await world.updateJob({ default_rule_id: world.ruleId });
    expect(await world.monitors()).toHaveLength(2);
  });

  test('gets its source and its monitor when its upstream is chosen', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a', { proposal: null, reason: 'no_source' })]);
    expect(await world.monitors()).toEqual([]);
    await world.update('a', { ...source('web'), apply_to: 'artifact' });
    const [monitor] = await world.monitors();
    expect(monitor).toMatchObject({ gather_job: { name: 'github.com/acme/web' } });
    expect(await world.sources()).toMatchObject([
      { name: 'github.com/acme/web', managed_by: { id: world.jobId, name: 'Deployments' } },
    ]);
  });

  test('applies a corrected upstream, name, and labels to its monitor and its tracker', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a', { labels: { environment: 'test' } })]);
    const [before] = await world.monitors();
    await world.update('a', {
      ...source('web'),
      name: 'Shop',
      labels: { environment: 'production', team: 'x' },
    });
    const [after] = await world.monitors();
    expect(after).toMatchObject({
      id: before!.id,
      name: 'Shop',
      gather_job: { name: 'github.com/acme/web' },
      scrape_job: { id: before!.scrape_job_id, name: 'Shop' },
      effective_labels: { environment: 'production', team: 'x' },
      edited_fields: [],
    });
  });

  test('tracked without a monitor is compared with its gather job as a person edited it, however it gets its monitor', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([deployedImageItem('a', { image: 'web' }), deployedImageItem('b', { image: 'web' })]);
    await world.api.call('acceptDiscoveredItems', { body: { filter: {}, rule_id: null } });
    const [gatherJob] = await world.sources();
    await world.api.call('updateGatherJob', {
      path: { id: gatherJob!.id },
      body: source('web'),
    });
    // Other inputs of the items can change in between.
    await world.update('a', { labels: { team: 'x' } });
    await world.api.call('acceptDiscoveredItems', {
      body: { item_ids: [(await world.item('a')).id], rule_id: world.ruleId },
    });
    await world.api.call('monitorDiscoveredItems', { body: { item_ids: [(await world.item('b')).id] } });
    await world.scanUnchanged();
    expect((await world.monitors()).map(({ gather_job_id }) => gather_job_id)).toEqual([
      gatherJob!.id,
      gatherJob!.id,
    ]);
    expect(await world.sources()).toMatchObject([{ id: gatherJob!.id, ...source('web') }]);

    const [first] = await world.monitors();
    await world.api.call('deleteAlertConfig', { path: { id: first!.id } });
    await world.api.call('monitorDiscoveredItems', {
      body: { item_ids: [(await world.item('a')).id, (await world.item('b')).id] },
    });
    expect(await world.monitors()).toHaveLength(2);
    expect(await world.sources()).toHaveLength(1);
  });

  test('tracked without a monitor is compared with the upstream that a person chose for it after editing its gather job', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([deployedImageItem('a')]);
    await world.api.call('acceptDiscoveredItems', { body: { filter: {}, rule_id: null } });
    const [gatherJob] = await world.sources();
    await world.api.call('updateGatherJob', { path: { id: gatherJob!.id }, body: source('web') });
    await world.update('a', { ...source('shop'), apply_to: 'artifact' });
    await world.api.call('acceptDiscoveredItems', {
      body: { item_ids: [(await world.item('a')).id], rule_id: world.ruleId },
    });
    expect(await world.monitors()).toMatchObject([{ gather_job: { name: 'github.com/acme/shop' } }]);
  });

  test('uses the current default rule of its job, but keeps a rule that was chosen when it was accepted', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([deployedImageItem('a'), deployedImageItem('b')]);
    const [own, other] = [await world.createRule('Own'), await world.createRule('Other')];
    await world.api.call('acceptDiscoveredItems', {
      body: { item_ids: [(await world.item('a')).id], rule_id: own },
    });
    await world.api.call('acceptDiscoveredItems', { body: { item_ids: [(await world.item('b')).id] } });
    expect((await world.monitors()).map(({ rule_id }) => rule_id).toSorted()).toEqual(
      [world.ruleId, own].toSorted(),
    );
    await world.updateJob({ default_rule_id: other });
    expect((await world.monitors()).map(({ rule_id }) => rule_id).toSorted()).toEqual(
      [own, other].toSorted(),
    );
    expect(await world.item('a')).toMatchObject({ rule_id: own });
    expect(await world.item('b')).toMatchObject({ rule_id: null });
  });

  test('gets a monitor with the default rule if the rule chosen at acceptance was deleted', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([deployedImageItem('a')]);
    const own = await world.createRule('Own');
    await world.api.call('acceptDiscoveredItems', { body: { filter: {}, rule_id: own } });
    await world.api.call('deleteRule', { path: { id: own } });
    expect(await world.monitors()).toEqual([]);
    await world.scanUnchanged();
    expect(await world.monitors()).toMatchObject([{ rule_id: world.ruleId }]);
  });

  test('keeps the values that people changed in its monitor, and updates the others', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const [monitor] = await world.monitors();
    const mine = await world.createRule('Mine');
    await world.api.call('updateAlertConfig', {
      path: { id: monitor!.id },
      body: { rule_id: mine, name: 'Mine' },
    });
    await world.updateJob({ default_rule_id: await world.createRule('Other') });
    await world.update('a', { ...source('web'), name: 'Shop' });
    expect(await world.monitors()).toMatchObject([
      {
        name: 'Mine',
        rule_id: mine,
        gather_job: { name: 'github.com/acme/web' },
        scrape_job: { name: 'Shop' },
        edited_fields: ['name', 'rule_id'],
      },
    ]);
  });

  test('updates the other values of its monitor after its rule was replaced and deleted', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const [monitor] = await world.monitors();
    const mine = await world.createRule('Mine');
    await world.api.call('updateAlertConfig', { path: { id: monitor!.id }, body: { rule_id: mine } });
    await world.api.call('deleteRule', { path: { id: world.ruleId } });
    await world.update('a', source('web'));
    await world.scanUnchanged();
    expect(await world.monitors()).toMatchObject([
      {
        id: monitor!.id,
        rule_id: mine,
        gather_job: { name: 'github.com/acme/web' },
        edited_fields: ['rule_id'],
      },
    ]);
  });

  test('disables its monitor when its upstream is removed, and enables the monitor when the upstream is set again', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    await world.update('a', { source_type: null });
    expect(await world.monitors()).toMatchObject([{ is_active: false }]);
    await world.update('a', source('web'));
    expect(await world.monitors()).toMatchObject([
      { is_active: true, gather_job: { name: 'github.com/acme/web' } },
    ]);
  });

  test('keeps its monitor and its alerts while no file names its upstream', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const [before] = await world.monitors();
    await world.scan([deployedImageItem('a', { purl: null, proposal: null, reason: 'not_a_version' })]);
    await world.updateJob({ default_rule_id: await world.createRule('Other') });
    expect(await world.monitors()).toMatchObject([
      { id: before!.id, is_active: true, gather_job_id: before!.gather_job_id },
    ]);
  });

  test.each(['was disabled', 'was changed'] as const)(
    'keeps its source, which %s, when only its rule or its name changes',
    async (edit) => {
      const world = await start();
      await world.scan([deployedImageItem('a')]);
      const [source] = await world.sources();
      await world.api.call('updateGatherJob', {
        path: { id: source!.id },
        body: edit === 'was disabled' ? { is_active: false } : { version_pattern: '^2' },
      });
      const other = await world.createRule('Other');
      await world.updateJob({ default_rule_id: other });
      await world.update('a', { name: 'Shop' });
      expect(await world.sources()).toMatchObject([{ id: source!.id }]);
      expect(await world.monitors()).toMatchObject([
        { name: 'Shop', rule_id: other, gather_job_id: source!.id, is_active: true, edited_fields: [] },
      ]);
    },
  );

  test('keeps its monitor disabled if a person disabled it before the upstream was removed and chosen again', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const [monitor] = await world.monitors();
    await world.api.call('updateAlertConfig', { path: { id: monitor!.id }, body: { is_active: false } });
    await world.update('a', { source_type: null });
    await world.update('a', source('web'));
    expect(await world.monitors()).toMatchObject([
      { is_active: false, gather_job: { name: 'github.com/acme/web' }, edited_fields: ['is_active'] },
    ]);
  });

  test('gets a new name if its directory or namespace is renamed, except where a person chose the name', async () => {
    const world = await start();
    const names = async () => (await world.monitors()).map(({ name, scrape_job }) => [name, scrape_job.name]);
    const items = (service: string) =>
      ['a', 'b', 'c'].map((name) =>
        deployedImageItem(name, { file: `${service}/${name}.yaml`, labels: { service }, version: '1.0.0' }),
      );
    await world.scan(items('web'));
    expect(await names()).toEqual([
      ['web: a', 'web: a'],
      ['web: b', 'web: b'],
      ['web: c', 'web: c'],
    ]);
    await world.update('b', { name: 'Shop' });
    const { scrape_job_id } = await world.item('c');
    await world.api.call('updateScrapeJob', { path: { id: scrape_job_id! }, body: { name: 'Mine' } });
    await world.scan(items('store'));
    const renamed = [
      ['Shop', 'Shop'],
      ['store: a', 'store: a'],
      ['store: c', 'Mine'],
    ];
    expect(await names()).toEqual(renamed);
    // The name stays the same if only a part that it doesn't contain changes.
    await world.scan(
      items('store').map((item) => ({ ...item, place: { ...item.place, namespace: 'shop' } })),
    );
    expect(await names()).toEqual(renamed);
  });

  test('keeps the name that a person gave its tracker, even after other values were updated', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const { scrape_job_id } = await world.item();
    await world.api.call('updateScrapeJob', { path: { id: scrape_job_id! }, body: { name: 'Mine' } });
    await world.updateJob({ default_rule_id: await world.createRule('Other') });
    await world.update('a', { name: 'Shop' });
    expect(await world.monitors()).toMatchObject([{ name: 'Shop', scrape_job: { name: 'Mine' } }]);
  });

  test('replaces a label from its acceptance with the value that a person sets for the label', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([deployedImageItem('a', { labels: { environment: 'test' } })]);
    await world.api.call('acceptDiscoveredItems', { body: { filter: {}, labels: { team: 'given' } } });
    const labels = async () => (await world.monitors())[0]!.effective_labels;
    expect(await labels()).toEqual({ environment: 'test', team: 'given' });
    await world.update('a', { labels: { team: 'set' } });
    expect(await labels()).toEqual({ environment: 'test', team: 'set' });
  });

  test('shows a problem if its rule can no longer evaluate its monitor, until it has a rule that can', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const [monitor] = await world.monitors();
    await world.update('a', { source_type: 'lifecycle', artifact_name: 'postgresql' });
    expect(await world.item()).toMatchObject({
      alert_config_id: monitor!.id,
      monitor_problem: expect.stringContaining('only a lifecycle'),
    });
    const { id: ruleId } = await world.api.call('createRule', {
      body: { name: 'End', rule_type: 'end_of_life', thresholds },
    });
    const { items } = await world.api.call('acceptDiscoveredItems', {
      body: { item_ids: [(await world.item()).id], rule_id: ruleId },
    });
    expect(items).toMatchObject([{ outcome: 'accepted' }]);
    expect(await world.monitors()).toMatchObject([
      { id: monitor!.id, rule_id: ruleId, gather_job: { name: expect.stringContaining('postgresql') } },
    ]);
    expect(await world.item()).toMatchObject({ monitor_problem: null });
  });

  test('has no problem with its rule if a person created a monitor for its tracker', async () => {
    const world = await start({ accept: 'ask', default_rule_id: null });
    await world.scan([deployedImageItem('a')]);
    await world.api.call('acceptDiscoveredItems', { body: { filter: {} } });
    const { scrape_job_id } = await world.item();
    const [gatherJob] = await world.sources();
    await world.api.call('createAlertConfig', {
      body: {
        name: 'Mine',
        scrape_job_id: scrape_job_id!,
        gather_job_id: gatherJob!.id,
        rule_id: world.ruleId,
      },
    });
    await world.updateJob({ default_rule_id: world.ruleId });
    await world.update('a', { source_type: 'lifecycle', artifact_name: 'postgresql' });
    expect(await world.item()).toMatchObject({ monitor_problem: null });
  });

  test('gets the new upstream when the upstream changes in its file', async () => {
    const world = await start();
    const withSource = (repository: string) =>
      deployedImageItem('a', {
        proposal: {
          ...source(repository),
          source_options: {},
          version_pattern: null,
          version_scheme: null,
          confidence: 'certain',
          why: 'the repository in the file',
        },
      });
    await world.scan([withSource('old')]);
    await world.scan([withSource('new')]);
    expect(await world.monitors()).toMatchObject([{ gather_job: { name: 'github.com/acme/new' } }]);
  });

  test('gets no second monitor if a person created one for its tracker', async () => {
    const world = await start({ accept: 'ask', default_rule_id: null });
    await world.scan([deployedImageItem('a')]);
    await world.api.call('acceptDiscoveredItems', { body: { filter: {} } });
    const { scrape_job_id } = await world.item();
    const [gatherJob] = await world.sources();
    await world.api.call('createAlertConfig', {
      body: {
        name: 'Mine',
        scrape_job_id: scrape_job_id!,
        gather_job_id: gatherJob!.id,
        rule_id: world.ruleId,
      },
    });
    await world.updateJob({ default_rule_id: world.ruleId });
    await world.scanUnchanged();
    expect(await world.monitors()).toMatchObject([{ name: 'Mine', managed_by: null }]);
  });

  test('shows why it has no monitor if its upstream is invalid, until it has a valid one', async () => {
    const world = await start();
    const invalid = { ...source('web'), artifact_name: 'nonsense' };
    await world.scan([deployedImageItem('a', { proposal: null, reason: 'no_source' })]);
    await sql`UPDATE discovered_items SET set_source = ${JSON.stringify({ ...invalid, source_options: {} })}::jsonb
      WHERE discovery_job_id = ${world.jobId}`.execute(db);
    await world.scanUnchanged();
    expect(await world.item()).toMatchObject({
      alert_config_id: null,
      monitor_problem: expect.stringContaining('github.com/owner/repo'),
    });
    await world.update('a', source('web'));
    expect(await world.item()).toMatchObject({ alert_config_id: expect.any(Number), monitor_problem: null });
  });
});

describe('an item whose monitor a person deleted', () => {
  const outcome = { monitored: [], waiting: [], already_monitored: [], not_accepted: [], not_found: [] };

  test.each(['the monitor', 'its source'] as const)(
    'stays without one after %s was deleted',
    async (deleted) => {
      const world = await start();
      await world.scan([deployedImageItem('a')]);
      const [monitor] = await world.monitors();
      if (deleted === 'the monitor') await world.api.call('deleteAlertConfig', { path: { id: monitor!.id } });
      else
        await world.api.call('deleteGatherJob', {
          path: { id: monitor!.gather_job_id },
          query: { cascade: true },
        });
      await world.scanUnchanged();
      await world.scan([deployedImageItem('a', { version: '1.1.0' })]);
      await world.updateJob({ default_rule_id: await world.createRule('Other') });
      expect(await world.monitors()).toEqual([]);
      const item = await world.item();
      expect(item).toMatchObject({ status: 'accepted', not_monitored: true });
      expect(
        await world.api.call('monitorDiscoveredItems', { body: { item_ids: [item.id, 999_999] } }),
      ).toEqual({
        ...outcome,
        monitored: [item.id],
        not_found: [999_999],
      });
      expect(await world.monitors()).toMatchObject([{ managed_by: { id: world.jobId } }]);
      expect(await world.item()).toMatchObject({ not_monitored: false });
      expect(await world.api.call('monitorDiscoveredItems', { body: { item_ids: [item.id] } })).toEqual({
        ...outcome,
        already_monitored: [item.id],
      });
    },
  );

  test('stays without a monitor even if a person had changed what the monitor compared', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const [monitor] = await world.monitors();
    const { id: otherId } = await world.api.call('createScrapeJob', {
      body: { name: 'Other', parser_type: 'manual' },
    });
    await world.api.call('updateAlertConfig', {
      path: { id: monitor!.id },
      body: { scrape_job_id: otherId },
    });
    await world.api.call('deleteAlertConfig', { path: { id: monitor!.id } });
    await world.scanUnchanged();
    expect(await world.monitors()).toEqual([]);
    expect(await world.item()).toMatchObject({ not_monitored: true });
  });

  test('gets a monitor only on request if a person accepted it without a rule', async () => {
    const world = await start({ accept: 'ask' });
    await world.scan([deployedImageItem('a'), deployedImageItem('b')]);
    const [a, b] = [await world.item('a'), await world.item('b')];
    await world.api.call('acceptDiscoveredItems', { body: { item_ids: [a.id], rule_id: null } });
    await world.scanUnchanged();
    expect(await world.monitors()).toEqual([]);
    await world.updateJob({ default_rule_id: null });
    expect(await world.api.call('monitorDiscoveredItems', { body: { item_ids: [a.id, b.id] } })).toEqual({
      ...outcome,
      waiting: [a.id],
      not_accepted: [b.id],
    });
    await world.updateJob({ default_rule_id: world.ruleId });
    expect(await world.monitors()).toHaveLength(1);
  });
});

test('an item that replaces another one is accepted with the rule of the other one, but not with its source', async () => {
  const world = await start({ accept: 'ask' });
  await world.scan([deployedImageItem('a')]);
  const own = await world.createRule('Own');
  await world.api.call('acceptDiscoveredItems', { body: { filter: {}, rule_id: own } });
  await world.updateJob({ accept: 'all' });
  await world.scan([deployedImageItem('a', { image: 'valkey' })]);
  const monitors = await world.monitors();
  expect(monitors.filter(({ managed_by }) => managed_by !== null)).toHaveLength(2);
  expect(monitors.map(({ rule_id, gather_job }) => [rule_id, gather_job.name]).toSorted()).toEqual([
    [own, 'ghcr.io/acme/a'],
    [own, 'ghcr.io/acme/valkey'],
  ]);
});

test('an unchanged scan writes no item, and updates the job once', async () => {
  const world = await start();
  await world.scan([deployedImageItem('a'), deployedImageItem('b', { proposal: null, reason: 'no_source' })]);
  const rows = async () =>
    (
      await sql<{ place: string }>`
        SELECT ctid::text AS place FROM discovered_items WHERE discovery_job_id = ${world.jobId} ORDER BY id`.execute(
        db,
      )
    ).rows;
  const before = await rows();
  await world.scanUnchanged();
  await world.scan([deployedImageItem('a'), deployedImageItem('b', { proposal: null, reason: 'no_source' })]);
  expect(await rows()).toEqual(before);
});

/** Starts an organization that accepted more items than one request accepts, without a rule. */
async function startLarge() {
  const world = await start({ accept: 'ask', default_rule_id: null });
  await world.scan([]);
  await insertItems(
    db,
    world.organizationId,
    world.jobId,
    Array.from({ length: 1_001 }, (_, index) => ({ key: `k${index}`, path: `apps/${index}.yaml` })),
  );
  for (const count of [1_000, 1]) {
    const accepted = await world.api.call('acceptDiscoveredItems', { body: { filter: {} } });
    expect(accepted.accepted_count).toBe(count);
  }
  return world;
}

test('all items of a disabled job get their monitors immediately, because it has no runs', async () => {
  const world = await startLarge();
  await world.updateJob({ is_active: false });
  await world.updateJob({ default_rule_id: world.ruleId });
  expect((await world.api.call('listAlertConfigs')).total).toBe(1_001);
});

test('more items than one request accepts get their monitors in the runs that follow immediately', async () => {
  const world = await startLarge();
  await world.updateJob({ default_rule_id: world.ruleId });
  const count = async () => (await world.api.call('listAlertConfigs')).total;
  expect(await count()).toBe(1_000);
  const isQueued = async () => {
    const { last_run } = await world.api.call('getDiscoveryJob', { path: { id: world.jobId } });
    return last_run?.status === 'queued' && last_run.trigger === 'schedule';
  };
  await expect.poll(isQueued).toBe(true);
  await world.scanUnchanged();
  expect(await count()).toBe(1_001);
});

test('deleting a discovery job with keep=true keeps its monitors, which no job manages anymore', async () => {
  const world = await start();
  await world.scan([deployedImageItem('a')]);
  await world.api.call('deleteDiscoveryJob', { path: { id: world.jobId }, query: { keep: true } });
  expect(await world.monitors()).toMatchObject([{ managed_by: null, edited_fields: [] }]);
  expect(await world.sources()).toMatchObject([{ managed_by: null }]);
});
