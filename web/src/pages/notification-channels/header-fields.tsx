import { Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { RemoveButton } from '../../ui/remove-button.tsx';

export interface HeaderRow {
  name: string;
  value: string;
  /** It is there already: an empty value keeps the one that it has. */
  isKept: boolean;
}

/** What the contract takes: null keeps a value. Rows without a name are left out. */
export function toHeaders(rows: readonly HeaderRow[]): Record<string, string | null> {
  return Object.fromEntries(
    rows
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, isKept }) => [name.trim(), isKept && value === '' ? null : value]),
  );
}

/** Headers that go with every message; their values are never shown again. */
export function HeaderFields({
  rows,
  keepsValues,
  onChange,
  errors,
}: {
  rows: readonly HeaderRow[];
  /** False: stored values are not sent to the new target, so each needs another or is removed. */
  keepsValues: boolean;
  onChange: (rows: HeaderRow[]) => void;
  /** By the name of the header. */
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
          // The rows have no other identity than their place.
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              aria-label={`Header ${index + 1} name`}
              placeholder="X-Team"
              value={row.name}
              error={errors[row.name.trim()]}
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
