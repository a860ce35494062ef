import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ApiClient } from '../../src/client/api-client.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

test('changes of three organizations that wait for locks leave database connections for others', async () => {
  const hostile: { api: ApiClient; jobId: number }[] = [];
  for (let index = 0; index < 3; index++) {
    const { api } = await server.createOrganization();
    const body = { name: 'service', parser_type: 'manual' } as const;
    const job = await api.call('createScrapeJob', { body });
    hostile.push({ api, jobId: job.id });
  }
  const other = await server.createOrganization();
  const waiting = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
      server.db,
    );
    return rows.length;
  };
  const { changes } = await transaction(server.db, async (tx) => {
    await sql`SELECT FROM scrape_jobs FOR UPDATE`.execute(tx);
    const changes = hostile.flatMap(({ api, jobId }) =>
      Array.from({ length: 12 }, (_, index) =>
        api.call('setScrapeJobVersion', { path: { id: jobId }, body: { version: `1.0.${index}` } }),
      ),
    );
    // The pool has ten connections, of which this test uses one.
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
    expect(await other.api.call('listRules', {})).toMatchObject({ total: 0 });
    expect(await other.api.call('createRule', { body: rule })).toMatchObject({ name: rule.name });
    expect(await waiting()).toBeLessThanOrEqual(8);
    return { changes };
  });
  expect(await Promise.all(changes)).toHaveLength(36);
});

const rule = { name: 'Majors', rule_type: 'majors_behind', thresholds: { high: 1 } } as const;
