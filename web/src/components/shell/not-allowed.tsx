import { Text } from '@mantine/core';
import type { Role } from '../../api/use-me.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** Page shown instead of one that requires a higher role. */
export function NotAllowed({ role }: { role: Role }) {
  return (
    <>
      <PageHeader title="Permission denied" />
      <Text>
        This page requires the {role} role or higher. Ask an administrator of your organization for access.
      </Text>
    </>
  );
}
