import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { isGathered } from '../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark, type MarkTone } from '../ui/mark.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import classes from './job-status.module.css';
import { isRetrying, pendingRetryError } from './retry-error.ts';

type Run = Schemas['Run'];

/** Fields shared by all job kinds. */
export type Job = Pick<
  Schemas['GatherJob'],
  'id' | 'name' | 'status' | 'waiting_for' | 'waiting_until' | 'is_active' | 'next_run_at' | 'last_run'
> &
  WithSourceType;

/** The source type of a gather job. Other jobs have none. */
export interface WithSourceType {
  source_type?: Schemas['ReleaseSourceType'];
}

/** True if an agent runs the job. */
export function hasRuns({ source_type }: WithSourceType): boolean {
  return source_type === undefined || isGathered(source_type);
}

const waiting: Record<Schemas['JobWaitingFor'], { word: string; about: string }> = {
  time: { word: 'Scheduled', about: 'Waiting for the next scheduled run.' },
  agent: {
    word: 'No agent available',
    about: 'Waiting for an online agent in this organization that has the required credential.',
  },
  host_limit: {
    word: 'Rate limited',
    about: 'The upstream host is limiting requests. The run continues when the limit ends.',
  },
};

/** Status of a job: its current activity, its last result, or the reason why it's waiting. */
export function JobStatusMark({ job }: { job: Omit<Job, 'name' | 'id'> }) {
  const [tone, word, about] = statusOf(job);
  return (
    <Mark tone={tone} title={about}>
      {word}
      {job.waiting_for === 'host_limit' && job.waiting_until !== null && (
        <>
          , ends <RelativeTime at={job.waiting_until} />
        </>
      )}
    </Mark>
  );
}

function statusOf(job: Omit<Job, 'name' | 'id'>): [MarkTone, string, string | undefined] {
  const { status, waiting_for, is_active } = job;
  if (job.source_type === 'lifecycle')
    return status === 'completed'
      ? ['ok', 'Known', 'The lifecycle data contains this product.']
      : ['muted', 'Unknown', "The lifecycle data isn't loaded, or it doesn't contain this product."];
  if (status === 'in_progress') return ['busy', 'Running', undefined];
  if (waiting_for === 'agent' || waiting_for === 'host_limit') {
    return ['busy', waiting[waiting_for].word, waiting[waiting_for].about];
  }
  if (!is_active) return ['muted', 'Disabled', 'Scheduled runs are disabled. You can still run it manually.'];
  if (status === 'failed') return ['critical', 'Failed', job.last_run?.error?.message];
  if (status === 'completed') return ['ok', 'Succeeded', undefined];
  const error = pendingRetryError(job);
  if (error !== null) return [retrying.tone, retrying.word, error];
  return ['muted', 'Never run', waiting_for === null ? undefined : waiting[waiting_for].about];
}

export const jobStatusOptions = [
  { value: 'pending', label: 'Never run' },
  { value: 'in_progress', label: 'Running' },
  { value: 'completed', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
];

export const activeOptions = [
  { value: 'true', label: 'Enabled' },
  { value: 'false', label: 'Disabled' },
];

export const scopeOptions = [
  { value: 'organization', label: 'Organization' },
  { value: 'global', label: 'Global' },
];

const runStatus: Record<Schemas['RunStatus'], { tone: MarkTone; word: string }> = {
  queued: { tone: 'muted', word: 'Pending' },
  in_progress: { tone: 'busy', word: 'Running' },
  succeeded: { tone: 'ok', word: 'Succeeded' },
  failed: { tone: 'critical', word: 'Failed' },
  canceled: { tone: 'muted', word: 'Canceled' },
};

export function RunStatusMark({ run }: { run: Pick<Run, 'status' | 'error'> }) {
  const { tone, word } = isRetrying(run) ? retrying : runStatus[run.status];
  return <Mark tone={tone}>{word}</Mark>;
}

/** Status of a run that waits for its next attempt, and of its job. */
const retrying: { tone: MarkTone; word: string } = { tone: 'busy', word: 'Retrying' };

/** Notice of the last run's error, with the whole message, if the last run failed. */
export function FailedRunNotice({
  job,
  what,
  action,
}: {
  job: Pick<Job, 'status' | 'last_run'>;
  what?: string;
  /** Button that leads to the remedy, usually the form of the job. */
  action?: React.ReactNode;
}) {
  if (job.status !== 'failed') return null;
  const { last_run: run } = job;
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={what === undefined ? 'The last run failed' : `The last run of the ${what} failed`}
      mb="md"
    >
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {run?.error?.message ?? "The error isn't known."}
      </Text>
      {run !== null && (
        <Text size="sm" c="var(--text-muted)">
          <RelativeTime at={timeOfLastRun(run)} />
        </Text>
      )}
      {action && <Group mt="xs">{action}</Group>}
    </Alert>
  );
}

/** Returns the run whose error `FailedRunNotice` shows, or null. */
export function shownFailureOf({ status, last_run }: Pick<Job, 'status' | 'last_run'>): Run | null {
  return status === 'failed' ? last_run : null;
}

export function timeOfLastRun({ last_finished_at, started_at, created_at }: Run): string {
  return last_finished_at ?? started_at ?? created_at;
}

/** Time of the last run of a job, with the error if the run failed. */
export function LastRun({ run }: { run: Run | null }) {
  if (!run) return <RelativeTime at={null} />;
  const message = run.status === 'failed' ? run.error?.message : undefined;
  return (
    <>
      <RelativeTime at={timeOfLastRun(run)} />
      {message && (
        <Text component="div" size="xs" c="var(--severity-critical)" title={message} className={classes.why}>
          {message}
        </Text>
      )}
    </>
  );
}

/**
 * Scope of a resource. Global resources are shared by all organizations, and only a system key can change
 * them.
 */
export function ScopeMark({ scope }: { scope: Schemas['Scope'] }) {
  if (scope === 'organization') return 'Organization';
  return (
    <Text
      span
      inherit
      c="var(--text-muted)"
      title="Shared with all organizations. Only the operator can change it."
    >
      Global
    </Text>
  );
}
