import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useApi } from '../api/use-api.ts';

interface PickerProps {
  label: string;
  description?: string;
  placeholder?: string;
  error?: React.ReactNode;
}

const shown = 50;

/**
 * Returns the selected alert configurations and those that match the typed text as options. An organization
 * can have thousands of configurations, so not all of them are loaded.
 */
function useConfigOptions(chosen: readonly number[]) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const found = useApi(
    'listAlertConfigs',
    { query: { limit: shown, sort: 'name', ...(q !== '' && { q }) } },
    { keepPrevious: true },
  );
  const names = useAlertConfigNames(chosen);
  const options = new Map(chosen.map((id) => [id, names.get(id) ?? `${id}`]));
  for (const { id, name } of found.data?.items ?? []) options.set(id, name);
  return {
    typed,
    setTyped,
    options: [...options].map(([id, label]) => ({ value: String(id), label })),
  };
}

/** Returns the names of the alert configurations that have loaded. */
export function useAlertConfigNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const read = useQueries({ queries: ids.map((id) => apiQuery('getAlertConfig', { path: { id } })) });
  return new Map(read.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
}

/** Picker for at most one alert configuration. */
export function AlertConfigPicker({
  value,
  onChange,
  ...props
}: PickerProps & { value: number | null; onChange: (id: number | null) => void }) {
  const { typed, setTyped, options } = useConfigOptions(value === null ? [] : [value]);
  return (
    <Select
      placeholder="None"
      {...props}
      data={options}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      nothingFoundMessage="No matching monitors"
    />
  );
}

/** Picker for any number of alert configurations. */
export function AlertConfigsPicker({
  value,
  onChange,
  placeholder,
  ...props
}: PickerProps & { value: readonly number[]; onChange: (ids: number[]) => void }) {
  const { typed, setTyped, options } = useConfigOptions(value);
  return (
    <MultiSelect
      {...props}
      placeholder={value.length === 0 ? placeholder : undefined}
      data={options}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="No matching monitors"
    />
  );
}
