import { Text } from '@mantine/core';
import { ApiCallError } from '../api/session.ts';
import { TextLink } from '../ui/links.tsx';
import { resourceLink } from './resource-link.ts';

/** Leads to the alert configuration that compares the same already, when that's why one was rejected. */
export function ExistingConfigLink({ error }: { error: unknown }) {
  const isConflict = error instanceof ApiCallError && error.code === 'conflict';
  const id = isConflict ? error.body?.alert_config_ids?.[0] : undefined;
  if (id === undefined) return null;
  return (
    <Text size="sm">
      <TextLink {...resourceLink('alert_config', id)} inherit underline="always">
        Open the existing monitor
      </TextLink>
    </Text>
  );
}
