import { sql } from 'kysely';
import type { Actor } from '../../domain/audit/actor.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';

type ConfigurationApply = Schemas['ConfigurationApply'];
export type ApplyError = NonNullable<ConfigurationApply['error']>;

/** Lease duration of an apply. The server renews the lease until the apply ends. */
const leaseSeconds = 15;
/** Number of applies kept per organization. */
const keptApplies = 100;

export interface NewApply {
  fingerprint: string;
  counts: Record<'total' | 'created' | 'updated' | 'deleted', number>;
  actor: Actor;
}

/** Apply that this server runs. */
export interface HeldApply {
  organizationId: number;
  id: number;
  leaseToken: string;
}

/**
 * Starts an apply. An apply without changes succeeds immediately.
 *
 * @returns `null` if another apply is in progress.
 */
export async function insertApply(
  db: Database,
  organizationId: number,
  { fingerprint, counts, actor }: NewApply,
): Promise<HeldApply | null> {
  await failDeadApply(db, organizationId);
  const isDone = counts.total === 0;
  const { rows } = await sql<{ id: number; lease_token: string }>`
    WITH old AS (
      DELETE FROM configuration_applies
      WHERE organization_id = ${organizationId} AND status <> 'in_progress' AND id <= (
        SELECT id FROM configuration_applies WHERE organization_id = ${organizationId}
        ORDER BY id DESC OFFSET ${sql.lit(keptApplies - 1)} LIMIT 1)
    )
    INSERT INTO configuration_applies (organization_id, status, fingerprint, steps_total, created_count,
      updated_count, deleted_count, actor_type, actor_id, actor_name, lease_until, finished_at)
    SELECT ${organizationId}, ${isDone ? 'succeeded' : 'in_progress'}, ${fingerprint}, ${counts.total}::integer,
      ${counts.created}::integer, ${counts.updated}::integer, ${counts.deleted}::integer,
      ${actor.type}, ${actor.id}::bigint, ${actor.name},
      CASE WHEN NOT ${isDone} THEN pacekeeper_now() + ${sql.lit(leaseSeconds)} * interval '1 second' END,
      CASE WHEN ${isDone} THEN pacekeeper_now() END
    ON CONFLICT (organization_id) WHERE status = 'in_progress' DO NOTHING
    RETURNING id, lease_token`.execute(db);
  const [row] = rows;
  return row ? { organizationId, id: row.id, leaseToken: row.lease_token } : null;
}

/**
 * Stores the progress and renews the lease. Returns false if the lease was lost, in which case nothing can be
 * committed.
 */
export async function renewApply(
  db: Database,
  { organizationId, id, leaseToken }: HeldApply,
  stepsDone: number,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE configuration_applies
    SET steps_done = ${stepsDone}, updated_at = pacekeeper_now(),
      lease_until = pacekeeper_now() + ${sql.lit(leaseSeconds)} * interval '1 second'
    WHERE organization_id = ${organizationId} AND id = ${id} AND lease_token = ${leaseToken}::uuid
      AND status = 'in_progress'
    RETURNING id`.execute(db);
  return rows.length > 0;
}

/**
 * Marks an apply as succeeded in the transaction of its changes, so that both are committed or neither is.
 * Returns false if the lease was lost.
 */
export async function succeedApply(
  tx: Tx,
  { organizationId, id, leaseToken }: HeldApply,
  pendingGatherJobs: ConfigurationApply['pending_gather_jobs'],
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE configuration_applies
    SET status = 'succeeded', steps_done = steps_total, pending_gather_jobs = ${JSON.stringify(pendingGatherJobs)}::jsonb,
      lease_until = NULL, finished_at = pacekeeper_now(), updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${id} AND lease_token = ${leaseToken}::uuid
      AND status = 'in_progress'
    RETURNING id`.execute(tx);
  return rows.length > 0;
}

export async function failApply(
  db: Database,
  { organizationId, id, leaseToken }: HeldApply,
  error: ApplyError,
): Promise<void> {
  await sql`
    UPDATE configuration_applies
    SET status = 'failed', error = ${JSON.stringify(error)}::jsonb, steps_done = 0, lease_until = NULL,
      finished_at = pacekeeper_now(), updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${id} AND lease_token = ${leaseToken}::uuid
      AND status = 'in_progress'`.execute(db);
}

export const interruptedApplyError: ApplyError = {
  code: 'interrupted',
  message: 'The server stopped while it applied the configuration. Nothing was changed. Apply it again.',
  section: null,
  index: null,
};

/**
 * Marks an apply as failed if its lease has expired. Without the lease, the server that ran the apply can't commit the
 * transaction anymore.
 */
async function failDeadApply(db: Database, organizationId: number): Promise<void> {
  await sql`
    UPDATE configuration_applies
    SET status = 'failed', error = ${JSON.stringify(interruptedApplyError)}::jsonb, steps_done = 0, lease_until = NULL,
      finished_at = pacekeeper_now(), updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND status = 'in_progress' AND lease_until <= pacekeeper_now()`.execute(
    db,
  );
}

interface ApplyRow extends Omit<ConfigurationApply, 'actor' | 'finished_at' | 'created_at' | 'updated_at'> {
  actor_type: Actor['type'];
  actor_id: number | null;
  actor_name: string;
  finished_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = sql`
  id, status, fingerprint, steps_total, steps_done, created_count, updated_count, deleted_count, pending_gather_jobs,
  error, actor_type, actor_id, actor_name, finished_at, created_at, updated_at`;

export async function findApply(
  db: Database,
  organizationId: number,
  id: number,
): Promise<ConfigurationApply | undefined> {
  await failDeadApply(db, organizationId);
  const { rows } = await sql<ApplyRow>`
    SELECT ${columns} FROM configuration_applies WHERE organization_id = ${organizationId} AND id = ${id}`.execute(
    db,
  );
  return rows[0] && toApply(rows[0]);
}

/** Returns the apply in progress, unless its server is offline. */
export async function findOpenApply(
  db: Database,
  organizationId: number,
): Promise<ConfigurationApply | undefined> {
  const { rows } = await sql<ApplyRow>`
    SELECT ${columns} FROM configuration_applies
    WHERE organization_id = ${organizationId} AND status = 'in_progress'
      AND lease_until > pacekeeper_now()`.execute(db);
  return rows[0] && toApply(rows[0]);
}

function toApply({ actor_type, actor_id, actor_name, ...row }: ApplyRow): ConfigurationApply {
  return {
    ...row,
    actor: { type: actor_type, id: actor_id, name: actor_name },
    finished_at: row.finished_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
