import { beforeEach, describe, expect, test } from 'vitest';
import { createUpstreamFixture, item } from '../../../../tests/helpers/upstream-fixture.ts';

const { db, statementsOf, call, createOrganization, createJob, createConfig, record } =
  await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

const versions = async (query: object) =>
  (await call('listReleases', organizationId, { query })).items.map((release) => release.version);

const day = (number: number) => ({ released_at: new Date(Date.UTC(2025, 0, number)).toISOString() });

describe('the list of releases', () => {
  test('is sorted by precedence for one job, with tags that are not versions last', async () => {
    const job = await createJob(organizationId);
    await record(job, [
      item('1.9.0', day(3)),
      item('main', day(9)),
      item('1.10.0', day(1)),
      item('v1.9.0', day(3)),
      item('1.10.0-rc.1', day(2)),
    ]);
    const query = { gather_job_id: job.jobId };
    expect(await versions(query)).toEqual(['1.10.0', '1.10.0-rc.1', 'v1.9.0', '1.9.0', 'main']);
    expect(await versions({ ...query, stable_only: true })).toEqual(['1.10.0', 'v1.9.0', '1.9.0', 'main']);
    expect(await versions({ ...query, q: 'V1.9' })).toEqual(['v1.9.0']);
    expect(await versions({ ...query, limit: 2, offset: 1 })).toEqual(['1.10.0-rc.1', 'v1.9.0']);
    expect(await versions({ ...query, since: '2025-01-03T00:00:00Z' })).toEqual(['v1.9.0', '1.9.0', 'main']);
  });

  test("contains releases of the organization's jobs and of global jobs, by date, and none of other organizations", async () => {
    const own = await createJob(organizationId, { artifact_name: 'github.com/a/own' });
    const global = await createJob(1, { artifact_name: 'github.com/a/global' });
    const foreign = await createJob(await createOrganization());
    await record(own, [item('1.0', day(1)), item('1.2', day(3))]);
    await record(global, [item('1.1', day(2))]);
    await record(foreign, [item('1.3', day(4))]);
    expect(await versions({})).toEqual(['1.2', '1.1', '1.0']);
    expect(await versions({ limit: 1, offset: 1 })).toEqual(['1.1']);
    expect(await versions({ scope: 'organization' })).toEqual(['1.2', '1.0']);
    expect(await versions({ scope: 'global' })).toContain('1.1');
    expect(await versions({ artifact_name: 'github.com/a/global' })).toEqual(['1.1']);
    expect(await versions({ since: '2025-01-02T00:00:00Z' })).toEqual(['1.2', '1.1']);
    expect(await versions({ gather_job_id: foreign.jobId })).toEqual([]);
    expect(await call('listReleases', organizationId, { query: { offset: 9 } })).toMatchObject({
      items: [],
      total: 3,
    });
    expect(await call('listReleases', 1, { query: { scope: 'organization' } })).toMatchObject({
      items: [],
      total: 0,
    });
  });

  test('can be limited to sources that active alert configurations of the organization use, including global ones', async () => {
    const used = await createJob(organizationId, { artifact_name: 'github.com/a/used' });
    const unused = await createJob(organizationId, { artifact_name: 'github.com/a/unused' });
    const global = await createJob(1, { artifact_name: 'github.com/a/global' });
    const ofOthers = await createJob(1, { artifact_name: 'github.com/a/others' });
    await record(used, [item('1.0', day(1))]);
    await record(unused, [item('1.1', day(2))]);
    await record(global, [item('1.2', day(3))]);
    await record(ofOthers, [item('1.3', day(4))]);
    const configId = await createConfig(organizationId, used);
    await createConfig(organizationId, global);
    await createConfig(await createOrganization(), ofOthers);
    expect(await versions({ monitored_only: true })).toEqual(['1.2', '1.0']);
    await db.updateTable('alert_configs').set({ is_active: false }).where('id', '=', configId).execute();
    expect(await versions({ monitored_only: true })).toEqual(['1.2']);
  });

  test('requires one statement per page', async () => {
    const job = await createJob(organizationId);
    await record(
      job,
      Array.from({ length: 30 }, (_, index) => item(`1.${index}`)),
    );
    expect(await statementsOf(() => versions({}))).toHaveLength(1);
  });
});

describe('a release', () => {
  test('is returned with its notes and details of its job', async () => {
    const job = await createJob(1, { artifact_name: 'github.com/a/b', version_pattern: 'v(.*)' });
    await record(job, [item('v1.0', { ...day(1), notes: 'Notes.', url: 'https://example.org/1' })]);
    const [listed] = (await call('listReleases', organizationId, { query: { gather_job_id: job.jobId } }))
      .items;
    expect(await call('getRelease', organizationId, { path: { id: listed?.id } })).toEqual({
      ...listed,
      notes: 'Notes.',
    });
    expect(listed).toMatchObject({
      gather_job_id: job.jobId,
      artifact_name: 'github.com/a/b',
      source_type: 'github_releases',
      version: '1.0',
      tag: 'v1.0',
      released_at: '2025-01-01T00:00:00.000Z',
      is_prerelease: false,
      is_yanked: false,
      is_withdrawn: false,
      url: 'https://example.org/1',
    });
  });

  test('returns the same error to another organization as one that never existed', async () => {
    const foreign = await createOrganization();
    const job = await createJob(foreign);
    await record(job, [item('1.0')]);
    const [release] = (await call('listReleases', foreign, {})).items.filter(
      (one) => one.gather_job_id === job.jobId,
    );
    await expect(call('getRelease', organizationId, { path: { id: release?.id } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the release summary', () => {
  test('has the counts, the latest versions, and the first and latest dates of each job', async () => {
    const own = await createJob(organizationId, { artifact_name: 'github.com/a/own' });
    await record(own, [item('1.0', day(1)), item('1.1', day(3)), item('1.2-rc1', day(4))]);
    const empty = await createJob(organizationId, { artifact_name: 'github.com/a/empty' });
    const { items } = await call('getReleaseSummary', organizationId, { query: { scope: 'organization' } });
    expect(items).toEqual([
      {
        gather_job_id: empty.jobId,
        artifact_name: 'github.com/a/empty',
        scope: 'organization',
        release_count: 0,
        stable_count: 0,
        latest_version: null,
        latest_stable_version: null,
        latest_released_at: null,
        first_released_at: null,
      },
      {
        gather_job_id: own.jobId,
        artifact_name: 'github.com/a/own',
        scope: 'organization',
        release_count: 3,
        stable_count: 2,
        latest_version: '1.1',
        latest_stable_version: '1.1',
        latest_released_at: '2025-01-03T00:00:00.000Z',
        first_released_at: '2025-01-01T00:00:00.000Z',
      },
    ]);
    const one = { query: { gather_job_id: own.jobId } };
    expect(await call('getReleaseSummary', organizationId, one)).toMatchObject({ total: 1 });
    expect(await call('getReleaseSummary', organizationId, { query: { q: 'A/EMPTY' } })).toMatchObject({
      total: 1,
    });
  });
});
