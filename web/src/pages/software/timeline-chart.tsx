import { useElementSize } from '@mantine/hooks';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatDay } from '../../ui/format.ts';
import { timeTicks } from './time-ticks.ts';
import { placeLabels, type Timeline } from './timeline.ts';
import classes from './timeline-chart.module.css';

const height = 196;
const upstreamY = 54;
const behindY = 88;
const barY = 112;
const barHeight = 26;
const axisY = 168;
const edge = 10;
const tickWidth = 84;
const charWidth = 7;

/** Mark on the timeline where the deployed version fell behind, with its current severity. */
export interface BehindMark {
  since: number;
  text: string;
  severity: Schemas['AlertSeverity'] | null;
}

/**
 * Timeline with upstream releases above and deployed versions below. A line connects each release with its
 * deployment. The table under the chart is the accessible alternative.
 */
export function TimelineChart({
  timeline: { deployments, releases },
  from,
  to,
  behind,
}: {
  timeline: Timeline;
  from: number;
  to: number;
  behind: BehindMark | null;
}) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const x = (at: number) =>
    edge + ((Math.max(at, from) - from) / Math.max(1, to - from)) * (width - 2 * edge);
  const current = deployments.at(-1);
  const shown = releases.filter(({ at }) => at >= from && at <= to);
  // Labels are placed in order of importance: the latest release, deployed versions, then the rest.
  const labels = placeLabels(
    [
      shown.findLast(({ isStable }) => isStable),
      ...shown.filter(({ isDeployed }) => isDeployed).reverse(),
      ...shown.filter(({ isStable }) => isStable).reverse(),
    ]
      .filter((release) => release !== undefined)
      .map((release) => ({ x: x(release.at), text: release.version })),
    width,
    charWidth,
  );
  return (
    <div ref={ref} className={classes.frame} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden className={classes.chart}>
          {timeTicks(from, to, Math.floor(width / tickWidth)).map(({ at, label }) => (
            <g key={at}>
              <line className={classes.grid} x1={x(at)} x2={x(at)} y1={upstreamY - 18} y2={axisY} />
              <text className={classes.tick} x={x(at)} y={axisY + 18} textAnchor={anchorOf(x(at), width)}>
                {label}
              </text>
            </g>
          ))}
          <text className={classes.lane} x={edge} y={14}>
            Upstream
          </text>
          <line className={classes.axis} x1={edge} x2={width - edge} y1={upstreamY} y2={upstreamY} />
          {deployments
            .filter(
              ({ releasedAt, from: start }) => releasedAt !== null && releasedAt >= from && start >= from,
            )
            .map(({ version, releasedAt, from: start }) => (
              <line
                key={`${version} ${start}`}
                className={classes.link}
                x1={x(releasedAt ?? start)}
                y1={upstreamY}
                x2={x(start)}
                y2={barY}
              />
            ))}
          {deployedLast(shown).map(({ version, at, isStable, isDeployed }) => (
            <circle
              key={version}
              className={classes.release}
              data-stable={isStable}
              data-deployed={isDeployed}
              cx={x(at)}
              cy={upstreamY}
              r={isStable ? 4.5 : 3}
            >
              <title>{`${version}, ${formatDay(at)}${isStable ? '' : ', pre-release'}`}</title>
            </circle>
          ))}
          {labels.map(({ x: at, text }) => (
            <text
              key={`${text} ${at}`}
              className={classes.version}
              x={at}
              y={upstreamY - 14}
              textAnchor="middle"
            >
              {text}
            </text>
          ))}
          {behind && behind.since < to && (
            <g data-severity={behind.severity ?? 'none'} className={classes.behind}>
              <line x1={x(behind.since)} x2={width - edge} y1={behindY} y2={behindY} />
              <line x1={x(behind.since)} x2={x(behind.since)} y1={behindY - 4} y2={behindY + 4} />
              <text x={width - edge} y={behindY - 6} textAnchor="end">
                {behind.text}
              </text>
            </g>
          )}
          {deployments
            .filter((deployment) => deployment.to >= from)
            .map(({ version, from: start, to: end }, index, all) => {
              const left = x(start);
              const barWidth = Math.max(2, x(end) - left - 1);
              return (
                <g key={`${version} ${start}`}>
                  <rect
                    className={classes.bar}
                    data-current={index === all.length - 1}
                    x={left}
                    y={barY}
                    width={barWidth}
                    height={barHeight}
                    rx={3}
                  >
                    <title>{`${version}, since ${formatDay(start)}`}</title>
                  </rect>
                  {fits(version, barWidth) && (
                    <text className={classes.running} x={left + 6} y={barY + 17}>
                      {version}
                    </text>
                  )}
                </g>
              );
            })}
          <text className={classes.lane} x={edge} y={barY + barHeight + 16}>
            Deployed
          </text>
          {current && !fits(current.version, x(current.to) - x(current.from)) && (
            <text className={classes.running} x={width - edge} y={barY + barHeight + 16} textAnchor="end">
              <title>{current.version}</title>
              {/* A longer version would overlap the lane's name. The details on the page show it in full. */}
              {current.version.length > 24 ? `${current.version.slice(0, 23)}…` : current.version}
            </text>
          )}
        </svg>
      )}
    </div>
  );
}

const fits = (text: string, width: number) => width > text.length * charWidth + 11;

/** Sorts deployed versions last, so that they're drawn on top. */
const deployedLast = (releases: Timeline['releases']) =>
  releases.toSorted((a, b) => Number(a.isDeployed) - Number(b.isDeployed));

/** Returns the text anchor of a label, so that labels near an edge aren't cut off. */
function anchorOf(x: number, width: number): 'start' | 'middle' | 'end' {
  if (x < 36) return 'start';
  return x > width - 36 ? 'end' : 'middle';
}
