import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

export interface Choice {
  id: number;
  name: string;
  note: string | null;
}

const most = 12;

/** Lists existing resources, which can be selected with one click. */
export function ChoiceList({
  label,
  choices,
  onChoose,
}: {
  label: string;
  choices: readonly Choice[];
  onChoose(id: number): void;
}) {
  const [typed, setTyped] = useState('');
  if (choices.length === 0) return null;
  const wanted = typed.trim().toLowerCase();
  const found = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {label}
      </Text>
      {choices.length > most && (
        <TextInput
          aria-label={`Search: ${label}`}
          placeholder={`Search ${choices.length.toLocaleString('en')} options`}
          leftSection={<IconSearch size={15} aria-hidden />}
          type="search"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          maw={360}
          mb={6}
        />
      )}
      <Group gap={6}>
        {found.slice(0, most).map(({ id, name, note }) => (
          <Button
            key={id}
            variant="default"
            size="xs"
            onClick={() => onChoose(id)}
            maw="100%"
            styles={{
              root: { height: 'auto', minHeight: 30, paddingBlock: 4 },
              // The label hides its overflow, so the line must include descenders.
              label: { whiteSpace: 'normal', height: 'auto', lineHeight: 1.4 },
            }}
          >
            {name}
            {note !== null && (
              <Text span inherit c="var(--text-muted)" ml={6}>
                {note}
              </Text>
            )}
          </Button>
        ))}
        {found.length === 0 && (
          <Text size="sm" c="var(--text-muted)">
            No matches
          </Text>
        )}
      </Group>
    </div>
  );
}
