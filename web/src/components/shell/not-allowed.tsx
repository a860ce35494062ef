import { Text } from '@mantine/core';
import type { Role } from '../../api/use-me.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** In place of a page whose action the user's role does not reach. */
export function NotAllowed({ role }: { role: Role }) {
  return (
    <>
      <PageHeader title="Not for your role" />
      <Text>
        This page needs the role {role} or a higher one. Ask an administrator of your organization, or go on
        with any page of the menu.
      </Text>
    </>
  );
}
