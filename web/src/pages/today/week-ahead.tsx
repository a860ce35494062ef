import { Text } from '@mantine/core';
import { describeForecast } from '../../../../src/domain/replay/forecast-text.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Section } from '../../ui/facts.tsx';
import { formatCount, formatDayOfYear, formatWeekday } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import classes from './today-page.module.css';

type Day = Schemas['Forecast']['by_day'][number];

const days = 7;
const severities = ['critical', 'high', 'moderate'] as const;
const totalOf = (day: Day) => day.moderate + day.high + day.critical;

/** Shows the thresholds that are crossed on each of the next seven days. */
export function WeekAhead({ label }: { label: string | null }) {
  const { data, error } = useApi(
    'getForecast',
    { query: { days, limit: 1, ...(label !== null && { label }) } },
    { keepPrevious: true },
  );
  return (
    <Section
      title="Next seven days"
      actions={
        <TextLink to="/forecast" search={{ days: String(days), ...(label !== null && { label }) }} size="sm">
          Forecast
        </TextLink>
      }
    >
      {data === undefined ? (
        <Text size="sm" c="var(--text-muted)">
          {error === null ? 'Loading…' : "Can't calculate the forecast. Reload the page to try again."}
        </Text>
      ) : (
        <>
          <Days days={data.by_day.slice(0, days)} />
          <Text size="xs" c="var(--text-muted)" mt="xs">
            {describeForecast(data, days, { one: 'monitor', many: 'monitors' })} {describeRest(data.by_day)}
          </Text>
        </>
      )}
    </Section>
  );
}

/** Describes the crossings on the eighth date, which has no column. Seven times 24 hours end on that date. */
function describeRest(byDay: readonly Day[]): string {
  const rest = byDay.slice(days);
  const count = rest.reduce((sum, day) => sum + totalOf(day), 0);
  if (rest[0] === undefined || count === 0) return '';
  return `${formatCount(count)} of these crossings ${count === 1 ? 'is' : 'are'} on ${formatDayOfYear(new Date(`${rest[0].date}T00:00:00Z`))}, after the days shown.`;
}

function Days({ days: shown }: { days: readonly Day[] }) {
  const most = Math.max(1, ...shown.map(totalOf));
  return (
    <ol className={classes.days} aria-label="Monitors that cross a threshold, by day (UTC)">
      {shown.map((day, index) => {
        const at = new Date(`${day.date}T00:00:00Z`);
        return (
          <li key={day.date} title={formatDayOfYear(at)}>
            <span className={classes.bars} aria-hidden>
              {severities.map((severity) => (
                <span
                  key={severity}
                  data-tone={severity}
                  style={{ height: `${(100 * day[severity]) / most}%` }}
                />
              ))}
            </span>
            <span className={classes.dayCount} data-empty={totalOf(day) === 0 || undefined}>
              {formatCount(totalOf(day))}
            </span>
            <span className={classes.dayName}>{index === 0 ? 'Today' : formatWeekday(at)}</span>
          </li>
        );
      })}
    </ol>
  );
}
