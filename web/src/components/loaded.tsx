import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiCallError } from '../api/session.ts';
import { ErrorNotice } from './error-notice.tsx';

/** Shows what a query read; before that a shape of it, and a failure in words. What was read stays while it is read again. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => React.ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    // What isn't there now won't be there in a moment.
    if (query.error instanceof ApiCallError && query.error.status === 404)
      return <ErrorNotice error={query.error} />;
    return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  }
  return <Loading />;
}

/** Placeholder with the shape of the content. */
export function Loading() {
  return (
    <Stack role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={32} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={120} />
    </Stack>
  );
}
