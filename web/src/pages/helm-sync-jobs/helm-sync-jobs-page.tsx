import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useCan } from '../../api/use-me.ts';
import {
  jobNameColumn,
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
  scopeColumn,
} from '../../components/job-columns.tsx';
import { JobMenu } from '../../components/job-menu.tsx';
import { activeOptions, jobStatusOptions, scopeOptions } from '../../components/job-status.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../ui/list/index.ts';
import { PageHeader } from '../../ui/page-header.tsx';

type HelmSyncJob = Schemas['HelmSyncJob'];

const columns: readonly Column<HelmSyncJob>[] = [
  jobNameColumn,
  {
    header: 'Repository',
    cell: ({ repository_url }) => (
      <span title={repository_url}>{repository_url.replace(/^https:\/\//, '')}</span>
    ),
    csv: ({ repository_url }) => repository_url,
    width: 'minmax(0, 1.8fr)',
  },
  {
    header: 'Charts',
    cell: ({ chart_count }) => chart_count.toLocaleString('en'),
    csv: ({ chart_count }) => chart_count,
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
    filters: ['q', 'status', 'is_active', 'scope'],
    sort: '-created_at',
  });
  const canWrite = useCan('member');
  const create = canWrite && (
    <Button component={Link} to="/helm-sync-jobs/new" leftSection={<IconPlus size={16} />}>
      New helm sync job
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Helm sync jobs"
        about="Whole Helm repositories: each reads one index and knows all of its charts."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name or repository"
        filters={[
          { name: 'status', label: 'Status', options: jobStatusOptions },
          { name: 'is_active', label: 'On or off', options: activeOptions },
          { name: 'scope', label: 'Scope', options: scopeOptions },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="helm sync jobs"
        rowLink={({ id }) => ({ to: '/helm-sync-jobs/$id', params: { id: String(id) } })}
        rowActions={
          canWrite
            ? (job) => job.scope === 'organization' && <JobMenu kind="helm_sync" job={job} />
            : undefined
        }
        empty={
          <EmptyState title="No Helm repository is followed yet" action={create}>
            <Text span inherit>
              A helm sync job reads the index of a Helm repository and makes a gather job for each chart, so
              that you need not name them one by one.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}
