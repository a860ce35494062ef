import { TextInput } from '@mantine/core';
import type { List } from './list/use-list.ts';

/** Filters `since` and `until` as inclusive days in the browser's time zone. */
export function DayRangeFilter({ list }: { list: Pick<List<unknown>, 'search' | 'setSearch'> }) {
  const { since, until } = list.search;
  return (
    <>
      <TextInput
        type="date"
        aria-label="From day"
        title="From day"
        leftSection="From"
        leftSectionWidth={52}
        value={since === undefined ? '' : dayOf(new Date(since))}
        onChange={({ currentTarget: { value } }) => list.setSearch({ since: startOf(value, 0) })}
        w={190}
      />
      <TextInput
        type="date"
        aria-label="To day"
        title="To day"
        leftSection="To"
        leftSectionWidth={34}
        value={until === undefined ? '' : dayOf(new Date(Date.parse(until) - 1))}
        onChange={({ currentTarget: { value } }) => list.setSearch({ until: startOf(value, 1) })}
        w={172}
      />
    </>
  );
}

/** Returns the midnight at the start of a day, or a number of days later. Undefined if the day is empty. */
function startOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** Formats a day as the value of a date input. */
function dayOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
