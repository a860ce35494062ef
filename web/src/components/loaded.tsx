import { Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { describeError } from '../api/describe-error.ts';
import { ApiCallError } from '../api/session.ts';
import { PageHeader, type PageHeaderProps } from '../ui/page-header.tsx';
import { ErrorNotice } from './error-notice.tsx';

/**
 * Shows what a query read; before that a shape of it, and a failure in words. What was read stays while it is read again.
 *
 * @param parent of a page of one resource, which needs a header if the resource isn't found
 */
export function Loaded<Data>({
  query,
  parent,
  children,
}: {
  query: UseQueryResult<Data>;
  parent?: NonNullable<PageHeaderProps['parent']>;
  children: (data: Data) => React.ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    // What isn't there now won't be there in a moment.
    if (query.error instanceof ApiCallError && query.error.status === 404)
      return parent ? (
        <ResourceNotFound parent={parent} error={query.error} />
      ) : (
        <ErrorNotice error={query.error} />
      );
    return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  }
  return <Loading />;
}

function ResourceNotFound({
  parent,
  error,
}: {
  parent: NonNullable<PageHeaderProps['parent']>;
  error: Error;
}) {
  const { title, detail } = describeError(error);
  return (
    <>
      <PageHeader title={title} parent={parent} />
      <Text>{detail}</Text>
    </>
  );
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
