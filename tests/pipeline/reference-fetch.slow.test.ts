import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { configureReferenceSources, confirmWaitingLoad } from '../../src/modules/reference/index.ts';
import { moveRunsToYesterday } from '../helpers/move-runs-to-yesterday.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { startFakeEndoflife } from '../helpers/upstreams/fake-endoflife.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld, until } from './pipeline-world.ts';

const upstream = await startFakeEndoflife();
const inbox = await createWebhookInbox();
afterAll(() => Promise.all([upstream.close(), inbox.close()]));
const server = await startTestServer({
  PACEKEEPER_EMBEDDED_AGENT: 'true',
  PACEKEEPER_REFERENCE_DATA: 'on',
  PACEKEEPER_END_OF_LIFE_URL: upstream.url,
});
const { db } = server;
const clock = createClock(server);
const day = 24 * 60;
const dayIn = (days: number) => clock.daysAgo(-days).slice(0, 10);

const noUrls = { end_of_life: null, epss: null, known_exploited: null, vulnerabilities: null };

interface EndedRun {
  id: number;
  status: string;
  error_code: string | null;
  error_message: string | null;
  summary: { not_modified?: boolean; found?: number; warnings?: string[] } | null;
}

/** Returns undefined while the server hasn't scheduled its first run. */
async function newestRun(): Promise<(EndedRun & { attempt: number }) | undefined> {
  const { rows } = await sql<EndedRun & { attempt: number }>`
    SELECT id, status, error_code, error_message, summary, attempt FROM runs
    WHERE kind = 'reference'
      AND reference_source_id = (SELECT id FROM reference_sources WHERE name = 'end_of_life')
    ORDER BY id DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** Moves the due time of a scheduled run to the current time and waits until an attempt of it has ended. */
async function fetchNow(): Promise<EndedRun> {
  const before = (await newestRun())?.id ?? 0;
  // Moving the clock can start a retry, and the schedule adds no run while an earlier one is open, so cancel earlier
  // runs.
  await until('no earlier run is open', async () => {
    await sql`UPDATE runs SET status = 'canceled'
      WHERE kind = 'reference' AND status = 'queued' AND id <= ${before}`.execute(db);
    const { rows } = await sql`SELECT id FROM runs
      WHERE kind = 'reference' AND status = 'in_progress' AND id <= ${before}`.execute(db);
    return rows.length === 0;
  });
  await moveRunsToYesterday(db);
  await sql`UPDATE reference_sources SET due_at = pacekeeper_now() WHERE name = 'end_of_life'`.execute(db);
  await sql`SELECT pg_notify('pacekeeper_wake', 'reference_sources')`.execute(db);
  return until('the data was fetched', async () => {
    const run = await newestRun();
    if (run === undefined || run.id <= before) return false;
    return (!['queued', 'in_progress'].includes(run.status) || run.error_code !== null) && run;
  });
}

/** Publishes products with the current time as their date. */
function publish(products: Record<string, readonly (readonly [string, string | boolean])[]>): void {
  upstream.generatedAt = clock.inMinutes(0);
  upstream.products = new Map(Object.entries(products));
}

const storedProducts = async () =>
  (await sql<{ name: string }>`SELECT name FROM lifecycle_products ORDER BY name`.execute(db)).rows.map(
    ({ name }) => name,
  );

const rule = { rule_type: 'end_of_life', thresholds: { moderate: 180, high: 60, critical: 0 } } as const;

async function createSupported(count = 1) {
  const world = await createPipelineWorld(server, inbox);
  await world.api.call('putOrgOverride', { path: { key: 'agents.use_embedded' }, body: { value: false } });
  const gatherJobId = await world.createGatherJob([{ tag: '14.2', at: clock.daysAgo(400) }], {
    lifecycle_product: 'postgresql',
  });
  const scrapeJobId = await world.createManualJob();
  const ruleId = await world.createRule(rule);
  for (let made = 0; made < count; made++) await world.createConfig({ scrapeJobId, gatherJobId, ruleId });
  await world.setVersion(scrapeJobId, '14.2');
  await world.settled();
  return world;
}

beforeEach(async () => {
  upstream.intercept = null;
  // Disable the configurations of other tests. All tests share the data, so changes would also affect them.
  await sql`UPDATE alert_configs SET is_active = false, state = 'inactive'`.execute(db);
  publish({
    postgresql: [
      ['18', '2090-11-14'],
      ['14', dayIn(300)],
    ],
  });
  await fetchNow();
  await confirmWaitingLoad(db, 'end_of_life');
});

describe('an agent that fetches end-of-life data', () => {
  test('opens an alert when the data changes, and sends conditional requests', async () => {
    const world = await createSupported();
    expect(await world.openAlert()).toBeUndefined();
    publish({
      postgresql: [
        ['18', '2090-11-14'],
        ['14', dayIn(100)],
      ],
    });
    expect(await fetchNow()).toMatchObject({
      status: 'succeeded',
      summary: { found: 1, not_modified: false },
    });
    await world.settled();
    expect(await world.openAlert()).toMatchObject({ severity: 'moderate', reason: 'end_of_life' });
    expect(world.heardTypes()).toEqual(['alert.created']);

    const { rows: before } =
      await sql`SELECT as_of, loaded_at FROM reference_sources WHERE name = 'end_of_life'`.execute(db);
    expect(await fetchNow()).toMatchObject({ status: 'succeeded', summary: { not_modified: true } });
    expect(upstream.requests.at(-1)!.headers['if-none-match']).toMatch(/^W\//);
    expect(upstream.requests.at(-1)!.headers['authorization']).toBeUndefined();
    const { rows: after } =
      await sql`SELECT as_of, loaded_at FROM reference_sources WHERE name = 'end_of_life'`.execute(db);
    expect(after).toEqual(before);
    const [source] = (await world.api.call('listReferenceSources', {})).items;
    expect(source).toMatchObject({ is_fetched: true, fetch_error: null, waiting: null });
    expect(source!.fetched_at).not.toBeNull();
    // The data is fetched once a day.
    const { rows } = await sql<{ hours: number }>`
      SELECT extract(epoch FROM due_at - pacekeeper_now())::float8 / 3600 AS hours FROM reference_sources WHERE name = 'end_of_life'`.execute(
      db,
    );
    expect(rows[0]!.hours).toBeGreaterThan(23.9);
    expect(rows[0]!.hours).toBeLessThanOrEqual(24);
  });

  test.each([
    ["a response that isn't JSON", '<html>Log in to the proxy</html>', 'invalid_index'],
    ['unexpected JSON', '{"result": "nothing", "generated_at": "2026-11-23T00:00:00Z"}', 'invalid_index'],
    [
      'an incomplete list',
      '{"generated_at": "2026-11-23T00:00:00Z", "total": 1, "result": [{"name": "a',
      'invalid_index',
    ],
    [
      'fewer products than it states',
      '{"generated_at": "2026-11-23T00:00:00Z", "total": 3, "result": [{"name": "a", "releases": []}]}',
      'invalid_index',
    ],
    ['data without a date', '{"total": 1, "result": [{"name": "a", "releases": []}]}', 'invalid_index'],
    ['deep nesting', `{"result": [{"name": ${'['.repeat(100_000)}`, 'invalid_index'],
    ['a product that never ends', `{"result": [{"name": "${'a'.repeat(5_000_000)}`, 'too_large'],
    ['more than 16 MiB', ' '.repeat(17 * 1024 * 1024), 'too_large'],
    [
      'data from the future',
      '{"generated_at": "2126-11-23T00:00:00Z", "total": 1, "result": [{"name": "a", "releases": []}]}',
      'invalid_index',
    ],
    [
      'data that is older than the stored data',
      '{"generated_at": "2020-01-01T00:00:00Z", "total": 1, "result": [{"name": "a", "releases": []}]}',
      'outdated',
    ],
  ])('keeps the stored data when it receives %s', async (_, body, code) => {
    upstream.intercept = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', etag: '"wrong"' }).end(body);
      return true;
    };
    const run = await fetchNow();
    expect(run).toMatchObject({ status: 'failed', error_code: code });
    expect(await storedProducts()).toEqual(['postgresql']);
    const { api } = await server.createOrganization();
    expect((await api.call('listReferenceSources', {})).items[0]).toMatchObject({ fetch_error: code });
    // The ETag of an unused response must not be sent in a conditional request.
    upstream.intercept = null;
    publish({ postgresql: [['18', '2090-11-14']], valkey: [['9', false]] });
    expect(await fetchNow()).toMatchObject({ status: 'succeeded', error_code: null });
    expect(upstream.requests.at(-1)!.headers['if-none-match']).not.toBe('"wrong"');
    expect(await storedProducts()).toEqual(['postgresql', 'valkey']);
  });

  test('keeps the stored data when a response is truncated, and retries', async () => {
    upstream.intercept = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"generated_at": "2126-11-23T00:00:00Z", "total": 1, "result": []');
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    expect(await fetchNow()).toMatchObject({ status: 'queued', error_code: 'unreachable' });
    expect(await storedProducts()).toEqual(['postgresql']);
  });

  test('requires a confirmation for data that changes many results', async () => {
    const world = await createSupported(25);
    const other = await server.createOrganization();
    publish({
      postgresql: [
        ['18', '2090-11-14'],
        ['14', true],
      ],
    });
    const asOf = upstream.generatedAt;
    const run = await fetchNow();
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(run.summary!.warnings).toEqual([expect.stringContaining('admin confirm-reference end_of_life')]);
    await world.api.call('evaluateRules');
    const severities = async () => (await world.api.call('getAlertSummary')).by_severity;
    expect(await severities()).toEqual({ moderate: 0, high: 0, critical: 0 });
    const waitingOf = async ({ api }: Pick<typeof other, 'api'>) =>
      (await api.call('listReferenceSources', {})).items[0]!.waiting;
    expect(await waitingOf(world)).toMatchObject({ as_of: asOf, changed: 25, total: 25 });
    expect(await waitingOf(other)).toMatchObject({ as_of: asOf, changed: 0, total: 0 });
    expect((await world.api.call('getOverview')).reference_sources).toMatchObject([
      { waiting: { changed: 25 } },
    ]);

    // The waiting data isn't downloaded a second time, and newer data replaces it.
    expect(await fetchNow()).toMatchObject({ summary: { not_modified: true } });
    expect(await waitingOf(world)).toMatchObject({ as_of: asOf });
    publish({
      postgresql: [
        ['18', '2090-11-14'],
        ['14', dayIn(-1)],
      ],
    });
    await fetchNow();
    const waiting = (await waitingOf(world))!;
    expect(waiting.as_of).toBe(upstream.generatedAt);
    expect(Date.parse(waiting.since)).toBeLessThan(Date.parse(waiting.as_of));
    expect(await confirmWaitingLoad(db, 'end_of_life')).toMatchObject({
      outcome: 'loaded',
      products: 1,
      lines: 2,
      changed: 1,
      asOfMs: Date.parse(waiting.as_of),
    });
    await world.settled();
    expect(await severities()).toEqual({ moderate: 0, high: 0, critical: 25 });
    expect(await waitingOf(world)).toBeNull();
    expect(await confirmWaitingLoad(db, 'end_of_life')).toEqual({ outcome: 'none' });
  });

  test('discards the waiting data when newer data changes few results', async () => {
    const world = await createSupported(25);
    publish({
      postgresql: [
        ['18', '2090-11-14'],
        ['14', true],
      ],
    });
    await fetchNow();
    publish({
      postgresql: [
        ['18', '2090-11-14'],
        ['14', dayIn(310)],
      ],
    });
    await fetchNow();
    const [source] = (await world.api.call('listReferenceSources', {})).items;
    expect(source).toMatchObject({ waiting: null, as_of: upstream.generatedAt });
    expect(await confirmWaitingLoad(db, 'end_of_life')).toEqual({ outcome: 'none' });
  });

  test('fetches only while the operator sets a URL, and fetches everything again from a new URL', async () => {
    const dueAt = async () =>
      (
        await sql<{
          due_at: Date | number;
        }>`SELECT due_at FROM reference_sources WHERE name = 'end_of_life'`.execute(db)
      ).rows[0]!.due_at;
    await configureReferenceSources(db, noUrls);
    expect(await dueAt()).toBe(Number.POSITIVE_INFINITY);
    const { api } = await server.createOrganization();
    expect((await api.call('listReferenceSources', {})).items[0]).toMatchObject({
      is_fetched: false,
      fetch_error: null,
    });
    const mirror = await startFakeEndoflife();
    try {
      mirror.generatedAt = clock.inMinutes(0);
      mirror.products = new Map([...upstream.products, ['redis', [['8', false]]]]);
      const before = (await newestRun())?.id ?? 0;
      await configureReferenceSources(db, { ...noUrls, end_of_life: mirror.url });
      await until('the mirror was read', async () => {
        const run = await newestRun();
        return run !== undefined && run.id > before && run.status === 'succeeded';
      });
      // Validators from another URL must not be sent to the mirror.
      expect(mirror.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined]);
      expect(await storedProducts()).toEqual(['postgresql', 'redis']);
    } finally {
      await mirror.close();
      await configureReferenceSources(db, { ...noUrls, end_of_life: upstream.url });
    }
  });

  test('opens and resolves no alerts while the source is unavailable for a year, then catches up', async () => {
    const world = await createSupported();
    const events = world.heardTypes();
    upstream.intercept = (_request, response) => {
      response.writeHead(503).end('away');
      return true;
    };
    for (let month = 0; month < 12; month++) {
      await clock.pass(31 * day);
      await fetchNow();
      await world.api.call('evaluateRules');
    }
    await world.settled();
    expect(world.heardTypes()).toEqual(events);
    const [source] = (await world.api.call('listReferenceSources', {})).items;
    expect(source).toMatchObject({ is_old: true, fetch_error: 'upstream_error' });
    upstream.intercept = null;
    publish({
      postgresql: [
        ['18', '2090-11-14'],
        ['14', dayIn(-72)],
      ],
    });
    expect(await fetchNow()).toMatchObject({ status: 'succeeded' });
    await world.settled();
    expect(await world.openAlert()).toMatchObject({ severity: 'critical' });
  });
});
