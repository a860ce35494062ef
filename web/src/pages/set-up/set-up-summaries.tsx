import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { JobStatusMark } from '../../components/job-status.tsx';
import { retryError } from '../../components/retry-error.ts';
import { Mark } from '../../ui/mark.tsx';

/** The live line of a step that is done. */

/** The server tells of changes; this is for the moment at which it cannot. */
const pollIntervalMs = 5_000;

export function useGatherJob(id: number | null): UseQueryResult<Schemas['GatherJob']> {
  return useApi(
    'getGatherJob',
    { path: { id: id ?? 0 } },
    { enabled: id !== null, refetchMs: pollIntervalMs },
  );
}

export function useScrapeJob(id: number | null): UseQueryResult<Schemas['ScrapeJob']> {
  return useApi(
    'getScrapeJob',
    { path: { id: id ?? 0 } },
    { enabled: id !== null, refetchMs: pollIntervalMs },
  );
}

export function UpstreamSummary({ job }: { job: Schemas['GatherJob'] | undefined }) {
  if (!job) return '…';
  if (job.status === 'failed') return <Failed name={job.name} run={job.last_run} />;
  if (job.release_count === 0 && job.status !== 'completed') {
    return (
      <>
        <strong>{job.name}</strong> <JobStatusMark job={job} /> {retryError(job)}
      </>
    );
  }
  return (
    <>
      <strong>{job.name}</strong>: {job.release_count.toLocaleString('en')}{' '}
      {job.release_count === 1 ? 'release' : 'releases'}, latest{' '}
      {job.latest_stable_version ?? job.latest_version ?? 'unknown'}
    </>
  );
}

export function DeployedSummary({ job }: { job: Schemas['ScrapeJob'] | undefined }) {
  if (!job) return '…';
  if (job.latest_version !== null) {
    return (
      <>
        <strong>{job.name}</strong> runs {job.latest_version}
      </>
    );
  }
  if (job.status === 'failed') return <Failed name={job.name} run={job.last_run} />;
  return (
    <>
      <strong>{job.name}</strong>{' '}
      {job.parser_type === 'manual' ? <Mark tone="muted">No version yet</Mark> : <JobStatusMark job={job} />}{' '}
      {retryError(job)}
    </>
  );
}

function Failed({ name, run }: { name: string; run: Schemas['Run'] | null }) {
  return (
    <>
      <strong>{name}</strong> <Mark tone="critical">Failed</Mark> {run?.error?.message}
    </>
  );
}

export function RuleSummary({ id }: { id: number }) {
  const { data } = useApi('listRulesDropdown');
  return <strong>{data?.find((rule) => rule.id === id)?.name ?? '…'}</strong>;
}

export function ChannelSummary({
  defaultChannelId,
  hasNotificationRules,
}: {
  defaultChannelId: number | null;
  hasNotificationRules: boolean;
}) {
  const { data } = useApi('listNotificationChannelsDropdown');
  if (defaultChannelId !== null)
    return <strong>{data?.find(({ id }) => id === defaultChannelId)?.name ?? '…'}</strong>;
  if (hasNotificationRules) return 'Your notification rules';
  return (
    <Text span inherit c="var(--text-muted)">
      Not configured
    </Text>
  );
}
