import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';

type Subject =
  | 'alerts'
  | 'alert_days'
  | 'alert_configs'
  | 'jobs'
  | 'failed_jobs'
  | 'rule_uses'
  | 'delivery_hours';

/**
 * The number of rows of each kind. Triggers add the difference in the transaction of each change, so the sum is always
 * correct for every reader.
 */
export async function readRowCounts(
  db: Database,
  organizationId: number,
  subject: Subject,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`
    SELECT kind, sum(amount)::bigint AS count FROM row_counts
    WHERE organization_id = ${organizationId} AND subject = ${subject} GROUP BY kind`.execute(db);
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/**
 * Folds added differences into one row for each kind, at most `limit` rows at a time. Concurrent calls are safe: each
 * adds only the rows that it deleted.
 *
 * @returns The number of folded rows.
 */
export async function foldRowCountsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    WITH taken AS (
      SELECT organization_id, id, subject, kind FROM row_counts WHERE NOT is_folded
      ORDER BY organization_id, id LIMIT ${limit}
    ), folded AS (
      SELECT total.organization_id, total.id
      FROM (SELECT DISTINCT organization_id, subject, kind FROM taken) AS kinds
      JOIN row_counts total USING (organization_id, subject, kind) WHERE total.is_folded
    ), gone AS (
      DELETE FROM row_counts USING (SELECT organization_id, id FROM taken UNION ALL SELECT * FROM folded) AS old
      WHERE row_counts.organization_id = old.organization_id AND row_counts.id = old.id
      RETURNING row_counts.organization_id, subject, kind, amount
    ), added AS (
      INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
      SELECT organization_id, subject, kind, sum(amount), true FROM gone GROUP BY 1, 2, 3 HAVING sum(amount) <> 0
    )
    SELECT count(*) AS taken FROM taken`.execute(tx);
  return rows[0]!.taken;
}

export interface WrongCount {
  subject: string;
  kind: string;
  /** The difference between the actual and the stored count. */
  amount: number;
}

/**
 * Counts the rows of an organization and corrects wrong counts. Uses a single statement, so concurrent changes are in both
 * compared numbers or in neither.
 *
 * @returns The wrong counts. Normally none.
 */
export async function recountRows(tx: Tx, organizationId: number): Promise<WrongCount[]> {
  const { rows } = await sql<WrongCount>`
    WITH found AS (
      SELECT 'alerts' AS subject, alert_kind(severity, acknowledged_at, resolved_at) AS kind, 1 AS amount
      FROM alerts WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'alert_days', kind, 1
      FROM alerts CROSS JOIN LATERAL (
        VALUES (alert_day(created_at, 'opened')), (alert_day(resolved_at, 'resolved'))
      ) AS days (kind)
      WHERE organization_id = ${organizationId} AND kind IS NOT NULL
      UNION ALL
      SELECT 'alert_configs', alert_config_kind(state, state_reason), 1
      FROM alert_configs WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'rule_uses', rule_id::text, 1
      FROM alert_configs WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'jobs', job_kind(kind, is_active), 1 FROM (
        SELECT organization_id, is_active, 'gather' AS kind FROM gather_jobs
        UNION ALL SELECT organization_id, is_active, 'scrape' FROM scrape_jobs
        UNION ALL SELECT organization_id, is_active, 'helm_sync' FROM helm_sync_jobs
        UNION ALL SELECT organization_id, is_active, 'discovery' FROM discovery_jobs
      ) AS jobs
      WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'failed_jobs', kind, 1 FROM runs
      WHERE organization_id = ${organizationId} AND kind IN ('gather', 'scrape', 'helm_sync', 'discovery', 'reference')
        AND is_newest
        AND status = 'failed'
      UNION ALL
      SELECT 'discovered_items', discovered_item_kind(discovery_job_id, status, confidence), 1
      FROM discovered_items WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'delivery_hours', delivery_hour(created_at, status), 1
      FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND delivery_hour(created_at, status) IS NOT NULL
      UNION ALL
      -- Changes are counted, not rows.
      SELECT subject, kind, -amount FROM row_counts
      WHERE organization_id = ${organizationId} AND subject <> 'deployed_changes'
    )
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT ${organizationId}, subject, kind, sum(amount) FROM found GROUP BY subject, kind HAVING sum(amount) <> 0
    RETURNING subject, kind, amount`.execute(tx);
  return rows;
}

/** The organization that comes after another one; `undefined` after the last. */
export async function nextOrganizationAcrossOrganizations(
  tx: Tx,
  after: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM organizations WHERE id > ${after} ORDER BY id LIMIT 1`.execute(tx);
  return rows[0]?.id;
}
