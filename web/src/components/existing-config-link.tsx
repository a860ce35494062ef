import { Text } from '@mantine/core';
import { ApiCallError } from '../api/session.ts';
import { TextLink } from '../ui/links.tsx';
import { resourceLink } from './resource-link.ts';

/** Link to the existing alert configuration if a new one was rejected as a duplicate. */
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
