import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import { countRowsRead } from '../../../../tests/helpers/rows-read.ts';
import { recordUnchanged } from '../../../../tests/helpers/runs-fixture.ts';
import { hasTestData, testDataPath } from '../../../../tests/helpers/test-data.ts';
import {
  createUpstreamFixture,
  type Item,
  inParts,
  item,
  section,
} from '../../../../tests/helpers/upstream-fixture.ts';
import { latestOfJob } from '../../../domain/rules/own-latest.ts';
import { prepareReleases } from '../../../domain/rules/release-set.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import { transaction } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { refreshJobCounters } from './job-counters.ts';
import { recordReleases } from './record-releases.ts';

const {
  db,
  recordDeps,
  statementsOf,
  createOrganization,
  createJob,
  createConfig,
  record,
  storedReleases,
  storedJob,
} = await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

const tagsOf = async (job: { organizationId: number; jobId: number }) =>
  (await storedReleases(job)).map((release) => release.tag);

/** Returns the number of evaluations that were requested for the configurations of a job. */
async function fanOutsOf({
  organizationId,
  jobId,
}: {
  organizationId: number;
  jobId: number;
}): Promise<number> {
  const { rows } = await sql<{ requested_seq: number }>`
    SELECT requested_seq FROM release_fan_outs WHERE organization_id = ${organizationId} AND gather_job_id = ${jobId}`.execute(
    db,
  );
  return rows[0]?.requested_seq ?? 0;
}

/** Returns the number of searches that were requested for the items with the digests of a job. */
async function digestFanOutsOf(job: { organizationId: number; jobId: number }): Promise<number> {
  const { rows } = await sql<{ requested_seq: number }>`
    SELECT requested_seq FROM digest_fan_outs
    WHERE organization_id = ${job.organizationId} AND gather_job_id = ${job.jobId}`.execute(db);
  return rows[0]?.requested_seq ?? 0;
}

/**
 * Returns the physical row versions of a job and its releases. A different row version means that the row was
 * written.
 */
async function rowVersions({
  organizationId,
  jobId,
}: {
  organizationId: number;
  jobId: number;
}): Promise<unknown> {
  const { rows } = await sql`
    SELECT ctid::text, xmin::text, xmax::text FROM releases WHERE organization_id = ${organizationId} AND gather_job_id = ${jobId}
    UNION ALL SELECT ctid::text, xmin::text, NULL FROM gather_jobs WHERE organization_id = ${organizationId} AND id = ${jobId}
    ORDER BY 1, 2`.execute(db);
  return rows;
}

test('development releases of a numbering scheme are stored as pre-releases', async () => {
  const job = await createJob(organizationId, { version_scheme: 'odd_minor' });
  await record(job, [item('5.40.2'), item('5.41.3'), item('5.38.4')]);
  expect(await storedJob(job)).toMatchObject({ release_count: 3, stable_count: 2, latest_version: '5.40.2' });
});

describe('digests', () => {
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
  const createImageJob = (values: { include_prereleases?: boolean } = {}) =>
    createJob(organizationId, {
      source_type: 'oci_registry',
      artifact_name: 'ghcr.io/acme/app',
      ...values,
    });
  const digestsOf = async (job: { organizationId: number; jobId: number }) =>
    (await storedReleases(job)).map(({ tag, digest: stored }) => [tag, stored]);

  test('are stored with new and known releases, and trigger a search for the items that have them', async () => {
    const job = await createImageJob();
    await record(job, [item('1.0.0'), item('1.1.0', { digest: digest('a') })]);
    expect(await digestsOf(job)).toEqual([
      ['1.0.0', null],
      ['1.1.0', digest('a')],
    ]);
    expect(await digestFanOutsOf(job)).toBe(1);
    await record(job, [item('1.0.0', { digest: digest('b') }), item('1.1.0', { digest: digest('a') })]);
    expect(await digestsOf(job)).toContainEqual(['1.0.0', digest('b')]);
    expect(await digestFanOutsOf(job)).toBe(2);
  });

  test('trigger no evaluation when they move for an expected reason', async () => {
    const job = await createImageJob();
    const list = (letter: string) => [
      item('1.0', { digest: digest(letter) }),
      item('1.0.0', { digest: digest('a') }),
    ];
    await record(job, list('a'));
    const before = await fanOutsOf(job);
    expect(await record(job, list('b'))).toMatchObject({ updated: 1 });
    expect(await digestsOf(job)).toEqual([
      ['1.0', digest('b')],
      ['1.0.0', digest('a')],
    ]);
    expect(await fanOutsOf(job)).toBe(before);
  });

  test('trigger an evaluation when they change unexpectedly, or when the first digest becomes known', async () => {
    const job = await createImageJob();
    await record(job, [item('1.0.0')]);
    const counts = [await fanOutsOf(job)];
    for (const letter of ['a', 'b', 'b']) {
      await record(job, [item('1.0.0', { digest: digest(letter) })]);
      counts.push(await fanOutsOf(job));
    }
    expect(counts.map((count) => count - counts[0]!)).toEqual([0, 1, 2, 2]);
  });

  test('are kept without a write if a list contains the same digest or none', async () => {
    const job = await createImageJob();
    await record(job, [item('1.0.0', { digest: digest('a') })]);
    const before = await rowVersions(job);
    expect(await record(job, [item('1.0.0')])).toMatchObject({ updated: 0 });
    await record(job, [item('1.0.0', { digest: digest('a') })]);
    expect(await rowVersions(job)).toEqual(before);
    expect(await digestFanOutsOf(job)).toBe(1);
  });

  test('are also stored for lists of several parts', async () => {
    const job = await createImageJob();
    const items = Array.from({ length: 2_100 }, (_, index) => item(`1.${index}.0`, { digest: digest('c') }));
    await record(job, items);
    expect(new Set((await digestsOf(job)).map(([, stored]) => stored))).toEqual(new Set([digest('c')]));
  });

  test('of charts in Helm repositories trigger no search, because they are not digests of images', async () => {
    const job = await createJob(organizationId, { source_type: 'helm_repository' });
    await record(job, [item('1.0.0', { digest: digest('a') })]);
    expect(await digestsOf(job)).toEqual([['1.0.0', digest('a')]]);
    expect(await digestFanOutsOf(job)).toBe(0);
  });

  test('trigger no search if their releases are not kept', async () => {
    const job = await createImageJob({ include_prereleases: false });
    await record(job, [item('1.0.0-rc.1', { digest: digest('a') })]);
    expect(await digestFanOutsOf(job)).toBe(0);
  });
});

describe('recording a list', () => {
  test('every release is stored once, with the details from its source', async () => {
    const job = await createJob(organizationId);
    const result = await record(job, [
      item('v1.0.0', {
        released_at: '2025-01-02T03:04:05.000Z',
        url: 'https://example.org/1',
        notes: 'First.',
        app_version: '9',
      }),
      item('v1.1.0-rc.1', { is_yanked: true }),
      item('nightly', { is_prerelease: true, url: 'javascript:alert(1)' }),
      item('v1.0.0', { notes: 'The same once more.' }),
    ]);
    expect(result).toMatchObject({ found: 4, added: 3, updated: 0, withdrawn: 0 });
    expect(await storedReleases(job)).toMatchObject([
      { tag: 'nightly', version: 'nightly', sort_key: null, is_prerelease: true, url: null },
      {
        tag: 'v1.0.0',
        version: 'v1.0.0',
        variant: '',
        is_prerelease: false,
        released_at: new Date('2025-01-02T03:04:05.000Z'),
        url: 'https://example.org/1',
        notes: 'First.',
        app_version: '9',
      },
      { tag: 'v1.1.0-rc.1', is_prerelease: true, is_yanked: true, released_at: null },
    ]);
    expect(await storedJob(job)).toMatchObject({
      release_count: 3,
      stable_count: 1,
      latest_version: 'v1.0.0',
      latest_stable_version: 'v1.0.0',
      latest_released_at: new Date('2025-01-02T03:04:05.000Z'),
      first_released_at: new Date('2025-01-02T03:04:05.000Z'),
    });
  });

  test('versions with control characters or characters that change the direction of text are skipped', async () => {
    const job = await createJob(organizationId);
    const result = await record(job, [
      item('1.4.0', { app_version: '9\u2066' }),
      item('1.5.0\u202e'),
      item('1.6.0\u001b[31m'),
      item('app-1.7.0\u0085', { version: '1.7.0' }),
      item('app-1.8.0', { version: '1.8.0\u200f' }),
    ]);
    const reason = 'contains invalid characters';
    expect(result).toMatchObject({
      found: 5,
      added: 1,
      skipped: 4,
      skipped_examples: [
        { name: '1.5.0\\u202e', reason },
        { name: '1.6.0\\u001b[31m', reason },
        { name: 'app-1.7.0\\u0085', reason },
        { name: 'app-1.8.0', reason },
      ],
    });
    expect(await storedReleases(job)).toMatchObject([{ tag: '1.4.0', version: '1.4.0', app_version: null }]);
  });

  test.each<[string, boolean]>([
    ['https://example.org/releases/@scope/1.0.0?by=a@b', true],
    ['HTTP://example.org', true],
    ['javascript:alert(1)', false],
    ['http://u:p@evil.example/', false],
    ['https://github.com@evil.example/', false],
    ['https://:p@evil.example/', false],
    ['https://example.org/\u202e', false],
    ['https://', false],
  ])('the URL %j is kept: %j', async (url, isKept) => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0', { url })]);
    expect(await storedReleases(job)).toMatchObject([{ url: isKept ? url : null }]);
  });

  test.each([1, 3, 1_000])('has the same result in parts of %i', async (partSize) => {
    const job = await createJob(organizationId);
    const items = Array.from({ length: 10 }, (_, index) => item(`1.${index % 8}.0`));
    expect(await record(job, items, { partSize })).toMatchObject({ found: 10, added: 8 });
    expect(await record(job, items.slice(2, 7), { partSize })).toMatchObject({
      added: 0,
      updated: 0,
      withdrawn: 3,
    });
    expect((await storedReleases(job)).map((release) => [release.tag, release.is_withdrawn])).toEqual([
      ['1.0.0', true],
      ['1.1.0', true],
      ['1.2.0', false],
      ['1.3.0', false],
      ['1.4.0', false],
      ['1.5.0', false],
      ['1.6.0', false],
      ['1.7.0', true],
    ]);
  });

  test('an empty complete list withdraws everything, and an empty partial list withdraws nothing', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0')]);
    expect(await record(job, [], { isCompleteList: false })).toMatchObject({ withdrawn: 0 });
    expect(await record(job, [])).toMatchObject({ found: 0, withdrawn: 1 });
    expect(await storedJob(job)).toMatchObject({ release_count: 1, latest_version: null });
  });

  test('a release that reappears is no longer withdrawn', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0'), item('2.0.0')]);
    await record(job, [item('1.0.0')]);
    expect(await storedJob(job)).toMatchObject({ latest_version: '1.0.0' });
    expect(await record(job, [item('2.0.0')], { isCompleteList: false })).toMatchObject({
      added: 0,
      updated: 1,
    });
    expect((await storedReleases(job)).map((release) => release.is_withdrawn)).toEqual([false, false]);
    expect(await storedJob(job)).toMatchObject({ latest_version: '2.0.0' });
  });

  test('an earlier date always replaces the stored date, and a later date does so only for a tag that is not a version', async () => {
    const job = await createJob(organizationId);
    const list = (released_at: string | null) => [
      item('1.0.0', { released_at }),
      item('main', { released_at }),
    ];
    const dates = async () =>
      (await storedReleases(job)).map(({ released_at }) => released_at?.toISOString().slice(0, 10));
    await record(job, list('2025-01-02T00:00:00.000Z'));
    expect(await record(job, list(null))).toMatchObject({ updated: 0 });
    expect(await record(job, list('2025-01-03T00:00:00.000Z'))).toMatchObject({ updated: 1 });
    expect(await dates()).toEqual(['2025-01-02', '2025-01-03']);
    expect(await record(job, list('2025-01-01T00:00:00.000Z'))).toMatchObject({ updated: 2 });
    expect(await dates()).toEqual(['2025-01-01', '2025-01-01']);
  });

  test('a date after the time at which a release was first seen is ignored', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0')]);
    const released_at = new Date(Date.now() + 86_400_000).toISOString();
    expect(await record(job, [item('1.0.0', { released_at })])).toMatchObject({ updated: 0 });
    expect(await storedReleases(job)).toMatchObject([{ released_at: null }]);
  });

  test('a date before 1995 or more than a day in the future is stored as unknown', async () => {
    const job = await createJob(organizationId);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await record(job, [
      item('1.0.0', { released_at: '1985-10-26T08:15:00.000Z' }),
      item('1.1.0', { released_at: '1995-01-01T00:00:00.000Z' }),
      item('1.2.0', { released_at: inDays(0.9) }),
      item('1.3.0', { released_at: inDays(1.1) }),
      item('main', { released_at: '2099-01-01T00:00:00.000Z' }),
    ]);
    const known = (await storedReleases(job)).map(({ tag, released_at }) => [tag, released_at !== null]);
    expect(Object.fromEntries(known)).toEqual({
      '1.0.0': false,
      '1.1.0': true,
      '1.2.0': true,
      '1.3.0': false,
      main: false,
    });
  });

  test('a stored date before 1995 or in the future is replaced by a corrected one, or removed', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0'), item('1.1.0'), item('1.2.0'), item('1.3.0')]);
    const wrong = {
      '1.0.0': '1970-01-02',
      '1.1.0': '1980-01-01',
      '1.2.0': '2099-01-01',
      '1.3.0': '1970-01-02',
    };
    for (const [tag, date] of Object.entries(wrong))
      await sql`
        UPDATE releases SET released_at = ${`${date}T00:00:00Z`}
        WHERE organization_id = ${organizationId} AND gather_job_id = ${job.jobId} AND tag = ${tag}`.execute(
        db,
      );
    const dates = async () =>
      Object.fromEntries(
        (await storedReleases(job)).map((one) => [one.tag, one.released_at?.toISOString().slice(0, 10)]),
      );
    const right = { released_at: '2025-01-02T00:00:00.000Z' };
    const listed = [item('1.0.0', right), item('1.1.0'), item('1.2.0', right)];
    expect(await record(job, listed, { isCompleteList: false })).toMatchObject({ updated: 3 });
    const mended = { '1.0.0': '2025-01-02', '1.1.0': undefined, '1.2.0': '2025-01-02' };
    expect(await dates()).toEqual({ ...mended, '1.3.0': '1970-01-02' });
    expect(await record(job, listed, { isCompleteList: false })).toMatchObject({ updated: 0 });
  });

  test('a date with an offset that the database does not support is stored', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0', { released_at: '2025-01-02T00:00:00.000-23:59' })]);
    expect((await storedReleases(job))[0]).toMatchObject({
      released_at: new Date('2025-01-02T23:59:00.000Z'),
    });
  });

  test('only tags that match the pattern are kept, and its first group is the version', async () => {
    const job = await createJob(organizationId, { version_pattern: '^controller-v(.+)$' });
    const result = await record(job, [
      item('controller-v1.2.3'),
      item('helm-chart-4.0.0'),
      item('controller-v'),
    ]);
    expect(result).toMatchObject({
      found: 3,
      added: 1,
      skipped: 2,
      skipped_examples: [
        { name: 'helm-chart-4.0.0', reason: "doesn't match version_pattern" },
        { name: 'controller-v', reason: "doesn't match version_pattern" },
      ],
    });
    expect(await storedReleases(job)).toMatchObject([
      { tag: 'controller-v1.2.3', version: '1.2.3', variant: '' },
    ]);
  });

  test('the whole match is the version if the pattern has no group', async () => {
    const job = await createJob(organizationId, { version_pattern: '[0-9]+\\.[0-9]+' });
    await record(job, [item('release 1.2 of today')]);
    expect(await storedReleases(job)).toMatchObject([{ version: '1.2' }]);
  });

  test('no pre-release is stored if include_prereleases is false, and a release that becomes a pre-release is removed', async () => {
    const job = await createJob(organizationId, { include_prereleases: false });
    expect(
      await record(job, [item('1.0.0'), item('1.1.0-beta.1'), item('1.1.0', { is_prerelease: true })]),
    ).toMatchObject({
      added: 1,
      skipped: 2,
    });
    expect(await record(job, [item('1.0.0', { is_prerelease: true })])).toMatchObject({
      added: 0,
      skipped: 1,
    });
    expect(await tagsOf(job)).toEqual([]);
    expect(await storedJob(job)).toMatchObject({ release_count: 0, latest_version: null });
  });

  test('changelog sections become the notes of releases of the same version that have no notes', async () => {
    const job = await createJob(organizationId);
    const releases = [
      item('v1.2.0', { notes: 'Own.' }),
      item('v1.1.0'),
      item('v1.1.0-alpine'),
      item('v1.10.0'),
    ];
    const sections = [
      section('1.2.0', 'Two.'),
      section('1.1', 'One.'),
      section('1.1.0', 'Again.'),
      section('x', 'No.'),
    ];
    const notes = async () =>
      (await storedReleases(job)).map((release) => [release.tag, release.notes, release.changelog_notes]);
    const result = await record(job, [...releases, ...sections], { partSize: 4 });
    expect(result).toMatchObject({ found: 4, added: 4, updated: 0 });
    const filled = [
      ['v1.1.0', null, 'One.'],
      ['v1.1.0-alpine', null, null],
      ['v1.10.0', null, null],
      ['v1.2.0', 'Own.', null],
    ];
    expect(await notes()).toEqual(filled);

    const before = await rowVersions(job);
    await record(job, [...releases, ...sections], { partSize: 4 });
    await record(job, releases);
    expect(await notes()).toEqual(filled);
    expect(await rowVersions(job)).toEqual(before);

    await record(job, [...releases, section('1.1.0', 'Better.')]);
    expect((await notes())[0]).toEqual(['v1.1.0', null, 'Better.']);
  });

  test('notes are truncated at 64 KiB, between characters', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0', { notes: `x${'€'.repeat(40_000)}` })]);
    const notes = (await storedReleases(job))[0]?.notes ?? '';
    expect(Buffer.byteLength(notes)).toBe(65_536 - ((65_536 - 1) % 3));
    expect(notes.at(-1)).toBe('€');
  });

  test('items that the agent skipped are counted too', async () => {
    const job = await createJob(organizationId, { version_pattern: '^v' });
    const skippedExamples = [{ name: 'draft', reason: 'no usable tag' }];
    expect(await record(job, [item('1.0.0')], { skipped: 5, skippedExamples })).toMatchObject({
      skipped: 6,
      skipped_examples: [...skippedExamples, { name: '1.0.0', reason: "doesn't match version_pattern" }],
    });
  });
});

describe('the retention of releases', () => {
  test('the highest releases of each variant are kept, regardless of their dates', async () => {
    const job = await createJob(organizationId, { max_releases: 2 });
    const tags = [
      '1.9.0',
      '1.10.0',
      '1.2.0',
      '1.10.0-alpine',
      '1.2.0-alpine',
      '1.3.0-alpine',
      'main',
      'latest',
      'edge',
    ];
    expect(
      await record(
        job,
        tags.map((tag) => item(tag)),
      ),
    ).toMatchObject({ found: 9, added: 6 });
    expect(await tagsOf(job)).toEqual(['1.10.0', '1.10.0-alpine', '1.3.0-alpine', '1.9.0', 'latest', 'main']);
  });

  test('releases beyond max_releases are never stored, so recording the same list twice writes nothing', async () => {
    const job = await createJob(organizationId, { max_releases: 10 });
    const items = Array.from({ length: 60 }, (_, index) => item(`1.${index}.0`));
    await record(job, items);
    const before = await rowVersions(job);
    expect(await record(job, items, { partSize: 7 })).toMatchObject({ added: 0, updated: 0, withdrawn: 0 });
    expect(await rowVersions(job)).toEqual(before);
  });

  test('a higher release replaces the lowest stored release', async () => {
    const job = await createJob(organizationId, { max_releases: 2 });
    await record(job, [item('1.0.0'), item('1.1.0')]);
    expect(await record(job, [item('1.2.0')], { isCompleteList: false })).toMatchObject({ added: 1 });
    expect(await tagsOf(job)).toEqual(['1.1.0', '1.2.0']);
    expect(await storedJob(job)).toMatchObject({ release_count: 2, latest_version: '1.2.0' });
  });

  test('the deployed version and the previously deployed version are never dropped, regardless of their spelling', async () => {
    const job = await createJob(organizationId, { max_releases: 1 });
    await createConfig(organizationId, job, { latest: '1.1.0', previous: 'v1.0' });
    await record(
      job,
      ['v0.9.0', 'v1.0.0', 'v1.1.0', 'v1.2.0', 'v2.0.0'].map((tag) => item(tag)),
    );
    expect(await tagsOf(job)).toEqual(['v1.0.0', 'v1.1.0', 'v2.0.0']);
  });

  test('the first release after the deployed version is never dropped, with and without pre-releases', async () => {
    const job = await createJob(organizationId, { max_releases: 1 });
    await createConfig(organizationId, job, { latest: '1.1.0' });
    const items = [
      item('1.0.0'),
      item('1.1.0'),
      item('1.1.1-alpine'),
      // A backport is released later than a higher version.
      item('1.1.1'),
      item('1.2.0-rc.1'),
      item('1.2.0'),
      item('1.3.0', { is_yanked: true }),
      item('2.0.0'),
    ].map((each, index) => ({ ...each, released_at: `2025-01-0${index + 1}T00:00:00.000Z` }));
    items.find(({ tag }) => tag === '1.1.1')!.released_at = '2025-03-01T00:00:00.000Z';
    items.find(({ tag }) => tag === '1.3.0')!.released_at = '2024-03-01T00:00:00.000Z';
    await record(job, items);
    const kept = ['1.1.0', '1.1.1-alpine', '1.2.0', '1.2.0-rc.1', '2.0.0'];
    expect(await tagsOf(job)).toEqual(kept);
    const before = await rowVersions(job);
    expect(await record(job, items)).toMatchObject({ added: 0, updated: 0, withdrawn: 0 });
    expect(await rowVersions(job)).toEqual(before);
    // A later incremental list replaces the highest release, but keeps the first newer releases.
    await record(job, [{ ...item('3.0.0'), released_at: '2025-04-01T00:00:00.000Z' }], {
      isCompleteList: false,
    });
    expect(await tagsOf(job)).toEqual(['1.1.0', '1.1.1-alpine', '1.2.0', '1.2.0-rc.1', '3.0.0']);
  });

  test('the release that days are counted from is never dropped, regardless of how it was selected', async () => {
    const job = await createJob(organizationId, { max_releases: 1 });
    const configId = await createConfig(organizationId, job, { latest: '1.0.0' });
    await sql`UPDATE alert_configs SET behind_since = pacekeeper_now() WHERE id = ${configId}`.execute(db);
    await sql`
      INSERT INTO alert_config_explanations (organization_id, alert_config_id, explanation)
      VALUES (${organizationId}, ${configId}, '{"date_used": {"of": "first_newer_release", "version": "cli-1.2.0"}}')`.execute(
      db,
    );
    await record(
      job,
      ['cli-1.2.0', 'cli-1.1.0', 'cli-2.0.0', 'cli-3.0.0'].map((tag) => item(tag)),
    );
    expect(await tagsOf(job)).toEqual(['cli-1.2.0', 'cli-3.0.0']);
  });

  test('versions that another organization has deployed are kept in a global job', async () => {
    const job = await createJob(1, { max_releases: 1 });
    await createConfig(organizationId, job, { latest: 'main' });
    await record(
      job,
      ['main', 'other', '1.0.0'].map((tag) => item(tag)),
    );
    expect(await tagsOf(job)).toEqual(['1.0.0', 'main', 'other']);
  });

  test('a job without max_releases follows the setting of its organization', async () => {
    const job = await createJob(organizationId);
    await sql`INSERT INTO settings (organization_id, key, value) VALUES (${organizationId}, 'gather.max_releases', '3')`.execute(
      db,
    );
    await record(
      job,
      Array.from({ length: 5 }, (_, index) => item(`${index}.0`)),
    );
    expect(await tagsOf(job)).toEqual(['2.0', '3.0', '4.0']);
  });

  test('a list of 200,000 tags is stored up to the limit of 1,000', async () => {
    const job = await createJob(organizationId);
    async function* parts(): AsyncGenerator<Item[]> {
      for (let part = 0; part < 200; part++) {
        yield Array.from({ length: 1_000 }, (_, index) => item(`1.${part}.${index}`));
      }
    }
    const outcome = { isCompleteList: true, validators: null };
    const result = await transaction(db, (tx) => recordReleases(tx, recordDeps, job, parts(), outcome));
    expect(result).toMatchObject({ found: 200_000, added: 1_000 });
    expect(await storedJob(job)).toMatchObject({ release_count: 1_000, latest_version: '1.199.999' });
  });
});

describe('the effects of recording a list', () => {
  test('an unchanged list writes no row of the releases or the job, and triggers no evaluation', async () => {
    const job = await createJob(organizationId);
    const items = [
      item('1.0.0', { released_at: '2025-01-01T00:00:00.000Z', notes: 'n', url: 'https://example.org' }),
      item('x'),
    ];
    const validators = { etag: '"1"', last_modified: null, fingerprint: 'f' };
    await record(job, items, { validators });
    const [rows, revision] = [await rowVersions(job), (await storedJob(job)).releases_revision];
    const statements = await statementsOf(() => record(job, items, { validators }));
    expect(await rowVersions(job)).toEqual(rows);
    expect((await storedJob(job)).releases_revision).toBe(revision);
    expect(await fanOutsOf(job)).toBe(1);
    expect(statements).toHaveLength(2 + 4);
  });

  test('the counts of jobs with many releases are read for a few jobs at a time, and in time slices', async () => {
    const jobs = await Promise.all(Array.from({ length: 3 }, () => createJob(organizationId)));
    for (const job of jobs) await record(job, [item('1.0.0')]);
    const ids = jobs.map(({ jobId }) => jobId);
    const run = vi.spyOn(TimeSlices.prototype, 'run');
    const refresh = (releaseCount: number) =>
      statementsOf(() =>
        transaction(db, (tx) => refreshJobCounters(tx, organizationId, ids, () => releaseCount)),
      );
    const countReads = (statements: readonly string[]) =>
      statements.filter((text) => text.includes('WITH of_job')).length;
    expect(countReads(await refresh(100))).toBe(1);
    expect(run).toHaveBeenCalledTimes(3);
    expect(countReads(await refresh(15_000))).toBe(2);
    expect(countReads(await refresh(100_000))).toBe(3);
    run.mockRestore();
  });

  test('a list of new releases reads no other jobs', async () => {
    const job = await createJob(organizationId);
    await sql`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      SELECT ${organizationId}, 'other', 'github_releases', 'github.com/owner/repo', 'auto' FROM generate_series(1, 500)`.execute(
      db,
    );
    await sql`ANALYZE gather_jobs`.execute(db);
    const outcome = {
      isCompleteList: true,
      validators: {
        etag: '"1"',
        last_modified: null,
        fingerprint: 'f',
      },
      isArchived: true,
      isDeprecated: true,
      project: {
        url: 'https://github.com/owner/repo',
        source: 'label' as const,
      },
    };
    await transaction(db, async (tx) => {
      const before = await countRowsRead(tx, 'gather_jobs');
      await recordReleases(tx, recordDeps, job, inParts([item('1.0.0')], 1), outcome);
      expect((await countRowsRead(tx, 'gather_jobs')) - before).toBeLessThan(30);
    });
    expect(await storedJob(job)).toMatchObject({
      release_count: 1,
      is_archived: true,
      is_deprecated: true,
      project_url: outcome.project.url,
    });
  });

  type Change = [what: string, change: Partial<Item>, isOfTheSet: boolean];
  test.each<Change>([
    ['the release date', { released_at: '2025-02-01T00:00:00.000Z' }, true],
    ['the pre-release flag', { is_prerelease: true }, true],
    ['the yanked flag', { is_yanked: true }, true],
    ['the release URL', { url: 'https://example.org/2' }, true],
    ['the application version', { app_version: '2' }, true],
    ['the release notes', { notes: 'Better.' }, false],
  ])(
    'a change to %s is stored, and triggers an evaluation only if it is relevant',
    async (_what, change, isOfTheSet) => {
      const job = await createJob(organizationId);
      await record(job, [item('1.0.0')]);
      const before = (await storedJob(job)).releases_revision;
      expect(await record(job, [item('1.0.0', change)])).toMatchObject({ added: 0, updated: 1 });
      expect((await storedJob(job)).releases_revision - before).toBe(isOfTheSet ? 1 : 0);
      expect(await fanOutsOf(job)).toBe(isOfTheSet ? 2 : 1);
      expect((await storedReleases(job))[0]).toMatchObject(
        change.released_at ? { released_at: new Date(change.released_at) } : change,
      );
    },
  );

  test('a job stores how much of its list is known, and an incomplete list is evaluated but withdraws no releases', async () => {
    const job = await createJob(organizationId);
    const state = async () => {
      const { list_completeness, list_incomplete_since } = await storedJob(job);
      return [list_completeness, list_incomplete_since !== null];
    };
    const read = (isCompleteList: boolean, listCut?: 'oldest' | 'anywhere') =>
      record(job, [item('1.0.0')], { isCompleteList, listCut });
    await record(job, [item('1.0.0'), item('1.1.0')], { isCompleteList: false });
    expect(await state()).toEqual([null, false]);
    await read(false, 'anywhere');
    expect(await state()).toEqual(['incomplete', true]);
    expect((await storedReleases(job)).filter((each) => each['is_withdrawn'])).toEqual([]);
    expect(await fanOutsOf(job)).toBe(2);
    const since = (await storedJob(job)).list_incomplete_since;
    await read(false, 'anywhere');
    await read(false);
    expect((await storedJob(job)).list_incomplete_since).toEqual(since);
    expect(await fanOutsOf(job)).toBe(2);
    await read(false, 'oldest');
    expect(await state()).toEqual(['complete_at_top', false]);
    expect(await fanOutsOf(job)).toBe(3);
    await read(true);
    expect(await state()).toEqual(['complete', false]);
    expect((await storedReleases(job)).filter((each) => each['is_withdrawn'])).toHaveLength(1);
  });

  test('when a failing job recovers, its configurations are evaluated even if nothing else changed', async () => {
    const job = await createJob(organizationId);
    const fail = () =>
      sql`UPDATE gather_jobs SET failing_since = pacekeeper_now() WHERE id = ${job.jobId}`.execute(db);
    await record(job, [item('1.0.0')]);
    await fail();
    await record(job, [item('1.0.0')]);
    expect(await storedJob(job)).toMatchObject({ failing_since: null, releases_revision: 1 });
    expect(await fanOutsOf(job)).toBe(2);
    await fail();
    await transaction(db, (tx) => recordUnchanged(tx, 'gather', [job]));
    expect(await storedJob(job)).toMatchObject({ failing_since: null, releases_revision: 1 });
    expect(await fanOutsOf(job)).toBe(3);
  });

  test('recording many unchanged sources takes one statement, and writes nothing for a day and a half', async () => {
    const jobs = await Promise.all(Array.from({ length: 50 }, () => createJob(organizationId)));
    const note = () => transaction(db, (tx) => recordUnchanged(tx, 'gather', jobs));
    const rows = () => Promise.all(jobs.map(rowVersions));
    await note();
    const before = await rows();
    expect(await statementsOf(note)).toHaveLength(2 + 1);
    await setClockOffset(db, '35 hours');
    await note();
    expect(await rows()).toEqual(before);
    await setClockOffset(db, '37 hours');
    await note();
    await setClockOffset(db, '0');
    expect(await rows()).not.toEqual(before);
  });
});

interface Tool {
  tool: string;
  versions: { version: string; created_at: string; release_url?: string; prerelease?: boolean }[];
}

describe.skipIf(!hasTestData)('the release history of real projects', () => {
  const [, ...lines] = hasTestData
    ? readFileSync(testDataPath('release-history/mise-versions.jsonl'), 'utf8').trim().split('\n')
    : [];
  const tools = lines
    .map((line) => JSON.parse(line) as Tool)
    .filter((tool) => tool.versions.length <= 2_000)
    .filter((_, index) => index % 12 === 0)
    .slice(0, 20);
  const toItem = ({ version, created_at, release_url, prerelease }: Tool['versions'][number]) =>
    item(version, {
      released_at: new Date(created_at).toISOString(),
      is_prerelease: prerelease ?? false,
      url: release_url ?? null,
    });

  test.each(tools.map((tool) => [tool.tool, tool] as const))(
    '(%s) is stored unchanged and without duplicates',
    async (_name, tool) => {
      const job = await createJob(organizationId, { max_releases: 100_000 });
      const items = [...new Map(tool.versions.map((version) => [version.version, toItem(version)])).values()];
      const scheme = versionScheme('auto');
      const isPrerelease = (one: Item) => one.is_prerelease || (scheme.parse(one.tag)?.isPrerelease ?? false);

      expect(await record(job, items)).toMatchObject({
        found: items.length,
        added: items.length,
        updated: 0,
      });
      const byTag = new Map((await storedReleases(job)).map((release) => [release.tag, release]));
      expect(byTag.size).toBe(items.length);
      for (const one of items) {
        expect(byTag.get(one.tag)).toMatchObject({
          version: one.tag,
          released_at: new Date(one.released_at!),
          is_prerelease: isPrerelease(one),
          is_withdrawn: false,
          url: one.url,
        });
      }
      const set = prepareReleases(
        'auto',
        items.map((one) => ({
          version: one.tag,
          releasedAtMs: Date.parse(one.released_at!),
          discoveredAtMs: 0,
          isPrerelease: one.is_prerelease,
          isYanked: false,
          isWithdrawn: false,
          url: null,
        })),
      );
      expect(await storedJob(job)).toMatchObject({
        release_count: items.length,
        stable_count: items.filter((one) => !isPrerelease(one)).length,
        latest_version: latestOfJob(set)?.text ?? null,
        latest_stable_version: latestOfJob(set, (one) => !one.isPrerelease)?.text ?? null,
      });

      const before = await rowVersions(job);
      expect(await record(job, items.toReversed(), { partSize: 100 })).toMatchObject({
        added: 0,
        updated: 0,
        withdrawn: 0,
      });
      expect(await rowVersions(job)).toEqual(before);
    },
  );
});
