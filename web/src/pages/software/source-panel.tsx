import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { artifactText } from '../../components/artifact-text.ts';
import { JobMenu } from '../../components/job-menu.tsx';
import { hasRuns, JobStatusMark, ScopeMark, timeOfLastRun } from '../../components/job-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { EditGatherJob } from '../gather-jobs/edit-gather-job.tsx';
import { SourceFacts } from '../gather-jobs/gather-job-facts.tsx';
import { SourceDetails } from '../gather-jobs/source-details.tsx';
import { CollapsibleDetails } from './collapsible-details.tsx';

type GatherJob = Schemas['GatherJob'];

/** Shows the upstream source that the deployed version is compared with, and edits it in place. */
export function SourcePanel({ jobId, leave }: { jobId: number; leave: () => Promise<unknown> }) {
  const job = useApi('getGatherJob', { path: { id: jobId } });
  return (
    <Section
      id="source"
      title="Upstream source"
      actions={job.data && <Actions job={job.data} leave={leave} />}
    >
      <Loaded query={job}>
        {(found) => (
          <>
            <TextLink {...resourceLink('gather_job', found.id)} size="sm" fw={600}>
              {found.name}
            </TextLink>
            <SourceSummary job={found} />
            <CollapsibleDetails title="All settings">
              <SourceFacts job={found} />
            </CollapsibleDetails>
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The facts of a source that explain the result of a comparison. */
function SourceSummary({ job }: { job: GatherJob }) {
  return (
    <Facts
      facts={[
        ['Artifact', artifactText(job.artifact_name)],
        ['Status', <JobStatusMark key="status" job={job} />],
        job.is_archived === true && ['Repository', 'Archived'],
        job.is_deprecated === true && ['Chart', 'Deprecated'],
        ['Latest', <VersionText key="latest" version={job.latest_version} />],
        ['Released', <RelativeTime key="released" at={job.latest_released_at} none="unknown" />],
        hasRuns(job) && [
          'Last run',
          <RelativeTime key="run" at={job.last_run && timeOfLastRun(job.last_run)} />,
        ],
        job.list_completeness === 'incomplete' && ['List', 'Incomplete: newer releases might be missing'],
        job.scope === 'global' && ['Scope', <ScopeMark key="scope" scope={job.scope} />],
      ]}
    />
  );
}

function Actions({ job, leave }: { job: GatherJob; leave: () => Promise<unknown> }) {
  const [isEditing, editing] = useDisclosure(false);
  const canWrite = useHasRole('member');
  // Hide the buttons for a global source, because only the operator can change it.
  if (!canWrite || job.scope !== 'organization') return null;
  return (
    <Group gap={4}>
      <Button variant="default" size="xs" aria-label="Edit upstream source" onClick={editing.open}>
        Edit
      </Button>
      <JobMenu kind="gather" job={job} neverRuns={job.source_type === 'lifecycle'} leave={leave} />
      <EditGatherJob job={job} isOpen={isEditing} close={editing.close} />
    </Group>
  );
}

/** Lines, releases, and runs of the upstream source, folded unless the page was opened for them. */
export function FoldedSource({ jobId, name, isOpen }: { jobId: number; name: string; isOpen: boolean }) {
  return (
    <CollapsibleDetails title={`Lines, releases, and runs of ${name}`} isOpen={isOpen}>
      <LoadedSource jobId={jobId} />
    </CollapsibleDetails>
  );
}

function LoadedSource({ jobId }: { jobId: number }) {
  const job = useApi('getGatherJob', { path: { id: jobId } });
  const canWrite = useHasRole('member');
  return (
    <Loaded query={job}>
      {(found) => <SourceDetails job={found} canChange={canWrite && found.scope === 'organization'} />}
    </Loaded>
  );
}
