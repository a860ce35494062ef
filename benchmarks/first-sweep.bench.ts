/**
 * Measures how long it takes to fill an installation. First, 1,000 new sources with 30 releases each are
 * created with one call after another, then another 1,000 with one applied configuration. The time runs from
 * the first call until all releases of these sources are stored; goals: 10 s and 5 s.
 *
 * Then objects of four kinds are created with one call after another. The reference is inserting the same
 * number of rows into the same tables, each in a separate transaction; goal: at least 0.4 times as many
 * objects per second. Run with `node benchmarks/first-sweep.bench.ts` (`BENCH_SOURCES=100` for a smaller
 * run).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RawBuilder, sql } from 'kysely';
import { Pool } from 'undici';
import type { Schemas } from '../src/generated/client-api.ts';
import { releasesPerSource, type SweepWorld, serveSweepRole, startSweepWorld } from './sweep-world.ts';

const sources = Number(process.env['BENCH_SOURCES'] ?? 1_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const objectsEach = 300;

async function main() {
  const world = await startSweepWorld(fileURLToPath(import.meta.url));
  try {
    const [oneByOne, atOnce] = [await sweepOneByOne(world), await sweepAtOnce(world)];
    console.table([
      { what: `${sources} sources one by one, s`, value: oneByOne, goal: 10 },
      { what: `${sources} sources with one configuration, s`, value: atOnce, goal: 5 },
    ]);
    await sql`VACUUM ANALYZE`.execute(world.db);
    const rows = [];
    for (let round = 1; round <= rounds; round++) rows.push(...(await compareCreating(world, round)));
    console.table(rows);
  } finally {
    await world.stop();
  }
}

function sourceOf({ platform }: SweepWorld, prefix: string, index: number) {
  return {
    name: `${prefix} ${index}`,
    source_type: 'github_releases',
    artifact_name: `127.0.0.1:${platform.port}/${prefix}/tool-${index}`,
    cron_expression: '17 4 * * *',
  } as const;
}

async function sweepOneByOne(world: SweepWorld): Promise<number> {
  const startedAt = performance.now();
  const post = createPoster(world);
  for (let index = 0; index < sources; index++) await post('gather-jobs', sourceOf(world, 'single', index));
  await post.close();
  await untilReleasesAreStored(world, sources * releasesPerSource);
  return secondsSince(startedAt);
}

async function sweepAtOnce(world: SweepWorld): Promise<number> {
  const { api } = world;
  const startedAt = performance.now();
  const body: Schemas['ConfigurationDocument'] = {
    gather_jobs: Array.from({ length: sources }, (_, index) => sourceOf(world, 'together', index)),
  };
  const { fingerprint } = await api.call('planConfiguration', { body });
  let state = await api.call('applyConfiguration', { query: { fingerprint }, body });
  while (state.status === 'in_progress') {
    await sleep(50);
    state = await api.call('getConfigurationApply', { path: { id: state.id } });
  }
  if (state.status !== 'succeeded') throw new Error(`the configuration ${state.status}`);
  await untilReleasesAreStored(world, 2 * sources * releasesPerSource);
  return secondsSince(startedAt);
}

async function untilReleasesAreStored({ db }: SweepWorld, count: number): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const { rows } = await sql<{ stored: number }>`SELECT count(*) AS stored FROM releases`.execute(db);
    if (rows[0]!.stored === count) return;
    if (performance.now() > deadline) throw new Error(`${rows[0]!.stored} of ${count} releases are stored`);
    await sleep(50);
  }
}

/**
 * Alternates between the API and plain inserts for each kind, so that other load on the machine affects both.
 */
async function compareCreating(world: SweepWorld, round: number) {
  const { db, organizationId: organization } = world;
  const post = createPoster(world);
  // Alert configurations must be unique, so each needs a different scrape job.
  const { rows: jobs } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type)
    SELECT ${organization}, 'deployed', 'manual' FROM generate_series(1, ${2 * objectsEach}::integer) RETURNING id`.execute(
    db,
  );
  const { rows: parts } = await sql<{ gather: number; rule: number }>`
    WITH rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      VALUES (${organization}, ${`Rule ${round}`}, 'days_behind', 30) RETURNING id)
    SELECT rule.id AS rule, (SELECT min(id) FROM gather_jobs WHERE organization_id = ${organization}) AS gather FROM rule`.execute(
    db,
  );
  const { gather, rule } = parts[0]!;
  const kinds: {
    path: string;
    body(name: string, jobId: number): object;
    insert(name: string, jobId: number): RawBuilder<unknown>;
  }[] = [
    {
      path: 'gather-jobs',
      body: (name) => ({
        name,
        source_type: 'github_releases',
        cron_expression: '@daily',
        is_active: false,
        artifact_name: `github.com/acme/${name.replaceAll(' ', '-')}`,
      }),
      insert: (name) => sql`
        INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression, is_active)
        VALUES (${organization}, ${name}, 'github_releases', ${`github.com/bare/${name}`}, 'semver', '@daily', false) RETURNING *`,
    },
    {
      path: 'scrape-jobs',
      body: (name) => ({ name, parser_type: 'manual' }),
      insert: (name) => sql`
        INSERT INTO scrape_jobs (organization_id, name, parser_type) VALUES (${organization}, ${name}, 'manual') RETURNING *`,
    },
    {
      path: 'rules',
      body: (name) => ({ name, rule_type: 'days_behind', thresholds: { moderate: 30 } }),
      insert: (name) => sql`
        INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
        VALUES (${organization}, ${name}, 'days_behind', 30) RETURNING *`,
    },
    {
      path: 'alert-configs',
      body: (name, jobId) => ({ name, scrape_job_id: jobId, gather_job_id: gather, rule_id: rule }),
      insert: (name, jobId) => sql`
        INSERT INTO alert_configs
          (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, requested_seq, due_at)
        VALUES (${organization}, ${name}, ${jobId}, ${organization}, ${gather}, ${rule}, 0, 'infinity') RETURNING *`,
    },
  ];
  const rows = [];
  for (const { path, body, insert } of kinds) {
    const [posting, inserting] = [[] as number[], [] as number[]];
    for (let index = 0; index < objectsEach; index++) {
      let startedAt = performance.now();
      await post(path, body(`${path} ${round} ${index}`, jobs[index]!.id));
      posting.push(performance.now() - startedAt);
      startedAt = performance.now();
      await db
        .transaction()
        .execute((tx) => insert(`bare ${path} ${round} ${index}`, jobs[objectsEach + index]!.id).execute(tx));
      inserting.push(performance.now() - startedAt);
    }
    const [ours, bare] = [sum(posting), sum(inserting)];
    rows.push({
      round,
      what: path,
      'ours/s': perSecond(ours),
      'bare inserts/s': perSecond(bare),
      ratio: Number((bare / ours).toFixed(2)),
      goal: 0.4,
    });
  }
  await post.close();
  return rows;
}

function createPoster({ url, token }: SweepWorld) {
  const pool = new Pool(url, { connections: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await pool.request({
      path: `/api/v1/client/${path}`,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`${path} returned ${response.statusCode}: ${text}`);
  };
  return Object.assign(post, { close: () => pool.close() });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function perSecond(ms: number): number {
  return Math.round((objectsEach * 1_000) / ms);
}

function secondsSince(startedAt: number): number {
  return Number(((performance.now() - startedAt) / 1_000).toFixed(2));
}

if (!(await serveSweepRole())) await main();
