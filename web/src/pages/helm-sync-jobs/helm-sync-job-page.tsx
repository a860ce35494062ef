import { Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { formatFound } from '../../components/job-found.ts';
import { JobButtons } from '../../components/job-menu.tsx';
import { FailedRunNotice, JobStatusMark, ScopeMark, shownFailureOf } from '../../components/job-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { jobRunFacts } from '../../components/run-facts.tsx';
import { RunsList } from '../../components/runs-list.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ChartsList } from './charts-list.tsx';
import { HelmSyncJobForm } from './helm-sync-job-form.tsx';

type HelmSyncJob = Schemas['HelmSyncJob'];

const parent = { to: '/helm-sync-jobs', title: 'Helm repositories' } as const;

export default function HelmSyncJobPage() {
  const { id } = useParams({ from: '/shell/helm-sync-jobs/$id' });
  const job = useApi('getHelmSyncJob', { path: { id: Number(id) } });
  return (
    <Loaded query={job} parent={parent}>
      {(found) => <HelmSyncJobDetail job={found} />}
    </Loaded>
  );
}

function HelmSyncJobDetail({ job }: { job: HelmSyncJob }) {
  const [isEditing, editing] = useDisclosure(false);
  const update = useAction('updateHelmSyncJob', { quiet: true, done: 'Helm repository saved' });
  const canChange = useHasRole('member') && job.scope === 'organization';
  return (
    <>
      <PageHeader
        title={job.name}
        about={
          job.scope === 'global'
            ? 'Global Helm repository, shared with all organizations. Only the operator can change it.'
            : undefined
        }
        parent={parent}
        actions={
          canChange && (
            <JobButtons kind="helm_sync" job={job} list="/helm-sync-jobs">
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
              Edit repository
            </Button>
          )
        }
      />
      <Section title="Details">
        <HelmSyncJobFacts job={job} />
      </Section>
      <ChartsList job={job} />
      <RunsList operationId="listHelmSyncJobRuns" jobId={job.id} shownAbove={shownFailureOf(job)} />
      <EditDialog
        title="Edit Helm repository"
        resource={job}
        isOpen={isEditing}
        close={editing.close}
        update={update.mutateAsync}
      >
        {(opened, form) => <HelmSyncJobForm job={opened} {...form} />}
      </EditDialog>
    </>
  );
}

function HelmSyncJobFacts({ job }: { job: HelmSyncJob }) {
  return (
    <Facts
      facts={[
        ['Status', <JobStatusMark key="status" job={job} />],
        ['Repository URL', job.repository_url],
        ['Charts', formatFound(job.chart_count, job)],
        [
          'Charts to include',
          job.chart_filter.length === 0 ? (
            'all charts'
          ) : (
            <Code key="filter">{job.chart_filter.join(' ')}</Code>
          ),
        ],
        [
          'Upstream sources',
          job.create_gather_jobs ? (
            <TextLink key="jobs" to="/gather-jobs" search={{ helm_sync_job_id: String(job.id) }} inherit>
              one per chart
            </TextLink>
          ) : (
            'none'
          ),
        ],
        ['Scope', <ScopeMark key="scope" scope={job.scope} />],
        ...jobRunFacts(job),
        job.credential_name !== null && ['Credential', job.credential_name],
        job.managed_by !== null && [
          'Created by',
          <TextLink key="manager" {...resourceLink('discovery_job', job.managed_by.id)} inherit>
            {job.managed_by.name}
          </TextLink>,
        ],
        ['Created', <RelativeTime key="made" at={job.created_at} />],
      ]}
    />
  );
}
