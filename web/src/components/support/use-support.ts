import { useQuery } from '@tanstack/react-query';
import { loadSupport, type SupportEnd, type SupportSubject } from './load-support.ts';

const minuteMs = 60_000;

/**
 * Returns the end of support for the deployed version. If there are several upstream sources, the earliest end is
 * returned. Returns `undefined` while it loads, or if it isn't known.
 * @param id The subject. Without one, nothing is loaded.
 */
export function useSupport(subject: SupportSubject, id: number | undefined): SupportEnd | undefined {
  const { data } = useQuery({
    queryKey: ['getSupport', subject, id],
    queryFn: () => loadSupport(subject, id!),
    staleTime: minuteMs,
    enabled: id !== undefined,
  });
  return data?.[0];
}
