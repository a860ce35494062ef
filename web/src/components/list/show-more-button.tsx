import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { formatCount } from '../../ui/format.ts';
import { isSmallRest } from './read-rows.ts';

/**
 * Button that loads the next rows of a list, with the number of rows that aren't shown yet. A small rest loads without
 * the button, which then appears only after a failure.
 */
export function ShowMoreButton({
  query,
  total,
  shown,
}: {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  total: number;
  /** Number of rows that are already shown. */
  shown: number;
}) {
  const { hasNextPage, isFetchNextPageError, fetchNextPage } = query;
  const loadsRest = hasNextPage && !isFetchNextPageError && isSmallRest(total, shown);
  // The number of shown rows is a dependency because a rest can have several pages.
  useEffect(() => {
    if (loadsRest && shown > 0) void fetchNextPage();
  }, [loadsRest, shown, fetchNextPage]);
  if (!hasNextPage || loadsRest) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      mt="xs"
      loading={query.isFetchingNextPage}
      onClick={() => void fetchNextPage()}
    >
      Show more ({formatCount(total - shown)} left)
    </Button>
  );
}
