import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transaction } from '../../src/platform/database/index.ts';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

test('searches of one organization leave database connections for others', async () => {
  const [searching, other] = [await server.createOrganization(), await server.createOrganization()];
  // Exclude the query that renews the statistics of the table, because it waits for the same lock.
  const waiting = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%pg_relation_size%'`.execute(
      server.db,
    );
    return rows.length;
  };
  const { searches } = await transaction(server.db, async (tx) => {
    // The lock makes each search slow, as reading a million releases would.
    await sql`LOCK TABLE releases IN ACCESS EXCLUSIVE MODE`.execute(tx);
    const searches = Promise.allSettled(
      Array.from({ length: 20 }, () => searching.api.call('listReleases', { query: { q: 'zzzz' } })),
    );
    await expect.poll(waiting).toBe(2);
    expect(await other.api.call('listRules', {})).toMatchObject({ total: 0 });
    expect(await searching.api.call('listRules', {})).toMatchObject({ total: 0 });
    expect(await waiting()).toBe(2);
    return { searches };
  });
  expect(await searches).toMatchObject(
    Array.from({ length: 20 }, () => ({ status: 'fulfilled', value: { total: 0 } })),
  );
});
