import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ReplaySubject, replay } from '../../src/domain/replay/replay.ts';
import { prepareReleases } from '../../src/domain/rules/release-set.ts';
import { ruleTypeIds } from '../../src/domain/rules/rule-types.ts';
import { dayMs } from '../../src/domain/rules/stored-lag.ts';
import { recordVersion } from '../../src/modules/deployed/index.ts';
import { findVersions } from '../../src/modules/upstream/releases/find-versions-job.ts';
import { recordReleases } from '../../src/modules/upstream/releases/record-releases.ts';
import { createWakeUps, transaction } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer } from '../helpers/test-server.ts';

/**
 * Number of generated worlds. A world is one organization with a source, a deployed version, and a rule, and
 * everything that happens to them during `days` days. All worlds share one clock, which stops while work is
 * processed.
 */
const worldCount = isLong ? 500 : 20;
const days = 40;
const hourMs = dayMs / 24;
const minuteMs = hourMs / 60;

const tags = [
  '0.9.0',
  '1.0.0',
  'v1.0.1',
  '1.1.0',
  '1.2.0-rc.1',
  '1.2.0',
  '1.10.0',
  '2.0.0',
  '2.0.1',
  '2.1.0',
  '3.0.0-beta.2',
  '3.0.0',
  '4.1.0',
  '1.2.0-alpine',
  '2.0.0-alpine',
  '2.0.0-alpine3.24',
  'alpine3.24',
  'cli-2.8.0',
  '1_4',
  '1_5_1',
  'nightly',
  '20260115',
];

const day = fc.integer({ min: 0, max: days - 1 });
const worlds = fc.record({
  isImage: fc.boolean(),
  scheme: fc.constantFrom('auto' as const, 'auto' as const, 'semver' as const),
  releases: fc.uniqueArray(
    fc.record({
      tag: fc.constantFrom(...tags),
      /** Index of the first list that contains the release. */
      list: fc.nat(3),
      /**
       * `null` if the source reports no date. A release can be discovered on, after, or before its release
       * date.
       */
      daysBeforeFirstList: fc.option(fc.integer({ min: -30, max: 60 }), { freq: 3 }),
      isPrerelease: fc.nat(9).map((one) => one === 0),
    }),
    { minLength: 10, maxLength: 20, selector: ({ tag }) => tag, size: 'max' },
  ),
  listDays: fc.tuple(fc.nat(3), day, day, day),
  versions: fc.array(
    fc.record({
      day,
      version: fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constantFrom('0.9.0', '1.0.0', '1.1.5', '1.2.0', '2.0.0', '1.2.0-alpine'),
        },
        { weight: 2, arbitrary: fc.constantFrom(...tags, 'unknown') },
      ),
    }),
    { minLength: 3, maxLength: 5, size: 'max' },
  ),
  rule: fc.record({
    // End-of-life dates come from reference data, which all worlds share.
    rule_type: fc.constantFrom(...ruleTypeIds.filter((type) => type !== 'end_of_life')),
    thresholds: fc.constantFrom(
      { moderate: 1, high: 2, critical: 3 },
      { moderate: 5, high: 12, critical: 20 },
      { high: 1 },
    ),
    stable_only: fc.boolean(),
    min_release_age_days: fc.constantFrom(0, 0, 3),
    isByDeployed: fc.boolean(),
  }),
  candidatePattern: fc.constantFrom(null, null, null, '^v?[0-9]'),
  ignored: fc.constantFrom([], [], ['2.0.0']),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

const server = await startTestServer();
const { db } = server;
const wakeUps = createWakeUps({
  db,
  connection: server.connection,
  log: createLog({ level: 'error', format: null }),
});

/** Sets the clock of the product to this time and stops it there. */
async function setClock(atMs: number): Promise<void> {
  await sql
    .raw(
      `CREATE OR REPLACE FUNCTION pacekeeper_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
       AS $$ SELECT timestamptz '${new Date(atMs).toISOString()}' + 0 * (statement_timestamp() - statement_timestamp()) $$`,
    )
    .execute(db);
}

interface Made {
  gatherJobId: number;
  scrapeJobId: number;
  ruleId: number;
  configId: number;
}

test(`a replay of ${worldCount} generated worlds has the same decisions as the live service, at the same millisecond`, {
  timeout: 1_200_000,
}, async () => {
  const { api, id: organizationId } = await server.createOrganization();
  const given = fc.sample(worlds, { numRuns: worldCount, seed: 20_261_122 });
  const startMs = Math.ceil(Date.now() / dayMs + 1) * dayMs;
  await setClock(startMs);

  const made = await mapConcurrently(given, async (world, index): Promise<Made> => {
    const { isByDeployed, ...rule } = world.rule;
    const [gatherJob, scrapeJob, { id: ruleId }] = await Promise.all([
      api.call('createGatherJob', {
        body: {
          name: `Job ${index}`,
          source_type: world.isImage ? 'oci_registry' : 'github_releases',
          artifact_name: `${world.isImage ? 'registry.example.com' : 'github.com'}/acme/thing-${index}`,
          version_scheme: world.scheme,
          is_active: false,
        },
      }),
      api.call('createScrapeJob', { body: { name: `Thing ${index}`, parser_type: 'manual' } }),
      api.call('createRule', {
        body: {
          name: `Rule ${index}`,
          ...rule,
          ...(rule.rule_type === 'days_behind' && {
            days_basis: isByDeployed ? ('deployed_release' as const) : ('first_newer_release' as const),
          }),
        },
      }),
    ]);
    const { id: configId } = await api.call('createAlertConfig', {
      body: {
        name: `Configuration ${index}`,
        scrape_job_id: scrapeJob.id,
        gather_job_id: gatherJob.id,
        rule_id: ruleId,
        candidate_pattern: world.candidatePattern,
        ignored_versions: [...world.ignored],
      },
    });
    return { gatherJobId: gatherJob.id, scrapeJobId: scrapeJob.id, ruleId, configId };
  });

  // Each event has a unique time, so that its world is evaluated once for each event.
  const happenings = given.flatMap((world, index) => happeningsOf(world, made[index]!, startMs));
  const byTime = Map.groupBy(happenings, ({ atMs }) => atMs);
  const endMs = startMs + (days + 30) * dayMs;
  let steps = 0;
  for (let nowMs = startMs; nowMs <= endMs; steps++) {
    await setClock(nowMs);
    await mapConcurrently(byTime.get(nowMs) ?? [], ({ happen }) => happen(organizationId));
    wakeUps.wake('alert_configs');
    wakeUps.wake('release_fan_outs');
    await settled(organizationId);
    const nextDueMs = await nextDue(organizationId);
    const nextHappeningMs = [...byTime.keys()].reduce(
      (next, atMs) => (atMs > nowMs ? Math.min(next, atMs) : next),
      Infinity,
    );
    nowMs = Math.min(nextDueMs, nextHappeningMs);
  }

  const live = await liveEvents(organizationId);
  const counts = { created: 0, escalated: 0, deescalated: 0, updated: 0, resolved: 0 };
  const differences: string[] = [];
  for (const [index, world] of given.entries()) {
    const happened = live.get(made[index]!.configId) ?? [];
    const replayed = await replayWorld(organizationId, world, made[index]!, startMs, endMs);
    for (const [, action] of happened) counts[action as keyof typeof counts]++;
    if (JSON.stringify(replayed) !== JSON.stringify(happened)) {
      differences.push(
        `${JSON.stringify(world)}\nlive ${JSON.stringify(happened)}\nreplayed ${JSON.stringify(replayed)}`,
      );
    }
  }
  console.log(
    `worlds: ${worldCount}, times: ${steps}, changes: ${JSON.stringify(counts)}, differences: ${differences.length}`,
  );
  expect(differences).toEqual([]);
  for (const [action, count] of Object.entries(counts))
    expect(count, action).toBeGreaterThan(worldCount / 12);
});

interface Happening {
  readonly atMs: number;
  readonly happen: (organizationId: number) => Promise<unknown>;
}

function happeningsOf(world: World, { gatherJobId, scrapeJobId }: Made, startMs: number): Happening[] {
  const firstListMs = startMs + world.listDays[0] * dayMs;
  const lists = world.listDays.map((listDay, list): Happening => {
    const items = world.releases
      .filter((release) => release.list === list)
      .map(({ tag, daysBeforeFirstList, isPrerelease }) => ({
        tag,
        app_version: null,
        released_at:
          daysBeforeFirstList === null
            ? null
            : new Date(firstListMs - daysBeforeFirstList * dayMs).toISOString(),
        is_prerelease: isPrerelease,
        is_yanked: false,
        url: null,
        notes: null,
      }));
    return {
      atMs: startMs + listDay * dayMs + 2 * hourMs + list * minuteMs,
      happen: (organizationId) =>
        transaction(db, (tx) =>
          recordReleases(
            tx,
            { findVersions: async (_, listed) => findVersions(listed) },
            { organizationId, jobId: gatherJobId },
            oneList(items),
            { isCompleteList: false, validators: null },
          ),
        ),
    };
  });
  const versions = world.versions.map(
    ({ day: onDay, version }, index): Happening => ({
      atMs: startMs + onDay * dayMs + hourMs + index * minuteMs,
      happen: (organizationId) =>
        transaction(db, (tx) =>
          recordVersion(tx, 'manual', {
            organizationId,
            scrapeJobId,
            rawVersion: version,
            commitSha: null,
          }),
        ),
    }),
  );
  return [...lists, ...versions];
}

async function* oneList<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  yield [...items];
}

/** Waits until no work is due or leased at the current time. */
async function settled(organizationId: number): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; await sleep(5)) {
    const { rows } = await sql<{ left: number }>`
      SELECT (SELECT count(*) FROM alert_configs WHERE organization_id = ${organizationId}
          AND (due_at <= pacekeeper_now() OR requested_seq > processed_seq OR lease_token IS NOT NULL))
        + (SELECT count(*) FROM release_fan_outs WHERE due_at < 'infinity' OR lease_token IS NOT NULL) AS left`.execute(
      db,
    );
    if (Number(rows[0]!.left) === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0]!.left} are still due`);
  }
}

async function nextDue(organizationId: number): Promise<number> {
  const { rows } = await sql<{ at_ms: number | null }>`
    SELECT (extract(epoch FROM min(due_at)) * 1000)::float8 AS at_ms FROM alert_configs
    WHERE organization_id = ${organizationId} AND due_at < 'infinity'`.execute(db);
  return rows[0]!.at_ms ?? Infinity;
}

type Event = [atMs: number, action: string, to: string | null];

async function liveEvents(organizationId: number): Promise<Map<number, Event[]>> {
  const { rows } = await sql<{ config_id: number; at_ms: number; action: string; to_value: string | null }>`
    SELECT a.alert_config_id AS config_id, e.action, e.to_value,
      (extract(epoch FROM e.created_at) * 1000)::float8 AS at_ms
    FROM audit_entries e
    JOIN alerts a ON a.organization_id = e.organization_id AND a.id = e.alert_id
    WHERE e.organization_id = ${organizationId}
      AND e.action IN ('created', 'updated', 'escalated', 'deescalated', 'resolved')
    ORDER BY e.id`.execute(db);
  const byConfig = new Map<number, Event[]>();
  for (const { config_id, at_ms, action, to_value } of rows) {
    byConfig.set(config_id, [...(byConfig.get(config_id) ?? []), [at_ms, action, to_value]]);
  }
  return byConfig;
}

/** Replays a world from its stored data, which is the input of the live service. */
async function replayWorld(
  organizationId: number,
  world: World,
  { gatherJobId, scrapeJobId }: Made,
  fromMs: number,
  toMs: number,
): Promise<Event[]> {
  const releases = await db
    .selectFrom('releases')
    .select(['version', 'released_at', 'discovered_at', 'is_prerelease', 'is_yanked', 'is_withdrawn', 'url'])
    .where('organization_id', '=', organizationId)
    .where('gather_job_id', '=', gatherJobId)
    .execute();
  const versions = await db
    .selectFrom('versions')
    .select(['version', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('scrape_job_id', '=', scrapeJobId)
    .where('is_change', '=', true)
    .orderBy('id')
    .execute();
  const { candidatePattern: source, ignored, rule } = world;
  const pattern = source === null ? null : new RegExp(source);
  const subject: ReplaySubject = {
    rule: {
      type: rule.rule_type,
      thresholds: rule.thresholds,
      stableOnly: rule.stable_only,
      daysBasis: rule.isByDeployed ? 'deployed_release' : 'first_newer_release',
      minReleaseAgeDays: rule.min_release_age_days,
    },
    options: {
      candidatePattern:
        source === null || pattern === null ? null : { source, matches: (version) => pattern.test(version) },
      ignoredVersions: ignored,
    },
    versions: versions.map(({ version, created_at }) => ({ version, atMs: created_at.getTime() })),
  };
  const rows = releases.map((row) => ({
    version: row.version,
    releasedAtMs: row.released_at?.getTime() ?? null,
    discoveredAtMs: row.discovered_at.getTime(),
    isPrerelease: row.is_prerelease,
    isYanked: row.is_yanked,
    isWithdrawn: row.is_withdrawn,
    url: row.url,
  }));
  const set = prepareReleases(world.scheme, rows, { isImage: world.isImage });
  const events: Event[] = [];
  for (const { atMs, decision } of replay({
    releases: set,
    birth: 'seen',
    fromMs,
    toMs,
    subjects: [subject],
  })) {
    for (const write of [decision.openAlert, decision.newAlert]) {
      for (const { action, to } of write?.changes ?? []) events.push([atMs, action, to]);
    }
  }
  return events;
}

/** Processes a few items at the same time and returns the results in the order of the items. */
async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 4) {
    const some = items.slice(at, at + 4).map((item, index) => work(item, at + index));
    results.push(...(await Promise.all(some)));
  }
  return results;
}
