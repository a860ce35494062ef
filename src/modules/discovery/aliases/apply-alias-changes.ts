import { sql } from 'kysely';
import { hasSqlState, isDatabaseUnavailable, type Tx } from '../../../platform/database/index.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import { publishChanges } from '../../audit/index.ts';
import { lockAliases, readAliases } from '../../settings/index.ts';
import { applyAliasesToJobs, countJobsBelow, type LockedJob, lockJobsBelow } from '../../upstream/index.ts';
import { systemContext } from '../acceptance/accept-automatically.ts';
import { lockAllJobs } from '../model/discovery-job-queries.ts';
import { applyAliasesToItems, countItemsUnderPrefixes } from './apply-aliases-to-items.ts';

/**
 * Maximum number of gather jobs and items that a request updates itself when it changes aliases. Later
 * batches update the rest. Deriving the resources of an item takes several milliseconds.
 */
export const maxAliasUpdatesInRequest = 100;

/** Maximum number of gather jobs and items in a later batch, whose locks other requests wait for. */
export const maxAliasUpdatesPerBatch = 250;

/** The position at which a change continues. Gather jobs are updated before items. */
interface Position {
  /** Gather jobs up to this ID have been updated. Null once all of them have. */
  cursor_gather_job_id: number | null;
  /** Items up to this ID have been updated. */
  cursor_item_id: number;
}

/** A change to aliases that isn't applied to all gather jobs and items yet. */
interface AliasChange extends Position {
  organization_id: number;
  attempts: number;
  prefixes: string[];
  /** Version of the row, which changes with every update. */
  row_version: string;
}

const start: Position = { cursor_gather_job_id: 0, cursor_item_id: 0 };

/**
 * Updates the gather jobs and items below changed prefixes according to the aliases. If they don't fit in one
 * batch, later batches update the rest.
 *
 * The caller must have locked the first gather jobs below each prefix, all discovery jobs of the
 * organization, the organization, and its aliases, in this order.
 */
export async function applyAliasChange(
  tx: Tx,
  context: EditContext,
  prefixes: readonly string[],
): Promise<void> {
  const { organizationId } = context.caller;
  const { rows: earlier } = await sql<{ prefixes: string[] }>`
    DELETE FROM alias_changes WHERE organization_id = ${organizationId} RETURNING prefixes`.execute(tx);
  const all = [...new Set([...prefixes, ...earlier.flatMap((change) => change.prefixes)])];
  // If an earlier change is still in progress, both changes start from the beginning in a later batch,
  // because this transaction hasn't locked the gather jobs of the earlier change.
  const { read, next } =
    earlier.length > 0
      ? { read: 0, next: start }
      : await updateBatch(tx, context, all, {
          position: start,
          jobs: await lockJobsBelow(tx, organizationId, all, { after: 0, limit: maxAliasUpdatesInRequest }),
          limit: maxAliasUpdatesInRequest,
        });
  if (next === null) return;
  const jobCount =
    next.cursor_gather_job_id === null
      ? 0
      : await countJobsBelow(tx, organizationId, all, next.cursor_gather_job_id);
  const total =
    read + jobCount + (await countItemsUnderPrefixes(tx, organizationId, all, next.cursor_item_id));
  await sql`
    INSERT INTO alias_changes (organization_id, prefixes, cursor_gather_job_id, cursor_item_id, done, total)
    VALUES (${organizationId}, ${all}::text[], ${next.cursor_gather_job_id}, ${next.cursor_item_id}, ${read}, ${total})`.execute(
    tx,
  );
}

/**
 * Processes the next batch of the organization that has waited longest. If the batch fails, the organization
 * moves behind all others, and each further failure delays its next batch longer.
 * @returns True if more gather jobs or items remain, possibly in other organizations.
 */
export async function applyAliasesAcrossOrganizations(tx: Tx, log: Log): Promise<boolean> {
  // Rows with a time in the future are due, because the clock was set back.
  const { rows: waiting } = await sql<AliasChange>`
    SELECT organization_id, attempts, prefixes, cursor_gather_job_id, cursor_item_id, xmin::text AS row_version
    FROM alias_changes
    WHERE attempts = 0 OR updated_at > pacekeeper_now()
      OR updated_at <= pacekeeper_now() - least(300, 2 ^ least(attempts, 9)) * interval '1 second'
    ORDER BY attempts, updated_at LIMIT 1`.execute(tx);
  const [change] = waiting;
  if (!change) return false;
  await sql`SAVEPOINT alias_change`.execute(tx);
  try {
    await followNextBatch(tx, change);
  } catch (error) {
    if (isDatabaseUnavailable(error) || hasSqlState(error, '40001', '40P01')) throw error;
    await sql`ROLLBACK TO SAVEPOINT alias_change`.execute(tx);
    const { organization_id: organizationId, attempts } = change;
    await sql`
      UPDATE alias_changes SET attempts = attempts + 1, updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(tx);
    log.error(
      { err: error, organization_id: organizationId, attempts },
      'following aliases failed; will retry',
    );
  }
  return true;
}

async function followNextBatch(
  tx: Tx,
  { organization_id: organizationId, prefixes, row_version, ...position }: AliasChange,
): Promise<void> {
  const after = position.cursor_gather_job_id;
  const jobs =
    after === null
      ? []
      : await lockJobsBelow(tx, organizationId, prefixes, { after, limit: maxAliasUpdatesPerBatch });
  // Lock the discovery jobs only if the batch includes items, because scans don't read gather jobs.
  if (jobs.length < maxAliasUpdatesPerBatch) await lockAllJobs(tx, organizationId);
  await lockAliases(tx, organizationId, { isShared: true });
  // Gather jobs are locked before the aliases, so a request can have changed the aliases again in between.
  const { rows: unchanged } = await sql`
    SELECT FROM alias_changes WHERE organization_id = ${organizationId} AND xmin::text = ${row_version}
    FOR UPDATE`.execute(tx);
  if (unchanged.length === 0) return;
  const { read, next } = await updateBatch(tx, systemContext(organizationId), prefixes, {
    position,
    jobs,
    limit: maxAliasUpdatesPerBatch,
  });
  await (next === null
    ? sql`DELETE FROM alias_changes WHERE organization_id = ${organizationId}`
    : sql`
      UPDATE alias_changes SET cursor_gather_job_id = ${next.cursor_gather_job_id}, cursor_item_id = ${next.cursor_item_id},
        done = done + ${read}, total = greatest(total, done + ${read}), attempts = 0, updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`
  ).execute(tx);
  const aliases = await readAliases(tx, organizationId);
  const changed = aliases.filter(({ prefix }) => prefixes.includes(prefix)).map(({ id }) => id);
  publishChanges(tx, organizationId, 'artifact_alias', changed, 'updated');
}

/**
 * Updates one batch of gather jobs and items according to the aliases.
 *
 * @param jobs The locked gather jobs of the batch. If there are fewer than `limit`, no others remain.
 * @returns The number of gather jobs and items in the batch, and the position of the next batch if more
 * remain.
 */
async function updateBatch(
  tx: Tx,
  context: EditContext,
  prefixes: readonly string[],
  { position, jobs, limit }: { position: Position; jobs: readonly LockedJob[]; limit: number },
): Promise<{ read: number; next: Position | null }> {
  await applyAliasesToJobs(tx, context.caller.organizationId, jobs);
  if (jobs.length === limit)
    return { read: limit, next: { ...position, cursor_gather_job_id: jobs.at(-1)!.id } };
  const items = await applyAliasesToItems(tx, context, prefixes, {
    after: position.cursor_item_id,
    limit: limit - jobs.length,
  });
  return {
    read: jobs.length + items.read,
    next: items.next === null ? null : { cursor_gather_job_id: null, cursor_item_id: items.next },
  };
}
