import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { completeUpstreamRuns } from '../../../../tests/helpers/answer-upstreams.ts';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { insertManagedScrapeJob } from '../../../../tests/helpers/discovery-fixture.ts';
import { isLong } from '../../../../tests/helpers/long-tests.ts';
import { createScanner, deployedImageItem } from '../../../../tests/helpers/scan-by-hand.ts';
import { startTestServer } from '../../../../tests/helpers/test-server.ts';
import type { DiscoveryResultItem } from '../../../agent/discovery/result-item.ts';
import { transaction } from '../../../platform/database/index.ts';
import { deleteMissedItems, isSameAsStored } from '../model/item-changes.ts';

const server = await startTestServer();
const { db } = server;
afterEach(() => setClockOffset(db, '0'));

async function start(change: { repository_url?: string; label_rules?: { pattern: string }[] } = {}) {
  const organization = await server.createOrganization();
  const { api, id: organizationId } = organization;
  const create = async (fields: object = {}) =>
    (
      await api.call('createDiscoveryJob', {
        body: {
          name: 'Deployments',
          repository_url: 'https://git.example.org/acme/deploy',
          ...change,
          ...fields,
        },
      })
    ).id;
  const jobId = await create();
  const scanner = createScanner(api);
  return {
    organization,
    api,
    organizationId,
    jobId,
    create,
    scanner,
    scan: (items: Parameters<typeof scanner.scan>[1], summary = {}) => scanner.scan(jobId, items, summary),
    scanUnchanged: () => scanner.scanUnchanged(jobId),
    items: (id = jobId) => listItems(id),
    getJob: () => api.call('getDiscoveryJob', { path: { id: jobId } }),
    async accept(name: string): Promise<number> {
      const scrapeJobId = await insertManagedScrapeJob(db, organizationId, jobId, '0.9.0');
      await sql`UPDATE discovered_items SET status = 'accepted', scrape_job_id = ${scrapeJobId}
        WHERE organization_id = ${organizationId} AND discovery_job_id = ${jobId} AND name = ${name}`.execute(
        db,
      );
      return scrapeJobId;
    },
    async versionsOf(scrapeJobId: number): Promise<string[]> {
      const { rows } = await sql<{
        version: string;
      }>`
        SELECT version FROM versions WHERE scrape_job_id = ${scrapeJobId} ORDER BY id`.execute(db);
      return rows.map(({ version }) => version);
    },
  };
}

interface ItemRow {
  id: number;
  path: string;
  name: string;
  version: string;
  status: string;
  discriminator: string;
  labels: Record<string, string>;
  is_missing: boolean;
  duplicate_of_id: number | null;
}

async function listItems(jobId: number): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    SELECT id, path, name, version, status, discriminator, labels, duplicate_of_id, missing_since IS NOT NULL AS is_missing
    FROM discovered_items WHERE discovery_job_id = ${jobId} ORDER BY id`.execute(db);
  return rows;
}

type World = Awaited<ReturnType<typeof start>>;

async function pass(minutes: number): Promise<void> {
  await setClockOffset(db, `${minutes} minutes`);
}

const four = ['a', 'b', 'c', 'd'].map((name) => deployedImageItem(name));
const five = [...four, deployedImageItem('e')];

describe('a scan', () => {
  test('stores its items, and the next scan updates only changed items', async () => {
    const world = await start();
    await world.scan(four, { reasons: { templated: 2 }, files: 7 });
    const before = await world.items();
    expect(before).toHaveLength(4);
    expect(await world.getJob()).toMatchObject({
      item_counts: { new: 4, accepted: 0, unresolved: 0 },
      last_run: { status: 'succeeded', summary: { added: 4, updated: 0, found: 4 } },
    });
    await world.scan([
      deployedImageItem('a', { file: 'clusters/staging/a.yaml', blob: 'clusters/prod/a.yaml 1.0.0' }),
      deployedImageItem('b', { version: '1.1.0' }),
      ...four.slice(2),
    ]);
    const after = await world.items();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]).toEqual({ ...before[0], path: 'clusters/staging/a.yaml' });
    expect(after[1]).toEqual({ ...before[1], version: '1.1.0' });
    expect(after.slice(2)).toEqual(before.slice(2));
    expect((await world.getJob()).last_run?.summary).toMatchObject({ added: 0, updated: 2, missing: 0 });
  });

  test('stores the files without versions in its job, and keeps them while nothing changes', async () => {
    const world = await start();
    const coverage = {
      files: 9,
      silent_files: [{ kind: 'jsonnet', reason: 'kind_not_read', count: 2, examples: ['lib/web.libsonnet'] }],
      skipped_directories: { count: 1, examples: ['docs'] },
      pattern_problems: [{ file: 'renovate.json', name: 'customManagers[2]', message: 'It is disabled.' }],
    };
    expect(await world.getJob()).toMatchObject({ coverage: null });
    await world.scan(four, coverage);
    expect(await world.getJob()).toMatchObject({ coverage, last_run: { summary: { silent_count: 2 } } });
    await world.scanUnchanged();
    expect(await world.getJob()).toMatchObject({ coverage });
    const [listed] = (await world.api.call('listDiscoveryJobs')).items;
    expect(listed).not.toHaveProperty('coverage');
    // An agent of an earlier version doesn't report the coverage.
    await world.scan(four);
    expect(await world.getJob()).toMatchObject({ coverage: null });
  });

  test('accepts items automatically according to its job, and records later versions', async () => {
    const world = await start();
    await world.api.call('updateDiscoveryJob', { path: { id: world.jobId }, body: { accept: 'all' } });
    await world.scan(four);
    expect((await world.getJob()).item_counts).toMatchObject({ new: 0, accepted: 4 });
    await world.scan([deployedImageItem('a', { version: '1.1.0' }), ...four.slice(1)]);
    const { items } = await world.api.call('listDiscoveredItems', {
      query: { discovery_job_id: world.jobId },
    });
    const first = items.find(({ place }) => place.name === 'a');
    expect(await world.versionsOf(first!.scrape_job_id!)).toEqual(['1.0.0', '1.1.0']);
  });

  test('passes its validators to the next task', async () => {
    const world = await start({ label_rules: [{ pattern: '(?P<a>a)' }] });
    const first = await world.scan(four);
    expect(first.spec).toMatchObject({
      discovery_job_id: world.jobId,
      ref: 'HEAD',
      validators: null,
      label_rules: [
        {
          pattern: '(?P<a>a)',
          labels: {},
        },
      ],
    });
    const second = await world.scanner.claim(world.jobId);
    expect(second.spec).toMatchObject({ validators: { etag: 'c'.repeat(40) } });
  });

  test('records a version of an accepted item only if it changed', async () => {
    const world = await start();
    await world.scan(four);
    const scrapeJobId = await world.accept('a');
    await world.scan(four);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.0.0']);
    await world.scan(four);
    await world.scanUnchanged();
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.0.0']);
    const changed = (change: Parameters<typeof deployedImageItem>[1]) => [
      deployedImageItem('a', change),
      ...four.slice(1),
    ];
    await world.scan(changed({ version: '^2', version_state: 'range', reason: 'range' }));
    await world.scan(changed({ version: '2.0.0' }));
    expect(await world.versionsOf(scrapeJobId)).toEqual(['1.0.0', '2.0.0']);
    const [version] = (await world.api.call('listScrapeJobVersions', { path: { id: scrapeJobId } })).items;
    expect(version).toMatchObject({ version: '2.0.0', commit_sha: 'c'.repeat(40), is_change: true });
  });

  test('updates the labels of the job that an item feeds, except those that users changed', async () => {
    const world = await start();
    const labeled = (labels: Record<string, string>) => [
      deployedImageItem('a', { labels }),
      ...four.slice(1),
    ];
    await world.scan(labeled({ environment: 'prod', team: 'web' }));
    const scrapeJobId = await world.accept('a');
    const labelsOf = async () =>
      (
        await db
          .selectFrom('scrape_jobs')
          .select('labels')
          .where('id', '=', scrapeJobId)
          .executeTakeFirstOrThrow()
      ).labels;
    await sql`UPDATE scrape_jobs SET labels = '{"environment": "prod", "team": "mine", "own": "1"}'
      WHERE id = ${scrapeJobId}`.execute(db);
    await world.scan(labeled({ environment: 'staging', team: 'other' }));
    expect(await labelsOf()).toEqual({ environment: 'staging', team: 'mine', own: '1' });
  });
});

describe('an item that a scan misses', () => {
  test('is disabled if a scan an hour later misses it too, and is enabled again automatically', async () => {
    const world = await start();
    await world.scan(four);
    const scrapeJobId = await world.accept('a');
    const isActive = async () =>
      (await world.api.call('getScrapeJob', { path: { id: scrapeJobId } })).is_active;
    await world.scan(four.slice(1));
    expect((await world.items())[0]).toMatchObject({ status: 'accepted', is_missing: true });
    await pass(59);
    await world.scanUnchanged();
    expect((await world.items())[0]).toMatchObject({ status: 'accepted' });
    await pass(61);
    await world.scanUnchanged();
    expect((await world.items())[0]).toMatchObject({ status: 'gone' });
    expect(await isActive()).toBe(false);
    expect((await world.getJob()).item_counts).toMatchObject({ new: 3, accepted: 0, gone: 1 });

    await world.scan([deployedImageItem('a', { version: '3.0.0' }), ...four.slice(1)]);
    expect((await world.items())[0]).toMatchObject({
      status: 'accepted',
      is_missing: false,
      version: '3.0.0',
    });
    expect(await isActive()).toBe(true);
    expect(await world.versionsOf(scrapeJobId)).toEqual(['3.0.0']);
  });

  test('has its alert resolved when it is disabled, with the reason in the activity', async () => {
    const world = await start();
    const { api } = world;
    const { id: ruleId } = await api.call('createRule', {
      body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
    });
    await world.scan(four);
    const [first] = await world.items();
    await api.call('acceptDiscoveredItems', { body: { item_ids: [first!.id], rule_id: ruleId } });
    await completeUpstreamRuns(api, { days: 100 });
    await api.call('evaluateRules');
    const [alert] = (await api.call('listAlerts')).items;
    expect(alert).toMatchObject({ severity: 'moderate', discovered_version: '1.0.0' });
    await world.scan(four.slice(1));
    await pass(61);
    await world.scanUnchanged();
    await api.call('evaluateRules');
    expect((await api.call('listAlerts')).items).toEqual([]);
    const trail = await api.call('listAlertActions', { path: { id: alert!.id } });
    expect(trail.items).toContainEqual(expect.objectContaining({ action: 'resolved', detail: 'gone' }));
  });

  test('keeps its scrape job disabled if a user disabled the job', async () => {
    const world = await start();
    await world.scan(four);
    const path = { id: await world.accept('a') };
    await world.api.call('updateScrapeJob', { path, body: { is_active: false } });
    await world.scan(four.slice(1));
    await pass(61);
    await world.scanUnchanged();
    expect((await world.items())[0]).toMatchObject({ status: 'gone' });
    await world.scan(four);
    expect((await world.items())[0]).toMatchObject({ status: 'accepted' });
    expect(await world.api.call('getScrapeJob', { path })).toMatchObject({ is_active: false });
  });

  test('has its alert resolved when a user disables its scrape job, and opened when the job is enabled', async () => {
    const world = await start();
    const { api } = world;
    const { id: ruleId } = await api.call('createRule', {
      body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
    });
    await world.scan(four);
    const [first] = await world.items();
    await api.call('acceptDiscoveredItems', { body: { item_ids: [first!.id], rule_id: ruleId } });
    await completeUpstreamRuns(api, { days: 100 });
    await api.call('evaluateRules');
    const openAlerts = async () => (await api.call('listAlerts')).items.length;
    expect(await openAlerts()).toBe(1);
    const [accepted] = (await api.call('listDiscoveredItems', { query: { status: 'accepted' } })).items;
    const id = accepted!.scrape_job_id!;
    // Only these updates trigger an evaluation.
    await api.call('updateScrapeJob', { path: { id }, body: { is_active: false } });
    await expect.poll(openAlerts).toBe(0);
    await api.call('updateScrapeJob', { path: { id }, body: { is_active: true } });
    await expect.poll(openAlerts).toBe(1);
  });

  test.each([
    ['enabled', [true]],
    ['disabled', [true, false]],
  ])('keeps its scrape job %s as a user left it while the item was missing', async (_, changes) => {
    const world = await start();
    await world.scan(four);
    const path = { id: await world.accept('a') };
    await world.scan(four.slice(1));
    await pass(61);
    await world.scanUnchanged();
    for (const is_active of changes) await world.api.call('updateScrapeJob', { path, body: { is_active } });
    await world.scanUnchanged();
    await world.scan(four.slice(1), { commit_sha: 'd'.repeat(40) });
    expect((await world.items())[0]).toMatchObject({ status: 'gone' });
    const is_active = changes.at(-1);
    expect(await world.api.call('getScrapeJob', { path })).toMatchObject({ is_active });
    await world.scan(four);
    expect((await world.items())[0]).toMatchObject({ status: 'accepted' });
    expect(await world.api.call('getScrapeJob', { path })).toMatchObject({ is_active });
  });

  test('gives its scrape job the new file if it was only moved', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a')]);
    const path = { id: await world.accept('a') };
    await world.scan([deployedImageItem('a', { file: 'apps/a.yaml' })]);
    expect(await world.api.call('getScrapeJob', { path })).toMatchObject({ target_file: 'apps/a.yaml' });
  });

  /** Creates five accepted items that all scans have found. */
  async function startAccepted() {
    const world = await start();
    await world.scan(five);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await world.accept(name);
    await world.scan(five);
    return world;
  }

  test('stays while more than half of the accepted items are missing, until a user confirms the loss', async () => {
    const world = await startAccepted();
    const found = five.slice(4);
    await world.scan(found);
    expect(await world.getJob()).toMatchObject({
      gone_held: { count: 4 },
      last_run: { summary: { held: 4, unread: 0 } },
    });
    expect((await world.items()).map((item) => item.is_missing)).toEqual(five.map(() => false));
    const [held] = (await world.api.call('listDiscoveredItems', { query: { q: 'acme/a' } })).items;
    expect(held).toMatchObject({ status: 'accepted', version: '1.0.0', unread_reason: 'held' });
    expect(Date.parse(held!.last_seen_at)).toBeLessThan(Date.parse(held!.unread_since!));
    // Neither time nor new items end the hold.
    const added = ['v', 'w', 'x', 'y', 'z'].map((name) => deployedImageItem(name));
    for (const minutes of [120, 240]) {
      await pass(minutes);
      await world.scan([...found, ...added]);
      await world.scanUnchanged();
      expect(await world.getJob()).toMatchObject({
        gone_held: { count: 4 },
        last_run: { summary: { not_modified: true, held: 4 } },
        item_counts: { accepted: 5, gone: 0 },
      });
    }

    await world.api.call('confirmGoneItems', { path: { id: world.jobId } });
    await world.scan([...found, ...added]);
    expect((await world.getJob()).gone_held).toBeNull();
    // Another scan within the hour isn't considered another loss.
    await world.scan([...found, ...added]);
    expect((await world.getJob()).gone_held).toBeNull();
    await pass(360);
    await world.scanUnchanged();
    expect((await world.getJob()).item_counts).toMatchObject({ accepted: 1, gone: 4 });
  });

  test('stays even if its job accepts new items automatically', async () => {
    const world = await start();
    await world.api.call('updateDiscoveryJob', { path: { id: world.jobId }, body: { accept: 'all' } });
    await world.scan(five);
    const moved = five.map(({ place: { name } }) => deployedImageItem(`${name}-new`));
    for (const minutes of [0, 70, 140]) {
      await pass(minutes);
      await world.scan(moved);
      expect(await world.getJob()).toMatchObject({ gone_held: { count: 5 } });
    }
    expect((await world.getJob()).item_counts).toMatchObject({ accepted: 10, gone: 0 });
  });

  test('is considered lost together with items that earlier scans missed', async () => {
    const world = await startAccepted();
    await world.scan(five.slice(2));
    expect((await world.getJob()).gone_held).toBeNull();
    await world.scan(five.slice(4));
    expect(await world.getJob()).toMatchObject({ gone_held: { count: 4 } });
  });

  test('is not held after a change to the scanned files, and a scan that finds enough items ends a hold', async () => {
    const world = await startAccepted();
    await world.scan(five.slice(4));
    expect((await world.getJob()).gone_held).not.toBeNull();
    await world.scan(five.slice(1));
    expect((await world.getJob()).gone_held).toBeNull();
    const path = { id: world.jobId };
    await world.api.call('updateDiscoveryJob', { path, body: { exclude: ['clusters/'] } });
    await world.scan([]);
    expect((await world.getJob()).gone_held).toBeNull();
    expect((await world.items()).every((item) => item.is_missing)).toBe(true);
  });

  test('stays if another artifact takes the place of more than half of the accepted items, until a user confirms the loss', async () => {
    const world = await startAccepted();
    const replaced = five.map(({ place: { name } }) => deployedImageItem(name ?? '', { image: 'valkey' }));
    await world.scan(replaced);
    expect(await world.getJob()).toMatchObject({
      gone_held: { count: 5 },
      item_counts: { accepted: 5, gone: 0 },
      last_run: { summary: { replaced: 0 } },
    });
    await world.api.call('confirmGoneItems', { path: { id: world.jobId } });
    await world.scan(replaced);
    await pass(120);
    await world.scanUnchanged();
    expect(await world.getJob()).toMatchObject({ gone_held: null, item_counts: { accepted: 0, gone: 5 } });
  });

  test('is marked as missing if it was ignored and another artifact takes its place', async () => {
    const world = await start();
    await world.scan(four);
    const [first] = await world.items();
    await world.api.call('ignoreDiscoveredItems', { body: { item_ids: [first!.id], reason: 'legacy' } });
    await world.scan([deployedImageItem('a', { image: 'valkey' }), ...four.slice(1)]);
    expect((await world.items())[0]).toMatchObject({ id: first!.id, status: 'ignored', is_missing: true });
  });

  test("doesn't replace an item with the same key that is still found", async () => {
    const world = await start();
    const twice = [
      deployedImageItem('a', { file: 'x' }),
      deployedImageItem('a', { file: 'x', line: 20 }),
      ...four.slice(1),
    ];
    await world.scan(twice);
    await world.scan([twice[0]!, ...twice.slice(2)]);
    await pass(90);
    await world.scanUnchanged();
    await world.scan([twice[0]!, ...twice.slice(2)]);
    expect((await world.items()).slice(0, 2)).toMatchObject([
      { status: 'new', discriminator: '' },
      { status: 'gone', discriminator: 'x' },
    ]);
  });
});

describe('an item whose artifact changes', () => {
  /** Accepts the first item with a rule that opens an alert. */
  async function startAlerting() {
    const world = await start();
    const { api } = world;
    const { id: ruleId } = await api.call('createRule', {
      body: { name: 'Month', rule_type: 'days_behind', thresholds: { moderate: 30 } },
    });
    await world.scan(four);
    const [first] = await world.items();
    await api.call('acceptDiscoveredItems', { body: { item_ids: [first!.id], rule_id: ruleId } });
    await completeUpstreamRuns(api, { days: 100 });
    await api.call('evaluateRules');
    expect((await api.call('listAlerts')).items).toHaveLength(1);
    const item = async () => api.call('getDiscoveredItem', { path: { id: first!.id } });
    return { ...world, item, first: await item() };
  }
  const valkey = deployedImageItem('a', { image: 'valkey', version: '8.0.1' });

  test('is replaced: its alert ends, its history stays, and the new item waits to be accepted', async () => {
    const world = await startAlerting();
    const { api, first } = world;
    await api.call('updateDiscoveredItem', { path: { id: first.id }, body: { labels: { owner: 'web' } } });
    await world.scan([valkey, ...four.slice(1)]);
    const job = await world.getJob();
    expect(job.last_run?.summary).toMatchObject({ added: 1, replaced: 1, missing: 0 });
    expect(job.item_counts).toMatchObject({ new: 4, replaced: 1, gone: 0 });
    const added = (await api.call('listDiscoveredItems', { query: { q: 'valkey' } })).items[0]!;
    expect(added).toMatchObject({
      status: 'new',
      version: '8.0.1',
      scrape_job_id: null,
      replaces: first.id,
      labels: { owner: 'web' },
    });
    expect(await world.item()).toMatchObject({ status: 'replaced', replaced_by: added.id, version: '1.0.0' });
    expect(await api.call('getScrapeJob', { path: { id: first.scrape_job_id! } })).toMatchObject({
      is_active: false,
      latest_version: '1.0.0',
    });
    await api.call('evaluateRules');
    expect((await api.call('listAlerts')).items).toEqual([]);
    expect((await api.call('listResolvedAlerts', {})).items).toMatchObject([{ resolution: 'replaced' }]);

    await world.scan([deployedImageItem('a', { version: '1.1.0' }), ...four.slice(1)]);
    expect(await world.item()).toMatchObject({ status: 'accepted', version: '1.1.0', replaced_by: null });
    expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0', '1.1.0']);
    expect(await api.call('getDiscoveredItem', { path: { id: added.id } })).toMatchObject({
      status: 'replaced',
      replaced_by: first.id,
    });
  });

  test('whose version an overlay replaces is linked to the item of the overlay, and keeps its status and history', async () => {
    const world = await startAlerting();
    const { api, first } = world;
    const body = { labels: { owner: 'web', environment: 'base' } };
    await api.call('updateDiscoveredItem', { path: { id: first.id }, body });
    const overlay = deployedImageItem('a', {
      file: first.place.file.replace(/[^/]+$/, 'overlays/prod.yaml'),
      version: '1.2.0',
      labels: { environment: 'prod' },
    });
    const base = deployedImageItem('a', { version_state: 'overridden', reason: 'overridden' });
    await world.scan([base, overlay, ...four.slice(1)]);
    const { items } = await api.call('listDiscoveredItems', { query: { q: 'overlays' } });
    expect(items).toMatchObject([
      { status: 'new', version: '1.2.0', replaces: first.id, labels: { owner: 'web', environment: 'prod' } },
    ]);
    expect(await world.item()).toMatchObject({ status: 'accepted', replaced_by: null });
    expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0']);

    // The base is deployed again without the overlay.
    await world.scan([deployedImageItem('a', { version: '1.3.0' }), ...four.slice(1)]);
    expect(await world.item()).toMatchObject({ status: 'accepted', version: '1.3.0' });
    expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0', '1.3.0']);
  });

  test('is not linked to an overlay of another artifact, or if its version was already overridden', async () => {
    const world = await startAlerting();
    const { api, first } = world;
    const file = first.place.file.replace(/[^/]+$/, 'overlays/prod.yaml');
    const base = deployedImageItem('a', { version_state: 'overridden', reason: 'overridden' });
    await world.scan([base, deployedImageItem('a', { file, image: 'other' }), ...four.slice(1)]);
    await world.scan([base, deployedImageItem('a', { file, version: '1.2.0' }), ...four.slice(1)]);
    const { items } = await api.call('listDiscoveredItems', { query: { q: 'overlays' } });
    expect(items.filter(({ replaces }) => replaces === first.id)).toEqual([]);
  });

  test('is not ignored just because its former artifact was ignored', async () => {
    const world = await start();
    await world.scan(four);
    const [first] = await world.items();
    await world.api.call('ignoreDiscoveredItems', { body: { item_ids: [first!.id], reason: 'legacy' } });
    await world.scan(four.slice(1));
    await pass(90 * 24 * 60);
    await world.scan([deployedImageItem('a', { file: 'apps/payments.yaml' }), ...four.slice(1)]);
    await world.scan([valkey, ...four.slice(1)]);
    const items = await world.items();
    expect(
      items.filter(({ path }) => path === 'apps/payments.yaml' || path === 'clusters/prod/a.yaml'),
    ).toMatchObject([
      { id: first!.id, status: 'ignored', version: '1.0.0' },
      { status: 'new', version: '1.0.0' },
      { status: 'new', version: '8.0.1' },
    ]);
  });

  test('keeps its artifact and its last version while a template hides them, and becomes stale', async () => {
    const world = await startAlerting();
    const { first } = world;
    const hidden = deployedImageItem('a', {
      image: '{{ image }}',
      version: null,
      version_state: 'templated',
      reason: 'templated',
      purl: null,
    });
    await world.scan([hidden, ...four.slice(1)]);
    expect(await world.item()).toMatchObject({
      status: 'accepted',
      artifact: first.artifact,
      proposal: first.proposal,
      version: null,
      version_unknown_since: expect.any(String),
    });
    const { updated_at } = await world.item();
    await pass(90);
    await world.scan([hidden, ...four.slice(1)]);
    expect((await world.item()).updated_at).toBe(updated_at);
    expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0']);
  });

  test.each([
    ['latest', { version: 'latest', version_state: 'floating', reason: 'floating' }],
    ['nothing', { version: null, version_state: 'floating', reason: 'chart_default' }],
    ['a range', { version: '^2', version_state: 'range', reason: 'range' }],
    [
      'an unknown digest',
      { version: null, version_state: 'digest', reason: 'digest', digest: `sha256:${'a'.repeat(64)}` },
    ],
  ] as const)(
    'keeps its last known version and becomes stale if its version becomes %s, and recovers later',
    async (_, change) => {
      const world = await startAlerting();
      const { api, first } = world;
      const state = async () =>
        (await api.call('listAlertConfigs', { query: {} })).items.map((config) => config.state)[0];
      const unknown = [deployedImageItem('a', change), ...four.slice(1)];
      await world.scan(unknown);
      expect(await world.item()).toMatchObject({
        status: 'accepted',
        version_unknown_since: expect.any(String),
      });
      const unconfirmed = async () => {
        const [config] = (await api.call('listAlertConfigs', { query: {} })).items;
        const path = { id: config!.id };
        return (await api.call('getAlertConfigExplanation', { path })).deployed_unconfirmed;
      };
      await api.call('evaluateRules');
      expect(await state()).toBe('alerting');
      expect(await unconfirmed()).toEqual({ reason: 'version_unknown', since: expect.any(String) });
      await pass(4 * 24 * 60);
      await world.scanUnchanged();
      await api.call('evaluateRules');
      expect(await state()).toBe('stale');
      expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0']);
      await world.scan([deployedImageItem('a', { version: '1.1.0' }), ...four.slice(1)]);
      expect(await world.item()).toMatchObject({ version: '1.1.0', version_unknown_since: null });
      expect(await unconfirmed()).toBeNull();
      await api.call('evaluateRules');
      expect(await state()).not.toBe('stale');
    },
  );

  test.each([
    ['an overlay replaces its version', { version_state: 'overridden', reason: 'overridden' }],
    ["it isn't installed anymore", { version: '1.1.0', reason: 'not_installed' }],
  ] as const)(
    'is stale immediately, with the reason, if %s, and recovers once it is deployed again',
    async (_, change) => {
      const world = await startAlerting();
      const { api, first } = world;
      const monitor = async () => {
        await api.call('evaluateRules');
        const [config] = (await api.call('listAlertConfigs', { query: {} })).items;
        const path = { id: config!.id };
        const { deployed_unconfirmed } = await api.call('getAlertConfigExplanation', { path });
        // The list of software also shows that the version is uncertain.
        const { items } = await api.call('listSoftware', {});
        const listed = items.find(({ id }) => id === first.scrape_job_id);
        expect(listed?.deployed_unconfirmed).toEqual(deployed_unconfirmed);
        return { state: config!.state, unconfirmed: deployed_unconfirmed?.reason ?? null };
      };
      await world.scan([deployedImageItem('a', change), ...four.slice(1)]);
      await monitor();
      expect(await monitor()).toEqual({ state: 'stale', unconfirmed: change.reason });
      expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0']);
      await world.scan([deployedImageItem('a', { version: '1.2.0' }), ...four.slice(1)]);
      await monitor();
      expect(await monitor()).toEqual({ state: 'alerting', unconfirmed: null });
      expect(await world.versionsOf(first.scrape_job_id!)).toEqual(['1.0.0', '1.2.0']);
    },
  );
});

describe('an item in a file that a scan could not read', () => {
  const unread = (reason: 'malformed' | 'too_large', path = 'clusters/prod/a.yaml') => ({
    is_complete_list: false,
    unread_files: [{ path, reason, message: 'Line 3: conflict markers' }],
    unread_count: 1,
  });

  test('keeps its version with the time and the reason, becomes stale, and recovers', async () => {
    const world = await start();
    await world.scan(four);
    const id = (await world.items())[0]!.id;
    const scrapeJobId = await world.accept('a');
    await world.scan(four);
    const item = () => world.api.call('getDiscoveredItem', { path: { id } });
    for (const minutes of [10, 90, 180]) {
      await pass(minutes);
      await world.scan(four.slice(1), unread('malformed'));
      await world.scanUnchanged();
    }
    const held = await item();
    expect(held).toMatchObject({
      status: 'accepted',
      version: '1.0.0',
      missing_since: null,
      unread_reason: 'malformed',
      unread_message: 'Line 3: conflict markers',
    });
    expect(Date.parse(held.unread_since!)).toBeLessThan(Date.now() + 30 * 60_000);
    expect((await world.getJob()).last_run?.summary).toMatchObject({ not_modified: true });
    const isFailing = async () =>
      (
        await sql<{
          failing: boolean;
        }>`SELECT failing_since IS NOT NULL AS failing FROM scrape_jobs WHERE id = ${scrapeJobId}`.execute(db)
      ).rows[0]!.failing;
    expect(await isFailing()).toBe(false);
    await pass(4 * 24 * 60);
    await world.scanUnchanged();
    expect(await isFailing()).toBe(true);
    await world.scan([deployedImageItem('a', { version: '1.1.0' }), ...four.slice(1)]);
    expect(await item()).toMatchObject({ version: '1.1.0', unread_since: null, unread_reason: null });
    expect(await isFailing()).toBe(false);
  });

  test('opens a gap at the last scan that read it, which ends with the next scan that reads it', async () => {
    const world = await start();
    await world.scan(four);
    const scrape_job_id = await world.accept('a');
    await world.scan(four);
    await pass(60);
    await world.scanUnchanged();
    const exposure = async () =>
      (await world.api.call('listExposures', { query: { scrape_job_id } })).items[0]!;
    const lastSuccess = async () =>
      (
        await sql<{
          at: Date;
        }>`SELECT last_success_at AS at FROM discovery_jobs WHERE id = ${world.jobId}`.execute(db)
      ).rows[0]!.at.toISOString();
    const lastRead = await lastSuccess();
    expect(await exposure()).toMatchObject({
      version: '1.0.0',
      source: 'discovery',
      status: 'running',
      last_seen_at: lastRead,
      known_seconds: expect.toSatisfy((seconds: number) => seconds >= 3_500 && seconds <= 3_700),
    });
    for (const minutes of [120, 180]) {
      await pass(minutes);
      await world.scan(four.slice(1), unread('malformed'));
      expect(await exposure()).toMatchObject({
        status: 'unconfirmed',
        last_seen_at: lastRead,
        gaps: [{ since: lastRead, until: null, reason: 'unread_item' }],
      });
    }
    await pass(240);
    await world.scan(four);
    const after = await exposure();
    expect(Date.parse(after.gaps[0]!.until!)).toBeGreaterThanOrEqual(Date.parse(await lastSuccess()));
    expect(after).toMatchObject({
      status: 'running',
      gaps: [{ since: lastRead, until: after.last_seen_at, reason: 'unread_item' }],
      known_seconds: expect.toSatisfy((seconds: number) => seconds <= 3_700),
    });
  });

  test('is missing once a scan reads the file without it, or no longer lists the file', async () => {
    const world = await start();
    await world.scan(four);
    await world.scan(four.slice(2), unread('malformed'));
    expect((await world.items()).map((each) => each.is_missing)).toEqual([false, true, false, false]);
    await world.scan(four.slice(2));
    expect((await world.items()).map((each) => each.is_missing)).toEqual([true, true, false, false]);
  });

  test.each([
    ['its file', unread('malformed')],
    ['an unknown file', { is_complete_list: false, unread_files: [], unread_count: 1 }],
    ['its kind', { unread_kinds: ['Deployment'] }],
  ])('that was missing before is not removed until a scan reads %s', async (_, summary) => {
    const world = await start();
    await world.scan(four);
    await world.accept('a');
    const status = async () => (await world.items())[0]!.status;
    await world.scan(four.slice(1));
    for (const minutes of [90, 180]) {
      await pass(minutes);
      await world.scan(four.slice(1), summary);
      await world.scanUnchanged();
      expect(await status()).toBe('accepted');
    }
    await world.scan(four.slice(1));
    expect(await status()).toBe('gone');
  });

  test('is not moved or replaced if the list of unread files is truncated', async () => {
    const world = await start();
    await world.scan(four);
    const [before] = await world.items();
    await world.scan([deployedImageItem('a', { file: 'apps/a.yaml' }), ...four.slice(1)], {
      is_complete_list: false,
      unread_files: [],
      unread_count: 1,
    });
    const items = await world.items();
    expect(items).toHaveLength(5);
    expect(items[0]).toEqual(before);
  });

  test('stays if a pattern found it and the Renovate configuration was not read', async () => {
    const world = await start();
    const custom = deployedImageItem('b', { file: 'clusters/prod/a.yaml', key: 'custom::::ghcr.io/acme/b' });
    await world.scan([...four, custom]);
    const missing = async () =>
      (await world.items()).filter((each) => each.is_missing).map((each) => each.path);
    // Another item of the file was found, so its items are missing unless a pattern found them.
    await world.scan(four.slice(0, 3), unread('malformed', '.github/renovate.json'));
    expect(await missing()).toEqual(['clusters/prod/d.yaml']);
    await world.scan(four, { is_complete_list: false, unread_files: [], unread_count: 4_000 });
    expect(await missing()).toEqual([]);
    await world.scan(four);
    expect(await missing()).toEqual(['clusters/prod/a.yaml']);
  });

  test('stays if its directory, or an unknown file, was not read', async () => {
    const world = await start();
    await world.scan(four);
    await world.scan([], unread('too_large', 'clusters/prod'));
    await world.scan([], { is_complete_list: false, unread_files: [], unread_count: 4_000 });
    expect((await world.items()).map((each) => each.is_missing)).toEqual([false, false, false, false]);
  });
});

describe('an unchanged scan', () => {
  test('writes no row of an item', async () => {
    const world = await start();
    await world.scan(four);
    await world.accept('a');
    await world.scan(four);
    const versions = async () =>
      (
        await sql<{
          xmin: string;
        }>`SELECT xmin::text FROM discovered_items WHERE discovery_job_id = ${world.jobId} ORDER BY id`.execute(
          db,
        )
      ).rows;
    const before = await versions();
    await pass(120);
    await world.scan(four, { commit_sha: 'd'.repeat(40) });
    await world.scanUnchanged();
    expect(await versions()).toEqual(before);
    const [item] = (await world.api.call('listDiscoveredItems', { query: {} })).items;
    expect(Date.parse(item!.last_seen_at)).toBeGreaterThan(Date.now() + 3_600_000);
  });

  /** Submits the items of a scan. Returns true if its job already contains exactly these items. */
  async function isSame(world: World, items: readonly DiscoveryResultItem[]): Promise<boolean> {
    const { task_id, lease_token } = await world.scanner.claim(world.jobId);
    const path = { id: task_id };
    await world.api.call('submitTaskResults', {
      path,
      body: { lease_token, sequence: 1, items: [...items] },
    });
    const same = await transaction(db, (tx) =>
      isSameAsStored(
        tx,
        {
          organization_id: world.organizationId,
          id: task_id,
          kind: 'discovery',
          job_id: world.jobId,
          attempt: 1,
          is_full: true,
          now: new Date(),
        },
        lease_token,
      ),
    );
    await world.api.call('failTask', {
      path,
      body: { lease_token, error: { code: 'timeout', message: 'Slow.' }, retryable: false, retry_at: null },
    });
    return same;
  }

  test('finds each change of an item', async () => {
    const world = await start();
    const [first, ...others] = four;
    await world.scan(four);
    expect(await isSame(world, four)).toBe(true);
    expect(await isSame(world, four.toReversed())).toBe(true);
    const place = (change: Partial<DiscoveryResultItem['place']>) => ({
      place: { ...first!.place, ...change },
    });
    const artifact = (change: Partial<DiscoveryResultItem['artifact']>) => ({
      artifact: { ...first!.artifact, ...change },
    });
    const proposal = (change: Partial<NonNullable<DiscoveryResultItem['proposal']>>) => ({
      proposal: { ...first!.proposal!, ...change },
    });
    const changes: Partial<DiscoveryResultItem>[] = [
      { key: `${first!.key}[0]` },
      { extractor: 'helm_values' },
      place({ file: 'other.yaml' }),
      place({ line: 10 }),
      place({ document: 1 }),
      place({ kind: 'StatefulSet' }),
      place({ namespace: 'web' }),
      place({ name: 'other' }),
      place({ field: 'other' }),
      { blob_id: '1'.repeat(40) },
      artifact({ kind: 'chart' }),
      artifact({ name: 'ghcr.io/acme/other' }),
      artifact({ purl: null }),
      { version: '1.0.1' },
      { version_state: 'floating' },
      { digest: `sha256:${'1'.repeat(64)}` },
      { note: 'A note.' },
      { reason: 'floating' },
      { labels: { environment: 'prod' } },
      { label_sources: { environment: 'path' } },
      { proposal: null },
      proposal({ why: 'another reason' }),
      proposal({ confidence: 'likely' }),
      { project_url: 'https://example.org' },
      { renovate_ignore: 'ignoreDeps' },
    ];
    for (const change of changes)
      expect(await isSame(world, [{ ...first!, ...change }, ...others]), JSON.stringify(change)).toBe(false);
  });

  test('finds an item that was added, is missing, repeats another one, or was found again', async () => {
    const world = await start();
    await world.scan(four);
    expect(await isSame(world, five)).toBe(false);
    expect(await isSame(world, four.slice(1))).toBe(false);
    expect(await isSame(world, [...four.slice(1), four[1]!])).toBe(false);
    await world.scan([...four, four[0]!]);
    expect(await isSame(world, [...four, four[0]!])).toBe(false);
    await world.scan(four);
    expect(await isSame(world, four)).toBe(false);
    await world.scan(four.slice(1), {
      unread_files: [{ path: four[0]!.place.file, reason: 'unreadable', message: '' }],
      unread_count: 1,
    });
    expect(await isSame(world, four)).toBe(false);
  });

  test('finds an upstream that a person chose for the artifact of an item', async () => {
    const world = await start();
    await world.scan([deployedImageItem('a', { proposal: null }), ...four.slice(1)]);
    expect(await isSame(world, [deployedImageItem('a', { proposal: null }), ...four.slice(1)])).toBe(true);
    await sql`
      INSERT INTO artifact_corrections (organization_id, artifact_key, source_type, artifact_name, actor_type, actor_name)
      SELECT organization_id, artifact_key, 'oci_registry', 'ghcr.io/acme/a', 'system', 'Pacekeeper' FROM discovered_items
      WHERE discovery_job_id = ${world.jobId} AND name = 'a'`.execute(db);
    expect(await isSame(world, [deployedImageItem('a', { proposal: null }), ...four.slice(1)])).toBe(false);
  });
});

describe('items that two jobs find', () => {
  test('are ignored in the second job until the first job no longer has them', async () => {
    const world = await start();
    const second = await world.create({ repository_url: 'https://git.example.org/acme/deploy.git' });
    const other = await world.create({ repository_url: 'https://git.example.org/acme/other' });
    await world.scan(four);
    for (const id of [second, other]) await world.scanner.scan(id, four);
    const [first] = await world.items();
    expect((await world.items(second))[0]).toMatchObject({ status: 'ignored', duplicate_of_id: first!.id });
    expect((await world.items(other)).map(({ status }) => status)).toEqual(Array(4).fill('new'));
    await world.scan(four.slice(1));
    await pass(61);
    await world.scanUnchanged();
    expect((await world.items(second)).map(({ status }) => status)).toEqual([
      'new',
      ...Array(3).fill('ignored'),
    ]);
  });

  test('are duplicates if both jobs find them with the same cluster name', async () => {
    const world = await start();
    const other = await world.create({ repository_url: 'https://git.example.org/acme/other' });
    const inCluster = (cluster: string, file: string) => [
      deployedImageItem('a', { file, labels: { cluster } }),
    ];
    await world.scan(inCluster('one', 'x'));
    await world.scanner.scan(other, [
      ...inCluster('one', 'y'),
      deployedImageItem('b', { labels: { cluster: 'one' } }),
      deployedImageItem('a', { file: 'z', labels: { cluster: 'two' } }),
    ]);
    expect((await world.items(other)).map(({ path, status }) => [path, status])).toEqual([
      ['y', 'ignored'],
      ['clusters/prod/b.yaml', 'new'],
      ['z', 'new'],
    ]);
  });
});

test("a task with items that the table can't store is rejected as a whole", async () => {
  const world = await start();
  const long = deployedImageItem('a', { key: 'ä'.repeat(1_000) });
  await expect(world.scan([deployedImageItem('b'), long])).rejects.toMatchObject({ status: 409 });
  expect(await world.items()).toEqual([]);
});

test.each(['a\0b', 'a\ud800b'])(
  "a task with a string that PostgreSQL can't store is rejected as a whole: %j",
  async (name) => {
    const world = await start();
    const rejected = await world
      .scan([deployedImageItem('fine'), deployedImageItem(name)])
      .catch((error: unknown) => error);
    expect(rejected).toMatchObject({ status: expect.toSatisfy((status) => status >= 400 && status < 500) });
    expect(await world.items()).toEqual([]);
  },
);

test('items that a scan no longer finds make room for new ones, except for items that feed a job', async () => {
  const world = await start();
  const names = ['accepted', 'ignored', 'gone', 'new', 'newer'];
  await world.scan(names.map((name) => deployedImageItem(name)));
  await world.accept('accepted');
  await sql`
    UPDATE discovered_items
    SET status = CASE WHEN name IN ('ignored', 'gone') THEN name ELSE status END,
      missing_since = CASE WHEN name = 'gone' THEN pacekeeper_now() END
    WHERE discovery_job_id = ${world.jobId}`.execute(db);
  const ids = (await world.items()).map(({ id }) => id);
  const forget = (count: number) =>
    transaction(db, (tx) => deleteMissedItems(tx, world.organizationId, ids, count));
  const left = async () => (await world.items()).map(({ name }) => name).toSorted();
  expect(await forget(2)).toBe(2);
  expect(await left()).toEqual(['accepted', 'ignored', 'newer']);
  expect(await forget(10)).toBe(2);
  expect(await left()).toEqual(['accepted']);
});

test('thousands of items are applied in seconds, and again when nothing has changed', async () => {
  const world = await start();
  const count = isLong ? 50_000 : 10_000;
  const many = Array.from({ length: count }, (_, at) =>
    deployedImageItem(`web-${at}`, {
      version: `1.${at % 50}.0`,
      labels: { environment: 'prod', cluster: 'one' },
    }),
  );
  const timed = async (jobId: number) => {
    const before = performance.now();
    await world.scanner.scan(jobId, many);
    return Math.round(performance.now() - before);
  };
  const other = await world.create({ repository_url: 'https://git.example.org/acme/other' });
  const times = [await timed(world.jobId), await timed(world.jobId), await timed(other)];
  process.stdout.write(`${count} items: ${times.join(' ms, again ')} ms\n`);
  const summary = { added: 0, updated: 0 };
  const job = await world.getJob();
  expect(job).toMatchObject({ item_counts: { new: count }, last_run: { summary } });
  const duplicates = await world.api.call('getDiscoveryJob', { path: { id: other } });
  expect(duplicates.item_counts).toMatchObject({ new: 0, ignored: count });
});
