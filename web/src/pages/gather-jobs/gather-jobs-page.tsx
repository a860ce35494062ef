import { Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { artifactText } from '../../components/artifact-text.ts';
import {
  jobNameColumn,
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
  scopeColumn,
} from '../../components/job-columns.tsx';
import { JobMenu } from '../../components/job-menu.tsx';
import { activeOptions, jobStatusOptions, scopeOptions } from '../../components/job-status.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { sourceTypeOptions } from '../../components/source-type-options.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type GatherJob = Schemas['GatherJob'];

const columns: readonly Column<GatherJob>[] = [
  jobNameColumn,
  {
    header: 'Artifact',
    cell: ({ artifact_name, source_type }) => (
      <span title={`${sourceTypes[source_type].label}: ${artifact_name}`}>
        <Breakable>{artifactText(artifact_name)}</Breakable>
      </span>
    ),
    csv: ({ artifact_name }) => artifact_name,
    width: 'minmax(9rem, 2.6fr)',
  },
  {
    header: 'Latest',
    cell: ({ latest_stable_version, latest_version, mirror_of, list_completeness }) => (
      <TwoLines
        second={
          mirror_of !== null ? 'in your mirror' : list_completeness === 'incomplete' && 'list incomplete'
        }
      >
        {latest_stable_version ?? latest_version ?? ''}
      </TwoLines>
    ),
    csv: ({ latest_version }) => latest_version,
    width: 'minmax(0, 6rem)',
  },
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
  scopeColumn,
];

export default function GatherJobsPage() {
  const list = useList('listGatherJobs', {
    from: '/shell/gather-jobs',
    filters: ['q', 'source_type', 'status', 'is_active', 'scope', 'helm_sync_job_id'],
    sort: '-created_at',
  });
  const canWrite = useHasRole('member');
  const create = canWrite && (
    <ButtonLink to="/gather-jobs/new" leftSection={<IconPlus size={16} />}>
      New upstream source
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Upstream sources"
        about="Each upstream source tracks the releases of one artifact, such as a repository, an image, or a chart, or the lifecycle of a managed service."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name or artifact"
        filters={[
          { name: 'source_type', label: 'Source type', options: sourceTypeOptions },
          { name: 'status', label: 'Status', options: jobStatusOptions },
          { name: 'is_active', label: 'Enabled', options: activeOptions },
          { name: 'scope', label: 'Scope', options: scopeOptions },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="upstream sources"
        rowLink={({ id }) => resourceLink('gather_job', id)}
        rowActions={
          canWrite
            ? (job) =>
                job.scope === 'organization' && (
                  <JobMenu kind="gather" job={job} neverRuns={job.source_type === 'lifecycle'} />
                )
            : undefined
        }
        empty={
          <EmptyState title="No upstream sources yet" action={create}>
            <Text span inherit>
              An upstream source collects releases from GitHub, a container registry, a Helm repository, or
              another source, and keeps them up to date.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}
