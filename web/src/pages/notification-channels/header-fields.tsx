import { Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ownValue } from '../../../../src/domain/json/own-value.ts';
import { RemoveButton } from '../../ui/remove-button.tsx';

export interface HeaderRow {
  name: string;
  value: string;
  /** True if the header is already stored. An empty value then keeps the stored one. */
  isKept: boolean;
}

/**
 * Converts rows to headers for the request. `null` keeps the stored value. Rows without a name are omitted.
 */
export function toHeaders(rows: readonly HeaderRow[]): Record<string, string | null> {
  return Object.fromEntries(
    rows
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, isKept }) => [name.trim(), isKept && value === '' ? null : value]),
  );
}

/** Headers sent with every message. Stored values are never shown. */
export function HeaderFields({
  rows,
  keepsValues,
  onChange,
  errors,
}: {
  rows: readonly HeaderRow[];
  /**
   * False if the target changed. Stored values aren't sent to a new target, so each header needs a new value
   * or must be removed.
   */
  keepsValues: boolean;
  onChange: (rows: HeaderRow[]) => void;
  /** Error messages by header name. */
  errors: Readonly<Record<string, React.ReactNode>>;
}) {
  const change = (index: number, part: Partial<HeaderRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper
      labelElement="div"
      label="Headers"
      description="Sent with every message, for example Authorization. Values are hidden after saving."
      error={errors['']}
    >
      <Stack gap="xs" mt={4}>
        {rows.map((row, index) => (
          // The rows have no stable key other than their index.
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              aria-label={`Header ${index + 1} name`}
              placeholder="Name"
              value={row.name}
              error={ownValue(errors, row.name.trim())}
              readOnly={row.isKept}
              onChange={({ currentTarget: { value } }) => change(index, { name: value })}
              flex={1}
              miw={0}
            />
            <PasswordInput
              aria-label={`Header ${index + 1} value`}
              placeholder={row.isKept ? (keepsValues ? 'Saved' : 'Enter it again') : 'Value'}
              required={row.isKept && !keepsValues}
              autoComplete="off"
              value={row.value}
              onChange={({ currentTarget: { value } }) => change(index, { value })}
              flex={1}
              miw={0}
            />
            <RemoveButton
              label={`Remove header ${row.name || index + 1}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        {rows.length < 20 && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...rows, { name: '', value: '', isKept: false }])}
            style={{ alignSelf: 'flex-start' }}
          >
            Add header
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
