import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type RunStatus,
  recordUnchanged,
  setRunStatus as setStatusOfRun,
} from '../../../../tests/helpers/runs-fixture.ts';
import { createUpstreamFixture, inParts, item, runsOf } from '../../../../tests/helpers/upstream-fixture.ts';
import { transaction } from '../../../platform/database/index.ts';
import { recordHelmSync } from './record-helm-sync.ts';

const { db, recordDeps, call, createOrganization, createConfig, storedReleases, storedJob } =
  await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

const body = { name: 'Charts', repository_url: 'https://charts.example.org/stable' };
const create = (values: object = {}, as = organizationId) =>
  call('createHelmSyncJob', as, { body: { ...body, ...values } });
const update = (id: number, values: object) =>
  call('updateHelmSyncJob', organizationId, { path: { id }, body: values });
const keyOf = (jobId: number, of = organizationId) => ({ organizationId: of, jobId });

interface Chart {
  name: string;
  versions: string[];
  description?: string;
  deprecated?: boolean;
}

/** Records an index, as completing a run does. A chart is split into items of at most `itemSize` releases. */
function record(
  syncId: number,
  charts: readonly Chart[],
  { partSize = 1_000, itemSize = 1_000, of = organizationId } = {},
) {
  const items = charts.flatMap(({ name, versions, description, deprecated = false }) => {
    const chart = {
      name,
      latest_version: versions[0] ?? '0.0.0',
      app_version: '1',
      description: description ?? null,
      deprecated,
      version_count: versions.length,
      project_url: `https://github.com/acme/${name}`,
    };
    const releases = versions.map((version) => item(version));
    const count = Math.max(1, Math.ceil(releases.length / itemSize));
    return Array.from({ length: count }, (_, index) => ({
      chart,
      releases: releases.slice(index * itemSize, (index + 1) * itemSize),
    }));
  });
  const outcome = {
    isCompleteList: true,
    validators: { etag: '"1"', last_modified: null, fingerprint: 'f' },
  };
  return transaction(db, (tx) =>
    recordHelmSync(tx, recordDeps, keyOf(syncId, of), inParts(items, partSize), outcome),
  );
}

async function listManagedJobs(syncId: number) {
  return (await call('listGatherJobs', organizationId, { query: { helm_sync_job_id: syncId, sort: 'name' } }))
    .items;
}

const setRunStatus = (jobId: number, status: RunStatus) =>
  transaction(db, (tx) => setStatusOfRun(tx, 'helm_sync', jobId, status));

test('the gather jobs of a Helm sync job show whether their chart is deprecated', async () => {
  const { id } = await create();
  const versions = ['1.0.0'];
  await record(id, [
    { name: 'a', versions },
    { name: 'b', versions, deprecated: true },
  ]);
  const states = async () => (await listManagedJobs(id)).map(({ is_deprecated }) => is_deprecated);
  expect(await states()).toEqual([false, true]);
  await record(id, [
    { name: 'a', versions, deprecated: true },
    { name: 'b', versions },
  ]);
  expect(await states()).toEqual([true, false]);
});

describe('a Helm sync job', () => {
  test('is returned with all its fields and a normalized URL, and its first run is queued immediately', async () => {
    const job = await create({
      repository_url: ' https://charts.example.org/stable/index.yaml ',
      cron_expression: '@hourly',
    });
    expect(job).toMatchObject({
      name: 'Charts',
      repository_url: 'https://charts.example.org/stable',
      chart_filter: [],
      create_gather_jobs: true,
      cron_timezone: 'UTC',
      credential_name: null,
      is_active: true,
      scope: 'organization',
      status: 'pending',
      waiting_for: 'agent',
      last_run: { trigger: 'created' },
      chart_count: 0,
    });
    expect(job.next_run_at).not.toBeNull();
  });

  test.each([
    ['repository_url', { repository_url: 'nope' }],
    ['repository_url', { repository_url: 'https://a..b/charts' }],
    ['repository_url', { repository_url: 'oci://charts.example.org/stable' }],
    ['repository_url', { repository_url: 'https://user:secret@charts.example.org' }],
    ['chart_filter.1', { chart_filter: ['a*', '[ab]'] }],
    ['cron_expression', { cron_expression: 'never' }],
    ['cron_timezone', { cron_timezone: 'Nowhere' }],
  ])('with an invalid %s is rejected with the name of the field: %o', async (field, values) => {
    await expect(create(values)).rejects.toMatchObject({ status: 400, options: { errors: [{ field }] } });
  });

  test('can be read by every organization but changed only with a system key if it is global', async () => {
    const job = await create({}, 1);
    const path = { id: job.id };
    await record(job.id, [{ name: 'app', versions: ['1.0.0'] }], { of: 1 });
    expect(await call('getHelmSyncJob', organizationId, { path })).toMatchObject({
      scope: 'global',
      chart_count: 1,
    });
    expect(await call('listHelmSyncJobCharts', organizationId, { path })).toMatchObject({ total: 1 });
    for (const operation of ['updateHelmSyncJob', 'deleteHelmSyncJob', 'runHelmSyncJob'] as const) {
      const change = call(operation, organizationId, { path, body: { name: 'Mine' } });
      await expect(change).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  test('returns the same error to other organizations as one that never existed', async () => {
    const job = await create({}, await createOrganization());
    for (const operation of [
      'getHelmSyncJob',
      'listHelmSyncJobCharts',
      'listHelmSyncJobRuns',
      'deleteHelmSyncJob',
    ] as const) {
      await expect(call(operation, organizationId, { path: { id: job.id } })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('is listed together with global ones, and the list applies all filters', async () => {
    const global = await create({ name: 'Global' }, 1);
    const own = await create({ name: 'Own', is_active: false });
    const list = async (query: object) =>
      (await call('listHelmSyncJobs', organizationId, { query })).items
        .map((job) => job.id)
        .filter((id) => id >= global.id);
    expect(await list({})).toEqual([own.id, global.id]);
    expect(await list({ scope: 'organization', q: 'OW', is_active: false, status: 'pending' })).toEqual([
      own.id,
    ]);
    expect(await list({ status: 'failed' })).toEqual([]);
  });

  test('has one queued run when it is run manually twice', async () => {
    const job = await create({ is_active: false });
    const run = () => call('runHelmSyncJob', organizationId, { path: { id: job.id } });
    expect(await run()).toMatchObject({ last_run: { trigger: 'manual' } });
    await run();
    expect(await call('listHelmSyncJobRuns', organizationId, { path: { id: job.id } })).toMatchObject({
      total: 1,
    });
  });

  test('is queued after a change to its chart filter, but not to its name or schedule', async () => {
    const job = await create();
    await setRunStatus(job.id, 'succeeded');
    await update(job.id, { name: 'New', cron_expression: '@daily' });
    expect(await runsOf(db, 'helm_sync_job_id', job.id)).toHaveLength(1);
    expect(await update(job.id, { chart_filter: ['a*'] })).toMatchObject({
      last_run: { trigger: 'changed' },
    });
  });
});

describe('recording an index', () => {
  const charts: Chart[] = [
    { name: 'app', versions: ['1.1.0', '1.0.0'], description: 'An application' },
    { name: 'lib', versions: ['0.2.0-rc.1', '0.1.0'] },
  ];

  test('creates charts, and a gather job for each, which the sync manages', async () => {
    const sync = await create({ credential_name: 'registry', cron_expression: '@daily' });
    expect(await record(sync.id, charts)).toEqual({
      charts: 2,
      gather_jobs_created: 2,
      added: 4,
      updated: 0,
      withdrawn: 0,
    });
    await setRunStatus(sync.id, 'succeeded');
    const [app, lib] = await listManagedJobs(sync.id);
    expect(app).toMatchObject({
      name: 'app',
      source_type: 'helm_repository',
      artifact_name: 'charts.example.org/stable/app',
      version_scheme: 'semver',
      credential_name: 'registry',
      cron_expression: null,
      helm_sync_job_id: sync.id,
      release_count: 2,
      latest_version: '1.1.0',
      project_url: 'https://github.com/acme/app',
      project_url_source: 'chart',
      status: 'completed',
    });
    expect(app?.next_run_at).toBe(
      (await call('getHelmSyncJob', organizationId, { path: { id: sync.id } })).next_run_at,
    );
    expect(lib).toMatchObject({ release_count: 2, latest_version: '0.1.0' });
    const { items } = await call('listHelmSyncJobCharts', organizationId, { path: { id: sync.id } });
    expect(items).toMatchObject([
      {
        name: 'app',
        latest_version: '1.1.0',
        description: 'An application',
        version_count: 2,
        gather_job_id: app?.id,
      },
      { name: 'lib', gather_job_id: lib?.id },
    ]);
    expect(
      await call('listHelmSyncJobCharts', organizationId, { path: { id: sync.id }, query: { q: 'LI' } }),
    ).toMatchObject({ total: 1 });
  });

  test.each([
    [1, 1],
    [1, 1_000],
    [3, 2],
  ])('has the same result in parts of %i and items of %i', async (partSize, itemSize) => {
    const sync = await create();
    const many = [
      { name: 'many', versions: Array.from({ length: 7 }, (_, index) => `1.${index}.0`) },
      ...charts,
    ];
    expect(await record(sync.id, many, { partSize, itemSize })).toMatchObject({
      charts: 3,
      gather_jobs_created: 3,
      added: 11,
    });
    expect(await record(sync.id, many, { partSize, itemSize })).toEqual({
      charts: 3,
      gather_jobs_created: 0,
      added: 0,
      updated: 0,
      withdrawn: 0,
    });
  });

  test('withdraws removed releases and charts, and restores them when they reappear', async () => {
    const sync = await create();
    await record(sync.id, charts);
    expect(await record(sync.id, [{ name: 'app', versions: ['1.1.0'] }])).toMatchObject({ withdrawn: 3 });
    const [app, lib] = await listManagedJobs(sync.id);
    expect(lib).toMatchObject({ release_count: 2, latest_version: null });
    expect((await storedReleases(keyOf(lib!.id))).every((release) => release.is_withdrawn)).toBe(true);
    expect(await record(sync.id, charts)).toMatchObject({ added: 0, updated: 3, gather_jobs_created: 0 });
    expect(await listManagedJobs(sync.id)).toMatchObject([
      { id: app!.id, release_count: 2 },
      { id: lib!.id, latest_version: '0.1.0' },
    ]);
  });

  test('stores only charts if create_gather_jobs is false', async () => {
    const sync = await create({ create_gather_jobs: false });
    expect(await record(sync.id, charts)).toMatchObject({ charts: 2, gather_jobs_created: 0, added: 0 });
    expect(await listManagedJobs(sync.id)).toEqual([]);
  });

  test('does not update disabled gather jobs', async () => {
    const sync = await create();
    await record(sync.id, charts);
    const [app] = await listManagedJobs(sync.id);
    await call('updateGatherJob', organizationId, { path: { id: app!.id }, body: { is_active: false } });
    expect(await record(sync.id, [])).toMatchObject({ withdrawn: 2 });
    expect((await storedJob(keyOf(app!.id))).latest_version).toBe('1.1.0');
  });

  test('updates the last-seen time of listed charts even if the repository reports no changes', async () => {
    const sync = await create();
    await record(sync.id, charts);
    await record(sync.id, charts.slice(0, 1));
    await sql`UPDATE helm_sync_jobs SET last_success_at = pacekeeper_now() - interval '2 hours' WHERE id = ${sync.id}`.execute(
      db,
    );
    const lastSeen = async () =>
      (await call('listHelmSyncJobCharts', organizationId, { path: { id: sync.id } })).items.map(
        (chart) => chart.last_seen_at,
      );
    const before = await lastSeen();
    await transaction(db, (tx) => recordUnchanged(tx, 'helm_sync', [keyOf(sync.id)]));
    const after = await lastSeen();
    expect(after[0]! > before[0]!).toBe(true);
    expect(after[1]).toBe(before[1]);
  });

  test('evaluates the configurations of all charts when a failing repository recovers', async () => {
    const sync = await create();
    await record(sync.id, charts);
    const wanted = async () =>
      (
        await db
          .selectFrom('release_fan_outs')
          .select('requested_seq')
          .where('organization_id', '=', organizationId)
          .execute()
      ).map((row) => Number(row.requested_seq));
    const fail = () =>
      sql`UPDATE helm_sync_jobs SET failing_since = pacekeeper_now() WHERE id = ${sync.id}`.execute(db);
    await fail();
    await record(sync.id, charts);
    expect(await wanted()).toEqual([2, 2]);
    await fail();
    await transaction(db, (tx) => recordUnchanged(tx, 'helm_sync', [keyOf(sync.id)]));
    expect(await wanted()).toEqual([3, 3]);
  });
});

describe('a gather job that a sync manages', () => {
  test('rejects changes to its artifact, schedule, and credential, but accepts a version pattern', async () => {
    const sync = await create();
    await record(sync.id, [{ name: 'app', versions: ['1.0.0'] }]);
    await setRunStatus(sync.id, 'succeeded');
    const [app] = await listManagedJobs(sync.id);
    const change = (values: object) =>
      call('updateGatherJob', organizationId, { path: { id: app!.id }, body: values });
    for (const values of [
      { artifact_name: 'charts.example.org/other' },
      { cron_expression: '@daily' },
      { credential_name: 'x' },
    ]) {
      await expect(change(values)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await change({ version_pattern: '^1' })).toMatchObject({
      release_count: 0,
      last_run: { trigger: 'changed' },
    });
    expect(await runsOf(db, 'helm_sync_job_id', sync.id)).toMatchObject([
      { status: 'succeeded' },
      { trigger: 'changed' },
    ]);
    await record(sync.id, [{ name: 'app', versions: ['1.0.0'] }]);
    expect(await storedReleases(keyOf(app!.id))).toMatchObject([{ tag: '1.0.0', version: '1' }]);
  });

  test('gets its releases again after they were cleared, even if the index is unchanged', async () => {
    const sync = await create();
    await record(sync.id, [{ name: 'app', versions: ['1.0.0'] }]);
    const [app] = await listManagedJobs(sync.id);
    const validators = async () =>
      (
        await db
          .selectFrom('helm_sync_jobs')
          .select('validators')
          .where('id', '=', sync.id)
          .executeTakeFirst()
      )?.validators;
    expect(await validators()).toMatchObject({ etag: '"1"' });
    await call('clearGatherJobReleases', organizationId, { path: { id: app!.id } });
    expect(await validators()).toBeNull();
    expect(await record(sync.id, [{ name: 'app', versions: ['1.0.0'] }])).toMatchObject({ added: 1 });
  });

  test('triggers a run of its sync when it is enabled again', async () => {
    const sync = await create();
    await record(sync.id, [{ name: 'app', versions: ['1.0.0'] }]);
    await setRunStatus(sync.id, 'succeeded');
    const path = { id: (await listManagedJobs(sync.id))[0]!.id };
    await call('updateGatherJob', organizationId, { path, body: { is_active: false } });
    expect(await runsOf(db, 'helm_sync_job_id', sync.id)).toHaveLength(1);
    const turnedOn = await call('updateGatherJob', organizationId, { path, body: { is_active: true } });
    expect(turnedOn).toMatchObject({ last_run: { status: 'queued', trigger: 'changed' } });
  });

  test('runs the sync when it is run manually, and lists the runs of the sync', async () => {
    const sync = await create();
    await record(sync.id, [{ name: 'app', versions: ['1.0.0'] }]);
    await setRunStatus(sync.id, 'succeeded');
    const path = { id: (await listManagedJobs(sync.id))[0]!.id };
    expect(await call('runGatherJob', organizationId, { path })).toMatchObject({
      last_run: { trigger: 'manual' },
    });
    expect(await runsOf(db, 'gather_job_id', path.id)).toEqual([]);
    expect(await call('listGatherJobRuns', organizationId, { path })).toMatchObject({ total: 2 });
    const query = { status: 'pending', scope: 'organization' };
    expect((await call('listGatherJobs', organizationId, { query })).items).toMatchObject([path]);
  });
});

describe('detaching gather jobs', () => {
  const charts = [
    { name: 'used', versions: ['1.0.0'] },
    { name: 'unused', versions: ['1.0.0'] },
  ];

  async function createFedSync() {
    const sync = await create({ cron_expression: '15 3 * * *', cron_timezone: 'Asia/Tokyo' });
    await record(sync.id, charts);
    const [unused, used] = await listManagedJobs(sync.id);
    const configId = await createConfig(organizationId, keyOf(used!.id));
    return { sync, used: used!, unused: unused!, configId };
  }

  const get = (id: number) => call('getGatherJob', organizationId, { path: { id } });
  const remove = (id: number, query: object = {}) =>
    call('deleteHelmSyncJob', organizationId, { path: { id }, query });

  test('deleting a sync keeps the gather jobs that configurations use, with the schedule of the sync', async () => {
    const { sync, used, unused } = await createFedSync();
    await remove(sync.id);
    const kept = await get(used.id);
    expect(kept).toMatchObject({
      helm_sync_job_id: null,
      cron_expression: '15 3 * * *',
      cron_timezone: 'Asia/Tokyo',
      is_active: true,
      release_count: 1,
    });
    expect(kept.next_run_at).toMatch(/T18:15:/);
    await expect(get(unused.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(call('getHelmSyncJob', organizationId, { path: { id: sync.id } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a cascading deletion includes gather jobs and their configurations, but is rejected if another organization uses them', async () => {
    const { sync, used, configId } = await createFedSync();
    await remove(sync.id, { cascade: true });
    await expect(get(used.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await db.selectFrom('alert_configs').select('id').where('id', '=', configId).execute()).toEqual(
      [],
    );

    const global = await create({}, 1);
    await record(global.id, charts, { of: 1 });
    await createConfig(organizationId, keyOf((await listManagedJobs(global.id))[0]!.id, 1));
    const removal = call('deleteHelmSyncJob', 1, { path: { id: global.id }, query: { cascade: true } });
    await expect(removal).rejects.toMatchObject({ code: 'in_use' });
    await call('deleteHelmSyncJob', 1, { path: { id: global.id } });
  });

  test('a chart that a new filter excludes is detached as if the sync were deleted', async () => {
    const { sync, used, unused } = await createFedSync();
    await update(sync.id, { chart_filter: ['other*'] });
    expect(await get(used.id)).toMatchObject({ helm_sync_job_id: null, cron_expression: '15 3 * * *' });
    await expect(get(unused.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await call('getHelmSyncJob', organizationId, { path: { id: sync.id } })).toMatchObject({
      chart_count: 0,
    });
  });

  test('setting create_gather_jobs to false detaches the gather jobs and keeps the charts', async () => {
    const { sync, used } = await createFedSync();
    expect(await update(sync.id, { create_gather_jobs: false })).toMatchObject({ chart_count: 2 });
    expect(await get(used.id)).toMatchObject({ helm_sync_job_id: null });
    const { items } = await call('listHelmSyncJobCharts', organizationId, { path: { id: sync.id } });
    expect(items.map((chart) => chart.gather_job_id)).toEqual([null, null]);
  });

  test('gather jobs get the new repository URL of their sync, and lose the releases of the old repository', async () => {
    const { sync, used } = await createFedSync();
    await update(sync.id, { repository_url: 'https://mirror.example.org/charts' });
    expect(await get(used.id)).toMatchObject({
      artifact_name: 'mirror.example.org/charts/used',
      helm_sync_job_id: sync.id,
      release_count: 0,
    });
    expect(await record(sync.id, charts)).toMatchObject({ gather_jobs_created: 0, added: 2 });
    expect(await get(used.id)).toMatchObject({ release_count: 1 });
  });

  test('gather jobs of a mirror refer to the original, regardless of whether the sync creates or moves them', async () => {
    await sql`
      INSERT INTO artifact_aliases (organization_id, name, prefix, upstream_prefix)
      VALUES (${organizationId}, 'Charts', 'mirror.example.org/charts/', 'charts.example.com/')`.execute(db);
    const { sync, used } = await createFedSync();
    expect(used.mirror_of).toBeNull();
    await update(sync.id, { repository_url: 'https://mirror.example.org/charts' });
    expect(await get(used.id)).toMatchObject({ mirror_of: 'charts.example.com/used' });
    await record(sync.id, [...charts, { name: 'z-new', versions: ['1.0.0'] }]);
    const created = (await listManagedJobs(sync.id)).at(-1);
    expect(created).toMatchObject({ name: 'z-new', mirror_of: 'charts.example.com/z-new' });
  });

  test('the configurations of the former originals are evaluated when gather jobs move to another repository', async () => {
    await sql`
      INSERT INTO artifact_aliases (organization_id, name, prefix, upstream_prefix)
      VALUES (${organizationId}, 'Charts', 'charts.example.org/stable/', 'charts.example.com/')`.execute(db);
    const { sync, used } = await createFedSync();
    const original = await call('createGatherJob', organizationId, {
      body: { name: 'Original', source_type: 'helm_repository', artifact_name: used.mirror_of! },
    });
    await sql`DELETE FROM release_fan_outs WHERE organization_id = ${organizationId}`.execute(db);
    await update(sync.id, { repository_url: 'https://other.example.org/charts' });
    expect(await get(used.id)).toMatchObject({ mirror_of: null });
    const { rows } = await sql<{ gather_job_id: number }>`
      SELECT gather_job_id FROM release_fan_outs WHERE organization_id = ${organizationId}`.execute(db);
    expect(rows.map((row) => row.gather_job_id)).toContain(original.id);
  });

  test('a deleted gather job is created again if the repository still lists its chart', async () => {
    const { sync, unused } = await createFedSync();
    await call('deleteGatherJob', organizationId, { path: { id: unused.id } });
    expect(await record(sync.id, charts)).toMatchObject({ gather_jobs_created: 1, added: 1 });
  });
});
