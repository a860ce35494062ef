import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf, formatDay, formatDayOfYear } from '../../ui/format.ts';
import classes from './history-simulation.module.css';

type Day = Schemas['SimulationResult']['by_day'][number];

const height = 40;

/** Bar chart of the simulated alerts per day: the number of open alerts, and the number of newly opened ones. */
export function DayStrip({ days }: { days: readonly Day[] }) {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const most = days.reduce((max, { open, opened }) => Math.max(max, open, opened), 1);
  const barHeight = (count: number) => (count / most) * height;
  const opened = days.reduce((sum, day) => sum + day.opened, 0);
  const label = `${countOf(opened, 'alert')} opened from ${formatDay(atOf(first))} to ${formatDay(atOf(last))}; at most ${most} open on one day`;
  return (
    <div>
      <svg
        className={classes.strip}
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {days.map((day, index) => (
          <g key={day.date}>
            <title>{titleOf(day)}</title>
            <rect x={index} width={1} y={0} height={height} className={classes.ground} />
            <rect
              x={index}
              width={1}
              y={height - barHeight(day.open)}
              height={barHeight(day.open)}
              className={classes.open}
            />
            <rect
              x={index}
              width={0.9}
              y={height - barHeight(day.opened)}
              height={barHeight(day.opened)}
              className={classes.opened}
            />
          </g>
        ))}
      </svg>
      <div className={classes.axis}>
        <span>{formatDayOfYear(atOf(first))}</span>
        <span className={classes.legend}>
          <span data-sign="opened">opened</span> <span data-sign="open">open</span>
        </span>
        <span>{formatDayOfYear(atOf(last))}</span>
      </div>
    </div>
  );
}

function titleOf(day: Day): string {
  const { opened, escalated, resolved, open } = day;
  return `${formatDay(atOf(day))}: ${opened} opened, ${escalated} escalated, ${resolved} resolved, ${open} open`;
}

function atOf({ date }: Day): number {
  return Date.parse(date);
}
