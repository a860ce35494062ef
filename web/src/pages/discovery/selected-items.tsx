import { Button, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useAction } from '../../api/use-action.ts';
import type { Selection } from '../../components/list/index.ts';
import classes from '../../components/selection-bar.module.css';
import { formatCount } from '../../ui/format.ts';

const itemsPerRequest = 1_000;

/** Shows the actions for the selected items. The bar floats, so that it doesn't move the list. */
export function SelectedItemsBar({
  selection: { ids, set },
  accept,
}: {
  selection: Selection;
  accept: () => void;
}) {
  const ignore = useAction('ignoreDiscoveredItems');
  /**
   * Ignores the selected items in batches. Each batch is deselected when it's done, even if a later request
   * fails.
   */
  const ignoreAll = async () => {
    const left = new Set(ids);
    let count = 0;
    while (left.size > 0) {
      const item_ids = [...left].slice(0, itemsPerRequest);
      const { ignored } = await ignore.mutateAsync({ body: { item_ids } });
      count += ignored.length;
      for (const id of item_ids) left.delete(id);
      set(new Set(left));
    }
    notifications.show({ message: `${formatCount(count)} ignored.`, color: 'teal' });
  };
  return (
    <Paper className={classes['bar']} shadow="md" role="group" aria-label="Selected versions">
      <Text size="sm" fw={600} aria-live="polite">
        {formatCount(ids.size)} selected
      </Text>
      <Button size="xs" onClick={accept}>
        Accept
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={ignore.isPending}
        // `useAction` already shows the error.
        onClick={() => void ignoreAll().catch(() => undefined)}
      >
        Ignore
      </Button>
      <Button size="xs" variant="default" onClick={() => set(new Set())}>
        Clear selection
      </Button>
    </Paper>
  );
}
