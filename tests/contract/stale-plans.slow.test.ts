import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import {
  addOrganization,
  type OrganizationSize,
  ownerPassword,
  smallSize,
} from '../../benchmarks/generate-installation.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { connectDatabase } from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { startTestServer, type TestQuery, testSecretKey } from '../helpers/test-server.ts';
import { hasQueryPlan, PreparedPlans, queriesOfWork } from './explained-plans.ts';
import { listVariants, readSamples } from './list-variants.ts';

const tiny: OrganizationSize = {
  ...smallSize,
  gatherJobs: 2,
  scrapeJobs: 2,
  versionsEach: 1,
  runsEach: 1,
  rules: 2,
  alertConfigs: 2,
  resolvedAlertsEach: 1,
  channels: 1,
  auditLog: 10,
};
const grown: OrganizationSize = {
  ...smallSize,
  gatherJobs: 50,
  scrapeJobs: 500,
  versionsEach: 2,
  runsEach: 2,
  rules: 50,
  alertConfigs: 1_000,
  resolvedAlertsEach: 1,
  channels: 50,
  auditLog: 1_000,
};
/** Number of rows in the largest table: releases of 50 gather jobs. */
const largest = 15_000;
const pageLength = 50;
/**
 * Tables with one row per process, reference source, or claim whose lease hasn't ended. A sequential scan is fine, and
 * their statements run at any time.
 */
const alwaysSmall = ['agents', 'servers', 'reference_sources', 'check_claims'];

/**
 * Simulates the first minutes of an installation: a connection plans its statements on nearly empty tables
 * and keeps the plans while the installation grows. Covers tables that PostgreSQL has never analyzed and
 * tables that it analyzed.
 */
describe.each([
  { seen: 'has never analyzed', analyze: false },
  { seen: 'analyzed while they were empty', analyze: true },
])('statements planned on tables that PostgreSQL $seen', async ({ analyze }) => {
  const server = await startTestServer();
  // Postpone the task, so that it runs only when the test requests it.
  await sql`UPDATE housekeeping_tasks SET due_at = pacekeeper_now() + interval '9 minutes'
    WHERE name = 'renew-statistics'`.execute(server.db);
  const oneConnection = await connectDatabase({
    connection: server.connection,
    log: createSilentLog(),
    poolSize: 1,
  });
  const plans = new PreparedPlans(oneConnection);

  const loginOf = async (number: number) => {
    const { access_token } = await server.anonymous.call('login', {
      body: { email: `owner-${number}@example.org`, password: ownerPassword },
    });
    return access_token;
  };

  /** Returns the statements of every list and of the daily work in one organization. */
  async function queriesIn(number: number, organizationId: number): Promise<Map<string, TestQuery[]>> {
    const token = await loginOf(number);
    const found = new Map<string, TestQuery[]>();
    for (const { name, url } of listVariants(await readSamples(server.db, organizationId))) {
      const queries = await server.queriesOf(async () => {
        const answer = await fetch(server.url + url, { headers: { authorization: `Bearer ${token}` } });
        expect(answer.status, `${name}: ${await answer.text()}`).toBe(200);
      });
      found.set(
        name,
        queries.filter((query) => hasQueryPlan(query) && query.parameters.includes(organizationId)),
      );
    }
    const work = await queriesOfWork(server, createApiClient({ baseUrl: server.url, token }));
    found.set('a version and runs', work.filter(hasQueryPlan));
    return found;
  }

  test('keep plans without sequential scans or quadratic joins', async () => {
    const first = await addOrganization(server.db, 1, tiny, testSecretKey);
    if (analyze) await sql`VACUUM ANALYZE`.execute(server.db);
    for (const [, queries] of await queriesIn(1, first)) {
      for (const query of queries) await plans.keep(query);
    }
    const second = await addOrganization(server.db, 2, grown, testSecretKey);
    const queries = await queriesIn(2, second);
    // Keep each statement once, because many lists send the same statements with the same values, for example to check
    // permissions.
    const everywhere = [
      ...new Map(
        [...queries].flatMap(([name, ofName]) =>
          ofName.map((query) => [JSON.stringify(query), { name, query }] as const),
        ),
      ).values(),
    ];
    expect(everywhere.length).toBeGreaterThan(150);

    let checked = 0;
    const misses = new Set<string>();
    for (const { name, query } of everywhere) {
      for (const { node, table, rows } of (await plans.run(query)) ?? []) {
        checked += 1;
        // A plan can search all rows of the organization for each row of a page, and can scan each table
        // once.
        if (rows > Math.max(largest, pageLength * grown.alertConfigs * 1.1))
          misses.add(`${name}: ${rows} rows of ${node}`);
        if (node.startsWith('Seq Scan') && !alwaysSmall.includes(table ?? '')) misses.add(`${name}: ${node}`);
      }
    }
    expect(checked).toBeGreaterThan(1_000);
    expect([...misses]).toEqual([]);

    // The next housekeeping makes every connection replan its statements with current statistics.
    await sql`UPDATE housekeeping_tasks SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()
      WHERE name = 'renew-statistics'`.execute(server.db);
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ is_done: boolean }>`
          SELECT requested_seq = processed_seq AS is_done FROM housekeeping_tasks WHERE name = 'renew-statistics'`.execute(
          server.db,
        );
        expect(rows).toEqual([{ is_done: true }]);
      },
      { timeout: 60_000, interval: 200 },
    );
    for (const { name, query } of everywhere) {
      for (const { node, rows } of (await plans.run(query)) ?? [])
        if (rows > 15_000) misses.add(`${name}: ${rows} rows of ${node}`);
    }
    expect([...misses]).toEqual([]);
    await oneConnection.destroy();
  });
});
