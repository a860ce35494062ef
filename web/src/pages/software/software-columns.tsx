import { Text } from '@mantine/core';
import { unconfirmedSentence } from '../../../../src/domain/explanations/explanation-sentences.ts';
import { ownValue } from '../../../../src/domain/json/own-value.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { NameWithLabels } from '../../components/label-list.tsx';
import type { Column } from '../../components/list/index.ts';
import { SupportText } from '../../components/support/support-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { fleetColumns } from './fleet-columns.tsx';

type Software = Schemas['SoftwareItem'];
type Config = Schemas['AlertConfig'];

/** Column of the software list. The first column is always shown. */
export interface SoftwareColumn extends Column<Software> {
  /** Key of the column in the URL and in saved views. */
  key: string;
  /** True if the column is shown until the user selects columns. */
  isDefault: boolean;
}

/** Sort orders of the list by column header. */
const sorts: Readonly<Record<string, string>> = {
  Behind: 'behind_since',
  Severity: 'worst',
  'Support ends': 'ends_at',
};
const hiddenFirst = new Set(['Latest stable']);

/** Returns the columns of the software list: the item's columns, and those of its most severe monitor. */
export function softwareColumns(...context: Parameters<typeof fleetColumns>): readonly SoftwareColumn[] {
  const ofWorst = fleetColumns(...context)
    .filter(({ header }) => !['Name', 'Deployed', 'Labels'].includes(header))
    .map((column) => toSoftware(column));
  return [
    {
      key: 'name',
      isDefault: true,
      header: 'Name',
      cell: ({ name, labels }) => <NameWithLabels name={name} labels={labels} />,
      csv: ({ name }) => name,
      sort: 'name',
      width: 'minmax(12rem, 2.5fr)',
    },
    {
      key: 'deployed',
      isDefault: true,
      header: 'Deployed',
      cell: ({ id, deployed_version, deployed_unconfirmed }) => (
        <TwoLines
          second={
            deployed_unconfirmed === null ? (
              <SupportText subject="scrape_job_ids" id={id} />
            ) : (
              <Unconfirmed unconfirmed={deployed_unconfirmed} />
            )
          }
        >
          <VersionText version={deployed_version} none="unknown" />
        </TwoLines>
      ),
      csv: ({ deployed_version }) => deployed_version,
    },
    {
      key: 'not_confirmed_since',
      isDefault: true,
      header: 'Not confirmed since',
      cell: () => null,
      csv: ({ deployed_unconfirmed }) => deployed_unconfirmed?.since,
      csvOnly: true,
    },
    ...ofWorst,
    {
      key: 'deployed_since',
      isDefault: false,
      header: 'Deployed since',
      cell: ({ deployed_at }) => <RelativeTime at={deployed_at} />,
      csv: ({ deployed_at }) => deployed_at,
      width: '8rem',
    },
    {
      key: 'rule',
      isDefault: false,
      header: 'Rule',
      cell: ({ worst }) => worst?.rule.name ?? '—',
      csv: ({ worst }) => worst?.rule.name,
    },
    {
      key: 'source',
      isDefault: false,
      header: 'Upstream source',
      cell: ({ worst }) => worst?.gather_job.name ?? '—',
      csv: ({ worst }) => worst?.gather_job.name,
    },
    {
      key: 'monitors',
      isDefault: false,
      header: 'Monitors',
      cell: ({ alert_config_count }) => alert_config_count.toLocaleString('en'),
      csv: ({ alert_config_count }) => alert_config_count,
      width: '5.5rem',
    },
    {
      key: 'labels',
      isDefault: true,
      header: 'Labels',
      cell: () => null,
      csv: ({ labels }) => labels,
      csvOnly: true,
    },
  ];
}

function toSoftware({ cell, csv, sort: _sort, ...column }: Column<Config>): SoftwareColumn {
  const { header } = column;
  const sort = ownValue(sorts, header);
  const sortsHighestFirst = sort === 'worst' || sort === 'behind_since';
  return {
    ...column,
    key: header.toLowerCase().replaceAll(' ', '_'),
    isDefault: !hiddenFirst.has(header),
    ...(sort !== undefined && { sort, sortsHighestFirst }),
    cell(item) {
      if (item.worst !== null) return cell(item.worst);
      return header === 'State' ? <Unmonitored item={item} /> : '—';
    },
    ...(csv && {
      csv: (item) => (item.worst === null ? (header === 'State' ? 'unmonitored' : null) : csv(item.worst)),
    }),
  };
}

/** Shows that a deployed version is only the last known one. */
function Unconfirmed({ unconfirmed }: { unconfirmed: Schemas['UnconfirmedVersion'] }) {
  return (
    <Text span inherit c="var(--severity-moderate)" title={unconfirmedSentence(unconfirmed)}>
      not confirmed since <RelativeTime at={unconfirmed.since} />
    </Text>
  );
}

function Unmonitored({ item: { id, name } }: { item: Software }) {
  const canWrite = useHasRole('member');
  if (!canWrite) return 'Not monitored';
  return (
    <TextLink
      to="/alert-configs/new"
      search={{ scrape_job_id: String(id) }}
      inherit
      aria-label={`Create monitor for ${name}`}
    >
      Create monitor
    </TextLink>
  );
}
