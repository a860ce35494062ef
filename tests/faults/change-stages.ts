import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/index.ts';

/** The stages between a request that sets a version and the webhook about it, in order. */
export const changeStageNames = [
  // From the request to the statement that stores the version.
  'request to statement',
  // The statement that stores the version, and its commit.
  'statement to commit',
  // From the commit, which wakes the loop, to the claim of the configuration by the evaluation loop.
  'commit to claim',
  // The evaluation, until its transaction commits.
  'claim to commit',
  // From the commit, which wakes the delivery loop, to the request that the server sends.
  'commit to send',
  // From the request that the server sends to the receiver.
  'send to receipt',
] as const;

/** Durations of the stages of one change, in milliseconds, in the order of `changeStageNames`. */
export type StageDurations = number[];

/** Times of one change outside of the database, in milliseconds since 1970. */
export interface ObservedChange {
  requestedAtMs: number;
  receivedAtMs: number;
}

/**
 * Makes PostgreSQL record the times of commits after its next start. Without them, `readChangeStages` can't
 * divide changes into stages.
 */
export async function recordCommitTimes(db: Database): Promise<void> {
  await sql`ALTER SYSTEM SET track_commit_timestamp = on`.execute(db);
}

/**
 * Divides changes to an organization's only alert configuration into their stages. Each change must have
 * opened or resolved an alert before the next one was requested. All processes must run on one machine,
 * because their clocks are compared.
 */
export async function readChangeStages(
  db: Database,
  organizationId: number,
  changes: readonly ObservedChange[],
): Promise<StageDurations[]> {
  const { rows } = await sql<{
    stored_at: number;
    version_committed_at: number;
    claimed_at: number;
    alert_committed_at: number;
    sent_at: number;
  }>`
    SELECT ${ms('v.discovered_at')} AS stored_at, ${ms('pg_xact_commit_timestamp(v.xmin)')} AS version_committed_at,
      ${ms("CASE e.event_type WHEN 'alert.resolved' THEN a.resolved_at ELSE a.created_at END")} AS claimed_at,
      ${ms('pg_xact_commit_timestamp(e.xmin)')} AS alert_committed_at, ${ms('sent.started_at')} AS sent_at
    FROM audit_entries e
    JOIN alerts a ON a.organization_id = e.organization_id AND a.id = e.alert_id
    JOIN notification_deliveries d ON d.organization_id = e.organization_id AND d.audit_entry_id = e.id
    JOIN delivery_attempts sent ON sent.organization_id = d.organization_id AND sent.notification_delivery_id = d.id
    CROSS JOIN LATERAL (
      SELECT xmin, discovered_at FROM versions
      WHERE versions.organization_id = e.organization_id AND versions.discovered_at <= e.created_at
      ORDER BY discovered_at DESC LIMIT 1
    ) AS v
    WHERE e.organization_id = ${organizationId}
    ORDER BY e.id`.execute(db);
  return changes.flatMap(({ requestedAtMs, receivedAtMs }) => {
    const row = rows.find((each) => each.stored_at >= requestedAtMs - 2 && each.sent_at <= receivedAtMs + 2);
    if (!row) return [];
    const times = [
      requestedAtMs,
      row.stored_at,
      row.version_committed_at,
      row.claimed_at,
      row.alert_committed_at,
      row.sent_at,
      receivedAtMs,
    ];
    return [times.slice(1).map((time, index) => Math.max(0, time - times[index]!))];
  });
}

function ms(instant: string) {
  return sql`(extract(epoch FROM ${sql.raw(instant)}) * 1000)::float8`;
}
