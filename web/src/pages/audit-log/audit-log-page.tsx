import { Code, Text, Tooltip } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../ui/list/index.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { actionInWords, resourceOptions } from './audit-words.ts';

type Entry = Schemas['AuditLogEntry'];

const columns: readonly Column<Entry>[] = [
  {
    header: 'When',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
    csv: ({ created_at }) => created_at,
    width: '9rem',
  },
  { header: 'Who', cell: ({ actor }) => actor.name, csv: ({ actor }) => actor.name },
  {
    header: 'What',
    cell: (entry) => actionInWords(entry),
    csv: ({ action }) => action,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Details',
    cell: ({ detail }) =>
      detail && (
        <Tooltip label={<Code block>{JSON.stringify(detail, null, 2)}</Code>}>
          <Text span inherit tabIndex={0} style={{ position: 'relative', zIndex: 1 }}>
            {Object.keys(detail).join(', ')}
          </Text>
        </Tooltip>
      ),
    csv: ({ detail }) => detail,
  },
  {
    header: 'Request',
    cell: ({ request_id }) => request_id && <code>{request_id.slice(0, 8)}</code>,
    csv: ({ request_id }) => request_id,
    width: '6rem',
    wideOnly: true,
  },
];

export default function AuditLogPage() {
  const list = useList('listAuditLog', { filters: ['q', 'resource', 'since'] });
  return (
    <>
      <PageHeader
        title="Audit log"
        about="Who changed keys, members, settings and rules, and what was deleted. Entries never change."
      />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[{ name: 'resource', label: 'About', options: resourceOptions }]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="entries"
        empty={<EmptyState title="Nothing has been changed yet" />}
      />
    </>
  );
}
