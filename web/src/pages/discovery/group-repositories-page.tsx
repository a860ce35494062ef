import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { jobStatusColumn, lastRunColumn } from '../../components/job-columns.tsx';
import { formatFound, knownCount } from '../../components/job-found.ts';
import { jobStatusOptions } from '../../components/job-status.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { describeUnlisted } from './repositories-section.tsx';

type DiscoveryJob = Schemas['DiscoveryJob'];

const columns: readonly Column<DiscoveryJob>[] = [
  {
    header: 'Name',
    cell: ({ name, unlisted }) => <TwoLines second={unlisted && describeUnlisted(unlisted)}>{name}</TwoLines>,
    sort: 'name',
    csv: ({ name }) => name,
    width: 'minmax(8rem, 2.4fr)',
  },
  {
    header: 'New',
    cell: (job) => formatFound(job.item_counts.new, job),
    csv: (job) => knownCount(job.item_counts.new, job),
    width: '4.5rem',
    align: 'end',
  },
  {
    header: 'Accepted',
    cell: ({ item_counts }) => formatCount(item_counts.accepted),
    csv: ({ item_counts }) => item_counts.accepted,
    width: '5.5rem',
    align: 'end',
  },
  jobStatusColumn,
  lastRunColumn,
];

export default function GroupRepositoriesPage() {
  const { id } = useParams({ from: '/shell/discovery/$id/repositories' });
  const job = useApi('getDiscoveryJob', { path: { id: Number(id) } });
  return (
    <Loaded query={job} parent={{ to: '/discovery', title: 'Discovery' }}>
      {(found) => <Repositories job={found} />}
    </Loaded>
  );
}

function Repositories({ job }: { job: DiscoveryJob }) {
  const list = useList('listDiscoveryJobs', {
    from: '/shell/discovery/$id/repositories',
    filters: ['q', 'status'],
    sort: 'name',
    fixed: { group_job_id: job.id },
  });
  return (
    <>
      <PageHeader title={`Repositories of ${job.name}`} parent={{ to: '/discovery', title: 'Discovery' }} />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[{ name: 'status', label: 'Status', options: jobStatusOptions }]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="repositories"
        rowLink={(repository) => resourceLink('discovery_job', repository.id)}
        empty={<EmptyState title="No repositories yet">They appear here after the first list.</EmptyState>}
      />
    </>
  );
}
