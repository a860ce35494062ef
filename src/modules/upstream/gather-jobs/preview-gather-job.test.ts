import { beforeEach, describe, expect, test } from 'vitest';
import { createUpstreamFixture, item } from '../../../../tests/helpers/upstream-fixture.ts';

const { call, createOrganization, createJob, record } = await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

const preview = (body: object, as = organizationId) => call('previewGatherJob', as, { body });
const tags = ['v1.0.0', 'v1.1.0', 'v1.2.0-rc.1', 'chart-2.0.0', 'latest'];

async function createRecorded() {
  const job = await createJob(organizationId);
  await record(
    job,
    tags.map((tag) => item(tag)),
  );
  return job.jobId;
}

describe('the preview of a gather job', () => {
  test('shows the release lines of its stored releases, and marks the line that is compared', async () => {
    const gather_job_id = await createRecorded();
    expect(await preview({ gather_job_id })).toMatchObject({
      release_count: 5,
      is_complete: true,
      unmatched: { count: 0, examples: [] },
      latest: { version: 'v1.1.0' },
      lines: [
        { line: '', variant: '', count: 3, latest: { version: 'v1.1.0' }, is_compared: true },
        { line: 'chart', variant: '', count: 1, latest: { version: 'chart-2.0.0' }, is_compared: false },
      ],
      left_out: [{ reason: 'not_a_version', count: 1, examples: ['latest'] }],
      deployed: null,
    });
  });

  test('applies changed values of the job to the stored releases', async () => {
    const gather_job_id = await createRecorded();
    const changed = await preview({
      gather_job_id,
      version_pattern: '^v(.+)$',
      include_prereleases: false,
      deployed_version: '1.0.0',
    });
    expect(changed).toMatchObject({
      release_count: 2,
      unmatched: { count: 2, examples: ['chart-2.0.0', 'latest'] },
      latest: { version: '1.1.0' },
      deployed: { match: 'exact', latest: '1.1.0', behind_by: { majors_behind: 0, minors_behind: 1 } },
    });
  });

  test('reads the tags of the request with the defaults of a new job', async () => {
    expect(await preview({ tags })).toMatchObject({ release_count: 5, line_count: 2 });
    const image = ['20', '20.1.0', '20.2.0'];
    expect(await preview({ tags: image, source_type: 'oci_registry' })).toMatchObject({
      left_out: [{ reason: 'moving_tag', count: 1, examples: ['20'] }],
    });
    expect(await preview({ tags: image })).toMatchObject({ left_out: [] });
  });

  test('rejects invalid requests and jobs of other organizations', async () => {
    const gather_job_id = await createRecorded();
    const other = await createOrganization();
    await expect(preview({ gather_job_id }, other)).rejects.toMatchObject({ status: 400 });
    await expect(preview({ gather_job_id, tags })).rejects.toMatchObject({ status: 400 });
    await expect(preview({})).rejects.toMatchObject({ status: 400 });
    await expect(preview({ tags, version_pattern: '(' })).rejects.toMatchObject({ status: 400 });
  });
});
