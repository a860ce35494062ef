import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { JobButtons } from '../../components/job-menu.tsx';
import { FailedRunNotice, shownFailureOf } from '../../components/job-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MonitorsUsingJob } from '../../components/monitors-using-job.tsx';
import { Section } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SoftwareItem } from '../software/software-item.tsx';
import { EditGatherJob } from './edit-gather-job.tsx';
import { SourceFacts } from './gather-job-facts.tsx';
import { SourceDetails } from './source-details.tsx';

type GatherJob = Schemas['GatherJob'];

const parent = { to: '/gather-jobs', title: 'Upstream sources' } as const;

/**
 * Page of an upstream source. If exactly one monitor uses it, it's the page of the software with that monitor. Otherwise,
 * the source is shared, and its monitors link to their software.
 */
export default function GatherJobPage() {
  const { id } = useParams({ from: '/shell/gather-jobs/$id' });
  const job = useApi('getGatherJob', { path: { id: Number(id) } });
  const monitors = useApi('listAlertConfigs', { query: { gather_job_id: Number(id), limit: 2 } });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => (
        <Loaded query={monitors}>
          {({ items: [config, other] }) =>
            config !== undefined && other === undefined ? (
              <SoftwareItem jobId={config.scrape_job_id} config={config} parent={parent} section="source" />
            ) : (
              <GatherJobDetail job={found} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

function GatherJobDetail({ job }: { job: GatherJob }) {
  const [isEditing, editing] = useDisclosure(false);
  const canChange = useHasRole('member') && job.scope === 'organization';
  return (
    <>
      <PageHeader
        title={job.name}
        about={
          job.scope === 'global'
            ? 'Global source, shared with all organizations. You can use it in monitors; only the operator can change it.'
            : undefined
        }
        parent={parent}
        actions={
          canChange && (
            <JobButtons
              kind="gather"
              job={job}
              neverRuns={job.source_type === 'lifecycle'}
              list="/gather-jobs"
            >
              <Button variant="default" onClick={editing.open}>
                Edit
              </Button>
            </JobButtons>
          )
        }
      />
      <FailedRunNotice
        job={job}
        action={
          canChange && (
            <Button variant="default" size="xs" onClick={editing.open}>
              Edit source
            </Button>
          )
        }
      />
      <Section title="Details">
        <SourceFacts job={job} />
      </Section>
      <MonitorsUsingJob filter={{ gather_job_id: job.id }} />
      <SourceDetails job={job} canChange={canChange} shownAbove={shownFailureOf(job)} />
      <EditGatherJob job={job} isOpen={isEditing} close={editing.close} />
    </>
  );
}
