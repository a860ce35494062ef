import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUpstreamFixture, item } from '../../../../tests/helpers/upstream-fixture.ts';
import { systemActor } from '../../../domain/audit/actor.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createLog } from '../../../platform/log.ts';
import { registerServer } from '../../monitoring/index.ts';
import { overrideSettings, setGlobalSetting } from '../../settings/index.ts';
import { readPlatformWords } from './platform-word-queries.ts';
import { reparseVersionsAcrossOrganizations } from './read-versions-again.ts';

const { db, call, createOrganization, createJob, record, storedReleases, storedJob } =
  await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

/** Stores the releases of a job as an older program version would have parsed them. */
async function readAsBefore(job: { organizationId: number; jobId: number }): Promise<void> {
  await sql`
    UPDATE releases SET sort_key = 'before ' || tag, variant = 'before', is_prerelease = false
    WHERE organization_id = ${job.organizationId} AND gather_job_id = ${job.jobId}`.execute(db);
  await sql`
    UPDATE gather_jobs SET version_reading = ${parserVersion - 1}, latest_version = 'before', latest_stable_version = 'before'
    WHERE organization_id = ${job.organizationId} AND id = ${job.jobId}`.execute(db);
}

/**
 * Reparses stored versions until none is left.
 * @returns The number of transactions.
 */
async function readAll(limit: number): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (!(await transaction(db, (tx) => reparseVersionsAcrossOrganizations(tx, limit)))) return count;
  }
}

const tags = ['v1.0.0', 'v1.1.0-rc.1', 'v1.1.0-alpine3.20', 'cli-2.0.0', 'latest'];

test('stored versions from an older parser are reparsed in bounded steps', async () => {
  const jobs = [await createJob(organizationId), await createJob(organizationId)];
  for (const job of jobs)
    await record(
      job,
      tags.map((tag) => item(tag)),
    );
  const expected = await Promise.all(jobs.map((job) => storedReleases(job)));
  const counters = await Promise.all(jobs.map((job) => storedJob(job)));
  for (const job of jobs) await readAsBefore(job);

  // Each job has five releases, which are reparsed in steps of two.
  expect(await readAll(2)).toBe(6);

  for (const [index, job] of jobs.entries()) {
    expect(await storedReleases(job)).toEqual(expected[index]);
    const { latest_version, latest_stable_version } = counters[index]!;
    expect(await storedJob(job)).toMatchObject({ latest_version, latest_stable_version });
  }
  expect(await readAll(2)).toBe(0);
});

test('the configurations of a job are evaluated when all of its releases have been reparsed', async () => {
  const job = await createJob(organizationId);
  await record(
    job,
    tags.map((tag) => item(tag)),
  );
  await sql`DELETE FROM release_fan_outs WHERE organization_id = ${organizationId}`.execute(db);
  await readAsBefore(job);
  const fanOuts = async () => {
    const { rows } = await sql`
      SELECT gather_job_id FROM release_fan_outs
      WHERE organization_id = ${organizationId} AND due_at <= pacekeeper_now()`.execute(db);
    return rows;
  };
  const step = () => transaction(db, (tx) => reparseVersionsAcrossOrganizations(tx, 3));
  await step();
  expect(await fanOuts()).toEqual([]);
  await step();
  expect(await fanOuts()).toEqual([{ gather_job_id: job.jobId }]);
});

test('reparsing marks no version of another environment as a pre-release, and gives commits no sort key', async () => {
  const { id: scrapeJobId } = await db
    .insertInto('scrape_jobs')
    .values({ organization_id: organizationId, name: 'staging', parser_type: 'manual' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const job = await createJob(organizationId);
  const commits = ['7014533', 'b4c614f', 'd7eed0c'];
  await record(job, [item('1.1.0-rc.1'), ...commits.map((commit) => item(commit))]);
  await readAsBefore(job);
  await sql`UPDATE gather_jobs SET scrape_job_id = ${scrapeJobId} WHERE id = ${job.jobId}`.execute(db);
  await readAll(10);
  const stored = await db
    .selectFrom('releases')
    .select(['tag', 'sort_key', 'is_prerelease'])
    .where('gather_job_id', '=', job.jobId)
    .orderBy('tag')
    .execute();
  expect(stored).toEqual([
    { tag: '1.1.0-rc.1', sort_key: expect.any(String), is_prerelease: false },
    ...commits.map((tag) => ({ tag, sort_key: null, is_prerelease: false })),
  ]);
});

test('reparsing keeps the pre-release flag that a source set', async () => {
  const job = await createJob(organizationId);
  await record(job, [item('v1.0.0', { is_prerelease: true })]);
  await sql`UPDATE gather_jobs SET version_reading = ${parserVersion - 1} WHERE id = ${job.jobId}`.execute(
    db,
  );
  await readAll(10);
  expect(await storedReleases(job)).toMatchObject([{ tag: 'v1.0.0', is_prerelease: true }]);
});

test('a job that is being recorded is reparsed later', async () => {
  const job = await createJob(organizationId);
  await record(job, [item('v1.0.0')]);
  await readAsBefore(job);
  await transaction(db, async (tx) => {
    await sql`SELECT FROM gather_jobs WHERE id = ${job.jobId} FOR NO KEY UPDATE`.execute(tx);
    expect(await readAll(10)).toBe(0);
  });
  expect(await readAll(10)).toBe(1);
});

describe('platform words', () => {
  const tagsOfAcme = ['8.1.0-acmeos3', '8.2.0-acmeos4', '8.2.0-acmeos3'];
  const setWords = (of: number, words: string[]) =>
    of === 1
      ? setGlobalSetting(settingDeps, 'versions.platform_words', words)
      : overrideSettings(
          settingDeps,
          requestOf(of),
          ['versions.platform_words'],
          [{ key: 'versions.platform_words', value: words, field: 'value' }],
          async () => undefined,
        );
  const requestOf = (of: number) => ({
    organizationId: of,
    actor: systemActor,
    loginId: null,
    requestId: null,
    ifMatch: null,
  });
  const settingDeps = { db, sandbox: { run: () => Promise.reject(new Error('No templates')) } };
  const recordTags = (job: { organizationId: number; jobId: number }, listed = tagsOfAcme) =>
    record(
      job,
      listed.map((tag) => item(tag)),
    );
  const keysOf = async (job: { organizationId: number; jobId: number }) =>
    (await storedReleases(job)).map(({ sort_key }) => sort_key);
  const latestOf = async (job: { organizationId: number; jobId: number }) => {
    const { latest_version, platform_words, version_reading } = await storedJob(job);
    return { latest_version, platform_words, version_reading };
  };
  afterEach(() =>
    setGlobalSetting(settingDeps, 'versions.platform_words', undefined).then(() => readAll(1_000)),
  );

  test('are applied only to jobs of their organization, in bounded steps', async () => {
    const other = await createOrganization();
    const jobs = [await createJob(organizationId), await createJob(organizationId)];
    const foreign = await createJob(other);
    const global = await createJob(1);
    for (const job of [...jobs, foreign, global]) await recordTags(job);
    const before = await keysOf(jobs[0]!);
    expect(await keysOf(foreign)).toEqual(before);

    await setWords(organizationId, ['beos', 'acmeos']);
    // Each job takes one step to switch, three steps to reparse its releases one at a time, and one step to
    // find no more releases.
    expect(await readAll(1)).toBe(2 + 2 * 4);
    for (const job of jobs) {
      expect(await latestOf(job)).toEqual({
        latest_version: '8.2.0-acmeos4',
        platform_words: 'acmeos beos',
        version_reading: parserVersion,
      });
      expect(await keysOf(job)).not.toEqual(before);
    }
    for (const job of [foreign, global]) {
      expect(await keysOf(job)).toEqual(before);
      expect(await latestOf(job)).toMatchObject({ platform_words: '' });
    }
    expect(await readAll(1)).toBe(0);

    // Without platform words, the sort keys are the same as before.
    await setWords(organizationId, []);
    await readAll(10);
    for (const job of jobs) expect(await keysOf(job)).toEqual(before);
  });

  test('apply to global jobs and to organizations without an override if they are set globally', async () => {
    const other = await createOrganization();
    const [own, foreign, global] = [
      await createJob(organizationId),
      await createJob(other),
      await createJob(1),
    ];
    for (const job of [own, foreign, global]) await recordTags(job);
    await setWords(other, []);
    await setWords(1, ['acmeos']);
    await readAll(100);
    expect(await latestOf(own)).toMatchObject({ platform_words: 'acmeos' });
    expect(await latestOf(global)).toMatchObject({ platform_words: 'acmeos' });
    expect(await latestOf(foreign)).toMatchObject({ platform_words: '' });
  });

  test('are stored with a new job in the same form in which readPlatformWords returns them', async () => {
    const wordsOfNewJob = async () => {
      const body = { name: 'new', source_type: 'git_tags', artifact_name: 'git.example.org/new' } as const;
      const { id } = await call('createGatherJob', organizationId, { body });
      return (await storedJob({ organizationId, jobId: id })).platform_words;
    };
    const check = async (expected: string) => {
      expect(await wordsOfNewJob()).toBe(expected);
      expect(await readPlatformWords(db, organizationId)).toBe(expected);
    };
    await check('');
    await setWords(1, ['acmeos']);
    await check('acmeos');
    await setWords(organizationId, ['zos', 'jdk', 'beos', 'alpine', 'aos']);
    await check('aos beos zos');
    await setWords(organizationId, []);
    await check('');
  });

  test('do not affect strict SemVer', async () => {
    const job = await createJob(organizationId, { version_scheme: 'semver' });
    await recordTags(job);
    const before = await keysOf(job);
    await setWords(organizationId, ['acmeos']);
    expect(await readAll(10)).toBe(1);
    expect(await keysOf(job)).toEqual(before);
  });

  test('apply to releases that are recorded later, and old and new sort keys are never compared', async () => {
    const job = await createJob(organizationId, { max_releases: 1 });
    await recordTags(job, ['8.2.0-acmeos3']);
    await setWords(organizationId, ['acmeos']);
    // Housekeeping hasn't reparsed the job yet.
    await record(job, [item('8.3.0-acmeos1')], { isCompleteList: false });
    expect(await latestOf(job)).toEqual({
      latest_version: '8.3.0-acmeos1',
      platform_words: 'acmeos',
      version_reading: 0,
    });
    expect(await storedReleases(job)).toHaveLength(2);
    await readAll(10);
    await record(job, [item('8.4.0-acmeos1')], { isCompleteList: false });
    expect((await storedReleases(job)).map(({ tag }) => tag)).toEqual(['8.4.0-acmeos1']);
  });

  test('are applied later to a job that is being recorded', async () => {
    const job = await createJob(organizationId);
    await recordTags(job);
    await setWords(organizationId, ['acmeos']);
    await transaction(db, async (tx) => {
      await sql`SELECT FROM gather_jobs WHERE id = ${job.jobId} FOR NO KEY UPDATE`.execute(tx);
      expect(await readAll(10)).toBe(0);
    });
    await readAll(10);
    expect(await latestOf(job)).toMatchObject({ platform_words: 'acmeos' });
  });

  test('apply to new jobs immediately', async () => {
    await setWords(organizationId, ['acmeos']);
    const body = { name: 'new', source_type: 'git_tags', artifact_name: 'https://git.example/a.git' };
    expect(await call('createGatherJob', organizationId, { body })).toMatchObject({
      platform_words: ['acmeos'],
    });
  });
});

test('a new job has the current version_reading', async () => {
  const { jobId } = await createJob(organizationId);
  const { rows } = await sql<{ version_reading: number }>`
    SELECT version_reading FROM gather_jobs WHERE id = ${jobId}`.execute(db);
  expect(rows).toEqual([{ version_reading: parserVersion }]);
});

describe('reparsing while an older server is running', () => {
  let older: Awaited<ReturnType<typeof registerServer>>;
  beforeEach(async () => {
    older = await registerServer({ db, log: createLog({ level: 'fatal', format: null }) }, parserVersion - 1);
  });
  afterEach(() => older.stop());

  /** Stores a release as the older server would. */
  async function storeAsBefore({ organizationId: id, jobId }: typeof job, tag: string): Promise<void> {
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, is_prerelease)
      VALUES (${id}, ${jobId}, ${tag}, ${tag}, ${`before ${tag}`}, '', false)`.execute(db);
  }
  let job: Awaited<ReturnType<typeof createJob>>;

  test('starts only after the older server has stopped', async () => {
    job = await createJob(organizationId);
    await record(job, [item('v1.0.0')]);
    await readAsBefore(job);
    expect(await readAll(10)).toBe(0);
    await older.stop();
    expect(await readAll(10)).toBe(1);
  });

  test('is not blocked by a server that has missed heartbeats for more than a minute', async () => {
    job = await createJob(organizationId);
    await readAsBefore(job);
    await sql`UPDATE servers SET seen_at = pacekeeper_now() - interval '2 minutes'`.execute(db);
    expect(await readAll(10)).toBe(1);
  });

  test('deletes no release until it is complete, because old and new sort keys are never compared', async () => {
    job = await createJob(organizationId, { max_releases: 2 });
    await readAsBefore(job);
    // The old keys rank these releases above all others.
    for (const tag of ['v1.0.0', 'v1.1.0']) await storeAsBefore(job, tag);
    const stored = async () => (await storedReleases(job)).map(({ tag }) => tag);
    await record(job, [item('v2.0.0'), item('v3.0.0')], { isCompleteList: false });
    expect(await stored()).toEqual(['v1.0.0', 'v1.1.0', 'v2.0.0', 'v3.0.0']);

    await older.stop();
    await readAll(10);
    expect((await storedReleases(job)).every(({ sort_key }) => !sort_key!.startsWith('before'))).toBe(true);
    await record(job, [item('v4.0.0')], { isCompleteList: false });
    expect(await stored()).toEqual(['v3.0.0', 'v4.0.0']);
  });

  test('includes releases that another server version stores after a job was reparsed', async () => {
    job = await createJob(organizationId);
    await older.stop();
    await record(job, [item('v1.0.0')]);
    // This value simulates a downgrade.
    await sql`UPDATE gather_jobs SET version_reading = ${parserVersion + 1} WHERE id = ${job.jobId}`.execute(
      db,
    );
    await record(job, [item('v1.1.0')], { isCompleteList: false });
    expect(await storedJob(job)).toMatchObject({ version_reading: 0 });
    expect(await readAll(10)).toBe(1);
    expect(await storedJob(job)).toMatchObject({ version_reading: parserVersion });
    await sql`UPDATE gather_jobs SET version_reading = ${parserVersion + 1} WHERE id = ${job.jobId}`.execute(
      db,
    );
    expect(await readAll(10)).toBe(1);
  });
});
