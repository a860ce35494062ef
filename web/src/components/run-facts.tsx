import type { Schemas } from '../../../src/generated/client-api.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { CronDescription } from './cron-field.tsx';
import { type Job, timeOfLastRun } from './job-status.tsx';
import { nextAttemptAt } from './retry-error.ts';

type ScheduledJob = Job & Pick<Schemas['GatherJob'], 'cron_expression' | 'cron_timezone'>;

/** Returns the last run, the next run, and the schedule of a job as label and value pairs. */
export function jobRunFacts(job: ScheduledJob): (readonly [string, React.ReactNode] | false)[] {
  return [
    // The notice at the top of the page shows the error of the last run.
    ['Last run', <RelativeTime key="last" at={job.last_run && timeOfLastRun(job.last_run)} />],
    [
      'Next run',
      <RelativeTime
        key="next"
        at={nextAttemptAt(job)}
        none={job.next_run_at !== null ? 'not known' : job.is_active ? 'not scheduled' : 'off'}
      />,
    ],
    job.cron_expression !== null && [
      'Schedule',
      <CronDescription key="cron" expression={job.cron_expression} timeZone={job.cron_timezone} />,
    ],
  ];
}
