import { Group } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { ChangeButton } from '../../components/change-button.tsx';
import { jobChangesFromPreview } from '../../components/comparison-changes.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useJobChange } from '../../components/use-comparison-change.tsx';
import { Section } from '../../ui/facts.tsx';
import { LinesTable } from './lines-table.tsx';

/** Shows the lines and variants of a gather job, and the suggested changes to their comparison. */
export function JobLines({ job, canChange }: { job: Schemas['GatherJob']; canChange: boolean }) {
  const preview = useApi(
    'previewGatherJob',
    { body: { gather_job_id: job.id } },
    { enabled: job.release_count > 0 },
  );
  if (job.release_count === 0) return null;
  return (
    <Section title="Lines and variants">
      <Loaded query={preview}>
        {(found) => (
          <>
            <LinesTable preview={found} />
            {canChange && <JobChanges job={job} preview={found} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function JobChanges({
  job,
  preview,
}: {
  job: Schemas['GatherJob'];
  preview: Schemas['PreviewGatherJobResponse'];
}) {
  const { apply, isBusy } = useJobChange(job);
  const changes = jobChangesFromPreview(preview, job);
  if (changes.length === 0) return null;
  return (
    <Group gap="xs" mt="sm">
      {changes.map((change) => (
        <ChangeButton key={change.label} disabled={isBusy} onClick={() => void apply(change)}>
          {change.label}
        </ChangeButton>
      ))}
    </Group>
  );
}
