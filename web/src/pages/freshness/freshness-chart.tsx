import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatCount, formatDay } from '../../ui/format.ts';
import { formatKnown, formatValue, type Metric } from './format-freshness.ts';
import classes from './freshness-chart.module.css';

type Point = Schemas['FreshnessPoint'];

const height = 100;
const dayMs = 86_400_000;

/**
 * Shows the sum of a metric per day. Days before the first measurement and days without a known value are left out, so
 * they don't appear as zero.
 */
export function FreshnessChart({
  points,
  metric,
  from,
  to,
}: {
  points: readonly Point[];
  metric: Metric;
  /** First and last day of the range. */
  from: string;
  to: string;
}) {
  const formatSum = (point: Point) => formatKnown(point, point.sum, (sum) => formatValue(metric, sum));
  const knownPoints = points.filter(({ known }) => known > 0);
  const [first, last] = [knownPoints[0], knownPoints.at(-1)];
  if (!first || !last) return null;
  if (first === last)
    return (
      <Text size="sm">
        {formatSum(first)} on {formatDay(Date.parse(first.date))}. A chart appears when two days have been
        measured.
      </Text>
    );
  const startMs = Date.parse(from);
  const width = Math.max(1, (Date.parse(to) - startMs) / dayMs);
  const most = niceCeiling(Math.max(...knownPoints.map(({ sum }) => sum)));
  const x = ({ date }: Point) => (Date.parse(date) - startMs) / dayMs;
  const y = ({ sum }: Point) => height - (sum / most) * height;
  const path = knownPoints.map((point) => `${x(point)},${y(point).toFixed(2)}`).join(' L');
  const label = `${formatSum(first)} on ${formatDay(Date.parse(first.date))}, ${formatSum(last)} on ${formatDay(Date.parse(last.date))}`;
  return (
    <div className={classes.frame}>
      <div className={classes.values} aria-hidden>
        <span>{formatValue(metric, most)}</span>
        <span>{formatValue(metric, most / 2)}</span>
        <span>0</span>
      </div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0, height / 2, height].map((at) => (
          <line key={at} className={classes.grid} x1={0} x2={width} y1={at} y2={at} />
        ))}
        <path className={classes.area} d={`M${x(first)},${height} L${path} L${x(last)},${height} Z`} />
        <path className={classes.line} d={`M${path}`} />
        {points.map((point) => (
          <rect key={point.date} className={classes.hit} x={x(point) - 0.5} y={0} width={1} height={height}>
            <title>{`${formatDay(Date.parse(point.date))}: ${formatSum(point)}, ${formatCount(point.things)} deployed`}</title>
          </rect>
        ))}
      </svg>
      <div className={classes.days} aria-hidden>
        <span>{formatDay(startMs)}</span>
        <span>{formatDay(Date.parse(to))}</span>
      </div>
    </div>
  );
}

/** Rounds up to the next value in the series 1, 2, 5, 10, 20, and so on. */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power;
}
