import { Text } from '@mantine/core';
import { TextLink } from './links.tsx';
import { PageHeader } from './page-header.tsx';

/** Page for URLs that don't exist. */
export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <Text>
        This page doesn't exist or was moved.{' '}
        <TextLink underline="always" to="/">
          Go to Today
        </TextLink>
      </Text>
    </>
  );
}
