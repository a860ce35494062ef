import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { claimDueRows } from '../../../platform/due-rows/index.ts';
import { deleteChannel } from '../channels/channel-queries.ts';
import { readChannelStats } from '../channels/channel-stats.ts';
import { cancelDeliveriesOfChannel } from './model/close-deliveries.ts';
import {
  archiveRuleMatchesAcrossOrganizations,
  cancelOldWaitingDeliveriesAcrossOrganizations,
  deleteOldDeliveriesAcrossOrganizations,
} from './model/delete-old-deliveries.ts';
import { dueChannelsTable } from './model/due-channels-table.ts';
import { readDueDeliveriesAcrossOrganizations } from './model/pick-deliveries.ts';
import { isNextToClaim } from './worker/choose-channels.ts';
import { InFlightTracker } from './worker/in-flight.ts';
import { startWaitingDeliveries } from './worker/retry-deliveries.ts';

const { db, statementsOf } = await createTestDatabase();

/**
 * Inserts two large organizations and 300 small ones, as in production. The planner's statistics contain the average,
 * which matches neither kind of organization. Half of the 20,000 deliveries are older than the retention.
 */
beforeAll(async () => {
  await sql`INSERT INTO organizations (name) SELECT 'o' || n FROM generate_series(1, 302) n`.execute(db);
  // IDs start at 2, because the first organization is Global.
  const organization = sql`CASE WHEN n % 10 < 9 THEN 2 + n % 2 ELSE 4 + n / 10 % 300 END`;
  await sql`
    INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked, due_at)
    SELECT ${organization}, 'c', '', '', pacekeeper_now() + interval '1 day' FROM generate_series(1, 6000) n`.execute(
    db,
  );
  await sql`
    INSERT INTO notification_rules (organization_id, name)
    SELECT organization_id, 'r' FROM (SELECT DISTINCT organization_id FROM notification_channels) AS used`.execute(
    db,
  );
  await sql`
    INSERT INTO audit_entries (organization_id, action, event_type, event_id, actor_type, actor_name, created_at)
    SELECT ${organization}, 'created', 'alert.created', gen_random_uuid(), 'system', 'Pacekeeper',
      pacekeeper_now() - (20000 - n) * interval '13 minutes'
    FROM generate_series(1, 20000) n`.execute(db);
  await sql`
    INSERT INTO notification_deliveries
      (organization_id, channel_id, channel_name, audit_entry_id, event_id, event_type, status, max_attempts, duration_ms,
       body_sealed, completed_at, created_at)
    SELECT e.organization_id, c.id, 'c', e.id, e.event_id, e.event_type, 'succeeded', 12, 30,
      decode(repeat('ab', 500), 'hex'), e.created_at, e.created_at
    FROM audit_entries e
    JOIN (SELECT organization_id, min(id) AS id FROM notification_channels GROUP BY organization_id) c USING (organization_id)`.execute(
    db,
  );
  await sql`
    INSERT INTO notification_rule_matches (organization_id, notification_rule_id, event_id, matched_at)
    SELECT r.organization_id, r.id, e.event_id, e.created_at
    FROM audit_entries e JOIN notification_rules r USING (organization_id)`.execute(db);
  await sql`VACUUM ANALYZE`.execute(db);
});

/** Returns the number of rows of a table that `work` reads, with any access method. */
async function rowsRead(table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return transaction(db, async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = ${table}`.execute(
        tx,
      );
      return rows[0]!.count;
    };
    // PostgreSQL might not have reported the reads of earlier statements of this connection yet.
    const before = await count();
    await work(tx);
    return (await count()) - before;
  });
}

/** Returns the generic plan of the only statement of `work`. */
async function planOf(work: () => Promise<unknown>): Promise<string> {
  const statements = (await statementsOf(work)).filter((text) => /notification_/.test(text));
  expect(statements).toHaveLength(1);
  const { rows } = await sql
    .raw<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statements[0]}`)
    .execute(db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('the rows that statements about deliveries read', () => {
  test('a claim reads only due channels', async () => {
    const where = isNextToClaim(new InFlightTracker(), 64);
    const plan = await planOf(() => claimDueRows(db, dueChannelsTable, { limit: 64, leaseMs: 1_000, where }));
    expect(plan).toContain('using notification_channels_due');
    expect(plan).not.toContain('Seq Scan on notification_channels');
  });

  test('retention deletes the oldest deliveries without reading all expired ones', async () => {
    const read = await rowsRead('notification_deliveries', async (tx) => {
      expect(await deleteOldDeliveriesAcrossOrganizations(tx, 100)).toBe(100);
    });
    // PostgreSQL counts a row each time it is found, locked, deleted, or checked by a foreign key.
    expect(read).toBeLessThan(1_000);
  });

  test("archiving rule matches doesn't read the matches that it keeps", async () => {
    const read = await rowsRead('notification_rule_matches', async (tx) => {
      // The limit is low because PostgreSQL prefers a full scan of a table of this size to a hundred lookups
      // by key.
      expect(await archiveRuleMatchesAcrossOrganizations(tx, 10)).toBe(10);
    });
    expect(read).toBeLessThan(1_000);
  });

  test('finding the pending deliveries of a channel reads no final ones', async () => {
    const { rows } = await sql<{ organization_id: number; channel_id: number }>`
      SELECT organization_id, channel_id FROM notification_deliveries
      GROUP BY organization_id, channel_id ORDER BY count(*) DESC LIMIT 1`.execute(db);
    const { organization_id: organizationId, channel_id: channelId } = rows[0]!;
    const read = await rowsRead('notification_deliveries', async (tx) => {
      expect(await cancelOldWaitingDeliveriesAcrossOrganizations(tx, 100)).toBe(0);
      await startWaitingDeliveries(tx, organizationId, channelId);
    });
    // Allow a few rows, because the planner can read the end of an index.
    expect(read).toBeLessThan(5);
  });

  test('the statistics of a channel are read without the message bodies', async () => {
    const plan = await planOf(() => readChannelStats(db, 2, 1, 30));
    expect(plan).toContain('Index Only Scan using notification_deliveries_by_channel');
  });

  test('deleting a channel never reads its past deliveries', async () => {
    const { rows } = await sql<{ organization_id: number; id: number }>`
      SELECT organization_id, channel_id AS id FROM notification_deliveries
      GROUP BY organization_id, channel_id ORDER BY count(*) DESC LIMIT 1`.execute(db);
    const { organization_id: organizationId, id } = rows[0]!;
    const read = await rowsRead('notification_deliveries', async (tx) => {
      await cancelDeliveriesOfChannel(tx, organizationId, id, 'channel_deleted');
      await deleteChannel(tx, organizationId, id);
    });
    expect(read).toBe(0);
  });
});

test('thousands of resolutions of deleted alerts that wait for a digest are not compared with each other', async () => {
  const { rows } = await sql<{ organization_id: number; id: number }>`
    SELECT organization_id, min(id) AS id FROM notification_channels WHERE organization_id = 2 GROUP BY 1`.execute(
    db,
  );
  const { organization_id, id } = rows[0]!;
  await sql`
    INSERT INTO notification_deliveries
      (organization_id, channel_id, channel_name, audit_entry_id, event_id, event_type, max_attempts, next_attempt_at)
    SELECT ${organization_id}, ${id}, 'c', (SELECT min(id) FROM audit_entries WHERE organization_id = ${organization_id}),
      gen_random_uuid(), CASE n WHEN 0 THEN 'digest' ELSE 'alert.resolved' END, 12,
      pacekeeper_now() + CASE n WHEN 0 THEN interval '1 hour' ELSE interval '0' END
    FROM generate_series(0, 3000) n`.execute(db);
  const turns = [{ organizationId: organization_id, channelId: id, maxCount: 4 }];
  const read = await rowsRead('notification_deliveries', async (tx) => {
    expect(await readDueDeliveriesAcrossOrganizations(tx, turns)).toEqual([]);
  });
  expect(read).toBeLessThan(10_000);
});
