import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from './page-header.tsx';

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <Text>
        This page doesn't exist or was moved.{' '}
        <Anchor component={Link} underline="always" to="/">
          Go to overview
        </Anchor>
      </Text>
    </>
  );
}
