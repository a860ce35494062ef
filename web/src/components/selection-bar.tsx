import { Button, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { showError } from '../api/use-action.ts';
import type { List, Selection } from './list/index.ts';
import classes from './selection-bar.module.css';

const itemsPerRequest = 200;

/** What can be done with the rows that are selected. It floats, so that the list stays where it is. */
export function SelectionBar({
  selection: { ids, set },
  list,
  name,
  children,
}: {
  selection: Selection;
  list: List<{ id: number }>;
  /** What the rows are: "alerts". */
  name: string;
  /** Buttons for actions. */
  children: React.ReactNode;
}) {
  const [isBusy, setBusy] = useState(false);
  const selectAll = async () => {
    const all = new Set<number>();
    for (let offset = 0; ; offset += itemsPerRequest) {
      const { items } = await queryClient.fetchQuery(list.pageQuery(offset, itemsPerRequest));
      for (const { id } of items) all.add(id);
      if (items.length < itemsPerRequest) break;
    }
    set(all);
  };
  return (
    <Paper className={classes.bar} shadow="md" role="group" aria-label={`Selected ${name}`}>
      <Text size="sm" fw={600} aria-live="polite">
        {`${ids.size.toLocaleString('en')} selected`}
      </Text>
      {children}
      {list.total !== undefined && ids.size < list.total && (
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          onClick={() => {
            setBusy(true);
            void selectAll()
              .catch(showError)
              .finally(() => setBusy(false));
          }}
        >
          Select all {list.totalIsExact && list.total.toLocaleString('en')} matching {name}
        </Button>
      )}
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => set(new Set())}>
        Clear selection
      </Button>
    </Paper>
  );
}
