import { SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import classes from './history.module.css';
import { toTimeline } from './timeline.ts';
import { TimelineChart } from './timeline-chart.tsx';
import { TimelineTable } from './timeline-table.tsx';

type Config = Schemas['AlertConfig'];

const dayMs = 86_400_000;
const most = 200;
const ranges = [
  { value: '90', label: '3 months' },
  { value: '365', label: '1 year' },
  { value: '1095', label: '3 years' },
  { value: 'all', label: 'All' },
] as const;
type Range = (typeof ranges)[number]['value'];

/** What ran against what upstream released, on one axis of time. */
export function History({ config, lag }: { config: Config; lag: string }) {
  const now = useNow();
  // To the day, so that what is asked for stays the same while the page is looked at.
  const today = Math.ceil(now / dayMs) * dayMs;
  const versions = useApi('listScrapeJobVersions', {
    path: { id: config.scrape_job_id },
    query: { changes_only: true, limit: most },
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
  const releases = useApi(
    'listReleases',
    {
      query: {
        gather_job_id: config.gather_job_id,
        limit: most,
        ...(since !== null && { since: new Date(since).toISOString() }),
      },
    },
    { enabled: versions.data !== undefined, keepPrevious: true },
  );
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
                  behind_since === null || config.behind_by === 0
                    ? null
                    : { since: Date.parse(behind_since), text: lag, severity }
                }
              />
              {total > most && (
                <Text size="xs" c="var(--text-muted)">
                  The {most} latest of {total.toLocaleString('en')} releases in this range.
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
