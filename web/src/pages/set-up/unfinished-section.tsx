import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { readPages } from '../../api/read-pages.ts';
import { api } from '../../api/session.ts';
import { formatFound } from '../../components/job-found.ts';
import { JobStatusMark } from '../../components/job-status.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { isUnfinished } from './unfinished-jobs.ts';

type DiscoveryJob = Schemas['DiscoveryJob'];

/** Maximum number of jobs to check, newest first. */
const maxChecked = 1_000;

const shownCount = 10;

const columns: readonly Column<DiscoveryJob>[] = [
  { header: 'Name', cell: ({ name }) => name, width: 'minmax(8rem, 2fr)' },
  { header: 'Status', cell: (job) => <JobStatusMark job={job} />, width: 'minmax(6.2rem, 1fr)' },
  {
    header: 'Found versions',
    cell: (job) => formatFound(job.item_counts.new, job),
    width: '8rem',
    align: 'end',
  },
];

/** Lists repositories, clusters, and hosts that were connected, but whose versions no one has accepted yet. */
export function UnfinishedSection() {
  const { data } = useQuery({
    queryKey: ['listDiscoveryJobs', 'unfinished'],
    queryFn: ({ signal }) =>
      readPages(
        (page) => api.call('listDiscoveryJobs', { query: { ...page, sort: '-created_at' }, signal }),
        { maxItems: maxChecked, isEnough: (jobs) => jobs.filter(isUnfinished).length > shownCount },
      ),
  });
  if (data === undefined) return null;
  const unfinished = data.items.filter(isUnfinished);
  if (unfinished.length === 0 && !data.isCut) return null;
  return (
    <Section
      title="Continue"
      mt="md"
      actions={
        <TextLink to="/discovery" size="sm">
          View all
        </TextLink>
      }
    >
      {unfinished.length > 0 && (
        <RowsTable
          items={unfinished.slice(0, shownCount)}
          columns={columns}
          name="unfinished connections"
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: '/connect/$id', params: { id: String(id) } })}
        />
      )}
      {unfinished.length > shownCount ? (
        <Text size="sm" mt="xs" c="var(--text-muted)">
          {`The newest ${shownCount} are listed.`}
        </Text>
      ) : (
        data.isCut && (
          <Text size="sm" mt="xs" c="var(--text-muted)">
            {`Only the newest ${formatCount(maxChecked)} connections are checked.`}
          </Text>
        )
      )}
    </Section>
  );
}
