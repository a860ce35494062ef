import { sql } from 'kysely';
import type { HookKind } from '../../domain/hooks/hook-names.ts';
import { type Database, defineTable, type Tx } from '../../platform/database/index.ts';

export interface HookRow {
  id: number;
  public_id: string;
  name: string;
  kind: HookKind;
  last_received_at: Date | null;
  /** Number of jobs that matched the last event. */
  last_event_jobs: number | null;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'public_id',
  'name',
  sql<HookKind>`kind`.as('kind'),
  'last_received_at',
  'last_event_jobs',
  'created_at',
  'updated_at',
] as const;

function selectHooks(db: Database | Tx) {
  return db.selectFrom('hooks').select(columns);
}

const hooks = defineTable('hooks', selectHooks);
export const { lock: lockHook, delete: deleteHook } = hooks;

/** Lists hooks, newest first. */
export async function listHooks(db: Database | Tx, organizationId: number): Promise<HookRow[]> {
  return selectHooks(db)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Locks the organization before counting, so that concurrent requests count one after the other. */
export async function countHooks(tx: Tx, organizationId: number): Promise<number> {
  await sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM hooks WHERE organization_id = ${organizationId}`.execute(tx);
  return rows[0]!.count;
}

/** @param seal returns the sealed secret for the ID of the new row. A sealed secret is bound to its row. */
export async function insertHook(
  tx: Tx,
  organizationId: number,
  values: Pick<HookRow, 'name' | 'kind' | 'public_id'>,
  seal: (id: number) => Buffer,
): Promise<HookRow> {
  const row = await tx
    .insertInto('hooks')
    .values({ organization_id: organizationId, ...values })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await hooks.update(tx, organizationId, row.id, { secret_sealed: seal(row.id) });
  return row;
}

export interface HookToVerify {
  organizationId: number;
  id: number;
  kind: HookKind;
  secretSealed: Buffer;
}

/** Returns the hook with a public ID, and the time of the database. */
export async function findHookAcrossOrganizations(
  db: Database,
  publicId: string,
): Promise<{ hook: HookToVerify | null; now: Date }> {
  const { rows } = await sql<{
    now: Date;
    organization_id: number | null;
    id: number | null;
    kind: HookKind;
    secret_sealed: Buffer | null;
  }>`
    SELECT pacekeeper_now() AS now, hooks.organization_id, hooks.id, hooks.kind, hooks.secret_sealed
    FROM (VALUES (1)) AS one LEFT JOIN hooks ON hooks.public_id = ${publicId}`.execute(db);
  const { now, organization_id: organizationId, id, kind, secret_sealed: secretSealed } = rows[0]!;
  const isKnown = organizationId !== null && id !== null && secretSealed !== null;
  return { now, hook: isKnown ? { organizationId, id, kind, secretSealed } : null };
}

/**
 * Records a delivery. A delivery without keys is always new.
 * @returns `false` if one of its keys is already known.
 */
export async function recordHookDelivery(
  tx: Tx,
  { organizationId, id }: HookToVerify,
  keys: readonly Buffer[],
): Promise<boolean> {
  const inserted = await sql`
    INSERT INTO hook_deliveries (organization_id, hook_id, key)
    SELECT ${organizationId}, ${id}, key FROM unnest(${keys}::bytea[]) AS key ORDER BY key
    ON CONFLICT DO NOTHING`.execute(tx);
  return Number(inserted.numAffectedRows ?? 0) === keys.length;
}

/**
 * Records the last event and the number of matching jobs, at most once a minute. An event is always recorded if it
 * matches jobs and the previous one didn't, or the reverse.
 */
export async function recordLastEvent(
  tx: Tx,
  { organizationId, id }: HookToVerify,
  jobs: number,
): Promise<void> {
  await sql`
    UPDATE hooks SET last_received_at = pacekeeper_now(), last_event_jobs = ${jobs}
    WHERE organization_id = ${organizationId} AND id = ${id}
      AND (last_received_at IS NULL OR last_received_at < pacekeeper_now() - interval '1 minute'
        OR last_event_jobs IS NULL OR (last_event_jobs = 0) <> ${jobs === 0})`.execute(tx);
}

/**
 * Deletes old deliveries during housekeeping.
 * @returns The number of deleted deliveries.
 */
export async function deleteOldHookDeliveriesAcrossOrganizations(tx: Tx, max: number): Promise<number> {
  const deleted = await sql`
    DELETE FROM hook_deliveries USING (
      SELECT organization_id, hook_id, key FROM hook_deliveries
      WHERE received_at < pacekeeper_now() - interval '1 hour'
      ORDER BY received_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE hook_deliveries.organization_id = old.organization_id AND hook_deliveries.hook_id = old.hook_id
      AND hook_deliveries.key = old.key`.execute(tx);
  await sql`
    DELETE FROM hooked_jobs
    WHERE due_at = 'infinity' AND lease_token IS NULL
      -- Without a last run, no hook has run the job: it was deleted, disabled, or about to run in any case.
      AND (last_run_at IS NULL OR last_run_at < pacekeeper_now() - interval '1 hour')`.execute(tx);
  return Number(deleted.numAffectedRows ?? 0);
}
