import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../domain/audit/actor.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createLog } from '../../../platform/log.ts';
import { announceServer } from '../../monitoring/index.ts';
import { overrideSettings, setGlobalSetting } from '../../settings/index.ts';
import { createUpstreamFixture, item } from '../upstream-fixture.ts';
import { readPlatformWords } from './platform-word-queries.ts';
import { reparseVersionsAcrossOrganizations } from './read-versions-again.ts';

const { db, wakeUps, call, createOrganization, createJob, record, storedReleases, storedJob } =
  await createUpstreamFixture();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});

/** As a program before this one left the releases of a job. */
async function readAsBefore(job: { organizationId: number; jobId: number }): Promise<void> {
  await sql`
    UPDATE releases SET sort_key = 'before ' || tag, variant = 'before', is_prerelease = false
    WHERE organization_id = ${job.organizationId} AND gather_job_id = ${job.jobId}`.execute(db);
  await sql`
    UPDATE gather_jobs SET version_reading = 1, latest_version = 'before', latest_stable_version = 'before'
    WHERE organization_id = ${job.organizationId} AND id = ${job.jobId}`.execute(db);
}

/** @returns How many transactions it took. */
async function readAll(limit: number): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (!(await transaction(db, (tx) => reparseVersionsAcrossOrganizations(tx, wakeUps, limit))))
      return count;
  }
}

const tags = ['v1.0.0', 'v1.1.0-rc.1', 'v1.1.0-alpine3.20', 'cli-2.0.0', 'latest'];

test('stored versions of another reading are read again, a bounded number at a time', async () => {
  const jobs = [await createJob(organizationId), await createJob(organizationId)];
  for (const job of jobs)
    await record(
      job,
      tags.map((tag) => item(tag)),
    );
  const expected = await Promise.all(jobs.map((job) => storedReleases(job)));
  const counters = await Promise.all(jobs.map((job) => storedJob(job)));
  for (const job of jobs) await readAsBefore(job);

  // Five releases of each job in steps of two.
  expect(await readAll(2)).toBe(6);

  for (const [index, job] of jobs.entries()) {
    expect(await storedReleases(job)).toEqual(expected[index]);
    const { latest_version, latest_stable_version } = counters[index]!;
    expect(await storedJob(job)).toMatchObject({ latest_version, latest_stable_version });
  }
  expect(await readAll(2)).toBe(0);
});

test('what is compared with a job is evaluated when all of its releases have been read again', async () => {
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
  const step = () => transaction(db, (tx) => reparseVersionsAcrossOrganizations(tx, wakeUps, 3));
  await step();
  expect(await fanOuts()).toEqual([]);
  await step();
  expect(await fanOuts()).toEqual([{ gather_job_id: job.jobId }]);
});

test('versions of another environment stay stable, and commits stay commits', async () => {
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

test('what a source called a pre-release stays one', async () => {
  const job = await createJob(organizationId);
  await record(job, [item('v1.0.0', { is_prerelease: true })]);
  await sql`UPDATE gather_jobs SET version_reading = 1 WHERE id = ${job.jobId}`.execute(db);
  await readAll(10);
  expect(await storedReleases(job)).toMatchObject([{ tag: 'v1.0.0', is_prerelease: true }]);
});

test('a job that is being recorded is left for later', async () => {
  const job = await createJob(organizationId);
  await record(job, [item('v1.0.0')]);
  await readAsBefore(job);
  await transaction(db, async (tx) => {
    await sql`SELECT FROM gather_jobs WHERE id = ${job.jobId} FOR NO KEY UPDATE`.execute(tx);
    expect(await readAll(10)).toBe(0);
  });
  expect(await readAll(10)).toBe(1);
});

describe('platform words of an organization', () => {
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
  const settingDeps = { db, wakeUps, sandbox: { run: () => Promise.reject(new Error('No templates')) } };
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

  test('are read with in its own jobs only, a bounded number at a time', async () => {
    const other = await createOrganization();
    const jobs = [await createJob(organizationId), await createJob(organizationId)];
    const foreign = await createJob(other);
    const global = await createJob(1);
    for (const job of [...jobs, foreign, global]) await recordTags(job);
    const before = await keysOf(jobs[0]!);
    expect(await keysOf(foreign)).toEqual(before);

    await setWords(organizationId, ['beos', 'acmeos']);
    // Each job is switched by itself, then its three releases are read in steps of one, and one that finds no more.
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

    // Without them, everything is as before.
    await setWords(organizationId, []);
    await readAll(10);
    for (const job of jobs) expect(await keysOf(job)).toEqual(before);
  });

  test('of the global organization are those of global jobs, and of organizations without their own', async () => {
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

  test('are stored with each new job as every other reader has them', async () => {
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

  test('leave strict SemVer as it is', async () => {
    const job = await createJob(organizationId, { version_scheme: 'semver' });
    await recordTags(job);
    const before = await keysOf(job);
    await setWords(organizationId, ['acmeos']);
    expect(await readAll(10)).toBe(1);
    expect(await keysOf(job)).toEqual(before);
  });

  test('hold for what is recorded from then on, and no key of before is compared with one of now', async () => {
    const job = await createJob(organizationId, { max_releases: 1 });
    await recordTags(job, ['8.2.0-acmeos3']);
    await setWords(organizationId, ['acmeos']);
    // Before housekeeping comes round.
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

  test('leave a job that is being recorded for later', async () => {
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

  test('hold for new jobs from the start', async () => {
    await setWords(organizationId, ['acmeos']);
    const body = { name: 'new', source_type: 'git_tags', artifact_name: 'https://git.example/a.git' };
    expect(await call('createGatherJob', organizationId, { body })).toMatchObject({
      platform_words: ['acmeos'],
    });
  });
});

test('a new job is one of this reading', async () => {
  const { jobId } = await createJob(organizationId);
  const { rows } = await sql<{ version_reading: number }>`
    SELECT version_reading FROM gather_jobs WHERE id = ${jobId}`.execute(db);
  expect(rows).toEqual([{ version_reading: parserVersion }]);
});

describe('next to a server that reads versions in an older way', () => {
  let older: Awaited<ReturnType<typeof announceServer>>;
  beforeEach(async () => {
    older = await announceServer(
      { db, log: createLog({ level: 'fatal', format: null }) },
      parserVersion - 1,
    );
  });
  afterEach(() => older.stop());

  /** As the other one stores a release. */
  async function storeAsBefore({ organizationId: id, jobId }: typeof job, tag: string): Promise<void> {
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, is_prerelease)
      VALUES (${id}, ${jobId}, ${tag}, ${tag}, ${`before ${tag}`}, '', false)`.execute(db);
  }
  let job: Awaited<ReturnType<typeof createJob>>;

  test('nothing is read again until that one has stopped', async () => {
    job = await createJob(organizationId);
    await record(job, [item('v1.0.0')]);
    await readAsBefore(job);
    expect(await readAll(10)).toBe(0);
    await older.stop();
    expect(await readAll(10)).toBe(1);
  });

  test('one that has gone without a word is waited for no longer than a minute', async () => {
    job = await createJob(organizationId);
    await readAsBefore(job);
    await sql`UPDATE servers SET seen_at = pacekeeper_now() - interval '2 minutes'`.execute(db);
    expect(await readAll(10)).toBe(1);
  });

  test('keys of both are never compared: no release is dropped until all have been read again', async () => {
    job = await createJob(organizationId, { max_releases: 2 });
    await readAsBefore(job);
    // By its key of before, each of these is above all others.
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

  test('what it stores after a job was read is read again as well', async () => {
    job = await createJob(organizationId);
    await older.stop();
    await record(job, [item('v1.0.0')]);
    // Such as after a downgrade.
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
