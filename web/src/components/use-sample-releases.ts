import { useApi } from '../api/use-api.ts';

/**
 * Returns the newest releases of a gather job as samples for a pattern.
 * @param gatherJobId Null if no job is selected.
 */
export function useSampleReleases(gatherJobId: number | null): readonly { tag: string; version: string }[] {
  const releases = useApi(
    'listReleases',
    { query: { gather_job_id: gatherJobId ?? 0, limit: 5 } },
    { enabled: gatherJobId !== null },
  );
  return releases.data?.items ?? [];
}
