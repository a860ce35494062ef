import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import { isLong } from '../helpers/long-tests.ts';
import { startFakeGithub } from '../helpers/upstreams/fake-github.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createControlledAgent } from '../pipeline/pipeline-world.ts';
import { checkEveryEventArrived, waitUntilNothingPending } from './check-deliveries.ts';
import {
  clientOf,
  createKey,
  reportCounts,
  sharedDatabaseEnvironment,
  startServerProcess,
  until,
} from './fault-world.ts';
import { createWatchedService } from './watched-service.ts';

const { db, connection } = await createTestDatabase();
const env = { ...sharedDatabaseEnvironment(connection), PACEKEEPER_EMBEDDED_AGENT: 'true' };
const inbox = await createWebhookInbox();
const github = await startFakeGithub();
afterAll(() => Promise.all([inbox.close(), github.close()]));

/** Maximum duration of a stop, including the exit of the process. */
const stopWithinMs = 25_000;

const dueTables = [
  'gather_jobs',
  'scrape_jobs',
  'helm_sync_jobs',
  'release_fan_outs',
  'digest_fan_outs',
  'release_moves',
  'alert_configs',
  'notification_channels',
  'silenced_alerts',
  'notification_deliveries',
  'housekeeping_tasks',
  'runs',
];

/** Returns the number of leased rows by table. */
async function heldRows(): Promise<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const table of dueTables) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM ${sql.table(table)} WHERE lease_token IS NOT NULL`.execute(db);
    if (rows[0]!.count > 0) held[table] = rows[0]!.count;
  }
  return held;
}

async function createService(configs: number) {
  const server = await startServerProcess(env);
  const { organizationId, apiKey } = await createKey(db, server);
  const api = clientOf(server, apiKey);
  // Disable the embedded agent, so that it doesn't claim the runs that the test processes.
  await api.call('putOrgOverride', { path: { key: 'agents.use_embedded' }, body: { value: false } });
  const service = await createWatchedService(db, api, inbox, { configs, channels: 2 });
  await api.call('deleteOrgOverride', { path: { key: 'agents.use_embedded' } });
  await waitUntilNothingPending(db, organizationId);
  return { server, organizationId, apiKey, api, ...service };
}

/**
 * Sends SIGTERM.
 * @returns The time until the process exited, in milliseconds.
 */
async function stop(server: Awaited<ReturnType<typeof startServerProcess>>): Promise<number> {
  const startedAt = performance.now();
  expect(await server.stop()).toBe(0);
  const tookMs = Math.round(performance.now() - startedAt);
  expect(tookMs).toBeLessThan(stopWithinMs);
  return tookMs;
}

describe('SIGTERM', () => {
  test('finishes the work in flight, releases all leases, and exits with 0, and the next server continues the rest', async () => {
    const { server, organizationId, apiKey, api, scrapeJobId, publish, channelNames } =
      await createService(60);
    await api.call('putOrgOverride', { path: { key: 'agents.use_embedded' }, body: { value: false } });
    await publish(api, 2);
    await waitUntilNothingPending(db, organizationId);
    await api.call('deleteOrgOverride', { path: { key: 'agents.use_embedded' } });
    // Keep the server busy with slow receivers, runs that wait for an unresponsive upstream, a long poll, and
    // requests in flight.
    inbox.answerAlways({ status: 200, afterMs: 700 });
    const asked: string[] = [];
    github.intercept = (request) => asked.push(request.url ?? '') > 0;
    for (let index = 0; index < 5; index++) {
      await api.call('createGatherJob', {
        body: {
          name: `slow ${index}`,
          source_type: 'github_releases',
          artifact_name: `${github.host}/acme/slow-${index}`,
        },
      });
    }
    await until('the agent asks the upstream', async () => asked.length >= 2);
    const before = inbox.requests.length;
    await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '2.0.0' } });
    await inbox.waitFor(before + 8);
    const poll = createControlledAgent(api)
      .claim('scrape', 1)
      .catch((error: unknown) => error);
    const answered = Promise.allSettled(Array.from({ length: 20 }, () => api.call('listAlerts')));

    const tookMs = await stop(server);
    for (const answer of await answered) expect(answer.status).toBe('fulfilled');
    expect(await poll).toBeInstanceOf(Error);
    expect(await heldRows()).toEqual({});
    const { rows } = await sql<{ status: string; attempt: number }>`
      SELECT status, max(attempt) AS attempt FROM runs WHERE status IN ('queued', 'in_progress') GROUP BY status`.execute(
      db,
    );
    expect(rows.map((row) => row.status)).toEqual(['queued']);
    const sent = inbox.requests.length - before;

    inbox.answerAlways({ status: 200 });
    github.intercept = null;
    for (let index = 0; index < 5; index++)
      github.repositories.set(`acme/slow-${index}`, [{ tag: '1.0.0', publishedAt: '2026-01-01T00:00:00Z' }]);
    const next = await startServerProcess(env);
    await waitUntilNothingPending(db, organizationId);
    const found = await checkEveryEventArrived(db, organizationId, channelNames, inbox.requests);
    expect(found.duplicates).toBe(0);
    const later = clientOf(next, apiKey);
    await later.call('listGatherJobs');
    reportCounts('stopped in the middle of its work', {
      'ms until the end': tookMs,
      'webhooks before the end': sent,
      ...found,
    });
    await stop(next);
  });

  test.runIf(isLong)(
    'aborts deliveries that do not finish within 20 s, and the next server retries them',
    async () => {
      const { server, organizationId, api, publish } = await createService(1);
      await api.call('putOrgOverride', { path: { key: 'agents.use_embedded' }, body: { value: false } });
      await api.call('putOrgOverride', { path: { key: 'delivery.timeout_seconds' }, body: { value: 30 } });
      inbox.answerNext({ kind: 'silence' }, { kind: 'silence' });
      const before = inbox.requests.length;
      await publish(api, 2);
      await inbox.waitFor(before + 2);
      const tookMs = await stop(server);
      expect(await heldRows()).toEqual({});
      const next = await startServerProcess(env);
      await waitUntilNothingPending(db, organizationId);
      const ids = inbox.requests.slice(before).map((request) => request.id);
      expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
      reportCounts("stopped while a receiver doesn't respond", { 'ms until the end': tookMs });
      await stop(next);
    },
  );

  test('immediately after the start, or followed by a second signal, also ends the process', async () => {
    const server = await startServerProcess(env);
    server.program.process.kill('SIGTERM');
    expect(await server.program.exited).toBe(0);
    const impatient = await startServerProcess(env);
    impatient.program.process.kill('SIGTERM');
    impatient.program.process.kill('SIGINT');
    // A second signal forces an immediate exit, so the exit code can be 1.
    expect([0, 1]).toContain(await impatient.program.exited);
  });
});
