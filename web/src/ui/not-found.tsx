import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from './page-header.tsx';

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Text>
        There is nothing at this address.{' '}
        <Anchor component={Link} underline="always" to="/">
          Go to the overview.
        </Anchor>
      </Text>
    </>
  );
}
