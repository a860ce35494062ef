import { Select, type SelectProps } from '@mantine/core';
import { useApi } from '../api/use-api.ts';
import { useMe } from '../api/use-me.ts';

/** Value of the option that means no member. IDs are numbers. */
const noOne = 'none';

/**
 * Picker for a member of the organization. The current user is listed first.
 * @param value `null` means no one, and undefined that nothing is chosen yet.
 * @param listsNoOne True to choose no one from the list instead of by clearing the field.
 */
export function MemberSelect({
  value,
  onChange,
  listsNoOne = false,
  ...props
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: number | null | undefined;
  listsNoOne?: boolean;
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
      placeholder={listsNoOne ? 'Choose' : 'No one'}
      searchable
      clearable={!listsNoOne}
      allowDeselect={!listsNoOne}
      clearButtonProps={{ 'aria-label': 'Clear assignee' }}
      nothingFoundMessage="No matches"
      limit={100}
      {...props}
      data={[
        ...choices
          .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn))
          .map(({ value, label }) => ({ value, label })),
        ...(listsNoOne ? [{ value: noOne, label: 'No one' }] : []),
      ]}
      value={value == null ? (value === null && listsNoOne ? noOne : null) : String(value)}
      onChange={(chosen) => onChange(chosen === null || chosen === noOne ? null : Number(chosen))}
    />
  );
}
