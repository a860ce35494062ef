import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUpstreamFixture, item, runsOf } from '../upstream-fixture.ts';

const { db, woken, statementsOf, call, createOrganization, createConfig, record, storedReleases, storedJob } =
  await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

const body = {
  name: 'Tool',
  source_type: 'github_releases',
  artifact_name: 'github.com/owner/repo',
} as const;
const create = (values: object = {}, as = organizationId) =>
  call('createGatherJob', as, { body: { ...body, ...values } });
const update = (id: number, values: object, as = organizationId) =>
  call('updateGatherJob', as, { path: { id }, body: values });
const keyOf = (id: number, of = organizationId) => ({ organizationId: of, jobId: id });
const configCount = async (of = organizationId) =>
  (await db.selectFrom('alert_configs').select('id').where('organization_id', '=', of).execute()).length;

/** An agent works on the open run of a job, or has ended it. */
async function setRunStatus(id: number, status: 'in_progress' | 'succeeded'): Promise<void> {
  await sql`UPDATE runs SET status = ${status} WHERE gather_job_id = ${id} AND status IN ('queued', 'in_progress')`.execute(
    db,
  );
}

describe('making a job', () => {
  test('it is answered with all that is known of it, and runs at once', async () => {
    const job = await create({
      artifact_name: ' https://GitHub.com/owner/repo.git/ ',
      cron_expression: '@daily',
    });
    expect(job).toMatchObject({
      name: 'Tool',
      artifact_name: 'github.com/owner/repo',
      source_options: {},
      version_scheme: 'auto',
      version_pattern: null,
      include_prereleases: true,
      max_releases: null,
      cron_timezone: 'UTC',
      is_active: true,
      scope: 'organization',
      status: 'pending',
      waiting_for: 'agent',
      last_run: { status: 'queued', trigger: 'created' },
      release_count: 0,
      latest_version: null,
      helm_sync_job_id: null,
    });
    expect(job.next_run_at).toMatch(/T00:00:[0-3]\d\.\d{3}Z$/);
    expect(woken).toEqual(
      expect.arrayContaining([
        'gather_jobs',
        'runs',
        `changes:${organizationId}/gather_job/${job.id}/created`,
      ]),
    );
  });

  test('one that is inactive has a schedule, and neither a run nor a next one', async () => {
    const job = await create({ is_active: false, cron_expression: '@daily' });
    expect(job).toMatchObject({ next_run_at: null, last_run: null, status: 'pending' });
  });

  test('a chart is read as SemVer unless something else is said', async () => {
    const chart = { source_type: 'helm_repository', artifact_name: 'charts.example.org/app' };
    expect(await create(chart)).toMatchObject({ version_scheme: 'semver' });
    expect(await create({ ...chart, version_scheme: 'auto' })).toMatchObject({ version_scheme: 'auto' });
  });

  test.each([
    ['artifact_name', { artifact_name: 'github.com/owner' }],
    ['artifact_name', { artifact_name: 'user:secret@github.com/owner/repo' }],
    ['artifact_name', { artifact_name: 'nope' }],
    [
      'artifact_name',
      { source_type: 'http_json', artifact_name: 'nope', source_options: { version_path: '.v' } },
    ],
    ['artifact_name', { source_type: 'git_tags', artifact_name: 'https://a..b/c' }],
    ['source_options.version_path', { source_options: { version_path: 'a' } }],
    ['version_pattern', { version_pattern: '(?=a)' }],
    ['version_pattern', { version_pattern: '' }],
    ['cron_expression', { cron_expression: '61 * * * *' }],
    ['cron_timezone', { cron_timezone: 'Europe/Nowhere' }],
  ])('a wrong %s is refused by its name: %o', async (field, values) => {
    await expect(create(values)).rejects.toMatchObject({ status: 400, options: { errors: [{ field }] } });
    await expect(create().then((job) => update(job.id, values))).rejects.toMatchObject({
      status: 400,
      options: { errors: [{ field }] },
    });
  });
});

describe('global jobs', () => {
  test('what a system key makes is read and listed by everybody, and changed with a system key only', async () => {
    const job = await create({ name: 'Global' }, 1);
    expect(job.scope).toBe('global');
    expect(await call('getGatherJob', organizationId, { path: { id: job.id } })).toMatchObject({
      scope: 'global',
    });
    const changes = ['updateGatherJob', 'deleteGatherJob', 'runGatherJob', 'clearGatherJobReleases'] as const;
    for (const change of changes) {
      const foreign = call(change, organizationId, { path: { id: job.id }, body: { name: 'Mine' } });
      await expect(foreign).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await update(job.id, { name: 'Better' }, 1)).toMatchObject({ name: 'Better' });
    expect(await call('listGlobalGatherJobsDropdown', organizationId)).toContainEqual({
      id: job.id,
      name: 'Better',
      artifact_name: job.artifact_name,
      source_type: 'github_releases',
      scope: 'global',
      latest_version: null,
    });
  });

  test('the dropdown has own ones only, by name', async () => {
    await create({}, 1);
    for (const name of ['b', 'C', 'a']) await create({ name, is_active: false });
    const items = await call('listGatherJobsDropdown', organizationId);
    expect(items.map(({ name, scope }) => [name, scope])).toEqual([
      ['a', 'organization'],
      ['b', 'organization'],
      ['C', 'organization'],
    ]);
  });

  test('another organization’s job is like one that never existed', async () => {
    const job = await create({}, await createOrganization());
    const path = { id: job.id };
    for (const operation of [
      'getGatherJob',
      'deleteGatherJob',
      'runGatherJob',
      'listGatherJobRuns',
    ] as const) {
      await expect(call(operation, organizationId, { path })).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(update(job.id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('lists', () => {
  test('own and global ones, newest first, and only those that the filters name', async () => {
    const global = await create({ name: 'Global' }, 1);
    const first = await create({ name: 'First', artifact_name: 'github.com/a/first', is_active: false });
    const second = await create({
      name: 'Second',
      source_type: 'gitlab_releases',
      artifact_name: 'gitlab.com/b/second',
    });
    await setRunStatus(second.id, 'succeeded');
    const list = async (query: object) =>
      (await call('listGatherJobs', organizationId, { query })).items
        .map((job) => job.id)
        .filter((id) => id >= global.id);
    expect(await list({})).toEqual([second.id, first.id, global.id]);
    expect(await list({ sort: 'name' })).toEqual([first.id, global.id, second.id]);
    expect(await list({ scope: 'organization' })).toEqual([second.id, first.id]);
    expect(await list({ scope: 'global' })).toEqual([global.id]);
    expect(await list({ q: 'A/FIR' })).toEqual([first.id]);
    expect(await list({ status: 'completed' })).toEqual([second.id]);
    expect(await list({ is_active: false })).toEqual([first.id]);
    expect(await list({ source_type: 'gitlab_releases' })).toEqual([second.id]);
    expect(await list({ helm_sync_job_id: 1 })).toEqual([]);
  });

  test('a list costs the same number of statements however long it is', async () => {
    const cost = () =>
      statementsOf(() => call('listGatherJobs', organizationId, { query: { scope: 'organization' } }));
    await create();
    const one = await cost();
    for (let index = 0; index < 5; index++) await create();
    expect(await cost()).toHaveLength(one.length);
  });
});

describe('running by hand', () => {
  test('queues one run; asking again while it is open queues no second one', async () => {
    const job = await create({ is_active: false });
    const run = () => call('runGatherJob', organizationId, { path: { id: job.id } });
    expect(await run()).toMatchObject({
      status: 'pending',
      is_active: false,
      last_run: { trigger: 'manual' },
    });
    await run();
    await setRunStatus(job.id, 'in_progress');
    expect(await run()).toMatchObject({ status: 'in_progress' });
    expect(await runsOf(db, 'gather_job_id', job.id)).toHaveLength(1);
    await setRunStatus(job.id, 'succeeded');
    await run();
    const runs = await call('listGatherJobRuns', organizationId, { path: { id: job.id } });
    expect(runs.items.map(({ status }) => status)).toEqual(['queued', 'succeeded']);
  });
});

describe('changing a job', () => {
  test.each([
    ['source', { source_type: 'gitlab_releases', artifact_name: 'gitlab.com/owner/repo' }],
    ['artifact', { artifact_name: 'github.com/owner/other' }],
    ['pattern', { version_pattern: '^v(.+)$' }],
    ['scheme', { version_scheme: 'semver' }],
  ])('another %s clears the releases, forgets the validators and runs anew', async (_what, values) => {
    const job = await create();
    const validators = { etag: '"1"', last_modified: null, fingerprint: 'f' };
    await record(keyOf(job.id), [item('1.0.0')], { validators });
    await setRunStatus(job.id, 'in_progress');
    expect(await update(job.id, values)).toMatchObject({
      ...values,
      release_count: 0,
      latest_version: null,
      last_run: { status: 'queued', trigger: 'changed' },
    });
    expect(await storedReleases(keyOf(job.id))).toEqual([]);
    expect(await storedJob(keyOf(job.id))).toMatchObject({
      validators: null,
      last_full_at: null,
      releases_revision: 2,
    });
    expect(await runsOf(db, 'gather_job_id', job.id)).toMatchObject([
      { status: 'canceled' },
      { status: 'queued' },
    ]);
    const fanOut = await db
      .selectFrom('release_fan_outs')
      .select('wanted')
      .where('gather_job_id', '=', job.id)
      .execute();
    expect(fanOut).toEqual([{ wanted: 2 }]);
  });

  test.each([
    ['the wish for pre-releases', { include_prereleases: false }],
    ['how many are kept', { max_releases: 5 }],
    ['the credential', { credential_name: 'readonly' }],
  ])('%s reads the list anew and keeps what is stored', async (_what, values) => {
    const job = await create();
    await record(keyOf(job.id), [item('1.0.0')]);
    await setRunStatus(job.id, 'succeeded');
    expect(await update(job.id, values)).toMatchObject({
      ...values,
      release_count: 1,
      last_run: { trigger: 'changed' },
    });
    expect(await storedJob(keyOf(job.id))).toMatchObject({ validators: null, last_full_at: null });
  });

  test('a name or a schedule changes nothing that is read', async () => {
    const job = await create();
    await record(keyOf(job.id), [item('1.0.0')]);
    await setRunStatus(job.id, 'succeeded');
    const changed = await update(job.id, {
      name: 'New',
      cron_expression: '30 4 * * *',
      cron_timezone: 'Asia/Tokyo',
    });
    expect(changed).toMatchObject({ name: 'New', release_count: 1, last_run: { status: 'succeeded' } });
    expect(changed.next_run_at).toMatch(/T19:(30|31):/);
    expect(await update(job.id, { cron_expression: null })).toMatchObject({ next_run_at: null });
  });

  test('another spelling of the same artifact is no other artifact, also of one that was stored in it', async () => {
    const job = await create();
    await record(keyOf(job.id), [item('1.0.0')]);
    await setRunStatus(job.id, 'succeeded');
    const unchanged = {
      artifact_name: 'github.com/owner/repo',
      release_count: 1,
      last_run: { status: 'succeeded' },
    };
    expect(
      await update(job.id, { artifact_name: 'https://github.com/owner/repo/releases/tag/v1' }),
    ).toMatchObject(unchanged);
    await sql`UPDATE gather_jobs SET artifact_name = 'www.github.com/owner/repo' WHERE id = ${job.id}`.execute(
      db,
    );
    expect(await update(job.id, { name: 'New' })).toMatchObject(unchanged);
  });

  test('who holds a job as due by its former schedule has lost it', async () => {
    const job = await create({ cron_expression: '@daily' });
    await sql`
      UPDATE gather_jobs SET lease_token = gen_random_uuid(), lease_until = pacekeeper_now() + interval '1 minute'
      WHERE id = ${job.id}`.execute(db);
    await update(job.id, { cron_expression: '@hourly' });
    expect(await storedJob(keyOf(job.id))).toMatchObject({ lease_token: null });
  });

  test('an inactive job that changes is not run, and what runs of it is canceled', async () => {
    const job = await create();
    await update(job.id, { is_active: false, artifact_name: 'github.com/owner/other' });
    expect(await runsOf(db, 'gather_job_id', job.id)).toMatchObject([{ status: 'canceled' }]);
  });

  test('one that was made inactive runs when it is turned on for the first time', async () => {
    const job = await create({ is_active: false });
    expect(await update(job.id, { is_active: true })).toMatchObject({ last_run: { trigger: 'created' } });
    await setRunStatus(job.id, 'succeeded');
    await record(keyOf(job.id), [item('1.0.0')]);
    await update(job.id, { is_active: false });
    expect(await update(job.id, { is_active: true })).toMatchObject({ last_run: { status: 'succeeded' } });
  });
});

describe('clearing the releases', () => {
  test('deletes them and what would make the next request conditional', async () => {
    const job = await create();
    await setRunStatus(job.id, 'succeeded');
    await record(keyOf(job.id), [item('1.0.0'), item('2.0.0')], {
      validators: { etag: '"1"', last_modified: null, fingerprint: 'f' },
    });
    expect(await call('clearGatherJobReleases', organizationId, { path: { id: job.id } })).toEqual({
      deleted: 2,
    });
    expect(await storedJob(keyOf(job.id))).toMatchObject({
      validators: null,
      release_count: 0,
      latest_version: null,
    });
    expect(await runsOf(db, 'gather_job_id', job.id)).toHaveLength(1);
  });

  test('what was reading meanwhile begins again, for it may bring only what was new to it', async () => {
    const job = await create();
    await setRunStatus(job.id, 'in_progress');
    await call('clearGatherJobReleases', organizationId, { path: { id: job.id } });
    expect(await runsOf(db, 'gather_job_id', job.id)).toMatchObject([
      { status: 'canceled' },
      { status: 'queued' },
    ]);
  });
});

describe('deleting a job', () => {
  const remove = (id: number, query: object = {}, as = organizationId) =>
    call('deleteGatherJob', as, { path: { id }, query });

  test('takes its releases and runs along, and is in the audit log', async () => {
    const job = await create();
    await record(keyOf(job.id), [item('1.0.0')]);
    await remove(job.id);
    expect(await storedReleases(keyOf(job.id))).toEqual([]);
    const { rows } =
      await sql`SELECT action, resource_name FROM audit_log WHERE organization_id = ${organizationId} ORDER BY id`.execute(
        db,
      );
    expect(rows).toEqual(
      ['created', 'deleted'].map((what) => ({ action: `gather_job.${what}`, resource_name: 'Tool' })),
    );
  });

  test('one in use is refused with at most 20 ids and their number, and deleted with them by cascade', async () => {
    const job = await create();
    const ids: number[] = [];
    for (let index = 0; index < 22; index++) ids.push(await createConfig(organizationId, keyOf(job.id)));
    await expect(remove(job.id)).rejects.toMatchObject({
      code: 'in_use',
      options: { extra: { alert_config_ids: ids.slice(0, 20), alert_config_count: 22 } },
    });
    await remove(job.id, { cascade: true });
    expect(await configCount()).toBe(0);
    await expect(remove(job.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a global one stays while another organization uses it, and its configurations are not told', async () => {
    const job = await create({}, 1);
    await createConfig(organizationId, keyOf(job.id, 1));
    for (const cascade of [false, true]) {
      await expect(remove(job.id, { cascade }, 1)).rejects.toMatchObject({
        code: 'in_use',
        options: { extra: { alert_config_ids: [], alert_config_count: 0 } },
      });
    }
    expect(await configCount()).toBe(1);
  });
});
