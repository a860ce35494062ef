import { Button, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { showError } from '../api/use-action.ts';
import { type List, readRows, type Selection } from './list/index.ts';
import classes from './selection-bar.module.css';

/** Bar with the actions for the selected rows. It floats, so that the list doesn't move when it appears. */
export function SelectionBar({
  selection: { ids, set },
  list,
  name,
  children,
}: {
  selection: Selection;
  list: List<{ id: number }>;
  /** Plural noun for the rows, such as "alerts". */
  name: string;
  /** Action buttons. */
  children: React.ReactNode;
}) {
  const [isBusy, setBusy] = useState(false);
  const selectAll = async () => {
    const rows = await readRows(list);
    set(new Set(rows.map(({ id }) => id)));
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
