import { Flex } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import {
  jobNameColumn,
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
} from '../../components/job-columns.tsx';
import { formatFound, knownCount } from '../../components/job-found.ts';
import { JobMenu } from '../../components/job-menu.tsx';
import { activeOptions, jobStatusOptions } from '../../components/job-status.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

type DiscoveryJob = Schemas['DiscoveryJob'];

const columns: readonly Column<DiscoveryJob>[] = [
  jobNameColumn,
  {
    header: 'Place',
    cell: ({ repository_url, group_url, cluster_name, host_name }) => (
      <span title={repository_url ?? group_url ?? undefined}>
        <Breakable>
          {(repository_url ?? group_url)?.replace(/^https:\/\//, '') ??
            (cluster_name === null ? `Host ${host_name}` : `Cluster ${cluster_name}`)}
        </Breakable>
      </span>
    ),
    csv: ({ repository_url, group_url, cluster_name, host_name }) =>
      repository_url ?? group_url ?? cluster_name ?? host_name,
    width: 'minmax(9rem, 2.4fr)',
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
  nextRunColumn,
];

export default function DiscoveryJobsPage() {
  const list = useList('listDiscoveryJobs', {
    from: '/shell/discovery',
    filters: ['q', 'status', 'is_active'],
    sort: '-created_at',
  });
  const canWrite = useHasRole('member');
  const create = canWrite && (
    <Flex
      direction={{ base: 'column-reverse', xs: 'row' }}
      wrap={{ xs: 'wrap' }}
      gap="xs"
      w={{ base: '100%', xs: 'auto' }}
    >
      <ButtonLink to="/discovery/new-host" variant="default" leftSection={<IconPlus size={16} />}>
        Add container host
      </ButtonLink>
      <ButtonLink to="/discovery/new-cluster" variant="default" leftSection={<IconPlus size={16} />}>
        Add cluster
      </ButtonLink>
      <ButtonLink to="/discovery/new-organization" variant="default" leftSection={<IconPlus size={16} />}>
        Add organization
      </ButtonLink>
      <ButtonLink to="/discovery/new" leftSection={<IconPlus size={16} />}>
        Add repository
      </ButtonLink>
    </Flex>
  );
  return (
    <>
      <PageHeader
        title="Discovery"
        about="Finds what you deploy in Git repositories, Kubernetes clusters, and container hosts, so you don't have to enter it."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name, repository, cluster, or host"
        filters={[
          { name: 'status', label: 'Status', options: jobStatusOptions },
          { name: 'is_active', label: 'Enabled', options: activeOptions },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="repositories, clusters, and hosts"
        rowLink={({ id }) => resourceLink('discovery_job', id)}
        rowActions={canWrite ? (job) => <JobMenu kind="discovery" job={job} /> : undefined}
        empty={
          <EmptyState title="No repositories, clusters, or hosts yet" action={create}>
            Add a Git repository with manifests, Helm charts, Dockerfiles, or Terraform files, a Kubernetes
            cluster, or a Docker or Podman host. Pacekeeper lists every version in it, and you choose what to
            monitor.
          </EmptyState>
        }
      />
    </>
  );
}
