import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeSupport } from './describe-support.ts';
import { loadSupport, type SupportSubject } from './load-support.ts';

const minuteMs = 60_000;

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
  const { data } = useQuery({
    queryKey: ['getSupport', subject, id],
    queryFn: () => loadSupport(subject, id),
    staleTime: minuteMs,
  });
  const [first] = data ?? [];
  if (first === undefined) return none;
  const name = `${first.label} ${first.line}`;
  return (
    <Text span inherit title={name}>
      {describeSupport(first)}
    </Text>
  );
}
