import { type SendingHours, weekdays } from '../../../src/domain/scheduling/sending-hours.ts';

const names = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const;

export const weekdayOptions = weekdays.map((day) => ({ value: day, label: names[day] }));

/** Formats sending hours, such as `Mon–Fri 08:00–18:00, Sat 10:00–12:00`. */
export function formatHours(hours: readonly SendingHours[]): string {
  return hours.map(({ days, from, to }) => `${formatDays(days)} ${from}–${to}`).join(', ');
}

function formatDays(days: SendingHours['days']): string {
  const places = weekdays.flatMap((day, place) => (days.includes(day) ? place : []));
  const runs = places.reduce<number[][]>((found, place) => {
    const last = found.at(-1);
    if (last?.at(-1) === place - 1) last.push(place);
    else found.push([place]);
    return found;
  }, []);
  return runs
    .map((run) => {
      const [first, last] = [names[weekdays[run[0]!]!], names[weekdays[run.at(-1)!]!]];
      if (run.length === 1) return first;
      return run.length === 2 ? `${first}, ${last}` : `${first}–${last}`;
    })
    .join(', ');
}
