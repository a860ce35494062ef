import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { capitalized } from '../../../src/domain/text/capitalized.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { RemoveButton } from '../ui/remove-button.tsx';

const maxLabels = 20;
const namePattern = /^[A-Za-z][A-Za-z0-9_./-]{0,62}$/;
const hint = 'Start with a letter. Use letters, digits, and . _ / -';

/** Returns an error message if the key of a label is invalid, or null. */
export function labelKeyError(key: string, names = namePattern): string | null {
  return names.test(key) ? null : hint;
}

/** Editor for labels, with one key and value per row. Rows without a key aren't passed to `onChange`. */
export function LabelEditor({
  value,
  onChange,
  error,
  title = 'Labels',
  names = namePattern,
  description = 'For example, team = payments. Use labels in notification rules and to group software.',
  noun = 'label',
}: {
  value: Schemas['Labels'];
  onChange(labels: Schemas['Labels']): void;
  error?: React.ReactNode;
  title?: string;
  /** Pattern for valid keys. */
  names?: RegExp;
  description?: string;
  /** Noun for a row. */
  noun?: string;
}) {
  const word = capitalized(noun);
  const [rows, setRows] = useState(() => Object.entries(value).map(([key, text]) => ({ key, text })));
  const change = (next: typeof rows) => {
    setRows(next);
    // If several rows have the same key, the first one is used. The later ones show an error.
    const labels = new Map<string, string>();
    for (const { key, text } of next)
      if (key.trim() !== '' && !labels.has(key.trim())) labels.set(key.trim(), text.trim());
    onChange(Object.fromEntries(labels));
  };
  const setRow = (index: number, part: Partial<(typeof rows)[number]>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const problemOf = (index: number) => {
    const name = rows[index]!.key.trim();
    if (name === '') return null;
    const isUsed = rows.findIndex((row) => row.key.trim() === name) < index;
    return labelKeyError(name, names) ?? (isUsed ? `This ${noun} is already used.` : null);
  };
  return (
    <Input.Wrapper label={title} description={description} error={error} labelElement="div">
      <Stack gap={6} mt={6}>
        {rows.map(({ key, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; the key of a label changes as one types.
          <Group key={index} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`${word} ${index + 1} key`}
              placeholder="Key"
              value={key}
              onChange={({ currentTarget }) => setRow(index, { key: currentTarget.value })}
              error={problemOf(index)}
              flex={1}
            />
            <TextInput
              aria-label={`${word} ${index + 1} value`}
              placeholder="Value"
              value={text}
              onChange={({ currentTarget }) => setRow(index, { text: currentTarget.value })}
              flex={1}
            />
            <RemoveButton
              label={`Remove ${noun} ${index + 1}`}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        {rows.length < maxLabels && (
          <Button
            variant="subtle"
            size="compact-sm"
            w="fit-content"
            leftSection={<IconPlus size={14} />}
            onClick={() => setRows([...rows, { key: '', text: '' }])}
          >
            Add {noun}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
