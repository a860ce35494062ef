import type { Schemas } from '../../../src/generated/client-api.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { CronDescription } from './cron-field.tsx';
import { type Job, LastRun } from './job-status.tsx';

type ScheduledJob = Job & Pick<Schemas['GatherJob'], 'cron_expression' | 'cron_timezone'>;

/** When a job last ran and when it runs next, as facts. */
export function runFacts(job: ScheduledJob): (readonly [string, React.ReactNode] | false)[] {
  return [
    ['Last run', <LastRun key="last" run={job.last_run} />],
    [
      'Next run',
      <RelativeTime key="next" at={job.next_run_at} none={job.is_active ? 'not scheduled' : 'off'} />,
    ],
    job.cron_expression !== null && [
      'Schedule',
      <CronDescription key="cron" expression={job.cron_expression} timeZone={job.cron_timezone} />,
    ],
  ];
}
