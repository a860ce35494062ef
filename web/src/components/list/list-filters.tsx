import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './list-filters.module.css';
import type { List } from './use-list.ts';

export interface SelectFilter {
  /** Name of the query parameter. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

/**
 * Search field and filters above a list. Filters update the URL immediately; the search updates it after a
 * short pause in typing.
 */
export function ListFilters({
  list,
  search,
  filters = [],
  children,
}: {
  list: Pick<List<unknown>, 'search' | 'setSearch' | 'filters' | 'isFiltered'>;
  /** Label of the search field, such as "Search by name". Omit it if the list has no `q` parameter. */
  search?: string;
  filters?: readonly SelectFilter[];
  children?: React.ReactNode;
}) {
  const { setSearch } = list;
  const [typed, setTyped] = useState(list.search.q ?? '');
  const apply = useDebouncedCallback((q: string) => setSearch({ q }), 250);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Don't overwrite the text while the user is typing, because the URL is updated later.
    if (document.activeElement !== input.current) setTyped(list.search.q ?? '');
  }, [list.search.q]);
  const clear = () => {
    setTyped('');
    // Keep the other parameters in the URL, such as the sort order or the selected view.
    setSearch(Object.fromEntries(list.filters.map((name) => [name, undefined])));
  };
  return (
    <Group gap="xs" mb="sm" align="flex-start" role="search" className={classes.filters}>
      {search && (
        <TextInput
          aria-label={search}
          placeholder={search}
          leftSection={<IconSearch size={15} aria-hidden />}
          type="search"
          ref={input}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            apply(value);
          }}
          // The field must be wide enough for the placeholder.
          miw={`${search.length * 0.5 + 3.5}rem`}
          flex="1 1 0"
          className={classes.search}
        />
      )}
      {filters.map(({ name, label, options }) => (
        <Select
          key={name}
          aria-label={label}
          placeholder={`${label}: any`}
          data={[...options]}
          value={list.search[name] ?? null}
          onChange={(value) => setSearch({ [name]: value ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': `Clear ${label}` }}
          // The field must be wide enough for the placeholder.
          w={`${Math.max(9, label.length * 0.5 + 6)}rem`}
        />
      ))}
      {children}
      {list.isFiltered && (
        <Button variant="subtle" size="compact-sm" my={5} onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
