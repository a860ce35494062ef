import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { triggerFreshness } from '../../src/modules/freshness/measuring/freshness-due.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const releases = ['1.0.0', '2.0.0', '3.0.0'].map((tag, at) => ({ tag, at: clock.daysAgo(400 - at * 100) }));

/**
 * Reasons why newer releases might be missing from a list of releases, each with a function that applies the
 * reason to a gather job.
 */
const doubts = [
  [
    'mirror_only',
    ({ api }: World) =>
      api.call('createArtifactAlias', {
        body: { name: 'Mirror', prefix: 'github.com/acme/', upstream_prefix: 'git.example.org/acme/' },
      }),
  ],
  [
    'list_incomplete',
    ({ organizationId }: World) =>
      sql`
        UPDATE gather_jobs SET list_completeness = 'incomplete', list_incomplete_since = pacekeeper_now() - interval '20 days'
        WHERE organization_id = ${organizationId}`.execute(server.db),
  ],
] as const;

type World = Awaited<ReturnType<typeof createPipelineWorld>>;

describe.each(doubts)('with a list of releases that is doubtful because of %s', (doubt, apply) => {
  /**
   * Creates a monitor of a version that was deployed 100 days ago, and makes its list of releases doubtful.
   */
  async function createDoubted(version: string) {
    const world = await createPipelineWorld(server, inbox);
    const ids = await world.createWatched({ releases, version });
    await sql`
      UPDATE versions SET created_at = pacekeeper_now() - interval '100 days'
      WHERE organization_id = ${world.organizationId}`.execute(server.db);
    await apply(world);
    await world.api.call('evaluateRules');
    await world.settled();
    return { ...world, ...ids };
  }

  async function measured({ api, organizationId }: World) {
    await transaction(server.db, (tx) => triggerFreshness(tx, organizationId));
    return vi.waitFor(
      async () => {
        const freshness = await api.call('getFreshness', { query: { metric: 'majors' } });
        expect(freshness).toMatchObject({ is_complete: true, measured_at: expect.any(String) });
        return freshness;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  const target = { name: 'Majors', metric: 'majors', limit: 1, goal_percent: 100 } as const;

  test('a version without a newer release is unknown in freshness, and doesn’t count toward a target', async () => {
    const world = await createDoubted('3.0.0');
    const { id } = await world.api.call('createFreshnessTarget', { body: target });
    const { now, points } = await measured(world);
    expect(now).toMatchObject({ things: 1, known: 0, unknown: 1, targeted: 0, within_target: 0, sum: 0 });
    const unknownDays = points.filter(({ unknown }) => unknown === 1).length;
    const knownDays = points.filter(({ known }) => known === 1).length;
    // The days before the list became incomplete are known. For a mirror, all days are unknown, because no
    // one knows since when it has been a mirror.
    expect({ unknownDays, knownDays }).toEqual(
      doubt === 'mirror_only' ? { unknownDays: 101, knownDays: 0 } : { unknownDays: 21, knownDays: 80 },
    );
    expect((await world.api.call('listFreshnessThings')).items).toMatchObject([
      { deployed_version: '3.0.0', latest_version: null, libyears: null, list_doubt: doubt },
    ]);
    expect(await world.api.call('getFreshnessTarget', { path: { id } })).toMatchObject({
      known: 0,
      unknown: 1,
      now_percent: null,
      met_since: null,
    });
  });

  test('a version with a newer release is at least as far behind, so it exceeds a target but is never within one', async () => {
    const world = await createDoubted('1.0.0');
    const { id: strictId } = await world.api.call('createFreshnessTarget', { body: target });
    const { id: looseId } = await world.api.call('createFreshnessTarget', {
      body: { ...target, name: 'Loose', limit: 2 },
    });
    expect((await measured(world)).now).toMatchObject({ known: 1, estimated: 1, sum: 2, within_target: 0 });
    expect((await world.api.call('listFreshnessThings')).items).toMatchObject([
      { latest_version: '3.0.0', majors: 2, is_estimate: true, is_within_target: false, list_doubt: doubt },
    ]);
    const read = (id: number) => world.api.call('getFreshnessTarget', { path: { id } });
    expect(await read(strictId)).toMatchObject({ known: 1, unknown: 0, out_of_target: 1 });
    expect(await read(looseId)).toMatchObject({ known: 0, unknown: 1, out_of_target: 0 });
  });

  test('a simulation excludes a version that only a complete list could confirm, and replays alerts', async () => {
    const rule = { rule_type: 'majors_behind', thresholds: { moderate: 1 } } as const;
    const current = await createDoubted('3.0.0');
    const simulate = (world: typeof current, days: number) =>
      world.api.call('simulateRule', { body: { rule, rule_id: world.ruleId, days } });
    expect(await simulate(current, 10)).toMatchObject({
      evaluated: 0,
      left_out: [{ reason: doubt, count: 1 }],
      totals: { alerts: 0 },
    });
    const behind = await createDoubted('1.0.0');
    expect(await simulate(behind, 10)).toMatchObject({
      evaluated: 1,
      left_out: [],
      totals: { open_at_end: 1 },
    });
  });

  test('a forecast has no data for a version that only a complete list could confirm', async () => {
    const current = await createDoubted('3.0.0');
    expect(await current.api.call('getForecast', {})).toMatchObject({ things: 0, no_data: 1 });
    // The alert stays open, and the forecast doesn't contain its resolution.
    const behind = await createDoubted('1.0.0');
    await behind.setVersion(behind.scrapeJobId, '3.0.0');
    await behind.settled();
    expect(await behind.api.call('getForecast', {})).toMatchObject({ things: 0, no_data: 1 });
  });

  test('the overview, the badge, and the preview of the releases never call the version up to date', async () => {
    const world = await createDoubted('3.0.0');
    // A state that a complete list has confirmed becomes stale after the usual time.
    const state = doubt === 'mirror_only' ? 'no_data' : 'stale';
    const { by_state } = (await world.api.call('getOverview', {})).alert_configs;
    expect(by_state).toMatchObject({ ok: 0, alerting: 0, [state]: 1 });
    const { url } = await world.api.call('getAlertConfigBadge', { path: { id: world.configId } });
    const badge = await (await fetch(new URL(new URL(url!).pathname, server.url))).text();
    expect(badge).toContain(state.replace('_', ' '));
    expect(
      await world.api.call('previewGatherJob', {
        body: { gather_job_id: world.gatherJobId, deployed_version: '3.0.0' },
      }),
    ).toMatchObject({ list_doubt: doubt });
  });
});
