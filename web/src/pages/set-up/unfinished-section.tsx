import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { formatFound } from '../../components/job-found.ts';
import { JobStatusMark } from '../../components/job-status.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { findUnfinishedJobs } from './unfinished-jobs.ts';

type DiscoveryJob = Schemas['DiscoveryJob'];

/** Number of the newest jobs that are checked. */
const checkedCount = 100;

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
  const jobs = useApi('listDiscoveryJobs', { query: { limit: checkedCount, sort: '-created_at' } });
  const unfinished = findUnfinishedJobs(jobs.data?.items ?? []);
  if (unfinished.length === 0) return null;
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
      <RowsTable
        items={unfinished}
        columns={columns}
        name="unfinished connections"
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/connect/$id', params: { id: String(id) } })}
      />
    </Section>
  );
}
