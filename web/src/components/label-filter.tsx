import { Autocomplete, Group, Text } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import type { List } from './list/index.ts';

const pattern = /^[A-Za-z][A-Za-z0-9_./-]{0,62}=/;
const suggested = 50;

/**
 * Filter of a list by one label, with suggestions from the labels of all software. The filter is added to the
 * URL when the label is complete.
 */
export function LabelFilter({ list }: { list: Pick<List<unknown>, 'search' | 'setSearch'> }) {
  const chosen = list.search.label ?? '';
  const { data } = useApi('getSoftwareLabels');
  const [typed, setTyped] = useState(chosen);
  useEffect(() => setTyped(chosen), [chosen]);
  const counts = useMemo(
    () => new Map(data?.items.map(({ key, value, count }) => [`${key}=${value}`, count])),
    [data],
  );
  const [isLeft, setLeft] = useState(false);
  const isComplete = typed === '' || pattern.test(typed);
  const apply = (label: string) => {
    setLeft(true);
    if ((label === '' || pattern.test(label)) && label !== chosen) list.setSearch({ label });
  };
  return (
    <Autocomplete
      aria-label="Filter by label (key=value)"
      placeholder="Label: any"
      leftSection={<IconTag size={15} aria-hidden />}
      data={[...counts.keys()]}
      limit={suggested}
      value={typed}
      error={isLeft && !isComplete ? 'Enter key=value, such as team=payments.' : undefined}
      onChange={(value) => {
        setTyped(value);
        setLeft(false);
        if (value === '') apply(value);
      }}
      onOptionSubmit={apply}
      onBlur={() => apply(typed)}
      onKeyDown={({ key, currentTarget }) => {
        // With a marked suggestion, Enter selects it.
        if (key !== 'Enter' || currentTarget.hasAttribute('aria-activedescendant')) return;
        const label = pattern.test(typed) ? typed : typed === '' ? '' : firstMatch([...counts.keys()], typed);
        if (label !== typed) setTyped(label);
        apply(label);
      }}
      renderOption={({ option }) => (
        <Group justify="space-between" gap="xs" wrap="nowrap" w="100%">
          <span>{option.value}</span>
          <Text span size="xs" c="var(--text-muted)">
            {counts.get(option.value)?.toLocaleString('en')}
          </Text>
        </Group>
      )}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      w={180}
    />
  );
}

/** Completes a part of a label, such as "paym", to the most frequent label that contains it. */
function firstMatch(labels: readonly string[], typed: string): string {
  const part = typed.trim().toLowerCase();
  return labels.find((label) => label.toLowerCase().includes(part)) ?? typed;
}
