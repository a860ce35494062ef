import { Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { describeError } from '../api/describe-error.ts';
import { ApiCallError } from '../api/session.ts';
import { PageHeader, type PageHeaderProps } from '../ui/page-header.tsx';
import { ErrorNotice } from './error-notice.tsx';

/**
 * Shows the data of a query, a skeleton until it loads, or an error. The data stays visible during a refetch.
 *
 * @param parent Parent of the resource's page, for the page header if the resource isn't found.
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
    // Don't offer a retry, because the resource doesn't exist.
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
