import { Select, Space } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LabelFilter } from '../../components/label-filter.tsx';
import { ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { severityOptions } from '../../components/severity.tsx';
import { stateOptions } from '../../components/state-labels.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { fleetColumns, useRuleTypes } from './fleet-columns.tsx';
import { FleetGroups } from './fleet-groups.tsx';
import { labelKeysOf } from './label-groups.ts';
import { UnmonitoredJobs } from './unmonitored-jobs.tsx';
import { useFleet } from './use-fleet.ts';

/** Everything that is deployed beside what exists. Every configuration is a row: it is what links the two. */
export default function FleetPage() {
  const list = useList('listAlertConfigs', {
    from: '/shell/fleet',
    filters: ['q', 'state', 'severity', 'rule_id', 'label', 'scrape_job_id', 'gather_job_id'],
    sort: 'worst',
  });
  const rules = useApi('listRulesDropdown');
  const fleet = useFleet({}, false);
  const ruleTypes = useRuleTypes();
  const columns = useMemo(() => fleetColumns(ruleTypes), [ruleTypes]);
  const canWrite = useCan('member');
  const { group } = list.search;
  const keys = labelKeysOf(fleet.configs);
  return (
    <>
      <PageHeader
        title="Fleet"
        about="Deployed versions and the latest releases, side by side."
        actions={
          canWrite && (
            <ButtonLink to="/alert-configs/new" leftSection={<IconPlus size={16} />}>
              New monitor
            </ButtonLink>
          )
        }
      />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          { name: 'state', label: 'State', options: stateOptions },
          { name: 'severity', label: 'Severity', options: severityOptions },
          {
            name: 'rule_id',
            label: 'Rule',
            options: (rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
        ]}
      >
        <LabelFilter list={list} />
        <Select
          aria-label="Group by label"
          placeholder="Group by label"
          data={group && !keys.includes(group) ? [...keys, group] : keys}
          value={group ?? null}
          onChange={(value) => list.setSearch({ group: value ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear grouping' }}
          nothingFoundMessage="No labels yet"
          w={150}
        />
      </ListFilters>
      {fleet.error && <ErrorNotice error={fleet.error} />}
      {group ? (
        <FleetGroups labelKey={group} query={list.query} columns={columns} />
      ) : (
        <ResourceList
          list={list}
          columns={columns}
          name="monitors"
          rowLink={({ id }) => resourceLink('fleet_item', id)}
          empty={
            <EmptyState
              title="Nothing to show yet"
              action={canWrite && <ButtonLink to="/set-up">Start guided setup</ButtonLink>}
            >
              Set up a version tracker, an upstream source, and a rule to compare what you run with what's
              available.
            </EmptyState>
          }
        />
      )}
      <Space h="md" />
      <UnmonitoredJobs fleet={fleet} />
    </>
  );
}
