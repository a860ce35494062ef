import { VisuallyHidden } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatCount, formatDayOfYear } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import classes from './alerts-by-day.module.css';

type Day = Schemas['Overview']['alerts_by_day'][number];

const ofDay = ({ date }: Day) => formatDayOfYear(new Date(`${date}T00:00:00Z`));

/** Chart of the alerts per day, with opened alerts above the line and resolved alerts below it. */
export function AlertsByDay({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ opened, resolved }) => Math.max(opened, resolved)));
  const sum = (of: (day: Day) => number) =>
    days.reduce((total, day) => total + of(day), 0).toLocaleString('en');
  const heightOf = (count: number) => (count === 0 ? '0' : `max(3px, ${(100 * count) / most}%)`);
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <>
      <div className={classes.legend}>
        <span data-series="opened">
          <TextLink to="/alerts" size="sm">
            {sum(({ opened }) => opened)} opened
          </TextLink>
        </span>
        <span data-series="resolved">
          <TextLink to="/alerts" search={{ view: 'resolved' }} size="sm">
            {sum(({ resolved }) => resolved)} resolved
          </TextLink>
        </span>
        <span className={classes.scale}>peak: {most.toLocaleString('en')} per day</span>
      </div>
      <div className={classes.chart} aria-hidden>
        {days.map((day) => (
          <div
            key={day.date}
            className={classes.day}
            title={`${ofDay(day)}: ${formatCount(day.opened)} opened, ${formatCount(day.resolved)} resolved`}
          >
            <div className={classes.up}>
              <div data-series="opened" style={{ height: heightOf(day.opened) }} />
            </div>
            <div className={classes.down}>
              <div data-series="resolved" style={{ height: heightOf(day.resolved) }} />
            </div>
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{first && ofDay(first)}</span>
        <span>{last && ofDay(last)}</span>
      </div>
      <VisuallyHidden>
        <table>
          <caption>Alerts opened and resolved per day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Opened</th>
              <th scope="col">Resolved</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row">{ofDay(day)}</th>
                <td>{formatCount(day.opened)}</td>
                <td>{formatCount(day.resolved)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
