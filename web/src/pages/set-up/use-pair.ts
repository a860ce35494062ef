import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import { joinPlatformWords } from '../../../../src/domain/versions/platform-words.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { type Pair, toReleaseSet } from './rule-preview.ts';

const perRequest = 200;
/** As many as a job keeps unless it says otherwise. */
const maxReleases = 1_000;

/** The deployed version and the releases that a rule is about to compare; null until both are known. */
export function usePair(
  gatherJob: Schemas['GatherJob'] | undefined,
  scrapeJob: Schemas['ScrapeJob'] | undefined,
): Pair | null {
  const gatherJobId = gatherJob?.id ?? null;
  const releases = useQuery({
    // Another set of releases is another answer.
    queryKey: ['setUpReleases', gatherJobId, gatherJob?.release_count, gatherJob?.latest_version],
    queryFn: () => readReleases(gatherJobId ?? 0),
    enabled: gatherJobId !== null && (gatherJob?.release_count ?? 0) > 0,
  });
  const { data } = releases;
  const scheme = gatherJob?.version_scheme ?? 'auto';
  const isImage = gatherJob !== undefined && sourceTypes[gatherJob.source_type].isImage;
  const platformWords = joinPlatformWords(gatherJob?.platform_words ?? []);
  const deployedVersion = scrapeJob?.latest_version ?? null;
  return useMemo(
    () =>
      data && deployedVersion !== null
        ? {
            deployedVersion,
            releases: toReleaseSet(scheme, data, { isImage, platformWords }),
            listed: gatherJob,
          }
        : null,
    [data, deployedVersion, scheme, isImage, platformWords, gatherJob],
  );
}

async function readReleases(gatherJobId: number): Promise<Schemas['Release'][]> {
  const releases: Schemas['Release'][] = [];
  while (releases.length < maxReleases) {
    const query = { gather_job_id: gatherJobId, limit: perRequest, offset: releases.length };
    const { items } = await api.call('listReleases', { query });
    releases.push(...items);
    if (items.length < perRequest) break;
  }
  return releases;
}
