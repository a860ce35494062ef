import { Select, type SelectProps } from '@mantine/core';
import { useApi } from '../api/use-api.ts';

/** Searchable picker whose choices come from the dropdown operations of the API. */
type PickerProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: number | null;
  onChange(id: number | null): void;
};

interface Choice {
  value: string;
  label: string;
}

function EntityPicker({
  value,
  onChange,
  data,
  isLoading,
  ...props
}: PickerProps & { data: readonly (Choice | { group: string; items: Choice[] })[]; isLoading: boolean }) {
  return (
    <Select
      searchable
      nothingFoundMessage="No matches"
      placeholder={isLoading ? 'Loading…' : 'Choose'}
      limit={200}
      {...props}
      data={[...data]}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  );
}

const withNote = (name: string, note: string | null) => (note === null ? name : `${name} · ${note}`);

/** Picker for upstream sources of the organization and global ones. */
export function GatherJobPicker(props: PickerProps) {
  const own = useApi('listGatherJobsDropdown');
  const global = useApi('listGlobalGatherJobsDropdown');
  const toChoice = ({ id, name, latest_version }: NonNullable<typeof own.data>[number]) => ({
    value: String(id),
    label: withNote(name, latest_version),
  });
  const groups = [
    { group: 'Organization', items: own.data?.map(toChoice) ?? [] },
    { group: 'Global', items: global.data?.map(toChoice) ?? [] },
  ].filter(({ items }) => items.length > 0);
  return <EntityPicker {...props} data={groups} isLoading={own.isLoading || global.isLoading} />;
}

export function ScrapeJobPicker(props: PickerProps) {
  const { data, isLoading } = useApi('listScrapeJobsDropdown');
  const choices = data?.map(({ id, name, latest_version }) => ({
    value: String(id),
    label: withNote(name, latest_version),
  }));
  return <EntityPicker {...props} data={choices ?? []} isLoading={isLoading} />;
}

export function RulePicker(props: PickerProps) {
  const { data, isLoading } = useApi('listRulesDropdown');
  const choices = data?.map(({ id, name, is_active }) => ({
    value: String(id),
    label: withNote(name, is_active ? null : 'off'),
  }));
  return <EntityPicker {...props} data={choices ?? []} isLoading={isLoading} />;
}
