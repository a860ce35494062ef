import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createReleases } from '../../../../tests/helpers/monitored.ts';
import { insertRuns } from '../../../../tests/helpers/runs-fixture.ts';
import { sharedTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { deleteOldExposuresAcrossOrganizations } from './delete-old-exposures.ts';

const server = await sharedTestServer();
let acme: TestOrganization;

beforeEach(async () => {
  acme = await server.createOrganization();
});

type Query = NonNullable<Parameters<typeof acme.api.call<'listExposures'>>[1]>['query'];

const exposures = async (query: Query = {}) => (await acme.api.call('listExposures', { query })).items;
const versionsOf = async (query: Query = {}) => (await exposures(query)).map(({ version }) => version);

async function createPlace(
  versions: readonly string[] = [],
  change: Partial<Schemas['CreateScrapeJobRequest']> = {},
): Promise<number> {
  const { id } = await acme.api.call('createScrapeJob', {
    body: { name: 'checkout', parser_type: 'manual', ...change },
  });
  for (const version of versions) await set(id, version);
  return id;
}

const set = (id: number, version: string) =>
  acme.api.call('setScrapeJobVersion', { path: { id }, body: { version } });

const createGitPlace = () =>
  createPlace([], {
    name: 'web',
    parser_type: 'yq',
    repository_url: 'https://git.example.org/a/b',
    target_file: 'a.yaml',
    parse_expression: '.version',
    is_active: false,
  });

/** Compares a scrape job with a gather job. */
async function compare(scrapeJobId: number, gatherJobId: number): Promise<number> {
  const rule = await acme.api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const { id } = await acme.api.call('createAlertConfig', {
    body: { name: 'web', scrape_job_id: scrapeJobId, gather_job_id: gatherJobId, rule_id: rule.id },
  });
  return id;
}

/** Moves everything that is stored about exposures into the past. */
async function passDays(days: number): Promise<void> {
  const by = sql`${days}::integer * interval '1 day'`;
  await sql`
    UPDATE exposures SET first_seen_at = first_seen_at - ${by}, ended_at = ended_at - ${by}
    WHERE organization_id = ${acme.id}`.execute(server.db);
  await sql`
    UPDATE reading_gaps SET started_at = started_at - ${by}, ended_at = ended_at - ${by}
    WHERE organization_id = ${acme.id}`.execute(server.db);
  await sql`
    UPDATE scrape_jobs SET last_read_at = last_read_at - ${by}, gap_since = gap_since - ${by}
    WHERE organization_id = ${acme.id}`.execute(server.db);
  await sql`
    UPDATE deleted_scrape_jobs SET gap_since = gap_since - ${by}, deleted_at = deleted_at - ${by}
    WHERE organization_id = ${acme.id}`.execute(server.db);
}

const day = 86_400;
const daysAgo = (days: number) => new Date(Date.now() - days * day * 1_000).toISOString();

describe('an exposure', () => {
  test('begins when a version is first read and ends when another version is read', async () => {
    const id = await createPlace(['1.0.0', '1.0.0'], { labels: { team: 'payments' } });
    await passDays(3);
    await set(id, '1.1.0');
    await passDays(2);
    const { as_of, items } = await acme.api.call('listExposures');
    expect(items).toMatchObject([
      { version: '1.1.0', status: 'running', ended_at: null, last_seen_at: as_of, gap_count: 0 },
      {
        version: '1.0.0',
        scrape_job: { id, name: 'checkout' },
        name: 'checkout',
        labels: { team: 'payments' },
        source: 'manual',
        status: 'ended',
        gaps: [],
      },
    ]);
    const [current, former] = items;
    expect(former!.last_seen_at).toBe(former!.ended_at);
    expect(former!.ended_at).toBe(current!.first_seen_at);
    expect(Math.round(former!.known_seconds / day)).toBe(3);
    expect(Math.round(current!.known_seconds / day)).toBe(2);
  });

  test('contains the owner from the label in the settings', async () => {
    await acme.api.call('putOrgOverride', {
      path: { key: 'notification.owner_label' },
      body: { value: 'squad' },
    });
    await createPlace(['1.0.0'], { labels: { team: 'payments', squad: 'blue' } });
    expect(await exposures()).toMatchObject([{ owner: 'blue' }]);
  });

  test('changes only its spelling, not its period, when the transform of its scrape job changes', async () => {
    const id = await createPlace(['1.0.0', '1.1.0']);
    const before = await exposures();
    await acme.api.call('updateScrapeJob', { path: { id }, body: { version_transform: 'add_v_lower' } });
    expect(await exposures()).toMatchObject([
      { id: before[0]!.id, version: 'v1.1.0', first_seen_at: before[0]!.first_seen_at, status: 'running' },
      { version: '1.0.0', ended_at: before[1]!.ended_at },
    ]);
  });

  test('is kept with its name, labels, and software when its scrape job is deleted', async () => {
    const gatherJobId = await createReleases(server, acme, ['1.0.0']);
    const id = await createPlace(['0.9.0', '1.0.0'], { labels: { team: 'payments' } });
    await compare(id, gatherJobId);
    await passDays(2);
    await acme.api.call('deleteScrapeJob', { path: { id }, query: { cascade: true } });
    await passDays(5);
    const [last, former] = await exposures({ gather_job_id: gatherJobId });
    expect(last).toMatchObject({
      scrape_job: null,
      name: 'checkout',
      labels: { team: 'payments' },
      status: 'unconfirmed',
      gaps: [{ until: null, reason: 'deleted' }],
      ended_at: null,
    });
    expect(last!.last_seen_at).toBe(last!.gaps[0]!.since);
    expect(Math.round(last!.known_seconds / day)).toBe(2);
    expect(former).toMatchObject({ scrape_job: null, name: 'checkout', version: '0.9.0', status: 'ended' });
  });
});

describe('a gap', () => {
  test('begins with the last successful reading before a failed run and ends with the next successful reading', async () => {
    const id = await createGitPlace();
    const read = (version: string) =>
      sql`WITH job AS (
          UPDATE scrape_jobs SET latest_version = ${version}, last_read_at = pacekeeper_now(), gap_since = NULL,
            last_outcome = 'succeeded' WHERE organization_id = ${acme.id} AND id = ${id})
        INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change)
        SELECT ${acme.id}, ${id}, ${version}, ${version}, 'none', 'agent', ${version} IS DISTINCT FROM latest_version
        FROM scrape_jobs WHERE organization_id = ${acme.id} AND id = ${id}`.execute(server.db);
    await sql`UPDATE scrape_jobs SET is_active = true WHERE organization_id = ${acme.id} AND id = ${id}`.execute(
      server.db,
    );
    await read('1.0.0');
    await passDays(1);
    await transaction(server.db, (tx) =>
      insertRuns(tx, 'scrape', { organizationId: acme.id, jobId: id }, ['failed', 'failed']),
    );
    expect(await exposures()).toMatchObject([
      {
        status: 'unconfirmed',
        source: 'git',
        known_seconds: 0,
        gaps: [{ until: null, reason: 'read_failed' }],
      },
    ]);
    await passDays(3);
    await read('1.0.0');
    await passDays(2);
    await read('2.0.0');
    const [second, first] = await exposures();
    expect(second).toMatchObject({ version: '2.0.0', status: 'running', gap_count: 0 });
    expect(first).toMatchObject({ version: '1.0.0', gap_count: 1, gaps: [{ reason: 'read_failed' }] });
    expect(first!.gaps[0]!.since).toBe(first!.first_seen_at);
    expect(first!.last_seen_at).toBe(first!.ended_at);
    expect(Math.round(first!.known_seconds / day)).toBe(2);
  });

  test("that ends when another version is read isn't part of the known time", async () => {
    const id = await createPlace(['1.0.0']);
    await passDays(2);
    await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: false } });
    await passDays(3);
    await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: true } });
    expect(await exposures()).toMatchObject([{ status: 'unconfirmed', gaps: [{ reason: 'disabled' }] }]);
    await set(id, '1.1.0');
    const [current, former] = await exposures();
    expect(current).toMatchObject({ status: 'running', gaps: [] });
    expect(former!.gaps).toMatchObject([{ until: former!.ended_at, reason: 'disabled' }]);
    expect(former!.last_seen_at).toBe(former!.gaps[0]!.since);
    expect(Math.round(former!.known_seconds / day)).toBe(2);
  });

  test('is subtracted from the known time only as far as it overlaps the range of the request', async () => {
    const id = await createPlace(['1.0.0']);
    await passDays(2);
    await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: false } });
    await passDays(3);
    await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: true } });
    await set(id, '1.0.0');
    await passDays(4);
    const knownDays = async (since: number, until: number) => {
      const found = await exposures({ since: daysAgo(since), until: daysAgo(until) });
      return found.map(({ known_seconds }) => Math.round(known_seconds / day));
    };
    expect(await knownDays(20, 0)).toEqual([6]);
    expect(await knownDays(8, 3)).toEqual([2]);
    expect(await knownDays(6.5, 4.5)).toEqual([0]);
    expect(await knownDays(20, 10)).toEqual([]);
  });
});

describe('exposures of software', () => {
  async function createSoftware(): Promise<number> {
    const gatherJobId = await createReleases(server, acme, ['1.0.0', '1.1.0', '2.0.0']);
    const places = [
      await createPlace(['1.0.0', 'v1.1.0', '2.0.0-alpine']),
      await createPlace(['1.1.0', 'main']),
    ];
    for (const place of places) await compare(place, gatherJobId);
    await createPlace(['1.1.0'], { name: 'other software' });
    return gatherJobId;
  }

  test('are found by version, with its spellings and variants', async () => {
    const gather_job_id = await createSoftware();
    expect(await versionsOf({ gather_job_id, version: '1.1.0' })).toEqual(['1.1.0', 'v1.1.0']);
    expect(await versionsOf({ gather_job_id, version: '2.0' })).toEqual(['2.0.0-alpine']);
    expect(await versionsOf({ gather_job_id, version: 'main' })).toEqual(['main']);
    expect(await versionsOf({ gather_job_id })).toHaveLength(5);
    expect(await versionsOf({ version: '1.1.0' })).toEqual(['1.1.0', '1.1.0']);
  });

  test('are found by a range of versions', async () => {
    const gather_job_id = await createSoftware();
    expect(await versionsOf({ gather_job_id, version_range: '>1.0 <2' })).toEqual(['1.1.0', 'v1.1.0']);
    expect(await versionsOf({ gather_job_id, version_range: '1.0 || >=2' })).toEqual([
      '2.0.0-alpine',
      '1.0.0',
    ]);
    await expect(exposures({ gather_job_id, version_range: '>x' })).rejects.toMatchObject({
      status: 400,
      errors: [{ field: 'version_range', message: '"x" isn\'t a version' }],
    });
  });

  test('are found by the digest of a release, or of a version that contains the digest', async () => {
    const gather_job_id = await createSoftware();
    const digest = `sha256:${'a'.repeat(64)}`;
    await sql`UPDATE releases SET digest = ${digest}
      WHERE organization_id = ${acme.id} AND gather_job_id = ${gather_job_id} AND version = '1.1.0'`.execute(
      server.db,
    );
    const place = await createPlace([`1.3.0@${digest}`]);
    await compare(place, gather_job_id);
    expect(await versionsOf({ gather_job_id, digest })).toEqual([`1.3.0@${digest}`, '1.1.0']);
  });

  test('belong to the software that an alert configuration compares with, or last compared with', async () => {
    const wrong = await createReleases(server, acme, ['1.0.0']);
    const right = await createReleases(server, acme, ['1.0.0']);
    const place = await createPlace(['1.0.0']);
    const config = await compare(place, wrong);
    await acme.api.call('deleteAlertConfig', { path: { id: config } });
    expect(await versionsOf({ gather_job_id: wrong })).toEqual(['1.0.0']);
    const corrected = await compare(place, right);
    expect(await versionsOf({ gather_job_id: wrong })).toEqual([]);
    expect(await versionsOf({ gather_job_id: right })).toEqual(['1.0.0']);
    await acme.api.call('updateAlertConfig', { path: { id: corrected }, body: { gather_job_id: wrong } });
    expect(await versionsOf({ gather_job_id: right })).toEqual([]);
  });

  test.each([['version_range', '>1'] as const, ['digest', `sha256:${'0'.repeat(64)}`] as const])(
    'can be found by %s only together with a gather job',
    async (field, value) => {
      await expect(exposures({ [field]: value })).rejects.toMatchObject({
        status: 400,
        errors: [{ field, message: 'requires gather_job_id' }],
      });
    },
  );
});

describe('the list of exposures', () => {
  test('is filtered by scrape job and by whether the version is the current one', async () => {
    const id = await createPlace(['1.0.0', '1.1.0']);
    await createPlace(['7.0.0']);
    expect(await versionsOf({ scrape_job_id: id })).toEqual(['1.1.0', '1.0.0']);
    expect(await versionsOf({ is_current: true })).toEqual(['7.0.0', '1.1.0']);
    expect(await versionsOf({ is_current: false })).toEqual(['1.0.0']);
  });

  test('contains no exposures of other organizations, even for their gather jobs', async () => {
    const gatherJobId = await createReleases(server, acme, ['1.0.0']);
    const place = await createPlace(['1.0.0']);
    await compare(place, gatherJobId);
    const other = await server.createOrganization();
    for (const query of [
      {},
      { gather_job_id: gatherJobId },
      { gather_job_id: gatherJobId, version: '1.0.0' },
    ])
      expect((await other.api.call('listExposures', { query })).items).toEqual([]);
  });
});

describe('retention', () => {
  const deleteOld = () => transaction(server.db, (tx) => deleteOldExposuresAcrossOrganizations(tx, 1_000));

  beforeEach(async () => {
    await acme.api.call('putOrgOverride', { path: { key: 'retention.versions_days' }, body: { value: 30 } });
  });

  test('deletes exposures after the period in the setting, including the last one of a deleted scrape job', async () => {
    const kept = await createPlace(['1.0.0']);
    await passDays(20);
    await set(kept, '1.1.0');
    const deleted = await createPlace(['5.0.0']);
    await acme.api.call('deleteScrapeJob', { path: { id: deleted } });
    await passDays(20);
    await set(kept, '1.2.0');
    await deleteOld();
    expect(await versionsOf()).toEqual(['1.2.0', '5.0.0', '1.1.0', '1.0.0']);
    await passDays(15);
    await deleteOld();
    expect(await versionsOf()).toEqual(['1.2.0', '1.1.0']);
    await passDays(1_000);
    await deleteOld();
    expect(await versionsOf()).toEqual(['1.2.0']);
    const { rows } = await sql`SELECT FROM deleted_scrape_jobs WHERE organization_id = ${acme.id}`.execute(
      server.db,
    );
    expect(rows).toEqual([]);
  });

  test('keeps the gaps of an exposure as long as the exposure', async () => {
    const id = await createPlace(['1.0.0']);
    await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: false } });
    await passDays(1);
    await acme.api.call('updateScrapeJob', { path: { id }, body: { is_active: true } });
    await set(id, '1.0.0');
    await passDays(100);
    await deleteOld();
    expect(await exposures()).toMatchObject([{ version: '1.0.0', gap_count: 1 }]);
    await set(id, '1.1.0');
    await passDays(100);
    await deleteOld();
    await deleteOld();
    const { rows } = await sql`SELECT FROM reading_gaps WHERE organization_id = ${acme.id}`.execute(
      server.db,
    );
    expect(rows).toEqual([]);
    expect(await versionsOf()).toEqual(['1.1.0']);
  });
});
