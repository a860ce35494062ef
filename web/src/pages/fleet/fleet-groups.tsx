import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { Section } from '../../ui/facts.tsx';
import { groupByLabel, type LabelGroup } from './label-groups.ts';
import { useFleet } from './use-fleet.ts';

type Config = Schemas['AlertConfig'];

const shownAtFirst = 20;
const severities = ['critical', 'high', 'moderate'] as const;

/** The fleet by the values of one label, under the filters of the page. */
export function FleetGroups({
  labelKey,
  query,
  columns,
}: {
  labelKey: string;
  query: Readonly<Record<string, unknown>>;
  columns: readonly Column<Config>[];
}) {
  const fleet = useFleet(query, true);
  if (fleet.error) return <ErrorNotice error={fleet.error} />;
  if (fleet.isLoading) return <Skeleton height={240} role="status" aria-label="Loading" />;
  if (fleet.configs.length === 0) {
    return (
      <Text ta="center" py="xl" c="var(--text-muted)">
        No matches. Clear filters to see everything.
      </Text>
    );
  }
  return (
    <>
      {!fleet.isWhole && (
        <Text size="sm" mb="sm" c="var(--text-muted)">
          Too many items to group. Showing the first {fleet.configs.length.toLocaleString('en')} items. Add
          filters to narrow the list.
        </Text>
      )}
      {groupByLabel(fleet.configs, labelKey).map((group) => (
        <LabelSection key={group.value ?? ''} labelKey={labelKey} group={group} columns={columns} />
      ))}
    </>
  );
}

function LabelSection({
  labelKey,
  group: { value, configs },
  columns,
}: {
  labelKey: string;
  group: LabelGroup;
  columns: readonly Column<Config>[];
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? configs : configs.slice(0, shownAtFirst);
  const title = value === null ? `No ${labelKey}` : `${labelKey} = ${value}`;
  return (
    <Section title={title} actions={<Counts configs={configs} />}>
      <RowsTable
        items={shown}
        columns={columns}
        name={title}
        rowKey={({ id }) => id}
        rowLink={({ id }) => resourceLink('fleet_item', id)}
      />
      {shown.length < configs.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
          Show all {configs.length.toLocaleString('en')}
        </Button>
      )}
    </Section>
  );
}

/** How many of a group are behind, by severity. */
function Counts({ configs }: { configs: readonly Config[] }) {
  return (
    <Group gap="md">
      {severities.map((severity) => {
        const count = configs.filter((config) => config.severity === severity).length;
        return (
          count > 0 && (
            <Text key={severity} span size="sm">
              {count.toLocaleString('en')} <SeverityMark severity={severity} />
            </Text>
          )
        );
      })}
      <Text span size="sm" c="var(--text-muted)">
        {configs.length.toLocaleString('en')} total
      </Text>
    </Group>
  );
}
