import { Anchor } from '@mantine/core';
import { VersionText } from '../../components/version-text.tsx';
import { countOf, formatDay } from '../../ui/format.ts';
import { formatRelativeTime } from '../../ui/format-relative-time.ts';
import classes from './history.module.css';
import type { Timeline } from './timeline.ts';

/** Shows the content of the chart as a table, newest first. */
export function TimelineTable({ timeline, from }: { timeline: Timeline; from: number }) {
  const rows = [
    ...timeline.deployments.map(({ version, from: at, releasedAt }) => ({
      at,
      version,
      url: null,
      what:
        releasedAt === null || releasedAt > at
          ? 'Deployed'
          : `Deployed; released ${formatRelativeTime(new Date(releasedAt).toISOString(), at).replace(' ago', ' earlier')}`,
    })),
    ...timeline.releases.map(({ version, at, isStable, url }) => ({
      at,
      version,
      url,
      what: isStable ? 'Released' : 'Pre-release',
    })),
  ]
    .filter(({ at }) => at >= from)
    .toSorted((a, b) => b.at - a.at);
  return (
    <details className={classes.details}>
      <summary>View as table ({countOf(rows.length, 'row')})</summary>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col">Version</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, what, version, url }) => (
            <tr key={`${at} ${what} ${version}`}>
              <td>{formatDay(at)}</td>
              <td>{what}</td>
              <td>
                {url === null ? (
                  <VersionText version={version} />
                ) : (
                  <Anchor href={url} target="_blank" rel="noreferrer" inherit>
                    <VersionText version={version} />
                  </Anchor>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
