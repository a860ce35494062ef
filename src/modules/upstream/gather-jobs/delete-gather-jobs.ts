import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { deleteAlertConfigs } from '../../monitoring/index.ts';
import { deleteGatherJobs, findUsersOfGatherJobs } from './gather-job-queries.ts';

/** Ids that an answer names at most. */
const namedConfigs = 20;

/**
 * Throws 409 when configurations use these jobs and may not be deleted with them: those of another organization never
 * may, and nothing is said of them.
 *
 * @returns the configurations to delete first, by ascending id
 */
export async function refuseWhenInUse(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  { cascade }: { cascade: boolean },
): Promise<number[]> {
  const { ownConfigIds: ids, isUsedByOthers } = await findUsersOfGatherJobs(tx, organizationId, jobIds);
  const extra = { alert_config_ids: ids.slice(0, namedConfigs), alert_config_count: ids.length };
  if (isUsedByOthers) throw new ApiError('in_use', 'Another organization uses this global job.', { extra });
  if (ids.length > 0 && !cascade) {
    const configs =
      ids.length === 1 ? '1 alert configuration uses' : `${ids.length} alert configurations use`;
    throw new ApiError('in_use', `${configs} this job. Delete them first, or add ?cascade=true.`, { extra });
  }
  return ids;
}

/** Statements name this many configurations at most. */
const batchSize = 1_000;

/** Deletes jobs with their releases, and before them configurations with their alerts. The caller has locked the jobs. */
export async function deleteWithConfigs(
  tx: Tx,
  wakeUps: WakeUps,
  organizationId: number,
  jobIds: readonly number[],
  alertConfigIds: readonly number[],
  actor: Actor,
): Promise<void> {
  for (let start = 0; start < alertConfigIds.length; start += batchSize) {
    const ids = alertConfigIds.slice(start, start + batchSize);
    await deleteAlerts(tx, organizationId, { alertConfigIds: ids }, actor, wakeUps);
    await deleteAlertConfigs(tx, organizationId, { ids }, wakeUps);
  }
  await deleteGatherJobs(tx, organizationId, jobIds);
}
