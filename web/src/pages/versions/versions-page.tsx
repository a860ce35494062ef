import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SinceFilter } from '../../components/since-filter.tsx';
import { VersionChange } from '../../components/version-change.tsx';
import { VersionSourceText } from '../../components/version-source-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

const columns: readonly Column<Schemas['Version']>[] = [
  {
    header: 'Version tracker',
    cell: ({ scrape_job_name }) => scrape_job_name,
    csv: ({ scrape_job_name }) => scrape_job_name,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Version',
    cell: ({ version }) => <VersionText version={version} />,
    csv: ({ version }) => version,
  },
  {
    header: 'Change',
    cell: (version) => <VersionChange version={version} />,
    csv: ({ is_change }) => is_change,
  },
  {
    header: 'Version before',
    cell: ({ previous_version }) => previous_version,
    csv: ({ previous_version }) => previous_version,
    csvOnly: true,
  },
  {
    header: 'Source',
    cell: (version) => <VersionSourceText version={version} />,
    csv: ({ source, commit_sha }) => commit_sha ?? source,
  },
  { header: 'Match', cell: ({ match }) => match, csv: ({ match }) => match, csvOnly: true },
  {
    header: 'Seen',
    cell: ({ discovered_at }) => <RelativeTime at={discovered_at} />,
    csv: ({ discovered_at }) => discovered_at,
    width: '9rem',
  },
];

export default function VersionsPage() {
  const list = useList('listVersions', {
    from: '/shell/versions',
    filters: ['scrape_job_id', 'changes_only', 'since'],
  });
  const { scrape_job_id } = list.search;
  return (
    <>
      <PageHeader
        title="Version history"
        about="Deployed versions reported by all version trackers, newest first."
      />
      <ListFilters
        list={list}
        filters={[
          { name: 'changes_only', label: 'Changes', options: [{ value: 'true', label: 'Changes only' }] },
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
        <SinceFilter list={list} label="Seen" />
      </ListFilters>
      <ResourceList
        list={list}
        columns={columns}
        name="versions"
        rowLink={({ scrape_job_id: id }) => resourceLink('scrape_job', id)}
        empty={
          <EmptyState title="No versions yet">
            <Text span inherit>
              Add a version tracker. The versions it reports appear here.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}
