import type { Schemas } from '../../../src/generated/client-api.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { hasRuns, type Job, JobStatusMark, LastRun, ScopeMark, type WithSourceType } from './job-status.tsx';
import type { Column } from './list/index.ts';
import { nextAttemptAt } from './retry-error.ts';

/** Columns shared by all job lists. */
export const jobNameColumn: Column<Pick<Job, 'name'>> = {
  header: 'Name',
  cell: ({ name }) => name,
  sort: 'name',
  csv: ({ name }) => name,
  width: 'minmax(8rem, 1.8fr)',
};

export const jobStatusColumn: Column<Job> = {
  header: 'Status',
  cell: (job) => <JobStatusMark job={job} />,
  csv: ({ status }) => status,
  width: 'minmax(6.2rem, 9rem)',
};

export const lastRunColumn: Column<Pick<Job, 'last_run'> & WithSourceType> = {
  header: 'Last run',
  cell: (job) => (hasRuns(job) ? <LastRun run={job.last_run} /> : ''),
  csv: ({ last_run }) => last_run?.error?.message ?? last_run?.last_finished_at,
  width: 'minmax(7rem, 1.2fr)',
};

export const nextRunColumn: Column<Pick<Job, 'status' | 'last_run' | 'waiting_until' | 'next_run_at'>> = {
  header: 'Next run',
  cell: (job) => <RelativeTime at={nextAttemptAt(job)} none="" />,
  csv: nextAttemptAt,
  width: '5.8rem',
  wideOnly: true,
};

export const scopeColumn: Column<{ scope: Schemas['Scope'] }> = {
  header: 'Scope',
  cell: ({ scope }) => <ScopeMark scope={scope} />,
  csv: ({ scope }) => scope,
  width: '5.8rem',
  wideOnly: true,
};
