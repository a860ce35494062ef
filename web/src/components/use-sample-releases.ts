import { useApi } from '../api/use-api.ts';

/** The newest releases of a gather job, to try a pattern on. @param gatherJobId null: none is chosen. */
export function useSampleReleases(gatherJobId: number | null): readonly { tag: string; version: string }[] {
  const releases = useApi(
    'listReleases',
    { query: { gather_job_id: gatherJobId ?? 0, limit: 5 } },
    { enabled: gatherJobId !== null },
  );
  return releases.data?.items ?? [];
}
