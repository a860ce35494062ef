import { sql } from 'kysely';
import { organizationJobKinds } from '../modules/agents/index.ts';
import { nextOrganizationAcrossOrganizations, recountRows } from '../modules/counts/index.ts';
import { repairLabeledConfigRows } from '../modules/monitoring/index.ts';
import { repairSoftwareRows } from '../modules/software/index.ts';
import { hasSqlState, type Tx } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { readTaskState, writeTaskState } from './housekeeping-state.ts';

const taskName = 'recount-rows';

interface Recount {
  /** Name of the compared values, for the log. */
  noun: string;
  /**
   * Corrects the values of one organization.
   *
   * @returns The corrected errors for the log, or `null` if all values were correct.
   */
  correct(tx: Tx, organizationId: number): Promise<object | null>;
}

const recounts: readonly Recount[] = [
  {
    noun: 'row counts',
    async correct(tx, organizationId) {
      const wrong = await recountRows(tx, organizationId, organizationJobKinds);
      return wrong.length > 0 ? { wrong } : null;
    },
  },
  {
    noun: 'the label index of alert configurations',
    async correct(tx, organizationId) {
      const labels = await repairLabeledConfigRows(tx, organizationId);
      return labels > 0 ? { labels } : null;
    },
  },
  {
    noun: 'references from scrape jobs to their worst alert configurations',
    async correct(tx, organizationId) {
      const jobs = await repairSoftwareRows(tx, organizationId);
      return jobs.length > 0 ? { scrape_jobs: jobs.length } : null;
    },
  },
];

/**
 * For the next organization, compares the values that triggers maintain with the rows from which they are derived. If
 * an organization has too many rows for the statement timeout, the organizations after it are still processed.
 */
export async function recountNextOrganization(
  tx: Tx,
  log: Log,
  statementTimeoutMs = 15_000,
): Promise<'done' | 'more'> {
  const { organizationId: last } = await readTaskState<{ organizationId: number }>(tx, taskName);
  const organizationId = await nextOrganizationAcrossOrganizations(tx, last ?? 0);
  await writeTaskState(tx, taskName, organizationId === undefined ? {} : { organizationId });
  if (organizationId === undefined) return 'done';
  // The timeout ensures that all statements end before the lease of the task expires.
  await sql`SELECT set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(tx);
  for (const { noun, correct } of recounts) {
    await sql`SAVEPOINT recount`.execute(tx);
    try {
      const wrong = await correct(tx, organizationId);
      if (wrong)
        log.error(
          { organization_id: organizationId, ...wrong },
          `${noun} were wrong and have been corrected`,
        );
    } catch (error) {
      if (!hasSqlState(error, '57014')) throw error;
      await sql`ROLLBACK TO SAVEPOINT recount`.execute(tx);
      log.error({ organization_id: organizationId }, `${noun} weren't compared: it took too long`);
    }
  }
  return 'more';
}
