import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { VersionText } from './version-text.tsx';

/** Shows the version before a change. Empty for a snapshot with the same version as the one before it. */
export function VersionChange({
  version: { is_change, previous_version },
}: {
  version: Pick<Schemas['Version'], 'is_change' | 'previous_version'>;
}) {
  if (!is_change) return null;
  return previous_version === null ? (
    <Text span inherit c="var(--text-muted)">
      First known version
    </Text>
  ) : (
    <>
      from <VersionText version={previous_version} />
    </>
  );
}
