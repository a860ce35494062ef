import type { Schemas } from '../../../../src/generated/client-api.ts';
import { LabelList } from '../../components/label-list.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/facts.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { formatNumber } from './format-freshness.ts';

const listDoubtTexts = {
  list_incomplete: 'list incomplete',
  mirror_only: 'newest in your mirror',
} as const;

type Thing = Schemas['FreshnessThing'];

/** Widths of the numeric columns, which fit their headers. */
const widths = {
  libyears: '5.5rem',
  exposure_days: '7.5rem',
  majors: '4.5rem',
  minors: '4.5rem',
  releases: '5rem',
};

const columns: readonly Column<Thing>[] = [
  {
    header: 'Monitor',
    cell: ({ alert_config }) => alert_config.name,
    csv: ({ alert_config }) => alert_config.name,
    width: 'minmax(0, 2fr)',
    sort: 'name',
  },
  {
    header: 'Labels',
    cell: ({ labels }) => <LabelList labels={labels} />,
    csv: ({ labels }) =>
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
    width: 'minmax(0, 1.4fr)',
    wideOnly: true,
  },
  {
    header: 'Deployed',
    cell: ({ deployed_version }) => deployed_version,
    csv: ({ deployed_version }) => deployed_version,
    width: 'minmax(0, 0.7fr)',
  },
  {
    header: 'Latest',
    cell: ({ latest_version, list_doubt }) => (
      <TwoLines second={list_doubt !== null && listDoubtTexts[list_doubt]}>
        {latest_version ?? 'unknown'}
      </TwoLines>
    ),
    csv: ({ latest_version }) => latest_version,
    width: 'minmax(0, 0.7fr)',
    wideOnly: true,
  },
  numberColumn('Libyears', 'libyears'),
  numberColumn('Exposure days', 'exposure_days'),
  numberColumn('Majors', 'majors'),
  numberColumn('Minors', 'minors'),
  numberColumn('Releases', 'releases'),
];

function numberColumn(header: string, name: keyof typeof widths): Column<Thing> {
  return {
    header,
    cell: (thing) => formatNumber(thing[name]),
    csv: (thing) => thing[name],
    sort: name,
    width: widths[name],
    align: 'end',
    wideOnly: name !== 'libyears',
  };
}

/** Lists all deployed versions, furthest behind first. */
export function DeployedVersionsFreshness() {
  const list = useList('listFreshnessThings', {
    from: '/shell/freshness',
    filters: ['q', 'label', 'is_within_target'],
    sort: '-libyears',
  });
  return (
    <Section title="Deployed versions">
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          {
            name: 'is_within_target',
            label: 'Targets',
            options: [
              { value: 'false', label: 'Out of target' },
              { value: 'true', label: 'Within target' },
            ],
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="deployed versions"
        rowLink={({ id }) => resourceLink('alert_config', id)}
        empty={
          <EmptyState title="Nothing deployed">Monitors with a deployed version appear here.</EmptyState>
        }
      />
    </Section>
  );
}
