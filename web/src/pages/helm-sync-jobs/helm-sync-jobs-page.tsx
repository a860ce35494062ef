import { Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import {
  jobNameColumn,
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
  scopeColumn,
} from '../../components/job-columns.tsx';
import { formatFound, knownCount } from '../../components/job-found.ts';
import { JobMenu } from '../../components/job-menu.tsx';
import { activeOptions, jobStatusOptions, scopeOptions } from '../../components/job-status.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

type HelmSyncJob = Schemas['HelmSyncJob'];

const columns: readonly Column<HelmSyncJob>[] = [
  jobNameColumn,
  {
    header: 'Repository',
    cell: ({ repository_url }) => (
      <span title={repository_url}>
        <Breakable>{repository_url.replace(/^https:\/\//, '')}</Breakable>
      </span>
    ),
    csv: ({ repository_url }) => repository_url,
    width: 'minmax(9rem, 1.8fr)',
  },
  {
    header: 'Charts',
    cell: (job) => formatFound(job.chart_count, job),
    csv: (job) => knownCount(job.chart_count, job),
    width: '4.5rem',
    align: 'end',
  },
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
  scopeColumn,
];

export default function HelmSyncJobsPage() {
  const list = useList('listHelmSyncJobs', {
    from: '/shell/helm-sync-jobs',
    filters: ['q', 'status', 'is_active', 'scope'],
    sort: '-created_at',
  });
  const canWrite = useHasRole('member');
  const create = canWrite && (
    <ButtonLink to="/helm-sync-jobs/new" leftSection={<IconPlus size={16} />}>
      New Helm repository
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Helm repositories"
        about="Track every chart in a Helm repository with one index request."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name or repository"
        filters={[
          { name: 'status', label: 'Status', options: jobStatusOptions },
          { name: 'is_active', label: 'Enabled', options: activeOptions },
          { name: 'scope', label: 'Scope', options: scopeOptions },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="Helm repositories"
        rowLink={({ id }) => resourceLink('helm_sync_job', id)}
        rowActions={
          canWrite
            ? (job) => job.scope === 'organization' && <JobMenu kind="helm_sync" job={job} />
            : undefined
        }
        empty={
          <EmptyState title="No Helm repositories yet" action={create}>
            <Text span inherit>
              Add a Helm repository to track all its charts. Pacekeeper can create an upstream source for each
              one.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}
