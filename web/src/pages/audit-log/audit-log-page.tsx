import { Code, Text, Tooltip } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { DayRangeFilter } from '../../components/day-range-filter.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { formatAction, formatChange, formatField, formatValue, resourceOptions } from './audit-labels.ts';

type Entry = Schemas['AuditLogEntry'];

const columns: readonly Column<Entry>[] = [
  {
    header: 'Time',
    cell: ({ created_at }) => (
      <TwoLines second={<RelativeTime at={created_at} />}>{formatTime(new Date(created_at))}</TwoLines>
    ),
    csv: ({ created_at }) => created_at,
    width: '10.5rem',
  },
  { header: 'Actor', cell: ({ actor }) => actor.name, csv: ({ actor }) => actor.name },
  {
    header: 'Action',
    cell: (entry) => formatAction(entry),
    csv: ({ action }) => action,
    width: 'minmax(0, 3fr)',
  },
  {
    header: 'Changes',
    cell: ({ changes }) => (
      <WithTooltip
        text={changes.map(({ field }) => formatField(field)).join(', ')}
        more={changes.map((change) => formatChange({ ...change, field: formatField(change.field) }))}
      />
    ),
    csv: ({ changes }) => changes.map(formatChange).join('\n'),
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Details',
    cell: ({ detail }) => {
      const { changed: _fields, ...rest } = detail ?? {};
      return (
        <WithTooltip
          text={Object.keys(rest).map(formatField).join(', ')}
          more={Object.entries(rest).map(([field, value]) => `${formatField(field)}: ${formatValue(value)}`)}
        />
      );
    },
    csv: ({ detail }) => detail,
  },
  {
    header: 'Request',
    cell: ({ request_id }) => request_id && <code>{request_id.slice(0, 8)}</code>,
    csv: ({ request_id }) => request_id,
    width: '4.5rem',
    wideOnly: true,
  },
];

function WithTooltip({ text, more }: { text: string; more: readonly string[] }) {
  if (text === '') return null;
  return (
    <Tooltip label={<Code block>{more.join('\n')}</Code>}>
      <Text span inherit tabIndex={0} style={{ position: 'relative', zIndex: 1 }}>
        {text}
      </Text>
    </Tooltip>
  );
}

export default function AuditLogPage() {
  const list = useList('listAuditLog', {
    from: '/shell/audit-log',
    filters: ['q', 'resource', 'action', 'actor', 'since', 'until'],
  });
  const members = useApi('listOrgMembersDropdown');
  const actorOptions = [
    { value: 'api_key', label: 'Any API key' },
    { value: 'deployment_trust', label: 'Any trust' },
    ...(members.data ?? []).map(({ user_id, name }) => ({ value: `user:${user_id}`, label: name })),
  ];
  return (
    <>
      <PageHeader
        title="Audit log"
        about="Every change to resources, API keys, members, and settings, and who made it. Entries are immutable."
      />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          { name: 'resource', label: 'Resource', options: resourceOptions },
          { name: 'actor', label: 'Actor', options: actorOptions },
        ]}
      >
        <DayRangeFilter list={list} />
      </ListFilters>
      <ResourceList
        list={list}
        columns={columns}
        name="entries"
        empty={<EmptyState title="No audit entries yet" />}
      />
    </>
  );
}
