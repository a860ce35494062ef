import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { type Column, RowsTable, type Selection } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { Section } from '../../ui/facts.tsx';
import { groupByLabel, type LabelGroup } from './label-groups.ts';
import { useAllSoftware } from './use-all-software.ts';

type Item = Schemas['SoftwareItem'];

const shownAtFirst = 20;
const severities = ['critical', 'high', 'moderate'] as const;

/** Lists software grouped by the values of a label, with the filters of the page applied. */
export function SoftwareGroups({
  labelKey,
  query,
  columns,
  selection,
}: {
  labelKey: string;
  query: Readonly<Record<string, unknown>>;
  columns: readonly Column<Item>[];
  /** Undefined if the user can't change software. */
  selection: Selection | undefined;
}) {
  const all = useAllSoftware(query);
  if (all.error) return <ErrorNotice error={all.error} />;
  if (all.isLoading) return <Skeleton height={240} role="status" aria-label="Loading" />;
  if (all.items.length === 0) {
    return (
      <Text ta="center" py="xl" c="var(--text-muted)">
        No matches. Clear filters to see everything.
      </Text>
    );
  }
  return (
    <>
      {!all.isWhole && (
        <Text size="sm" mb="sm" c="var(--text-muted)">
          Too many items to group. Showing the first {all.items.length.toLocaleString('en')} items. Add
          filters to narrow the list.
        </Text>
      )}
      {groupByLabel(all.items, labelKey).map((group) => (
        <LabelSection
          key={`${labelKey}=${group.value ?? ''}`}
          labelKey={labelKey}
          group={group}
          columns={columns}
          selection={selection}
        />
      ))}
    </>
  );
}

function LabelSection({
  labelKey,
  group: { value, items },
  columns,
  selection,
}: {
  labelKey: string;
  group: LabelGroup;
  columns: readonly Column<Item>[];
  selection: Selection | undefined;
}) {
  const [isOpen, fold] = useDisclosure(true);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, shownAtFirst);
  const title = value === null ? `No ${labelKey}` : `${labelKey} = ${value}`;
  return (
    <Section
      title={title}
      actions={
        <Group gap="md">
          <Counts items={items} />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${title}`}
            aria-expanded={isOpen}
            onClick={fold.toggle}
          >
            {isOpen ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </ActionIcon>
        </Group>
      }
    >
      {isOpen && (
        <>
          <RowsTable
            items={shown}
            columns={columns}
            name={title}
            rowKey={({ id }) => id}
            rowLink={({ id }) => resourceLink('software', id)}
            selection={selection && { ...selection, idOf: ({ id }) => id }}
          />
          {shown.length < items.length && (
            <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
              Show all {items.length.toLocaleString('en')}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}

/** Shows the number of items of a group by severity. */
function Counts({ items }: { items: readonly Item[] }) {
  return (
    <Group gap="md">
      {severities.map((severity) => {
        const count = items.filter((item) => item.severity === severity).length;
        return (
          count > 0 && (
            <Text key={severity} span size="sm">
              {count.toLocaleString('en')} <SeverityMark severity={severity} />
            </Text>
          )
        );
      })}
      <Text span size="sm" c="var(--text-muted)">
        {items.length.toLocaleString('en')} total
      </Text>
    </Group>
  );
}
