import { Select, type SelectProps } from '@mantine/core';
import { useApi } from '../api/use-api.ts';
import { useMe } from '../api/use-me.ts';

/** Picker for a member of the organization. The current user is listed first. */
export function MemberSelect({
  value,
  onChange,
  ...props
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: number | null;
  onChange: (id: number | null) => void;
}) {
  const { data } = useApi('listOrgMembersDropdown');
  const { user } = useMe();
  const choices = (data ?? []).map(({ id, name, email }) => ({
    value: String(id),
    label: email === user.email ? `${name} (you)` : name,
    isOwn: email === user.email,
  }));
  return (
    <Select
      placeholder="No one"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear assignee' }}
      nothingFoundMessage="No matches"
      limit={100}
      {...props}
      data={choices
        .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn))
        .map(({ value, label }) => ({ value, label }))}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  );
}
