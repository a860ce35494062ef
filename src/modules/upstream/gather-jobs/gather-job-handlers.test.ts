import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { lifecycleProduct } from '../../../../tests/helpers/reference-fixture.ts';
import { type RunStatus, setRunStatus as setStatusOfRun } from '../../../../tests/helpers/runs-fixture.ts';
import { createUpstreamFixture, item, runsOf, section } from '../../../../tests/helpers/upstream-fixture.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { loadLifecycles } from '../../reference/load-lifecycles.ts';
import { recordProjects } from './record-projects.ts';

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

const setRunStatus = (jobId: number, status: RunStatus) =>
  transaction(db, (tx) => setStatusOfRun(tx, 'gather', jobId, status));

describe('a lifecycle job', () => {
  const lifecycle = {
    source_type: 'lifecycle',
    artifact_name: 'amazon-eks',
    lifecycle_product: 'amazon-eks',
  } as const;

  test('has a product and neither an address nor runs', async () => {
    const job = await create({ ...lifecycle, artifact_name: ' https://endoflife.date/Amazon-EKS ' });
    expect(job).toMatchObject({
      ...lifecycle,
      lifecycle_product_source: 'set',
      purls: [],
      project_url: null,
      version_scheme: 'auto',
      last_run: null,
      next_run_at: null,
      waiting_for: null,
    });
    expect(await runsOf(db, 'gather_job_id', job.id)).toEqual([]);
    const { items } = await call('listGatherJobs', organizationId, { query: { source_type: 'lifecycle' } });
    expect(items.map(({ id }) => id)).toEqual([job.id]);
    const path = { id: job.id };
    const cleared = await call('clearGatherJobReleases', organizationId, { path });
    expect(cleared).toEqual({ deleted: 0 });
    await expect(call('runGatherJob', organizationId, { path })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('GET /reference-sources') as string,
    });
    expect(await runsOf(db, 'gather_job_id', job.id)).toEqual([]);
  });

  test.each([
    ['without a product', { lifecycle_product: null }, 'lifecycle_product', 'GET /lifecycle-products'],
    ['with no product on purpose', { lifecycle_product: 'none' }, 'lifecycle_product', 'is required'],
    ['with an address', { artifact_name: 'github.com/acme/web' }, 'artifact_name', 'endoflife.date'],
    ['without a product in its name', { artifact_name: 'none' }, 'artifact_name', 'endoflife.date'],
    ['with another product', { artifact_name: 'amazon-msk' }, 'artifact_name', 'set both to amazon-eks'],
    ['with a schedule', { cron_expression: '@daily' }, 'cron_expression', "isn't allowed"],
    ['with a credential', { credential_name: 'aws' }, 'credential_name', "isn't allowed"],
    ['with a pattern', { version_pattern: '^v(.+)$' }, 'version_pattern', "isn't allowed"],
    ['with a limit', { max_releases: 5 }, 'max_releases', "isn't allowed"],
    ['with a changelog', { changelog_path: 'CHANGELOG.md' }, 'changelog_path', "isn't allowed"],
    ['with source options', { source_options: { version_path: '.a' } }, 'source_options.version_path', 'not'],
  ])('is rejected %s', async (_, values, field, message) => {
    await expect(create({ ...lifecycle, ...values })).rejects.toMatchObject({
      status: 400,
      options: {
        errors: expect.arrayContaining([
          { field, message: expect.stringContaining(message) as string },
        ]) as unknown,
      },
    });
  });

  test("can change its product, and can't change to or from a job with releases", async () => {
    const { id } = await create(lifecycle);
    const product = { artifact_name: 'amazon-msk', lifecycle_product: 'amazon-msk' };
    expect(await update(id, product)).toMatchObject(product);
    await expect(update(id, { lifecycle_product: null })).rejects.toMatchObject({ status: 400 });
    const rejected = { status: 400, message: expect.stringContaining('create another') as string };
    await expect(update(id, { ...body, lifecycle_product: null })).rejects.toMatchObject(rejected);
    const other = await create();
    await expect(update(other.id, lifecycle)).rejects.toMatchObject(rejected);
    expect(await runsOf(db, 'gather_job_id', id)).toEqual([]);
  });

  test('without a product or with a schedule is rejected by the database', async () => {
    const { id } = await create(lifecycle);
    for (const change of [
      sql`lifecycle_product = NULL`,
      sql`lifecycle_product = 'none', artifact_name = 'none'`,
      sql`cron_expression = '@daily'`,
      sql`due_at = pacekeeper_now()`,
      sql`release_count = 1`,
    ]) {
      const changed = sql`UPDATE gather_jobs SET ${change} WHERE id = ${id}`.execute(db);
      await expect(changed).rejects.toThrow('gather_jobs_lifecycle_check');
    }
  });
});

describe('a new job', () => {
  test.each([
    ['Zz/p1', 'https://ossf.github.io/osv-schema/#defined-ecosystems'],
    ['go/k8s.io/kubernetes', 'use Go'],
    // Without the check, this name would be accepted as a package of the Go release `k8s.io`, which never has
    // vulnerabilities.
    ['Go:k8s.io/kubernetes', 'use Go'],
  ])('is rejected with the package %s, because OSV has no such ecosystem', async (name, help) => {
    const values = { vulnerability_packages: ['Debian:13/curl', name] };
    await expect(create(values)).rejects.toMatchObject({
      status: 400,
      options: {
        errors: [
          {
            field: 'vulnerability_packages.1',
            message: expect.stringContaining(help) as string,
          },
        ],
      },
    });
  });

  test('is returned with all its fields, and its first run is queued immediately', async () => {
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
        `runs:${organizationId}/gather`,
        `changes:${organizationId}/gather_job/${job.id}/created`,
      ]),
    );
  });

  test('has no run and no next run if it is disabled, even with a schedule', async () => {
    const job = await create({ is_active: false, cron_expression: '@daily' });
    expect(job).toMatchObject({ next_run_at: null, last_run: null, status: 'pending' });
  });

  test('takes four statements if it is disabled: a lock, the aliases, the job itself, and its audit entry', async () => {
    const statements = await statementsOf(() => create({ is_active: false }));
    const found = /begin|advisory|artifact_aliases|audit_log|gather_jobs|commit/;
    expect(statements.map((text) => found.exec(text)?.[0])).toEqual([
      'begin',
      'advisory',
      'artifact_aliases',
      'gather_jobs',
      'audit_log',
      'commit',
    ]);
  });

  test('parses the versions of a chart as SemVer unless another scheme is set', async () => {
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
    ['purls.1', { purls: ['pkg:github/a/b', 'github.com/a/b'] }],
    ['project_url', { project_url: 'https://user:secret@github.com/a/b' }],
    ['project_url', { project_url: 'javascript:alert(1)' }],
    ['version_of', { version_of: 'application' }],
    ['changelog_path', { changelog_path: '../CHANGELOG.md' }],
    ['changelog_path', { changelog_path: '/CHANGELOG.md' }],
    [
      'changelog_path',
      { source_type: 'oci_registry', artifact_name: 'redis', changelog_path: 'CHANGELOG.md' },
    ],
    ['cron_expression', { cron_expression: '61 * * * *' }],
    ['cron_timezone', { cron_timezone: 'Europe/Nowhere' }],
  ])('with an invalid %s is rejected with the name of the field: %o', async (field, values) => {
    await expect(create(values)).rejects.toMatchObject({ status: 400, options: { errors: [{ field }] } });
    await expect(create().then((job) => update(job.id, values))).rejects.toMatchObject({
      status: 400,
      options: { errors: [{ field }] },
    });
  });
});

describe('the package URLs and the project URL of a job', () => {
  const image = { source_type: 'oci_registry', artifact_name: 'Docker.io/grafana/loki:3.0.0' };
  const derived = { purls: ['pkg:github/owner/repo'], purls_source: 'derived' };

  test('are derived from the source', async () => {
    expect(await create()).toMatchObject({
      ...derived,
      project_url: 'https://github.com/owner/repo',
      project_url_source: 'source',
      version_of: 'artifact',
    });
    expect(await create(image)).toMatchObject({
      purls: ['pkg:oci/loki?repository_url=docker.io%2Fgrafana%2Floki', 'pkg:docker/grafana/loki'],
      project_url: null,
      project_url_source: null,
    });
  });

  test('include the project URL that a run finds, unless a person or the source has set one', async () => {
    const find = async (id: number, url: string) => {
      const found = [{ jobId: id, url, source: 'annotation' as const }];
      await transaction(db, (tx) => recordProjects(tx, organizationId, found));
      const { project_url, project_url_source, revision } = await call('getGatherJob', organizationId, {
        path: { id },
      });
      return [project_url, project_url_source, revision];
    };
    const { id } = await create(image);
    expect(await find(id, 'https://github.com/grafana/loki/tree/main')).toEqual([
      'https://github.com/grafana/loki',
      'annotation',
      1,
    ]);
    // The server validates the data of agents.
    expect(await find(id, 'javascript:alert(1)')).toEqual([
      'https://github.com/grafana/loki',
      'annotation',
      1,
    ]);
    expect(await find(id, 'https://github.com/grafana/mimir')).toEqual([
      'https://github.com/grafana/mimir',
      'annotation',
      1,
    ]);
    await update(id, { project_url: 'https://github.com/grafana/tempo' });
    expect(await find(id, 'https://github.com/grafana/loki')).toEqual([
      'https://github.com/grafana/tempo',
      'set',
      2,
    ]);
    const git = await create();
    expect(await find(git.id, 'https://github.com/grafana/loki')).toEqual([
      'https://github.com/owner/repo',
      'source',
      1,
    ]);
  });

  test('follow the source if an update contains their current values', async () => {
    const { id, purls, project_url } = await create();
    const changed = await update(id, { name: 'Other', purls, project_url });
    expect(changed).toMatchObject({ ...derived, project_url_source: 'source' });
    expect(await update(id, { ...image, purls, project_url })).toMatchObject({
      purls: ['pkg:oci/loki?repository_url=docker.io%2Fgrafana%2Floki', 'pkg:docker/grafana/loki'],
      purls_source: 'derived',
      project_url: null,
      project_url_source: null,
    });
  });

  test.each([
    ['a repository', {}],
    ['an image on Docker Hub', image],
    ['an image in another registry', { source_type: 'oci_registry', artifact_name: 'ghcr.io/acme/web' }],
    ['a chart', { source_type: 'helm_repository', artifact_name: 'https://charts.example.org/Stable/web' }],
    [
      'tags of a repository',
      { source_type: 'git_tags', artifact_name: 'https://Git.example.org/Acme/web.git' },
    ],
  ])('of %s stay derived if an update contains only other fields', async (_, source) => {
    const { id, purls } = await create(source);
    expect(await update(id, { name: 'Other' })).toMatchObject({ purls, purls_source: 'derived' });
    expect(await update(id, { purls })).toMatchObject({ purls, purls_source: 'derived' });
    const page = {
      source_type: 'http_text',
      artifact_name: 'https://example.org/version.txt',
      source_options: { version_regex: 'version (.+)' },
    };
    expect(await update(id, page)).toMatchObject({ purls: [], purls_source: 'derived' });
  });

  test('are normalized when they are set, and stay until they are cleared', async () => {
    const { id, revision } = await create();
    const set = await update(id, {
      purls: ['pkg:GitHub/Grafana/Loki@3.0.0', 'pkg:docker/grafana/loki', 'pkg:github/grafana/loki'],
      project_url: 'git+https://GitHub.com/grafana/loki.git#readme',
    });
    const expected = {
      purls: ['pkg:github/grafana/loki', 'pkg:oci/loki?repository_url=docker.io%2Fgrafana%2Floki'],
      purls_source: 'set',
      project_url: 'https://github.com/grafana/loki',
      project_url_source: 'set',
    };
    expect(set).toMatchObject({ ...expected, revision: revision + 1 });
    expect(await update(id, image)).toMatchObject(expected);
    const cleared = await update(id, { artifact_name: body.artifact_name, source_type: body.source_type });
    expect(cleared).toMatchObject(expected);
    expect(await update(id, { purls: null, project_url: null })).toMatchObject({
      ...derived,
      project_url: 'https://github.com/owner/repo',
      project_url_source: 'source',
    });
  });
});

test('package URLs that are too long for the index are rejected, and are not derived', async () => {
  const long = '版'.repeat(300);
  const { id } = await create();
  await expect(update(id, { purls: [`pkg:npm/${long}`] })).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('more than 2,000 characters'),
  });
  const git = { source_type: 'git_tags', artifact_name: `https://git.example.org/${'版'.repeat(104)}.git` };
  expect((await create(git)).purls).toEqual([]);
});

test('the lifecycle of a job comes from its package URLs, from the catalog, or from its own setting', async () => {
  await loadLifecycles(db, {
    asOfMs: Date.parse('2026-01-01T00:00:00Z'),
    products: [
      lifecycleProduct('tool', { '1': '2030-01-01' }, ['pkg:github/owner/repo']),
      lifecycleProduct('nodejs', { '24': '2028-04-30' }),
      lifecycleProduct('haproxy', { '3.2': '2030-04-30' }),
    ],
  });
  const lifecycle = ({
    lifecycle_product: product,
    lifecycle_product_source: source,
  }: Schemas['GatherJob']) => [product, source];
  const job = await create();
  expect(lifecycle(job)).toEqual(['tool', 'purl']);
  const other = await create({ artifact_name: 'github.com/owner/other' });
  expect(lifecycle(other)).toEqual([null, null]);
  const proxy = await create({ source_type: 'oci_registry', artifact_name: 'docker.io/library/haproxy' });
  expect(lifecycle(proxy)).toEqual(['haproxy', 'catalog']);
  const node = await create({
    source_type: 'http_json',
    artifact_name: 'https://nodejs.org/dist/index.json',
    source_options: { version_path: '[*].version' },
  });
  expect(lifecycle(node)).toEqual(['nodejs', 'catalog']);

  const same = await update(job.id, { lifecycle_product: 'tool', name: 'Other' });
  expect(lifecycle(same)).toEqual(['tool', 'purl']);
  for (const product of ['nodejs', 'none', 'not-loaded'])
    expect(lifecycle(await update(job.id, { lifecycle_product: product }))).toEqual([product, 'set']);
  expect(lifecycle(await update(job.id, { name: 'Third' }))).toEqual(['not-loaded', 'set']);
  expect(lifecycle(await update(job.id, { lifecycle_product: null }))).toEqual(['tool', 'purl']);
});

describe('global jobs', () => {
  test('a global job can be read and listed in every organization, but changed only with a system key', async () => {
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

  test('the dropdown contains only jobs of the organization, sorted by name', async () => {
    await create({}, 1);
    for (const name of ['b', 'C', 'a']) await create({ name, is_active: false });
    const items = await call('listGatherJobsDropdown', organizationId);
    expect(items.map(({ name, scope }) => [name, scope])).toEqual([
      ['a', 'organization'],
      ['b', 'organization'],
      ['C', 'organization'],
    ]);
  });

  test('a job of another organization returns the same error as one that never existed', async () => {
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

describe('the list of jobs', () => {
  test('contains organization and global jobs, newest first, and applies all filters', async () => {
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

  test('requires the same number of statements regardless of its length', async () => {
    const cost = () =>
      statementsOf(() => call('listGatherJobs', organizationId, { query: { scope: 'organization' } }));
    await create();
    const one = await cost();
    for (let index = 0; index < 5; index++) await create();
    expect(await cost()).toHaveLength(one.length);
  });
});

describe('a manual run', () => {
  test('is queued once, and further requests queue no second run while it is open', async () => {
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

describe('updating a job', () => {
  test.each([
    ['source', { source_type: 'gitlab_releases', artifact_name: 'gitlab.com/owner/repo' }],
    ['artifact', { artifact_name: 'github.com/owner/other' }],
    ['pattern', { version_pattern: '^v(.+)$' }],
    ['scheme', { version_scheme: 'semver' }],
  ])(
    'with another %s clears the releases, resets the validators, and queues a new run',
    async (_what, values) => {
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
        .select('requested_seq')
        .where('gather_job_id', '=', job.id)
        .execute();
      expect(fanOut).toEqual([{ requested_seq: 2 }]);
    },
  );

  test.each([
    ['the inclusion of pre-releases', { include_prereleases: false }],
    ['the maximum number of releases', { max_releases: 5 }],
    ['the credential', { credential_name: 'readonly' }],
  ])('after changing %s, reads the full list again and keeps the stored releases', async (_what, values) => {
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

  test('with another changelog reads the list again and deletes the notes of the previous changelog', async () => {
    const job = await create({ changelog_path: 'CHANGES' });
    expect(job.changelog_path).toBe('CHANGES');
    await record(keyOf(job.id), [item('1.0.0', { notes: 'Own.' }), item('1.1.0')]);
    await record(keyOf(job.id), [section('1.1.0', 'Of the changelog.')], { isCompleteList: false });
    await setRunStatus(job.id, 'succeeded');
    const notes = async () =>
      (await storedReleases(keyOf(job.id))).map((release) => [release.notes, release.changelog_notes]);
    await update(job.id, { name: 'Other' });
    expect(await notes()).toEqual([
      ['Own.', null],
      [null, 'Of the changelog.'],
    ]);
    expect(await update(job.id, { changelog_path: 'CHANGELOG.md' })).toMatchObject({
      changelog_path: 'CHANGELOG.md',
      release_count: 2,
      revision: 3,
      last_run: { trigger: 'changed' },
    });
    expect(await notes()).toEqual([
      ['Own.', null],
      [null, null],
    ]);
    expect(await storedJob(keyOf(job.id))).toMatchObject({ validators: null, last_full_at: null });
  });

  test('with ignored_versions or counted_versions immediately changes the latest release and its evaluations, without a new run', async () => {
    const job = await create();
    const listed = ['9.0.0', ...Array.from({ length: 20 }, (_, index) => `1.${index}.0`)];
    const released = listed.map((tag, index) =>
      item(tag, { released_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString() }),
    );
    await record(keyOf(job.id), released);
    await setRunStatus(job.id, 'succeeded');
    const latest = async (values: object) => {
      await sql`DELETE FROM release_fan_outs WHERE gather_job_id = ${job.id}`.execute(db);
      const { latest_version, latest_stable_version, last_run } = await update(job.id, values);
      expect(last_run).toMatchObject({ trigger: 'created' });
      const { rows } = await sql`SELECT FROM release_fan_outs WHERE gather_job_id = ${job.id}`.execute(db);
      return [latest_version, latest_stable_version, rows.length];
    };
    expect(await latest({ name: 'New' })).toEqual(['1.19.0', '1.19.0', 0]);
    expect(await latest({ counted_versions: ['9.0.0'] })).toEqual(['9.0.0', '9.0.0', 1]);
    expect(await latest({ ignored_versions: ['v9.0.0', '1.19.0'] })).toEqual(['1.18.0', '1.18.0', 1]);
    expect(await latest({ ignored_versions: ['v9.0.0', '1.19.0'] })).toEqual(['1.18.0', '1.18.0', 0]);
    expect(await latest({ ignored_versions: [], counted_versions: [] })).toEqual(['1.19.0', '1.19.0', 1]);
    // An ignored version that is recorded later stays excluded.
    await update(job.id, { ignored_versions: ['1.20.0'] });
    await record(keyOf(job.id), [item('1.20.0')], { isCompleteList: false });
    expect(await storedJob(keyOf(job.id))).toMatchObject({ latest_version: '1.19.0' });
  });

  test('with another name or schedule keeps the releases and queues no run', async () => {
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

  test('with another spelling of the same artifact changes nothing', async () => {
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
  });

  test('with another schedule revokes the lease of a server that claimed the job as due', async () => {
    const job = await create({ cron_expression: '@daily' });
    await sql`
      UPDATE gather_jobs SET lease_token = gen_random_uuid(), lease_until = pacekeeper_now() + interval '1 minute'
      WHERE id = ${job.id}`.execute(db);
    await update(job.id, { cron_expression: '@hourly' });
    expect(await storedJob(keyOf(job.id))).toMatchObject({ lease_token: null });
  });

  test('with is_active set to false cancels its runs and queues none, even if the artifact changes', async () => {
    const job = await create();
    await update(job.id, { is_active: false, artifact_name: 'github.com/owner/other' });
    expect(await runsOf(db, 'gather_job_id', job.id)).toMatchObject([{ status: 'canceled' }]);
  });

  test('with is_active set to true runs a job that was created as disabled, but only the first time', async () => {
    const job = await create({ is_active: false });
    expect(await update(job.id, { is_active: true })).toMatchObject({ last_run: { trigger: 'created' } });
    await setRunStatus(job.id, 'succeeded');
    await record(keyOf(job.id), [item('1.0.0')]);
    await update(job.id, { is_active: false });
    expect(await update(job.id, { is_active: true })).toMatchObject({ last_run: { status: 'succeeded' } });
  });
});

describe('clearing the releases', () => {
  test('deletes the releases and the validators of conditional requests', async () => {
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

  test('restarts a run that is in progress, because it could return only changes', async () => {
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

  test('deletes its releases and runs, and is recorded in the audit log', async () => {
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

  test('is rejected with the number of alert configurations and at most 20 of their IDs, unless it cascades to them', async () => {
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

  test('is rejected for a global job that another organization uses, without exposing its configurations', async () => {
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
