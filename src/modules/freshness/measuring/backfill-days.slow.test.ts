import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { insertItems, insertManagedScrapeJob } from '../../../../tests/helpers/discovery-fixture.ts';
import { startTestServer, type TestOrganization } from '../../../../tests/helpers/test-server.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import { createReleaseCache } from '../../monitoring/index.ts';
import { backfillDays } from './backfill-days.ts';
import { measureNow } from './measure-now.ts';
import { readContext } from './population-queries.ts';

const server = await startTestServer();
const { db } = server;
const releaseCache = createReleaseCache();
const dayCount = 100;
const seed = Number(process.env['PACEKEEPER_FRESHNESS_SEED'] ?? 7);

afterEach(() => resetClockOffset(db));

/** Measures a day as the nightly measurement does. */
async function measureDay(organizationId: number): Promise<void> {
  const { missing } = await measureNow(db, releaseCache, organizationId);
  if (missing !== null) await backfillDays(db, releaseCache, organizationId, missing);
}

/** Leases an organization, so that only the test measures it. The loop skips leased rows. */
async function takeFromLoop(organizationId: number): Promise<void> {
  const lease = async () => {
    const { numAffectedRows } = await sql`
      UPDATE freshness_states SET lease_token = gen_random_uuid(), lease_until = 'infinity'
      WHERE organization_id = ${organizationId} AND lease_token IS NULL`.execute(db);
    return Number(numAffectedRows);
  };
  await expect.poll(lease).toBe(1);
}

async function pointsOf(organizationId: number): Promise<object[]> {
  const { rows } = await sql<object>`
    SELECT * FROM freshness_points
    WHERE organization_id = ${organizationId} AND day < (pacekeeper_now() AT TIME ZONE 'UTC')::date
    ORDER BY day, grouping, group_key, group_value`.execute(db);
  return rows;
}

/** Creates a deterministic random number generator. Equal seeds produce equal test data. */
function createRandom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const texts = Array.from({ length: 40 }, (_, index) => `${1 + (index >> 3)}.${index % 8}.${index % 3}`);

async function createWorld(organization: TestOrganization, pairCount: number) {
  const { api, id: organizationId } = organization;
  const { id: rule_id } = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const gatherJobIds: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const body = { name, source_type: 'github_releases', artifact_name: `github.com/x/${name}` } as const;
    gatherJobIds.push((await api.call('createGatherJob', { body: { ...body, is_active: false } })).id);
  }
  const scrapeJobIds: number[] = [];
  for (let index = 0; index < pairCount; index++) {
    const scrapeJob = await api.call('createScrapeJob', {
      body: { name: `${index}`, parser_type: 'manual' },
    });
    scrapeJobIds.push(scrapeJob.id);
    const gather_job_id = gatherJobIds[index % gatherJobIds.length]!;
    const labels: Record<string, string> = index % 4 === 0 ? {} : { team: `team ${index % 3}` };
    const body = { name: `${index}`, scrape_job_id: scrapeJob.id, gather_job_id, rule_id, labels };
    await api.call('createAlertConfig', { body });
  }
  // The configurations must be older than the first day.
  await sql`UPDATE alert_configs SET created_at = created_at - interval '2 years' WHERE organization_id = ${organizationId}`.execute(
    db,
  );
  const body = { name: 'Soon', metric: 'exposure_days', limit: 20, goal_percent: 80 } as const;
  await api.call('createFreshnessTarget', { body });
  return { organizationId, gatherJobIds, scrapeJobIds };
}

test('days that are computed afterward have the same values as days that are measured each night', async () => {
  const world = await createWorld(await server.createOrganization(), 14);
  const { organizationId } = world;
  await takeFromLoop(organizationId);
  // The loop may already have measured.
  await sql`DELETE FROM freshness_points WHERE organization_id = ${organizationId}`.execute(db);
  await sql`
    UPDATE freshness_states SET through_day = NULL, filled_at = NULL, known_from = NULL, measured_at = NULL
    WHERE organization_id = ${organizationId}`.execute(db);
  const random = createRandom(seed);
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM date_trunc('day', pacekeeper_now(), 'UTC')) * 1000)::bigint AS ms`.execute(db);
  const startMs = rows[0]!.ms - dayCount * dayMs;
  const at = (day: number) => new Date(startMs + day * dayMs + random(dayMs)).toISOString();
  const release = async (day: number) => {
    const job = world.gatherJobIds[random(world.gatherJobIds.length)]!;
    const [version, time] = [texts[random(texts.length)]!, at(day)];
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, discovered_at, is_prerelease)
      VALUES (${organizationId}, ${job}, ${version}, ${version},
        ${random(3) === 0 ? null : time}::timestamptz, ${time}::timestamptz, ${random(8) === 0})
      ON CONFLICT DO NOTHING`.execute(db);
    await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${job}`.execute(db);
  };
  const deploy = async (day: number, job: number) => {
    const version = random(15) === 0 ? 'main' : texts[random(texts.length)]!;
    await sql`
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change, created_at)
      VALUES (${organizationId}, ${job}, ${version}, ${version}, 'none', 'manual', true, ${at(day)}::timestamptz)`.execute(
      db,
    );
    await sql`UPDATE scrape_jobs SET latest_version = ${version} WHERE id = ${job}`.execute(db);
  };
  for (let count = 0; count < 20; count++) await release(-1 - random(200));
  for (const job of world.scrapeJobIds.slice(0, 8)) await deploy(-1 - random(50), job);

  for (let day = 0; day < dayCount; day++) {
    if (random(3) === 0) await release(day);
    if (random(4) === 0) await deploy(day, world.scrapeJobIds[random(world.scrapeJobIds.length)]!);
    await setClockOffset(db, `-${(dayCount - day - 1) * 24} hours`);
    await measureDay(organizationId);
  }
  await resetClockOffset(db);
  const byNight = await pointsOf(organizationId);
  await sql`UPDATE freshness_states SET basis = 'another' WHERE organization_id = ${organizationId}`.execute(
    db,
  );
  await measureDay(organizationId);
  const afterwards = await pointsOf(organizationId);
  console.log(`points compared: ${afterwards.length}`);
  expect(afterwards.length).toBeGreaterThan(dayCount * 4);
  expect(afterwards).toEqual(byNight);
});

test('recomputed past days include software that is no longer deployed until discovery first missed it', async () => {
  const organization = await server.createOrganization();
  const { api, id: organizationId } = organization;
  const { scrapeJobIds, gatherJobIds } = await createWorld(organization, 1);
  await takeFromLoop(organizationId);
  const discovery = await api.call('createDiscoveryJob', {
    body: { name: 'deploy', repository_url: 'https://git.example.org/acme/deploy', is_active: false },
  });
  const goneId = await insertManagedScrapeJob(db, organizationId, discovery.id, '1.1.1');
  const { items: rules } = await api.call('listRules', {});
  await api.call('createAlertConfig', {
    body: { name: 'gone', scrape_job_id: goneId, gather_job_id: gatherJobIds[0]!, rule_id: rules[0]!.id },
  });
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
    SELECT ${organizationId}, ${gatherJobIds[0]!}, text, text, '2025-01-01', false
    FROM unnest(ARRAY['1.1.1', '1.2.0']) AS text`.execute(db);
  await sql`
    INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change, created_at)
    SELECT ${organizationId}, id, '1.1.1', '1.1.1', 'none', 'manual', true, pacekeeper_now() - interval '40 days'
    FROM unnest(${[scrapeJobIds[0]!, goneId]}::bigint[]) AS id`.execute(db);
  await sql`UPDATE scrape_jobs SET latest_version = '1.1.1' WHERE id = ${scrapeJobIds[0]!}`.execute(db);
  const missing = `${new Date(Date.now() - 10 * dayMs).toISOString().slice(0, 10)}T12:00:00Z`;
  await insertItems(db, organizationId, discovery.id, [
    { status: 'gone', scrape_job_id: goneId, missing_since: missing },
  ]);
  await sql`UPDATE scrape_jobs SET is_active = false WHERE id = ${goneId}`.execute(db);
  const { context } = await readContext(db, organizationId);
  const toDay = context.today - 1;
  await backfillDays(db, releaseCache, organizationId, { fromDay: toDay - 29, toDay, isAll: true });
  const { rows } = await sql<{ ago: number; things: number }>`
    SELECT (pacekeeper_now() AT TIME ZONE 'UTC')::date - day AS ago, things FROM freshness_points
    WHERE organization_id = ${organizationId} AND grouping = 'all'
      AND day < (pacekeeper_now() AT TIME ZONE 'UTC')::date ORDER BY day`.execute(db);
  expect(rows).toHaveLength(30);
  expect(rows.filter(({ things }) => things === 2).map(({ ago }) => ago)).toEqual(
    Array.from({ length: 20 }, (_, index) => 30 - index),
  );
  expect(rows.filter(({ ago }) => ago <= 10).every(({ things }) => things === 1)).toBe(true);
});
