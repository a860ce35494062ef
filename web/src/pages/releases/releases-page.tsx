import { Button, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { artifactText } from '../../components/artifact-text.ts';
import { GatherJobPicker } from '../../components/entity-picker.tsx';
import { scopeOptions } from '../../components/job-status.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { ReleaseDate, ReleaseMark } from '../../components/release-marks.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SinceFilter } from '../../components/since-filter.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { ChoiceTabs } from '../../ui/choice-tabs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const columns: readonly Column<Schemas['Release']>[] = [
  {
    header: 'Version',
    cell: ({ version }) => <VersionText version={version} />,
    csv: ({ version }) => version,
  },
  {
    header: 'Artifact',
    cell: ({ artifact_name, source_type }) => (
      <span title={`${sourceTypes[source_type].label}: ${artifact_name}`}>{artifactText(artifact_name)}</span>
    ),
    csv: ({ artifact_name }) => artifact_name,
    width: 'minmax(9rem, 2fr)',
  },
  {
    header: 'Type',
    cell: (release) => <ReleaseMark release={release} />,
    csv: ({ is_yanked, is_withdrawn, is_prerelease }) =>
      is_yanked ? 'yanked' : is_withdrawn ? 'withdrawn' : is_prerelease ? 'prerelease' : 'stable',
    width: '8rem',
  },
  {
    header: 'App version',
    cell: ({ app_version }) => app_version,
    csv: ({ app_version }) => app_version,
    wideOnly: true,
    width: 'minmax(0, 7rem)',
  },
  {
    header: 'Released',
    cell: (release) => <ReleaseDate release={release} />,
    csv: ({ released_at }) => released_at,
    width: '9.5rem',
  },
];

/** Lists releases. Without a source, those of monitored software come first, because they affect deployments. */
export default function ReleasesPage() {
  const { view, gather_job_id } = useSearch({ from: '/shell/releases' });
  const isMonitored = view !== 'all' && gather_job_id === undefined;
  const list = useList('listReleases', {
    from: '/shell/releases',
    filters: ['q', 'gather_job_id', 'artifact_name', 'stable_only', 'scope', 'since'],
    ...(isMonitored && { fixed: { monitored_only: true } }),
  });
  return (
    <>
      <PageHeader
        title="Releases"
        about={
          gather_job_id
            ? 'Releases from one upstream source, highest version first.'
            : isMonitored
              ? 'Releases of the software that your monitors compare, newest first.'
              : 'Releases from all upstream sources, newest first.'
        }
      />
      {gather_job_id === undefined && (
        <ChoiceTabs
          label="Releases to show"
          data={[
            { value: '', label: 'Monitored software' },
            { value: 'all', label: 'All sources' },
          ]}
          value={view === 'all' ? 'all' : ''}
          onChange={(value) => list.setSearch({ view: value })}
        />
      )}
      <ListFilters
        list={list}
        search="Search by version or artifact"
        filters={[
          { name: 'stable_only', label: 'Type', options: [{ value: 'true', label: 'Stable only' }] },
          { name: 'scope', label: 'Scope', options: scopeOptions },
        ]}
      >
        <GatherJobPicker
          aria-label="Upstream source"
          placeholder="Upstream source"
          value={gather_job_id ? Number(gather_job_id) : null}
          onChange={(id) => list.setSearch({ gather_job_id: id === null ? undefined : String(id) })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear upstream source' }}
          w={220}
        />
        <SinceFilter list={list} label="Released" />
      </ListFilters>
      <ResourceList
        list={list}
        columns={columns}
        name="releases"
        rowLink={({ id }) => resourceLink('release', id)}
        empty={
          isMonitored ? (
            <EmptyState
              title="No releases of monitored software yet"
              action={
                <Button variant="default" onClick={() => list.setSearch({ view: 'all' })}>
                  Show all sources
                </Button>
              }
            >
              Releases of the sources that your monitors use appear here after the first run.
            </EmptyState>
          ) : (
            <EmptyState title="No releases yet">
              <Text span inherit>
                Add an upstream source. Its releases appear here after the first run.
              </Text>
            </EmptyState>
          )
        }
      />
    </>
  );
}
