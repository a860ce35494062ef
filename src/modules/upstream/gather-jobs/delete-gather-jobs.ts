import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { deleteAlertConfigs } from '../../monitoring/index.ts';
import { triggerFanOuts } from '../fan-out-evaluation.ts';
import { deleteGatherJobs, findConfigsUsingGatherJobs } from './gather-job-queries.ts';

/** Maximum number of IDs in an error response. */
const maxListedIds = 20;

/**
 * Checks if jobs can be deleted. Configurations of another organization always prevent this, and the error
 * doesn't reveal them.
 *
 * @returns The configurations to delete first, in ascending order of ID.
 * @throws ApiError 409 if configurations use the jobs and can't be deleted with them.
 */
export async function assertNotInUse(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  { cascade }: { cascade: boolean },
): Promise<number[]> {
  const { ownConfigIds: ids, isUsedByOthers } = await findConfigsUsingGatherJobs(tx, organizationId, jobIds);
  const extra = { alert_config_ids: ids.slice(0, maxListedIds), alert_config_count: ids.length };
  if (isUsedByOthers) throw new ApiError('in_use', 'Another organization uses this global job.', { extra });
  if (ids.length > 0 && !cascade) {
    const configs =
      ids.length === 1 ? '1 alert configuration uses' : `${ids.length} alert configurations use`;
    throw new ApiError('in_use', `${configs} this job. Delete them first, or add ?cascade=true.`, { extra });
  }
  return ids;
}

/** Maximum number of configurations per statement. */
const batchSize = 1_000;

/**
 * Deletes configurations with their alerts, then jobs with their releases. The caller must hold the locks of
 * the jobs.
 */
export async function deleteWithConfigs(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  alertConfigIds: readonly number[],
  actor: Actor,
): Promise<void> {
  for (let start = 0; start < alertConfigIds.length; start += batchSize) {
    const ids = alertConfigIds.slice(start, start + batchSize);
    await deleteAlerts(tx, organizationId, { alertConfigIds: ids }, actor);
    await deleteAlertConfigs(tx, organizationId, { ids });
  }
  // Evaluate the configurations of the originals, because they no longer show these mirrors.
  await triggerFanOuts(tx, organizationId, jobIds);
  await deleteGatherJobs(tx, organizationId, jobIds);
}
