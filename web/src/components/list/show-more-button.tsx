import { Button } from '@mantine/core';
import { formatCount } from '../../ui/format.ts';

/** Button that loads the next rows of a list, with the number of rows that aren't shown yet. */
export function ShowMoreButton({
  query,
  total,
  shown,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  total: number;
  /** Number of rows that are already shown. */
  shown: number;
}) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      mt="xs"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      Show more ({formatCount(total - shown)} left)
    </Button>
  );
}
