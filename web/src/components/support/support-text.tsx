import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeSupport } from './describe-support.ts';
import { loadSupport, type SupportSubject } from './load-support.ts';

const minuteMs = 60_000;

/** When support ends for what is deployed there. Of several upstream sources, the first end. */
export function SupportText({
  subject,
  id,
  none = null,
}: {
  subject: SupportSubject;
  id: number;
  /** If it isn't known. */
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
