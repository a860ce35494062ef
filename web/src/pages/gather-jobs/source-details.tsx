import { Button } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { hasRuns } from '../../components/job-status.tsx';
import { RunsList } from '../../components/runs-list.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { JobLines } from './job-lines.tsx';
import { JobReleases } from './job-releases.tsx';
import { LifecycleLines } from './lifecycle-job.tsx';

/** Lines, releases, and runs of an upstream source. */
export function SourceDetails({
  job,
  canChange,
  shownAbove = null,
}: {
  job: Schemas['GatherJob'];
  canChange: boolean;
  /** Run whose error the page already shows. */
  shownAbove?: Schemas['Run'] | null;
}) {
  return (
    <>
      {job.source_type === 'lifecycle' ? (
        <LifecycleLines product={job.artifact_name} />
      ) : (
        <>
          <JobLines job={job} canChange={canChange} />
          <JobReleases job={job} actions={canChange && <ClearReleases job={job} />} />
        </>
      )}
      {hasRuns(job) && <RunsList operationId="listGatherJobRuns" jobId={job.id} shownAbove={shownAbove} />}
    </>
  );
}

function ClearReleases({ job }: { job: Schemas['GatherJob'] }) {
  const confirm = useConfirm();
  const clear = useAction('clearGatherJobReleases', {
    done: 'Releases cleared',
  });
  if (job.release_count === 0) return null;
  const onClear = async () => {
    const isSure = await confirm({
      title: `Clear releases of "${job.name}"?`,
      body: `This deletes ${job.release_count.toLocaleString('en')} releases. Monitors that use this source show "No data" until the next run collects them again.`,
      confirm: 'Clear releases',
      danger: true,
    });
    if (isSure) clear.mutate({ path: { id: job.id } });
  };
  return (
    <Button variant="default" size="xs" loading={clear.isPending} onClick={() => void onClear()}>
      Clear releases
    </Button>
  );
}
