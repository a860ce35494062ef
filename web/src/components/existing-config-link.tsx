import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiCallError } from '../api/session.ts';

/** Leads to the alert configuration that compares the same already, when that's why one was rejected. */
export function ExistingConfigLink({ error }: { error: unknown }) {
  const isConflict = error instanceof ApiCallError && error.code === 'conflict';
  const id = isConflict ? error.body?.alert_config_ids?.[0] : undefined;
  if (id === undefined) return null;
  return (
    <Text size="sm">
      <Anchor
        component={Link}
        to="/alert-configs/$id"
        params={{ id: String(id) } as never}
        inherit
        underline="always"
      >
        Open the existing monitor
      </Anchor>
    </Text>
  );
}
