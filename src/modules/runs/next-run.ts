import { jobJitterMs, nextDueAt } from '../../domain/scheduling/cron-schedule.ts';
import type { JobTable } from './job-kind.ts';

export interface ScheduledJob {
  id: number;
  cron_expression: string | null;
  cron_timezone: string;
  is_active: boolean;
}

/**
 * Returns the next due time of a job's schedule, including jitter, or null if the job has no schedule or is
 * inactive.
 */
export function nextRunOf({ name }: Pick<JobTable, 'name'>, job: ScheduledJob, now: Date): Date | null {
  if (!job.is_active || job.cron_expression === null) return null;
  return nextDueAt(job.cron_expression, job.cron_timezone, now, jobJitterMs(name, job.id));
}
