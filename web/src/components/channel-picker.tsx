import { MultiSelect, Select } from '@mantine/core';
import { isTracker } from '../../../src/domain/tickets/trackers.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useApi } from '../api/use-api.ts';
import { TextLink } from '../ui/links.tsx';

/**
 * Returns the channels of the organization as options. The labels of default and disabled channels are
 * marked.
 */
export function useChannelOptions(
  isOption: (channel: ChannelChoice) => boolean = () => true,
): { value: string; label: string }[] {
  const { data = [] } = useApi('listNotificationChannelsDropdown');
  return data.filter(isOption).map(({ id, name, is_active, is_default }) => ({
    value: String(id),
    label: `${name}${is_default ? ' (default)' : ''}${is_active ? '' : ' (disabled)'}`,
  }));
}

type ChannelChoice = Schemas['NotificationChannelDropdownItem'];

interface PickerProps {
  label: string;
  description?: string;
  error?: React.ReactNode;
  disabled?: boolean;
}

/** Picker for the default channel, or none. Channels that create tickets can't be the default. */
export function DefaultChannelPicker({
  value,
  onChange,
  ...props
}: PickerProps & { value: number | null; onChange: (id: number | null) => void }) {
  const options = useChannelOptions(({ id, channel_type }) => !isTracker(channel_type) || id === value);
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

/** Picker for any number of channels. */
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
