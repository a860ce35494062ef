import { Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { LabelFilter } from '../../components/label-filter.tsx';
import { ListFilters, ResourceList, useList, useSelection } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SavedViews } from '../../components/saved-views.tsx';
import { severityOptions } from '../../components/severity.tsx';
import { stateOptions } from '../../components/state-labels.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { useRuleTypes } from './fleet-columns.tsx';
import { softwareColumns } from './software-columns.tsx';
import { SoftwareDownloads } from './software-downloads.tsx';
import { SoftwareGroups } from './software-groups.tsx';
import { SoftwareSelection } from './software-selection.tsx';

const filters = ['q', 'state', 'severity', 'rule_id', 'label', 'gather_job_id'] as const;
const states = [...stateOptions, { value: 'unmonitored', label: 'Not monitored' }];

const rowLink = ({ id }: { id: number }) => resourceLink('software', id);

/** Lists all deployed software, most severe first. */
export default function SoftwarePage() {
  const list = useList('listSoftware', { from: '/shell/software', filters, sort: 'worst' });
  const rules = useApi('listRulesDropdown');
  const labels = useApi('getSoftwareLabels');
  const ruleTypes = useRuleTypes();
  const all = useMemo(() => softwareColumns(ruleTypes), [ruleTypes]);
  const { group, columns: chosen } = list.search;
  const columns = useMemo(() => {
    const keys = chosen?.split(',');
    return all.filter(({ key, isDefault, csvOnly }) =>
      csvOnly || key === 'name' ? true : keys === undefined ? isDefault : keys.includes(key),
    );
  }, [all, chosen]);
  const canWrite = useHasRole('member');
  const selection = useSelection(list);
  const labelKeys = [...new Set(labels.data?.items.map(({ key }) => key))].toSorted();
  return (
    <>
      <PageHeader
        title="Software"
        about="What you run, and how far behind it is."
        actions={
          <>
            <Select
              aria-label="Group by label"
              placeholder="Group by label"
              data={group && !labelKeys.includes(group) ? [...labelKeys, group] : labelKeys}
              value={group ?? null}
              onChange={(value) => list.setSearch({ group: value ?? undefined })}
              clearable
              clearButtonProps={{ 'aria-label': 'Clear grouping' }}
              nothingFoundMessage="No labels yet"
              w={150}
            />
            <ColumnChooser all={all} shown={columns} onChange={(keys) => list.setSearch({ columns: keys })} />
            <SavedViews page="software" to="/software" search={list.search} />
            {canWrite && (
              <ButtonLink to="/software/new" leftSection={<IconPlus size={16} />}>
                Add software
              </ButtonLink>
            )}
          </>
        }
      />
      <ListFilters
        list={list}
        search="Search by name or version"
        filters={[
          { name: 'state', label: 'State', options: states },
          { name: 'severity', label: 'Severity', options: severityOptions },
          {
            name: 'rule_id',
            label: 'Rule',
            options: (rules.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          },
        ]}
      >
        <LabelFilter list={list} />
      </ListFilters>
      {group ? (
        <SoftwareGroups
          labelKey={group}
          query={list.query}
          columns={columns}
          selection={canWrite ? selection : undefined}
        />
      ) : (
        <ResourceList
          list={list}
          columns={columns}
          name="items"
          {...(canWrite && { selection })}
          rowLink={rowLink}
          downloads={<SoftwareDownloads label={list.search.label} />}
          empty={
            <EmptyState
              title="No software yet"
              action={canWrite && <ButtonLink to="/software/new">Add software</ButtonLink>}
            >
              Add what you run, its upstream source, and a rule to see how far behind it is.
            </EmptyState>
          }
        />
      )}
      {selection.ids.size > 0 && <SoftwareSelection selection={selection} list={list} />}
    </>
  );
}
