import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DiscoveryResultItem } from '../../src/agent/discovery/result-item.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { detectFailingJobsAcrossOrganizations } from '../../src/modules/agents/index.ts';
import { leaveGroup } from '../../src/modules/discovery/model/discovery-job-queries.ts';
import { type Tx, transaction } from '../../src/platform/database/index.ts';
import { createTestBench } from '../../src/platform/outbound/outbound-test-servers.ts';
import { setClockOffset } from '../helpers/database.ts';
import { createGroupAgent } from '../helpers/group-agent.ts';
import { deployedImageItem } from '../helpers/scan-by-hand.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type FakeForge, manyRepositories, startFakeForge } from '../helpers/upstreams/fake-forge.ts';

const server = await startTestServer({ PACEKEEPER_RATE_LIMIT_PER_MINUTE: '0' });
const { db } = server;
const bench = createTestBench();
let forge: FakeForge;

beforeEach(async () => {
  forge = await startFakeForge('github');
});
afterEach(async () => {
  await setClockOffset(db, '0');
  await bench.close();
  await forge.close();
});

async function start(change: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
  const organization = await server.createOrganization();
  const { api, id: organizationId } = organization;
  const found = new Map<string, DiscoveryResultItem[] | Error>();
  const urlOf = (name: string) => `http://${forge.host}/acme/${name}.git`;
  const agent = createGroupAgent({ api, db, client: bench.client() }, (url) => found.get(url) ?? []);
  const { id: groupId } = await api.call('createDiscoveryJob', {
    body: {
      name: 'acme',
      kind: 'repository_group',
      group_url: forge.groupUrl,
      forge: forge.forge,
      ...change,
    },
  });
  return {
    organization,
    api,
    organizationId,
    groupId,
    agent,
    urlOf,
    /** Defines what a scan of a repository finds. */
    contains: (name: string, items: DiscoveryResultItem[]) => void found.set(urlOf(name), items),
    /** Makes the scans of a repository fail. */
    breaks: (name: string) => void found.set(urlOf(name), new Error('The scan failed.')),
    /** Runs the group's job, and then the scans that it requests. */
    async list() {
      await api.call('runDiscoveryJob', { path: { id: groupId } });
      return agent.work();
    },
    group: () => api.call('getDiscoveryJob', { path: { id: groupId } }),
    async repositories() {
      return (
        await api.call('listDiscoveryJobs', { query: { group_job_id: groupId, sort: 'name', limit: 100 } })
      ).items;
    },
    items: async () =>
      (await api.call('listDiscoveredItems', { query: { group_job_id: groupId, limit: 100 } })).items,
    confirm: () => api.call('confirmGoneItems', { path: { id: groupId } }),
  };
}

/**
 * Runs `work` while a scan of a repository holds the lock on its job. When `work` waits for that lock, runs `change` in
 * the transaction of the scan.
 */
async function duringScanOf<T>(
  jobId: number,
  work: () => Promise<T>,
  change: (tx: Tx) => Promise<unknown>,
): Promise<PromiseSettledResult<T>> {
  const { promise, resolve } = Promise.withResolvers<PromiseSettledResult<T>>();
  await db.transaction().execute(async (tx) => {
    await sql`SET LOCAL lock_timeout = '100ms'`.execute(tx);
    await sql`SELECT FROM discovery_jobs WHERE id = ${jobId} FOR NO KEY UPDATE`.execute(tx);
    void Promise.allSettled([work()]).then(([result]) => resolve(result));
    await vi.waitUntil(
      async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
        return rows.length > 0;
      },
      { interval: 10, timeout: 60_000 },
    );
    await change(tx);
  });
  return promise;
}

const pass = (minutes: number) => setClockOffset(db, `${minutes} minutes`);

describe('a repository group', () => {
  test('gives each repository a job with the options of the group, and scans it', async () => {
    forge.repositories = manyRepositories(2);
    const world = await start({ exclude: ['sandbox/'], accept: 'all', cron_expression: '@hourly' });
    world.contains('repository-1', [deployedImageItem('web'), deployedImageItem('api')]);
    world.contains('repository-2', [deployedImageItem('db')]);
    const { scanned } = await world.list();
    expect(scanned).toEqual([world.urlOf('repository-1'), world.urlOf('repository-2')]);
    expect(await world.repositories()).toMatchObject([
      {
        name: 'acme/repository-1',
        kind: 'git_repository',
        ref: 'HEAD',
        exclude: ['sandbox/'],
        accept: 'all',
        group_job_id: world.groupId,
        unlisted: null,
        next_run_at: null,
        status: 'completed',
        item_counts: { accepted: 2 },
      },
      { name: 'acme/repository-2', item_counts: { accepted: 1 } },
    ]);
    expect(await world.group()).toMatchObject({
      item_counts: { accepted: 3, new: 0 },
      repository_counts: { read: 2, waiting: 0, failed: 0, unlisted: 0, removed: 0 },
      last_run: { summary: { added: 2, requested: 2 } },
    });
    expect((await world.items()).map((item) => item.discovery_job_name)).toEqual([
      'acme/repository-1',
      'acme/repository-1',
      'acme/repository-2',
    ]);
  });

  test('is listed without the jobs of its repositories', async () => {
    forge.repositories = manyRepositories(3);
    const world = await start();
    await world.list();
    const { items } = await world.api.call('listDiscoveryJobs');
    expect(items.map(({ id }) => id)).toEqual([world.groupId]);
  });

  test('scans only repositories with a push since the last list', async () => {
    forge.repositories = manyRepositories(3);
    const world = await start();
    await world.list();
    await pass(120);
    forge.repositories[1]!.pushedAt = '2026-02-02T00:00:00Z';
    expect((await world.list()).scanned).toEqual([world.urlOf('repository-2')]);
    expect((await world.list()).scanned).toEqual([]);
    expect((await world.group()).last_run?.summary).toMatchObject({ requested: 0, unchanged: 3 });
  });

  test('treats repositories without a push as scanned, so their data does not become stale', async () => {
    forge.repositories = manyRepositories(1);
    const world = await start({ accept: 'all' });
    world.contains('repository-1', [deployedImageItem('web')]);
    await world.list();
    const successes = async () =>
      (
        await sql<{ hours: number }>`
          SELECT round(extract(epoch FROM pacekeeper_now() - last_success_at) / 3600)::integer AS hours FROM scrape_jobs
          WHERE organization_id = ${world.organizationId}
          UNION ALL
          SELECT round(extract(epoch FROM pacekeeper_now() - last_success_at) / 3600)::integer FROM discovery_jobs
          WHERE organization_id = ${world.organizationId} AND group_job_id IS NOT NULL`.execute(db)
      ).rows.map(({ hours }) => hours);
    await pass(300);
    expect(await successes()).toEqual([5, 5]);
    expect((await world.list()).scanned).toEqual([]);
    expect(await successes()).toEqual([0, 0]);
  });

  test('excludes the repositories that its filter excludes, and reports how many', async () => {
    forge.repositories = [
      ...manyRepositories(1),
      { id: 2, path: 'acme/old', pushedAt: '2026-01-01T00:00:00Z', isArchived: true },
      { id: 3, path: 'acme/copy', pushedAt: '2026-01-01T00:00:00Z', isFork: true },
    ];
    const world = await start();
    await world.list();
    expect((await world.repositories()).map(({ name }) => name)).toEqual(['acme/repository-1']);
    expect((await world.group()).last_run?.summary).toMatchObject({
      found: 1,
      skipped: 2,
      reasons: { excluded_archived: 1, excluded_fork: 1 },
    });
  });

  test('keeps the job and the items of a renamed repository', async () => {
    forge.repositories = manyRepositories(1);
    const world = await start();
    world.contains('repository-1', [deployedImageItem('web')]);
    world.contains('deploy', [deployedImageItem('web')]);
    await world.list();
    const [before] = await world.items();
    forge.repositories[0]!.path = 'acme/deploy';
    await world.list();
    expect(await world.repositories()).toMatchObject([
      { name: 'acme/deploy', repository_url: world.urlOf('deploy') },
    ]);
    expect(await world.items()).toMatchObject([{ id: before!.id, status: 'new', missing_since: null }]);
  });

  test('applies changed options to all of its repositories', async () => {
    forge.repositories = manyRepositories(2);
    const world = await start();
    await world.list();
    await world.api.call('updateDiscoveryJob', {
      path: { id: world.groupId },
      body: { extractors: ['kubernetes'] },
    });
    expect((await world.agent.work()).scanned).toHaveLength(2);
    expect(await world.repositories()).toMatchObject([
      { extractors: ['kubernetes'] },
      { extractors: ['kubernetes'] },
    ]);
  });

  test("scans all of its repositories after a change to the organization's custom patterns", async () => {
    forge.repositories = manyRepositories(2);
    const world = await start();
    await world.list();
    expect((await world.list()).scanned).toEqual([]);
    const path = { key: 'discovery.custom_extractors' as const };
    const pattern = { name: 'a', path: '*.dhall', pattern: '(?P<artifact>a):(?P<version>b)' };
    await world.api.call('putOrgOverride', { path, body: { value: [pattern] } });
    expect((await world.list()).scanned).toHaveLength(2);
    expect((await world.list()).scanned).toEqual([]);
    await world.api.call('deleteOrgOverride', { path });
    expect((await world.list()).scanned).toHaveLength(2);
  });

  test('scans nothing if its list fails', async () => {
    forge.repositories = manyRepositories(1);
    const world = await start();
    await world.list();
    forge.intercept = (_, response) => {
      response.writeHead(404).end();
      return true;
    };
    const { scanned, errors } = await world.list();
    expect(scanned).toEqual([]);
    expect(errors).toMatchObject([{ code: 'not_found' }]);
    expect((await world.group()).repository_counts).toMatchObject({ read: 1, unlisted: 0 });
  });

  test('cannot move to another forge once it has repositories, because the same IDs belong to other repositories on that forge', async () => {
    const world = await start();
    const update = (body: Schemas['UpdateDiscoveryJobRequest']) =>
      world.api.call('updateDiscoveryJob', { path: { id: world.groupId }, body });
    await update({ forge: 'gitea' });
    await update({ group_url: 'https://git.example.com/acme' });
    await update({ group_url: forge.groupUrl, forge: forge.forge });
    forge.repositories = manyRepositories(1);
    await world.list();
    for (const body of [{ forge: 'gitea' as const }, { group_url: 'https://git.example.com/acme' }])
      await expect(update(body)).rejects.toMatchObject({
        code: 'conflict',
        message: 'This job follows 1 repository of its forge. Create another job for the other forge.',
      });
    await update({ group_url: `http://${forge.host}/other` });
  });

  test('is deleted without a deadlock while a scan of a repository changes its items', async () => {
    forge.repositories = manyRepositories(1);
    const world = await start({ accept: 'all' });
    world.contains('repository-1', [deployedImageItem('web')]);
    await world.list();
    const { id } = (await world.repositories())[0]!;
    const result = await duringScanOf(
      id,
      () => world.api.call('deleteDiscoveryJob', { path: { id: world.groupId }, query: { cascade: true } }),
      async (tx) => {
        await sql`UPDATE discovered_items SET updated_at = updated_at WHERE discovery_job_id = ${id}`.execute(
          tx,
        );
        await sql`UPDATE scrape_jobs SET updated_at = updated_at WHERE discovery_job_id = ${id}`.execute(tx);
      },
    );
    expect(result).toMatchObject({ status: 'fulfilled' });
    expect((await world.api.call('listScrapeJobs')).items).toEqual([]);
  });

  test('is deleted with the jobs of its repositories', async () => {
    forge.repositories = manyRepositories(2);
    const world = await start({ accept: 'all' });
    world.contains('repository-1', [deployedImageItem('web')]);
    await world.list();
    const path = { id: world.groupId };
    await expect(world.api.call('deleteDiscoveryJob', { path })).rejects.toMatchObject({ code: 'in_use' });
    await world.api.call('deleteDiscoveryJob', { path, query: { cascade: true } });
    const { rows } = await sql<{ count: number }>`
      SELECT (SELECT count(*) FROM discovery_jobs WHERE organization_id = ${world.organizationId})
        + (SELECT count(*) FROM scrape_jobs WHERE organization_id = ${world.organizationId}) AS count`.execute(
      db,
    );
    expect(rows[0]!.count).toBe(0);
  });
});

describe('the job of a repository in a group', () => {
  /** Returns the names of the jobs that were reported as failing. */
  async function reported({ organizationId }: Awaited<ReturnType<typeof start>>): Promise<string[]> {
    await transaction(db, (tx) => detectFailingJobsAcrossOrganizations(tx, 1_000));
    const { rows } = await sql<{ name: string }>`
      SELECT data -> 'job' ->> 'name' AS name FROM audit_entries
      WHERE organization_id = ${organizationId} AND event_type = 'job.failing' ORDER BY 1`.execute(db);
    return rows.map(({ name }) => name);
  }

  async function startWithFailingScan() {
    forge.repositories = manyRepositories(2);
    const world = await start({ cron_expression: '@hourly' });
    world.breaks('repository-2');
    await world.list();
    return world;
  }

  /** Lists the group every ten hours, until jobs without a success are due to be reported. */
  async function listForDays(world: Awaited<ReturnType<typeof start>>): Promise<void> {
    for (let hours = 10; hours <= 60; hours += 10) {
      await pass(hours * 60);
      await world.list();
    }
  }

  test('is reported if its scans fail for days, even while the next scan is queued', async () => {
    const world = await startWithFailingScan();
    expect(await reported(world)).toEqual([]);
    await listForDays(world);
    await world.api.call('runDiscoveryJob', { path: { id: world.groupId } });
    await world.agent.work({ scans: false });
    expect(await world.repositories()).toMatchObject([{ status: 'completed' }, { status: 'pending' }]);
    expect(await reported(world)).toEqual(['acme/repository-2']);
    expect(await reported(world)).toEqual(['acme/repository-2']);
  });

  test('is not reported if the group no longer lists the repository, and only the job of the group is reported if its list fails', async () => {
    const world = await startWithFailingScan();
    forge.repositories.pop();
    await listForDays(world);
    expect(await reported(world)).toEqual([]);
    forge.intercept = (_, response) => {
      response.writeHead(404).end();
      return true;
    };
    await pass(120 * 60);
    await world.list();
    expect(await reported(world)).toEqual(['acme']);
  });
});

describe('a repository that is no longer listed', () => {
  async function startWithItem(change: Partial<Schemas['CreateDiscoveryJobRequest']> = {}) {
    forge.repositories = manyRepositories(2);
    const world = await start({ accept: 'all', ...change });
    world.contains('repository-1', [deployedImageItem('web')]);
    await world.list();
    forge.repositories.shift();
    return {
      ...world,
      async scrapeJob() {
        return (await world.api.call('listScrapeJobs')).items[0]!;
      },
    };
  }

  test('keeps its items until a second list also lacks it and a person confirms the removal', async () => {
    const world = await startWithItem();
    await world.list();
    expect(await world.group()).toMatchObject({ gone_held: null, repository_counts: { unlisted: 1 } });
    expect(await world.confirm()).toMatchObject({ gone_held: null });
    await pass(61);
    await world.list();
    expect(await world.group()).toMatchObject({ gone_held: { count: 1 } });
    await pass(60 * 24 * 9);
    await world.list();
    expect(await world.items()).toMatchObject([{ status: 'accepted' }]);
    expect(await world.scrapeJob()).toMatchObject({ is_active: true });

    await world.confirm();
    await world.agent.work();
    expect(await world.items()).toMatchObject([{ status: 'gone' }]);
    expect(await world.scrapeJob()).toMatchObject({ is_active: false, latest_version: '1.0.0' });
    expect(await world.group()).toMatchObject({
      gone_held: null,
      repository_counts: { read: 1, unlisted: 0, removed: 1 },
    });
    expect((await world.repositories())[0]).toMatchObject({
      is_active: false,
      unlisted: { excluded: null, is_confirmed: true },
    });
  });

  test('is not removed by a confirmation for other repositories', async () => {
    forge.repositories = manyRepositories(3);
    const world = await start();
    await world.list();
    forge.repositories = forge.repositories.slice(1);
    await world.list();
    await pass(30);
    forge.repositories = forge.repositories.slice(1);
    await world.list();
    await pass(61);
    await world.list();
    expect(await world.group()).toMatchObject({ gone_held: { count: 1 } });
    // The list after the confirmation is more than an hour later than the list from which the second repository was
    // missing.
    await pass(120);
    await world.confirm();
    await world.agent.work();
    expect(await world.group()).toMatchObject({
      gone_held: { count: 1 },
      repository_counts: { read: 1, unlisted: 1, removed: 1 },
    });
  });

  test('keeps its held or confirmed removal while lists are incomplete', async () => {
    const world = await startWithItem();
    const isCut = { 'x-github-sso': 'partial-results; organizations=1' };
    await world.list();
    await pass(61);
    await world.list();
    forge.extraHeaders = isCut;
    await world.list();
    expect(await world.group()).toMatchObject({ gone_held: { count: 1 } });
    await world.confirm();
    await world.agent.work();
    expect(await world.group()).toMatchObject({
      gone_held: null,
      repository_counts: { unlisted: 1, confirmed: 1, removed: 0 },
    });
    expect((await world.repositories())[0]!.unlisted).toMatchObject({
      removal: 'confirmed',
      is_confirmed: false,
    });
    forge.extraHeaders = {};
    await world.list();
    expect(await world.group()).toMatchObject({
      gone_held: null,
      repository_counts: { unlisted: 0, confirmed: 0, removed: 1 },
    });
  });

  test('can be followed to its new owner with its items, if it was moved there', async () => {
    const world = await startWithItem({ cron_expression: '@daily' });
    const [before] = await world.items();
    forge.elsewhere = [{ id: 1, path: 'other/web', pushedAt: '2026-01-01T00:00:00Z' }];
    await world.list();
    await pass(61);
    await world.list();
    const [job] = await world.repositories();
    const moved_to = `http://${forge.host}/other/web.git`;
    expect(job!.unlisted).toMatchObject({
      excluded: 'moved',
      moved_to,
      removal: 'held',
      is_confirmed: false,
    });
    expect(await world.group()).toMatchObject({ gone_held: { count: 1 }, repository_counts: { moved: 1 } });

    const path = { id: job!.id };
    const update = (body: Schemas['UpdateDiscoveryJobRequest']) =>
      world.api.call('updateDiscoveryJob', { path, body });
    for (const body of [{ name: 'web' }, { repository_url: `http://${forge.host}/other/api` }])
      await expect(update(body)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`Set repository_url to ${moved_to} to follow the repository.`),
      });
    expect(await update({ name: 'other/web', repository_url: moved_to })).toMatchObject({
      name: 'other/web',
      repository_url: moved_to,
      group_job_id: null,
      unlisted: null,
      cron_expression: '@daily',
      next_run_at: expect.any(String),
    });
    expect((await world.agent.work()).scanned).toEqual([moved_to]);
    await world.confirm();
    await world.list();
    expect(await world.group()).toMatchObject({ gone_held: null, repository_counts: { removed: 0 } });
    const { items } = await world.api.call('listDiscoveredItems', { query: { discovery_job_id: job!.id } });
    expect(items).toMatchObject([{ id: before!.id, status: 'accepted' }]);
    expect(await world.scrapeJob()).toMatchObject({ is_active: true });
  });

  test('does not count as moved if the search for it fails, and the list still counts as complete', async () => {
    const world = await startWithItem();
    await world.list();
    await pass(61);
    await world.list();
    expect((await world.repositories())[0]!.unlisted).toMatchObject({ excluded: null, moved_to: null });
    forge.intercept = (request, response) => {
      if (!(request.url ?? '').endsWith('/repositories/1')) return false;
      response.writeHead(500).end();
      return true;
    };
    await world.list();
    expect(await world.group()).toMatchObject({
      gone_held: { count: 1 },
      last_run: {
        summary: {
          is_complete_list: true,
          warnings: [expect.stringContaining("Couldn't check if repositories were moved: ")],
        },
      },
    });
  });

  test('is not considered missing from an incomplete list', async () => {
    const world = await startWithItem();
    forge.extraHeaders = { 'x-github-sso': 'partial-results; organizations=1' };
    await world.list();
    expect(await world.group()).toMatchObject({
      repository_counts: { read: 2, unlisted: 0 },
      last_run: {
        summary: { is_complete_list: false, warnings: [expect.stringContaining('single sign-on')] },
      },
    });
  });

  test('returns with its items and its scrape job if a later list contains it', async () => {
    const world = await startWithItem();
    const [gone] = manyRepositories(1);
    await world.list();
    await pass(61);
    await world.list();
    await world.confirm();
    await world.agent.work();
    forge.repositories.unshift(gone!);
    expect((await world.list()).scanned).toEqual([world.urlOf('repository-1')]);
    expect(await world.items()).toMatchObject([{ status: 'accepted' }]);
    expect(await world.scrapeJob()).toMatchObject({ is_active: true });
    expect((await world.repositories())[0]).toMatchObject({ is_active: true, unlisted: null });
  });

  test('is removed without a deadlock while a scan of another repository changes its items', async () => {
    const world = await startWithItem();
    await world.list();
    await pass(61);
    await world.list();
    await world.confirm();
    forge.repositories[0]!.pushedAt = '2026-02-02T00:00:00Z';
    const [gone, other] = await world.repositories();
    const result = await duringScanOf(
      other!.id,
      () => world.agent.work(),
      (tx) =>
        sql`UPDATE discovered_items SET updated_at = updated_at WHERE discovery_job_id = ${gone!.id}`.execute(
          tx,
        ),
    );
    expect(result).toMatchObject({ status: 'fulfilled' });
    expect(await world.items()).toMatchObject([{ status: 'gone' }]);
  });

  test('keeps its job and its items if it leaves the group after the confirmation and before the removal', async () => {
    const world = await startWithItem();
    await world.list();
    await pass(61);
    await world.list();
    await world.confirm();
    const [gone] = await world.repositories();
    const result = await duringScanOf(
      gone!.id,
      () => world.agent.work(),
      (tx) => leaveGroup(tx, world.organizationId, gone!.id),
    );
    expect(result).toMatchObject({ status: 'fulfilled' });
    const path = { id: gone!.id };
    expect(await world.api.call('getDiscoveryJob', { path })).toMatchObject({
      group_job_id: null,
      is_active: true,
      unlisted: null,
      item_counts: { accepted: 1, gone: 0 },
    });
    expect(await world.scrapeJob()).toMatchObject({ is_active: true });
  });

  test.each([
    ['lists it again', true],
    ['misses it', false],
  ])(
    'keeps its URL and state if it leaves the group before a list that %s is applied',
    async (_, isListed) => {
      const world = await startWithItem();
      if (isListed) await world.list();
      const [job] = await world.repositories();
      if (isListed)
        forge.repositories.unshift({
          ...manyRepositories(1)[0]!,
          path: 'acme/renamed',
          pushedAt: '2026-02-02T00:00:00Z',
        });
      const repository_url = `http://${forge.host}/other/web.git`;
      const result = await duringScanOf(
        job!.id,
        () => world.list(),
        async (tx) => {
          await leaveGroup(tx, world.organizationId, job!.id);
          await sql`UPDATE discovery_jobs SET repository_url = ${repository_url} WHERE id = ${job!.id}`.execute(
            tx,
          );
        },
      );
      expect(result).toMatchObject({ status: 'fulfilled' });
      expect(await world.api.call('getDiscoveryJob', { path: { id: job!.id } })).toMatchObject({
        name: 'acme/repository-1',
        repository_url,
        group_job_id: null,
        unlisted: null,
      });
    },
  );

  test('shows the reason and awaits confirmation if it was archived', async () => {
    const world = await startWithItem();
    forge.repositories.unshift({ ...manyRepositories(1)[0]!, isArchived: true });
    await world.list();
    expect((await world.repositories())[0]).toMatchObject({
      unlisted: { excluded: 'archived', is_confirmed: false },
    });
  });

  test('can be deleted only after the confirmation', async () => {
    const world = await startWithItem();
    await world.list();
    const { id } = (await world.repositories())[0]!;
    const remove = () => world.api.call('deleteDiscoveryJob', { path: { id }, query: { cascade: true } });
    await expect(remove()).rejects.toMatchObject({ code: 'conflict' });
    await pass(61);
    await world.list();
    await world.confirm();
    await world.agent.work();
    await remove();
    expect(await world.repositories()).toHaveLength(1);
  });
});

test('the job of a repository cannot be changed independently of its group', async () => {
  forge.repositories = manyRepositories(1);
  const world = await start();
  await world.list();
  const { id } = (await world.repositories())[0]!;
  await expect(
    world.api.call('updateDiscoveryJob', { path: { id }, body: { accept: 'all' } }),
  ).rejects.toMatchObject({
    code: 'conflict',
    message: `This job follows the discovery job ${world.groupId} of a repository group. Change its options there.`,
  });
});

test.each([
  [{ group_url: null }, 'group_url'],
  [{ group_url: 'https://git.example.com/acme', forge: null }, 'forge'],
  [{ repository_url: 'https://git.example.com/acme/x' }, 'repository_url'],
  [{ cluster_name: 'eu' }, 'cluster_name'],
  [{ repository_filter: { include: ['!x'] } }, 'repository_filter.include.0'],
  [{ forge: 'gitlab', repository_filter: { languages: ['Go'] } }, 'repository_filter.languages'],
] as const)('a group with %j is rejected', async (change, field) => {
  await expect(start(structuredClone(change) as object)).rejects.toMatchObject({ errors: [{ field }] });
});

test.each(['github', 'gitlab', 'gitea'] as const)(
  '50 changes in 5,000 repositories on %s cost at most 100 requests and 60 s',
  { timeout: 300_000 },
  async (kind) => {
    await forge.close();
    forge = await startFakeForge(kind);
    forge.repositories = manyRepositories(5_000);
    const world = await start();
    await world.api.call('runDiscoveryJob', { path: { id: world.groupId } });
    await world.agent.work({ scans: false });
    expect(await world.group()).toMatchObject({ repository_counts: { waiting: 5_000 } });
    // Scanning 5,000 repositories would take minutes, and this test is only about the second list.
    await sql`
      UPDATE runs SET status = 'succeeded', finished_at = pacekeeper_now(), summary = '{}'
      WHERE organization_id = ${world.organizationId} AND status = 'queued'`.execute(db);
    await sql`
      UPDATE discovery_jobs SET last_outcome = 'succeeded', last_success_at = pacekeeper_now()
      WHERE organization_id = ${world.organizationId} AND group_job_id IS NOT NULL`.execute(db);
    await pass(120);
    for (let index = 0; index < 5_000; index += 100)
      forge.repositories[index]!.pushedAt = '2026-02-02T00:00:00Z';
    forge.requests.length = 0;
    const startedAt = performance.now();
    const { scanned } = await world.list();
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect(scanned).toHaveLength(50);
    expect(forge.requests.length).toBeLessThanOrEqual(100);
    expect((await world.group()).last_run?.summary).toMatchObject({ requested: 50, unchanged: 4_950 });
  },
);
