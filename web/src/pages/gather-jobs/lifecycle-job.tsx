import { Autocomplete, Text } from '@mantine/core';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { JobStatusMark, ScopeMark } from '../../components/job-status.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { formatDay } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { LifecycleProduct, PackageUrls, ProjectLink, VulnerabilityPackages } from './identity-facts.tsx';

type GatherJob = Schemas['GatherJob'];
type LifecycleLine = Schemas['LifecycleRelease'];

/** Details of a job without runs and releases. Instead of a last run, they include the age of the reference data. */
export function LifecycleFacts({ job }: { job: GatherJob }) {
  const reference = useApi('listReferenceSources', {});
  const source = reference.data?.items.find(({ name }) => name === 'end_of_life');
  return (
    <Facts
      facts={[
        ['Status', <JobStatusMark key="status" job={job} />],
        ['Lifecycle', <LifecycleProduct key="lifecycle" job={job} />],
        ['Source type', sourceTypes[job.source_type].label],
        ['Scope', <ScopeMark key="scope" scope={job.scope} />],
        source !== undefined && [
          'Lifecycle data',
          <span key="data">
            <RelativeTime at={source.as_of} none="not loaded" />
            {source.is_old && ' (older than 30 days)'}
          </span>,
        ],
        job.purls.length > 0 && ['Package URLs', <PackageUrls key="purls" purls={job.purls} />],
        job.project_url !== null && [
          'Project',
          <ProjectLink key="project" job={job} url={job.project_url} />,
        ],
        ['Vulnerabilities', <VulnerabilityPackages key="vulnerabilities" job={job} />],
        ['Created', <RelativeTime key="made" at={job.created_at} />],
      ]}
    />
  );
}

const columns: readonly Column<LifecycleLine>[] = [
  { header: 'Line', cell: ({ name }) => name },
  { header: 'Latest', cell: ({ latest_version }) => latest_version ?? '', secondary: true },
  { header: 'Active support', cell: ({ active_support }) => <PhaseEnd phase={active_support} /> },
  { header: 'End of life', cell: ({ end_of_life }) => <PhaseEnd phase={end_of_life} /> },
  { header: 'Extended support', cell: ({ extended_support }) => <PhaseEnd phase={extended_support} /> },
];

function PhaseEnd({ phase: { ends_on, has_ended } }: { phase: LifecycleLine['end_of_life'] }) {
  if (ends_on !== null)
    return (
      <Text span inherit c={has_ended === true ? 'var(--text-muted)' : undefined}>
        {formatDay(new Date(`${ends_on}T00:00:00Z`))}
      </Text>
    );
  return has_ended === null ? '' : has_ended ? 'Ended' : 'No end date';
}

/** Lists the release lines of a product, with the last days of their support. */
export function LifecycleLines({ product }: { product: string }) {
  const found = useApi('getLifecycleProduct', { path: { name: product } });
  return (
    <Section title="Release lines">
      {found.data === undefined ? (
        <Text size="sm" c="var(--text-muted)">
          {found.isPending
            ? 'Loading…'
            : "The lifecycle data isn't loaded, or it doesn't contain this product. Monitors show no data until it does."}
        </Text>
      ) : (
        <RowsTable
          items={found.data.releases}
          columns={columns}
          name="release lines"
          rowKey={({ name }) => name}
        />
      )}
    </Section>
  );
}

/** Field for the product of a job that has only a lifecycle. Suggests products of the reference data. */
export function ProductField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error?: React.ReactNode;
}) {
  const found = useApi('listLifecycleProducts', { query: { q: value, limit: 20 } }, { keepPrevious: true });
  return (
    <Autocomplete
      label="Product"
      description={`Product on endoflife.date that says when support ends. For example, ${sourceTypes.lifecycle.example}.`}
      required
      spellCheck={false}
      data={found.data?.items.map(({ name }) => name) ?? []}
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
