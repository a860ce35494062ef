import { Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { DayRangeFilter } from '../../components/day-range-filter.tsx';
import { GatherJobPicker, ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { type Column, type List, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { VersionText } from '../../components/version-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { describeGaps, versionFilters } from './describe-gaps.ts';

type Exposure = Schemas['Exposure'];

const statusMarks = {
  running: <Mark tone="neutral">Running</Mark>,
  unconfirmed: <Mark tone="moderate">Unconfirmed</Mark>,
  ended: <Mark tone="muted">Ended</Mark>,
} as const satisfies Record<Exposure['status'], React.ReactNode>;

/** Shows an exact time, because the list is also printed as a report. */
function ExactTime({ at }: { at: string }) {
  return <time dateTime={at}>{formatTime(new Date(at))}</time>;
}

const columns: readonly Column<Exposure>[] = [
  {
    header: 'Version tracker',
    cell: ({ name, scrape_job }) =>
      scrape_job ? (
        <TextLink {...resourceLink('scrape_job', scrape_job.id)} inherit>
          {name}
        </TextLink>
      ) : (
        `${name} (deleted)`
      ),
    csv: ({ name }) => name,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Version',
    cell: ({ version }) => <VersionText version={version} />,
    csv: ({ version }) => version,
  },
  { header: 'Owner', cell: ({ owner }) => owner, csv: ({ owner }) => owner },
  {
    header: 'Status',
    cell: ({ status }) => statusMarks[status],
    csv: ({ status }) => status,
    width: '7.2rem',
  },
  {
    header: 'First seen',
    cell: ({ first_seen_at }) => <ExactTime at={first_seen_at} />,
    csv: ({ first_seen_at }) => first_seen_at,
    width: '6.8rem',
  },
  {
    header: 'Last seen',
    cell: ({ last_seen_at }) => <ExactTime at={last_seen_at} />,
    csv: ({ last_seen_at }) => last_seen_at,
    width: '6.8rem',
  },
  {
    header: 'Known for',
    cell: ({ known_seconds }) => formatDuration(known_seconds),
    csv: ({ known_seconds }) => known_seconds,
    width: '5.2rem',
  },
  {
    header: 'Gaps',
    cell: (exposure) => describeGaps(exposure),
    csv: (exposure) => describeGaps(exposure),
    width: 'minmax(0, 2fr)',
  },
  { header: 'Source', cell: () => null, csv: ({ source }) => source, csvOnly: true },
  { header: 'Commit', cell: () => null, csv: ({ commit }) => commit, csvOnly: true },
  { header: 'Ended', cell: () => null, csv: ({ ended_at }) => ended_at, csvOnly: true },
];

function formatDuration(seconds: number): string {
  if (seconds === 0) return 'unknown';
  const hours = seconds / 3_600;
  if (hours < 1) return `${Math.max(1, Math.floor(seconds / 60))} min`;
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} days`;
}

export default function ExposuresPage() {
  const list = useList('listExposures', {
    from: '/shell/exposures',
    filters: [
      'gather_job_id',
      'version',
      'version_range',
      'digest',
      'vulnerability_id',
      'scrape_job_id',
      'is_current',
      'since',
      'until',
    ],
  });
  const { gather_job_id, scrape_job_id } = list.search;
  return (
    <>
      <PageHeader
        title="Exposures"
        about="Versions of all version trackers over time. Only time that is confirmed by successful reads counts."
      />
      <ListFilters
        list={list}
        filters={[
          {
            name: 'is_current',
            label: 'Current',
            options: [
              { value: 'true', label: 'Current' },
              { value: 'false', label: 'Ended' },
            ],
          },
        ]}
      >
        <GatherJobPicker
          aria-label="Upstream source"
          placeholder="Upstream source"
          value={gather_job_id ? Number(gather_job_id) : null}
          onChange={(id) =>
            list.setSearch({
              gather_job_id: id === null ? undefined : String(id),
              ...versionFilters(versionOf(list), id !== null),
            })
          }
          clearable
          clearButtonProps={{ 'aria-label': 'Clear upstream source' }}
          w={220}
        />
        <VersionFilter list={list} />
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
      <DataTime query={list.query} />
      <ResourceList
        list={list}
        columns={columns}
        name="exposures"
        empty={
          <EmptyState title="No exposures yet">
            <Text span inherit>
              They begin when a version tracker has its first version.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}

/** Returns the text of the version filter, which is one of four parameters. */
function versionOf({ search }: Pick<List<Exposure>, 'search'>): string {
  return search.version ?? search.version_range ?? search.digest ?? search.vulnerability_id ?? '';
}

function VersionFilter({ list }: { list: List<Exposure> }) {
  const current = versionOf(list);
  const [typed, setTyped] = useState(current);
  const [shown, setShown] = useState(current);
  // Update the input if the filter was changed elsewhere, for example cleared.
  if (current !== shown) {
    setShown(current);
    setTyped(current);
  }
  const hasSoftware = list.search.gather_job_id !== undefined;
  const apply = useDebouncedCallback((text: string) => {
    setShown(text.trim());
    list.setSearch(versionFilters(text, hasSoftware));
  }, 400);
  return (
    <TextInput
      aria-label="Version, range, digest, or CVE"
      placeholder={hasSoftware ? 'Version, range, digest, or CVE' : 'Version or CVE'}
      title={
        hasSoftware
          ? 'For example 1.25.3, >=1.24.0 <1.25.4, or CVE-2026-1234'
          : 'For example 1.25.3 or CVE-2026-1234. Select an upstream source to enter a range.'
      }
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        apply(value);
      }}
      w={240}
    />
  );
}

/** Shows the time of the data, which a printed report needs. */
function DataTime({ query }: { query: List<Exposure>['query'] }) {
  const { data } = useApi('listExposures', { query: { ...query, limit: 1 } });
  if (!data) return null;
  return (
    <Text size="sm" c="var(--text-muted)" mb="xs">
      Data as of <ExactTime at={data.as_of} />
      {data.known_since !== null && (
        <>
          {'. Exposures since the vulnerability was published on '}
          <ExactTime at={data.known_since} />
        </>
      )}
    </Text>
  );
}
