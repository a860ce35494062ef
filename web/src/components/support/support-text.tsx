import { Text } from '@mantine/core';
import { describeSupport } from './describe-support.ts';
import type { SupportSubject } from './load-support.ts';
import { useSupport } from './use-support.ts';

/**
 * End of support for the deployed version. If there are several upstream sources, the earliest end is shown.
 */
export function SupportText({
  subject,
  id,
  none = null,
}: {
  subject: SupportSubject;
  id: number;
  /** Content to show if the end of support isn't known. */
  none?: React.ReactNode;
}) {
  const first = useSupport(subject, id);
  if (first === undefined) return none;
  const name = `${first.label} ${first.line}`;
  return (
    <Text span inherit title={name}>
      {describeSupport(first)}
    </Text>
  );
}
