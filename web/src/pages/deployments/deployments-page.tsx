import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { DayRangeFilter } from '../../components/day-range-filter.tsx';
import { ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

const columns: readonly Column<Schemas['Deployment']>[] = [
  {
    header: 'Time',
    cell: ({ time }) => <RelativeTime at={time} />,
    csv: ({ time }) => time,
    width: '9rem',
  },
  {
    header: 'Service',
    cell: ({ service, scrape_job }) =>
      scrape_job ? (
        <TextLink {...resourceLink('scrape_job', scrape_job.id)} inherit>
          {service}
        </TextLink>
      ) : (
        service
      ),
    csv: ({ service }) => service,
    width: 'minmax(0, 2fr)',
  },
  { header: 'Environment', cell: ({ environment }) => environment, csv: ({ environment }) => environment },
  {
    header: 'Version',
    cell: ({ version }) => <VersionText version={version} />,
    csv: ({ version }) => version,
  },
  {
    header: 'Status',
    cell: ({ is_current, is_late }) =>
      is_current ? <Mark tone="ok">Current</Mark> : is_late ? <Mark tone="muted">Late</Mark> : '',
    csv: ({ is_current, is_late }) => (is_current ? 'current' : is_late ? 'late' : ''),
    width: '7rem',
  },
  {
    header: 'Reported by',
    cell: ({ reported_by }) => reported_by.name,
    csv: ({ reported_by }) => reported_by.name,
  },
  { header: 'Artifact', cell: () => null, csv: ({ artifact }) => artifact, csvOnly: true },
  { header: 'Commit', cell: () => null, csv: ({ commit }) => commit, csvOnly: true },
  { header: 'URL', cell: () => null, csv: ({ url }) => url, csvOnly: true },
  { header: 'Received', cell: () => null, csv: ({ created_at }) => created_at, csvOnly: true },
];

export default function DeploymentsPage() {
  const list = useList('listDeployments', {
    from: '/shell/deployments',
    filters: ['service', 'environment', 'scrape_job_id', 'since', 'until'],
  });
  const { data: matrix } = useApi('getEnvironmentMatrix', { query: { limit: 1 } });
  const { scrape_job_id, environment } = list.search;
  const environments = new Set([...(matrix?.environments ?? []), ...(environment ? [environment] : [])]);
  return (
    <>
      <PageHeader
        title="Deployments"
        about="Reported deployments, the latest first: who deployed which version where, and when."
      />
      <ListFilters
        list={list}
        filters={[
          {
            name: 'environment',
            label: 'Environment',
            options: [...environments].map((value) => ({ value, label: value })),
          },
        ]}
      >
        <ScrapeJobPicker
          aria-label="Version tracker"
          placeholder="Version tracker"
          value={scrape_job_id ? Number(scrape_job_id) : null}
          onChange={(id) => list.setSearch({ scrape_job_id: id === null ? undefined : String(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear version tracker' }}
          w={220}
        />
        <DayRangeFilter list={list} />
      </ListFilters>
      <ResourceList
        list={list}
        columns={columns}
        name="deployments"
        empty={
          <EmptyState title="No deployments yet">
            <Text span inherit>
              Report each deployment from your pipeline. The reports appear here.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}
