import { Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ruleTypeOptions } from './rule-type-options.ts';
import { ThresholdScale } from './threshold-scale.tsx';

type Rule = Schemas['MonitoringRule'];

const columns: readonly Column<Rule>[] = [
  {
    header: 'Name',
    cell: ({ name }) => name,
    sort: 'name',
    csv: ({ name }) => name,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Type',
    cell: ({ rule_type }) => ruleTypes[rule_type].label,
    csv: ({ rule_type }) => rule_type,
    width: '10.5rem',
  },
  {
    header: 'Thresholds',
    cell: ({ thresholds, rule_type }) => (
      <div style={{ minWidth: '16.5rem' }}>
        <ThresholdScale thresholds={thresholds} ruleType={rule_type} />
      </div>
    ),
    csv: ({ thresholds }) => thresholds,
    width: '16.5rem',
  },
  {
    header: 'Used by',
    cell: ({ alert_config_count }) => formatCount(alert_config_count),
    csv: ({ alert_config_count }) => alert_config_count,
    width: '5rem',
    align: 'end',
  },
  {
    header: 'State',
    cell: ({ is_active }) =>
      is_active ? <Mark tone="ok">Enabled</Mark> : <Mark tone="muted">Disabled</Mark>,
    csv: ({ is_active }) => is_active,
    width: '6rem',
  },
  {
    header: 'Updated',
    cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    sort: 'updated_at',
    csv: ({ updated_at }) => updated_at,
    width: '8rem',
    wideOnly: true,
  },
];

export default function RulesPage() {
  const list = useList('listRules', {
    from: '/shell/rules',
    filters: ['q', 'rule_type', 'is_active'],
    sort: '-created_at',
  });
  const create = useHasRole('member') && (
    <ButtonLink to="/rules/new" leftSection={<IconPlus size={16} />}>
      New rule
    </ButtonLink>
  );
  return (
    <>
      <PageHeader title="Rules" about="Rules define how far behind is too far." actions={create} />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          { name: 'rule_type', label: 'Type', options: ruleTypeOptions },
          {
            name: 'is_active',
            label: 'State',
            options: [
              { value: 'true', label: 'Enabled' },
              { value: 'false', label: 'Disabled' },
            ],
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="rules"
        rowLink={({ id }) => resourceLink('rule', id)}
        empty={
          <EmptyState title="No rules yet" action={create}>
            <Text span inherit>
              A rule sets how many days, major versions, or minor versions behind triggers an alert, and at
              which severity.
            </Text>
          </EmptyState>
        }
      />
    </>
  );
}
