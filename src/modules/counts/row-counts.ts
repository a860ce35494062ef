import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import { hasLabel } from './label-filter.ts';

type Subject =
  | 'alerts'
  | 'alert_days'
  | 'alert_configs'
  | 'jobs'
  | 'failed_jobs'
  | 'rule_uses'
  | 'delivery_hours'
  | LabelSubject;

/** Subjects whose rows are counted by label, in the format `key=value`. */
type LabelSubject = 'open_alert_labels' | 'resolved_alert_labels' | 'alert_config_labels';

/** Column of `label_changes` for each subject. */
const changedColumns = {
  open_alert_labels: 'open_alerts',
  resolved_alert_labels: 'resolved_alerts',
  alert_config_labels: 'alert_configs',
} as const satisfies Record<LabelSubject, string>;

/**
 * Returns the number of rows of each kind. Triggers record each difference in the transaction of the change,
 * so the sum of the differences is always correct for every reader.
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

/** Selects the number of rows of one kind, or of all kinds of a subject, within another query. */
export function rowCount(
  organizationId: number | RawBuilder<unknown>,
  subject: Subject,
  kind?: string | RawBuilder<string>,
): RawBuilder<number> {
  const ofKind = kind === undefined ? sql`` : sql`AND kind = ${kind}`;
  return sql<number>`(SELECT coalesce(sum(amount), 0)::bigint FROM row_counts
    WHERE row_counts.organization_id = ${organizationId} AND subject = ${sql.lit(subject)} ${ofKind})`;
}

/**
 * Selects the number of resources with a label, given as `key=value`: the stored count plus the changes that
 * haven't been added to it yet.
 */
export function labelCount(organizationId: number, subject: LabelSubject, label: string): RawBuilder<number> {
  return sql<number>`(${rowCount(organizationId, subject, label)} + (
    SELECT coalesce(sum(${sql.ref(changedColumns[subject])}), 0)::bigint FROM label_changes
    WHERE label_changes.organization_id = ${organizationId} AND ${hasLabel('label_changes.labels', label)}))`;
}

/** Selects the counts of all labels as rows of `kind` (`key=value`) and `amount`. */
export function labelCounts(organizationId: number, subject: LabelSubject): RawBuilder<unknown> {
  const column = sql.ref(changedColumns[subject]);
  return sql`(
    SELECT kind, sum(amount)::bigint AS amount FROM (
      SELECT kind, amount FROM row_counts WHERE organization_id = ${organizationId} AND subject = ${sql.lit(subject)}
      UNION ALL
      SELECT key || '=' || value, ${column} FROM label_changes, jsonb_each_text(labels)
      WHERE organization_id = ${organizationId} AND ${column} <> 0
    ) AS counted GROUP BY kind HAVING sum(amount) > 0)`;
}

/** Selects rows to add to `row_counts`, from a table that has the columns of `label_changes`. */
function countsOfLabels(from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT organization_id, subject, key || '=' || value AS kind, sum(amount) AS amount
    FROM ${from} CROSS JOIN LATERAL (VALUES ${sql.join(
      Object.entries(changedColumns).map(
        ([subject, column]) => sql`(${sql.lit(subject)}, ${sql.ref(column)})`,
      ),
    )}) AS counted (subject, amount) CROSS JOIN LATERAL jsonb_each_text(labels)
    WHERE amount <> 0 GROUP BY 1, 2, 3 HAVING sum(amount) <> 0`;
}

/**
 * Moves label changes into `row_counts`, at most `limit` at a time.
 *
 * @returns The number of moved changes.
 */
export async function addLabelChangesAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    WITH taken AS (
      SELECT organization_id, id FROM label_changes ORDER BY organization_id, id LIMIT ${limit}
    ), gone AS (
      DELETE FROM label_changes USING taken
      WHERE label_changes.organization_id = taken.organization_id AND label_changes.id = taken.id
      RETURNING label_changes.*
    ), added AS (
      INSERT INTO row_counts (organization_id, subject, kind, amount) ${countsOfLabels(sql`gone`)}
    )
    SELECT count(*) AS taken FROM gone`.execute(tx);
  return rows[0]!.taken;
}

/**
 * Combines recorded differences into one row for each kind, at most `limit` rows at a time. Concurrent calls are safe,
 * because each adds only the amounts of the rows that it deleted.
 *
 * @returns The number of combined rows.
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

/**
 * Subjects whose counts are numbers of rows, so that they can be recounted. (`deployed_changes` and
 * `upgrade_changes` are numbers of changes.) Other subjects are never recounted: a newer server can store further ones in the same
 * database, and this server would find no rows for them and remove their counts.
 */
const recounted: readonly string[] = [
  'alerts',
  'alert_days',
  'alert_configs',
  'rule_uses',
  'jobs',
  'failed_jobs',
  'discovered_items',
  'delivery_hours',
  ...Object.keys(changedColumns),
];

export interface WrongCount {
  subject: string;
  kind: string;
  /** Difference between the actual and the stored count. */
  amount: number;
}

interface CountedJobs {
  name: string;
  table: string;
}

/**
 * Counts the rows of an organization and corrects wrong counts. Uses a single statement, so a concurrent
 * change is included in both of the compared numbers or in neither.
 *
 * @param jobKinds The kinds of jobs that are counted.
 * @returns The wrong counts. Normally none.
 */
export async function recountRows(
  tx: Tx,
  organizationId: number,
  jobKinds: readonly CountedJobs[],
): Promise<WrongCount[]> {
  const jobs = jobKinds.map(
    ({ name, table }) =>
      sql`SELECT organization_id, is_active, last_outcome, ${sql.lit(name)} AS kind FROM ${sql.table(table)}`,
  );
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
      SELECT CASE WHEN resolved_at IS NULL THEN 'open_alert_labels' ELSE 'resolved_alert_labels' END, key || '=' || value, 1
      FROM alerts, jsonb_each_text(labels) WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'alert_config_labels', key || '=' || value, 1
      FROM alert_configs, jsonb_each_text(effective_labels) WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT subject, kind, -amount FROM (
        ${countsOfLabels(sql`(SELECT * FROM label_changes WHERE organization_id = ${organizationId}) AS changes`)}
      ) AS changed
      UNION ALL
      SELECT counted.subject, counted.kind, 1 FROM (
        ${sql.join(jobs, sql` UNION ALL `)}
      ) AS jobs CROSS JOIN LATERAL (
        SELECT 'jobs' AS subject, job_kind(jobs.kind, jobs.is_active) AS kind
        UNION ALL SELECT 'failed_jobs', jobs.kind WHERE jobs.is_active AND jobs.last_outcome = 'failed'
      ) AS counted
      WHERE jobs.organization_id = ${organizationId}
      UNION ALL
      SELECT 'discovered_items', discovered_item_kind(discovery_job_id, status, confidence), 1
      FROM discovered_items WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT 'delivery_hours', delivery_hour(created_at, status), 1
      FROM notification_deliveries
      WHERE organization_id = ${organizationId} AND delivery_hour(created_at, status) IS NOT NULL
      UNION ALL
      SELECT subject, kind, -amount FROM row_counts
      WHERE organization_id = ${organizationId} AND subject = ANY(${recounted}::text[])
    )
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT ${organizationId}, subject, kind, sum(amount) FROM found GROUP BY subject, kind HAVING sum(amount) <> 0
    RETURNING subject, kind, amount`.execute(tx);
  return rows;
}

/** Returns the next organization ID after the given one, or `undefined` after the last one. */
export async function nextOrganizationAcrossOrganizations(
  tx: Tx,
  after: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM organizations WHERE id > ${after} ORDER BY id LIMIT 1`.execute(tx);
  return rows[0]?.id;
}
