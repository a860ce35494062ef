import { SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { formatCount } from '../../ui/format.ts';
import { useNow } from '../../ui/relative-time.tsx';
import classes from './history.module.css';
import { toTimeline } from './timeline.ts';
import { TimelineChart } from './timeline-chart.tsx';
import { TimelineTable } from './timeline-table.tsx';

type Config = Schemas['AlertConfig'];

const dayMs = 86_400_000;
const perRequest = 200;
/** Number of releases that a source keeps by default. */
const maxReleases = 1_000;
const ranges = [
  { value: '90', label: '3 months' },
  { value: '365', label: '1 year' },
  { value: '1095', label: '3 years' },
  { value: 'all', label: 'All' },
] as const;
type Range = (typeof ranges)[number]['value'];

/**
 * Shows deployed versions and upstream releases on one timeline.
 * @param lag Result of `describeLag`.
 */
export function History({ config, lag }: { config: Config; lag: string | null }) {
  const now = useNow();
  // The time is rounded up to a full day, so that the query stays the same while the page is open.
  const today = Math.ceil(now / dayMs) * dayMs;
  const versions = useApi('listScrapeJobVersions', {
    path: { id: config.scrape_job_id },
    query: { changes_only: true, limit: perRequest },
  });
  const first = versions.data?.items.at(-1)?.discovered_at;
  const begin = Math.min(
    ...[first, config.behind_since].filter((at) => at != null).map((at) => Date.parse(at)),
    now,
  );
  const [chosen, setChosen] = useState<Range | null>(null);
  const fitting = ranges.find(({ value }) => value !== 'all' && today - Number(value) * dayMs <= begin);
  const range = chosen ?? fitting?.value ?? 'all';
  const since = range === 'all' ? null : today - Number(range) * dayMs;
  const releases = useReleases(config.gather_job_id, since, versions.data !== undefined);
  const timeline = useMemo(
    () => toTimeline(versions.data?.items ?? [], releases.data?.items ?? [], now),
    [versions.data, releases.data, now],
  );
  const from = since ?? Math.min(begin, timeline.releases[0]?.at ?? begin, now - 30 * dayMs);
  const { behind_since, severity } = config;
  return (
    <Loaded query={versions}>
      {({ total: versionCount }) => (
        <Loaded query={releases}>
          {({ total }) => (
            <>
              <div className={classes.head}>
                <Text size="sm" c="var(--text-muted)">
                  {versionCount === 0
                    ? 'No deployed versions recorded yet.'
                    : 'Filled dots: releases you deployed. Dashed lines connect each release to its deployment.'}
                </Text>
                <SegmentedControl
                  size="xs"
                  aria-label="Time range"
                  data={[...ranges]}
                  value={range}
                  onChange={(value) => setChosen(value as Range)}
                />
              </div>
              <TimelineChart
                timeline={timeline}
                from={from}
                to={now}
                behind={
                  behind_since === null || config.behind_by === 0 || lag === null
                    ? null
                    : { since: Date.parse(behind_since), text: lag, severity }
                }
              />
              {total > maxReleases && (
                <Text size="xs" c="var(--text-muted)">
                  Showing the {formatCount(maxReleases)} highest of {formatCount(total)} releases in this
                  range.
                </Text>
              )}
              <TimelineTable timeline={timeline} from={from} />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

/**
 * Returns the releases since a time. Fetches all pages, because the list is sorted by version, so recent releases of an
 * older line can be on the last page.
 */
function useReleases(gatherJobId: number, since: number | null, enabled: boolean) {
  const query = {
    gather_job_id: gatherJobId,
    limit: perRequest,
    ...(since !== null && { since: new Date(since).toISOString() }),
  };
  return useQuery({
    // The key starts with the name of the operation, because change events invalidate queries by operation.
    queryKey: ['listReleases', 'history', query],
    queryFn: async ({ signal }) => {
      const read = (offset: number) => api.call('listReleases', { query: { ...query, offset }, signal });
      const first = await read(0);
      const offsets: number[] = [];
      for (let offset = perRequest; offset < Math.min(first.total, maxReleases); offset += perRequest)
        offsets.push(offset);
      const others = await Promise.all(offsets.map(read));
      // A release that moves to the next page between two requests is on both pages, so duplicates are
      // removed.
      const releases = [first, ...others]
        .flatMap(({ items }) => items)
        .map((item) => [item.id, item] as const);
      return { total: first.total, items: [...new Map(releases).values()] };
    },
    placeholderData: keepPreviousData,
    enabled,
  });
}
