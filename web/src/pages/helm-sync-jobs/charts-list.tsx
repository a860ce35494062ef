import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { emptyUntilRun } from '../../components/job-found.ts';
import { type Column, ShortList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

const columns: readonly Column<Schemas['HelmChart']>[] = [
  {
    header: 'Chart',
    cell: ({ name, deprecated }) => (
      <>
        {name}
        {deprecated && (
          <Text span inherit c="var(--severity-moderate)">
            {' '}
            deprecated
          </Text>
        )}
      </>
    ),
    width: 'minmax(0, 1.4fr)',
  },
  { header: 'Latest', cell: ({ latest_version }) => <VersionText version={latest_version} /> },
  { header: 'App version', cell: ({ app_version }) => <VersionText version={app_version} none="" /> },
  {
    header: 'Versions',
    cell: ({ version_count }) => formatCount(version_count),
    width: '5rem',
    align: 'end',
  },
  {
    header: 'Description',
    cell: ({ description }) => <span title={description ?? undefined}>{description}</span>,
    width: 'minmax(0, 2fr)',
    wideOnly: true,
  },
  {
    header: 'Last seen',
    cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} />,
    width: '8rem',
    wideOnly: true,
  },
];

/** Lists the charts of the repository. Each chart links to its gather job. */
export function ChartsList({ job }: { job: Schemas['HelmSyncJob'] }) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  return (
    <Section
      title="Charts"
      actions={
        <TextInput
          aria-label="Search charts by name"
          placeholder="Search by name"
          leftSection={<IconSearch size={15} aria-hidden />}
          type="search"
          size="xs"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      }
    >
      <ShortList
        operationId="listHelmSyncJobCharts"
        path={{ id: job.id }}
        query={q === '' ? {} : { q }}
        columns={columns}
        name="charts"
        size={20}
        rowKey={({ name }) => name}
        rowLink={({ gather_job_id }) =>
          gather_job_id === null ? null : resourceLink('gather_job', gather_job_id)
        }
        empty={q === '' ? emptyUntilRun('charts', job) : 'No matching charts'}
      />
    </Section>
  );
}
