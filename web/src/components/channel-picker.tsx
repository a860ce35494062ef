import { MultiSelect, Select } from '@mantine/core';
import { useApi } from '../api/use-api.ts';
import { TextLink } from '../ui/links.tsx';

/** The channels of the organization as options, by name; those that are off say so. */
export function useChannelOptions(): { value: string; label: string }[] {
  const { data } = useApi('listNotificationChannelsDropdown');
  return (data ?? []).map(({ id, name, is_active, is_default }) => ({
    value: String(id),
    label: `${name}${is_default ? ' (default)' : ''}${is_active ? '' : ' (disabled)'}`,
  }));
}

interface PickerProps {
  label: string;
  description?: string;
  error?: React.ReactNode;
  disabled?: boolean;
}

/** Picks one channel, or none. */
export function ChannelPicker({
  value,
  onChange,
  ...props
}: PickerProps & { value: number | null; onChange: (id: number | null) => void }) {
  const options = useChannelOptions();
  return (
    <Select
      {...props}
      data={options}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      placeholder="None"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${props.label}` }}
      nothingFoundMessage={<NoChannel />}
    />
  );
}

/** Picks any number of channels. */
export function ChannelsPicker({
  value,
  onChange,
  ...props
}: PickerProps & { value: readonly number[]; onChange: (ids: number[]) => void }) {
  const options = useChannelOptions();
  return (
    <MultiSelect
      {...props}
      data={options}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      placeholder={value.length === 0 ? 'Choose channels' : undefined}
      searchable
      nothingFoundMessage={<NoChannel />}
    />
  );
}

function NoChannel() {
  return (
    <>
      No matching channels{' '}
      <TextLink to="/notification-channels/new" size="sm">
        Create one
      </TextLink>
    </>
  );
}
