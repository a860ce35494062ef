import { Button, Paper, Text } from '@mantine/core';
import { useAction } from '../../api/use-action.ts';
import type { Selection } from '../../components/list/index.ts';
import classes from '../../components/selection-bar.module.css';
import { formatCount } from '../../ui/format.ts';

/** What can be done with the items that are selected. It floats, so that the list stays where it is. */
export function SelectedItems({
  selection: { ids, set },
  accept,
}: {
  selection: Selection;
  accept: () => void;
}) {
  const ignore = useAction('ignoreDiscoveredItems', {
    done: ({ ignored }) => `${formatCount(ignored.length)} ignored.`,
  });
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
        onClick={() =>
          ignore.mutate({ body: { item_ids: [...ids].slice(0, 1_000) } }, { onSuccess: () => set(new Set()) })
        }
      >
        Ignore
      </Button>
      <Button size="xs" variant="default" onClick={() => set(new Set())}>
        Clear selection
      </Button>
    </Paper>
  );
}
