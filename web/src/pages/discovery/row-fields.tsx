import { Button, Group, Input, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { RemoveButton } from '../../ui/remove-button.tsx';

/** Field group with rows that can be added and removed. */
export function RowFields<Row extends object>({
  label,
  description,
  rowName,
  rows,
  newRow,
  maxRows,
  onChange,
  error,
  children,
}: {
  label: string;
  description: string;
  /** Name of a single row, such as "label rule". */
  rowName: string;
  rows: readonly Row[];
  newRow: Row;
  maxRows: number;
  onChange: (rows: Row[]) => void;
  error?: React.ReactNode;
  children: (row: Row, index: number, change: (part: Partial<Row>) => void) => React.ReactNode;
}) {
  return (
    <Input.Wrapper labelElement="div" label={label} description={description} error={error}>
      <Stack gap="xs" mt={4}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            {children(row, index, (part) =>
              onChange(rows.map((each, at) => (at === index ? { ...each, ...part } : each))),
            )}
            <RemoveButton
              label={`Remove ${rowName} ${index + 1}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        {rows.length < maxRows && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...rows, newRow])}
            style={{ alignSelf: 'flex-start' }}
          >
            Add {rowName}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
