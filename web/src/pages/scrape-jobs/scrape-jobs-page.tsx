import { Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import {
  jobNameColumn,
  jobStatusColumn,
  lastRunColumn,
  nextRunColumn,
} from '../../components/job-columns.tsx';
import { JobMenu } from '../../components/job-menu.tsx';
import { activeOptions, JobStatusMark, jobStatusOptions, LastRun } from '../../components/job-status.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { parserLabel, parserOptions } from './parser-types.ts';
import { SetVersionDialog } from './set-version-form.tsx';

type ScrapeJob = Schemas['ScrapeJob'];

const columns: readonly Column<ScrapeJob>[] = [
  jobNameColumn,
  {
    header: 'Source',
    cell: (job) => <Reads job={job} />,
    csv: ({ repository_url, target_file, url, query }) =>
      [repository_url, target_file, url, query].filter(Boolean).join(' '),
    width: 'minmax(9rem, 1.8fr)',
  },
  {
    header: 'Deployed',
    cell: ({ latest_version }) => <VersionText version={latest_version} />,
    csv: ({ latest_version }) => latest_version,
    width: 'minmax(0, 6rem)',
  },
  {
    ...jobStatusColumn,
    cell: (job) => <Status job={job} />,
  },
  {
    ...lastRunColumn,
    header: 'Last checked',
    cell: (job) => {
      if (job.parser_type === 'manual') return <RelativeTime at={job.latest_version_at} />;
      // The page of the discovery job shows its last scan.
      return job.discovery_job_id === null ? <LastRun run={job.last_run} /> : '';
    },
  },
  nextRunColumn,
];

function Status({ job }: { job: ScrapeJob }) {
  if (job.parser_type === 'manual') return 'Set manually';
  if (job.discovery_job_id === null) return <JobStatusMark job={job} />;
  return (
    <>
      Read by{' '}
      <TextLink {...resourceLink('discovery_job', job.discovery_job_id)} inherit underline="always">
        {job.discovery_job_name}
      </TextLink>
    </>
  );
}

function Reads({ job }: { job: ScrapeJob }) {
  if (job.parser_type === 'manual') return parserLabel('manual');
  if (job.url !== null) {
    const host = job.url.replace(/^https?:\/\//, '');
    return (
      <span title={[job.url, job.query, job.parse_expression].filter(Boolean).join(' ')}>
        {job.query === null ? host : `${job.query} in ${host}`}
      </span>
    );
  }
  // Without a repository, the target is a cluster object.
  if (job.repository_url === null) return <span title={job.target_file ?? ''}>{job.target_file}</span>;
  const repository = job.repository_url.replace(/^https?:\/\/|\.git$/g, '');
  return (
    <span title={`${job.repository_url} ${job.target_file} ${job.parse_expression}`}>
      {job.target_file} in {repository}
    </span>
  );
}

export default function ScrapeJobsPage() {
  const list = useList('listScrapeJobs', {
    from: '/shell/scrape-jobs',
    filters: ['q', 'parser_type', 'status', 'is_active'],
    sort: '-created_at',
  });
  const [toSet, setToSet] = useState<ScrapeJob | null>(null);
  const canWrite = useHasRole('member');
  const create = canWrite && (
    <ButtonLink to="/scrape-jobs/new" leftSection={<IconPlus size={16} />}>
      New version tracker
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Version trackers"
        about="Each version tracker reports the deployed version of one component."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name, repository, or URL"
        filters={[
          { name: 'parser_type', label: 'Parser', options: parserOptions },
          { name: 'status', label: 'Status', options: jobStatusOptions },
          { name: 'is_active', label: 'Enabled', options: activeOptions },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="version trackers"
        rowLink={({ id }) => resourceLink('scrape_job', id)}
        rowActions={
          canWrite
            ? (job) => {
                const isManual = job.parser_type === 'manual';
                return (
                  <JobMenu kind="scrape" job={job} neverRuns={isManual}>
                    {isManual && <Menu.Item onClick={() => setToSet(job)}>Set version</Menu.Item>}
                  </JobMenu>
                );
              }
            : undefined
        }
        empty={
          <EmptyState title="No version trackers yet" action={create}>
            <Text span inherit>
              A version tracker reads the version from a file in a Git repository, a URL, or Prometheus, or
              you or your pipeline report it after each deployment.
            </Text>
          </EmptyState>
        }
      />
      {toSet && <SetVersionDialog job={toSet} onClose={() => setToSet(null)} />}
    </>
  );
}
